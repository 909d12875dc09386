"""Random mechanisms of every joint and load, in every kind of coordinates.

Each is formulated with several trees. What must not depend on the tree is compared with
equations that are formed otherwise: Newton's and Euler's in maximal coordinates, solved
by NumPy, for accelerations and reactions; the balance of energy; the momenta.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from mechanisms.description import Mechanism
from mechanisms.random_mechanism import random_mechanism
from mechanisms.solved import Solved, absolute_tree
from mechanisms.state import Singular

from axletree.core.errors import FormulationError
from axletree.equations.tree import TreeChoice
from axletree.expr import directional_derivative, jacobian
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.embedding import Embedded
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
NO_ROTATION = ("Rod", "PointOnLine", "PointOnPlane")

# A mechanism is drawn by its number: hundreds of its choices need not shrink one by one.
numbers = st.integers(0, 10**9)


def examples(count: int) -> Callable[..., Any]:
    return settings(max_examples=count, suppress_health_check=QUIET)


def joint_tree(m: Mechanism, random: Random) -> TreeChoice:
    return None


def all_bodies(m: Mechanism, random: Random) -> TreeChoice:
    return absolute_tree(m) or None


def absolute_translation(m: Mechanism, random: Random) -> TreeChoice:
    return {"translation": absolute_tree(m)} if absolute_tree(m) else None


def absolute_rotation(m: Mechanism, random: Random) -> TreeChoice:
    return {"rotation": absolute_tree(m)} if absolute_tree(m) else None


def mixed(m: Mechanism, random: Random) -> TreeChoice:
    """For each body in each domain its own coordinates or those of the joint it hangs on."""
    chosen: dict[str, list[str]] = {"translation": [], "rotation": []}
    for k, joint in enumerate(m.joints[: len(m.bodies)]):
        if joint.kind == "Weld":
            continue
        for domain, names in chosen.items():
            absent = domain == "rotation" and joint.kind in NO_ROTATION
            names.append(f"b{k}" if absent or random.random() < 0.5 else f"j{k}")
    return chosen if all(chosen.values()) else None


TREES = (joint_tree, all_bodies, absolute_translation, absolute_rotation, mixed)


def drawn(number: int, most_bodies: int = 3, **options: Any) -> tuple[Mechanism, Random]:
    random = Random(number)
    m = random_mechanism(
        random, random.randint(1, most_bodies), loops=random.randint(0, 2),
        drives=random.randint(0, 1), gears=random.randint(0, 1), **options,
    )  # fmt: skip
    return m, random


def solved(m: Mechanism, tree: TreeChoice, **options: Any) -> Solved:
    try:
        return Solved(m, tree, **options)
    except Singular:  # of the Euler angles that happen to be chosen, not of the mechanism
        assume(False)
        raise


def close_to(found: np.ndarray, expected: np.ndarray, tolerance: float = 1e-9) -> None:
    scale = 1.0 + float(np.abs(expected).max(initial=0.0))
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance * scale)


# -- accelerations -------------------------------------------------------------------------


def check_accelerations(number: int, tree: Callable[..., TreeChoice], most_bodies: int) -> None:
    m, random = drawn(number, most_bodies)
    s = solved(m, tree(m, random))
    close_to(s.accelerations(), m.accelerations())
    assert s.degrees_of_freedom == 6 * len(m.bodies) - np.linalg.matrix_rank(m.jacobian())


@pytest.mark.parametrize("tree", TREES)
@given(number=numbers)
@examples(4)
def test_accelerations_are_those_of_newton_and_euler(number: int, tree: Any) -> None:
    check_accelerations(number, tree, most_bodies=3)


@pytest.mark.sampled(3)
@pytest.mark.validation("mechanisms")
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("number", [5, 20])  # loops and a drive, loops and a gear
def test_accelerations_of_two_mechanisms_that_are_always_the_same(
    number: int, tree: Any, agrees: Agrees
) -> None:
    m, random = drawn(number)
    expected = m.accelerations()
    agrees(
        "random mechanisms of 3 bodies with loops: accelerations of all bodies",
        solved(m, tree(m, random)).accelerations(), expected, abs=1e-9 * np.abs(expected).max(),
        unit="m/s², rad/s²", source="Independent model, Newton and Euler in maximal coordinates",
        case=f"number {number}, {tree.__name__.replace('_', ' ')}",
    )  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("tree", TREES)
@given(number=numbers)
@examples(15)
def test_accelerations_of_larger_mechanisms(number: int, tree: Any) -> None:
    check_accelerations(number, tree, most_bodies=6)


@pytest.mark.parametrize("form", [Projected(2), Baumgarte(7.0, 3.0), Partition(2)])
@given(number=numbers)
@examples(3)
def test_every_form_gives_the_same_accelerations(number: int, form: Any) -> None:
    m, random = drawn(number, most_bodies=2)
    s = solved(m, random.choice(TREES)(m, random), form=form)
    # Baumgarte's terms multiply what is left of the closure, 1e-10, by 20^2 / s^2.
    close_to(s.accelerations(), m.accelerations(), 1e-7)


@pytest.mark.parametrize("tree", [joint_tree, all_bodies, mixed])
@given(number=numbers)
@examples(6)
def test_loops_taken_as_one_link_give_the_same_accelerations_and_reactions(
    number: int, tree: Any
) -> None:
    m, random = drawn(number, most_bodies=3)
    try:
        s = solved(m, tree(m, random), form=Embedded())
    except FormulationError as error:
        assume("take one tree for both" not in str(error))
        raise
    close_to(s.accelerations(), m.accelerations(), 1e-8)
    for k, (force, moment) in enumerate(m.reactions()[0]):
        for word, expected in (("force", force), ("moment", moment)):
            names = [f"j{k}.reaction.{word}.{axis}" for axis in "xyz"]
            if m.joints[k].kind != "Weld" and np.abs(expected).max() > 1e-9:
                close_to(s.value(s.outputs[name] for name in names), expected, 1e-7)


# -- reactions -----------------------------------------------------------------------------


def check_reactions(number: int, tree: Callable[..., TreeChoice]) -> None:
    """Force and moment on the head of every joint; a weld within a link tells none."""
    m, random = drawn(number)
    s = solved(m, tree(m, random))
    joints, drives = m.reactions()
    for k, effort in enumerate(drives):
        name = f"drive{k}.{'torque' if m.drives[k].rotational else 'force'}"
        close_to(s.value([s.outputs[name]]), effort, 1e-8)
    for k, (force, moment) in enumerate(joints):
        for word, expected in (("force", force), ("moment", moment)):
            names = [f"j{k}.reaction.{word}.{axis}" for axis in "xyz"]
            if m.joints[k].kind != "Weld" and np.abs(expected).max() > 1e-9:
                close_to(s.value(s.outputs[name] for name in names), expected, 1e-8)


@pytest.mark.parametrize("tree", [joint_tree, all_bodies, mixed])
@given(number=numbers)
@examples(4)
def test_reactions_are_those_of_newton_and_euler(number: int, tree: Any) -> None:
    check_reactions(number, tree)


# -- balances ------------------------------------------------------------------------------


@given(number=numbers)
@examples(8)
def test_energy_changes_by_what_drives_and_dampers_do(number: int) -> None:
    m, random = drawn(number)
    s = solved(m, random.choice(TREES)(m, random))
    power = m.power_lost_or_added()
    for k, drive in enumerate(m.drives):
        effort = s.outputs[f"drive{k}.{'torque' if drive.rotational else 'force'}"]
        power += float(s.value([effort])[0]) * drive.rate
    (rate,) = s.output_rates(["energy.total"])
    (size,) = s.value([s.outputs["energy.kinetic"]])
    assert rate == pytest.approx(power, abs=1e-8 * (1.0 + abs(power) + abs(size)))


@given(number=numbers)
@examples(6)
def test_what_floats_keeps_its_momenta(number: int) -> None:
    m, random = drawn(number, floating=True)
    s = solved(m, random.choice(TREES)(m, random))
    names = [f"momentum.{kind}.{axis}" for kind in ("linear", "angular") for axis in "xyz"]
    size = np.abs(m.accelerations()).max()
    np.testing.assert_allclose(s.output_rates(names), 0.0, atol=1e-9 * (1.0 + size))


# -- the equations themselves --------------------------------------------------------------


@given(number=numbers)
@examples(8)
def test_constraints_are_derivatives_of_one_another(number: int) -> None:
    m, random = drawn(number)
    s = solved(m, random.choice((all_bodies, mixed))(m, random))
    constraints, speeds = s.equations.constraints, s.equations.speeds
    assume(constraints)
    rates = s.state.rates(s.solution.speed_rates)
    trial = {q.symbol: random.uniform(-1.0, 1.0) for q in speeds}
    rates |= trial  # any rates of the speeds will do
    positions, velocities = [c.position for c in constraints], [c.velocity for c in constraints]
    close_to(s.value(positions), np.zeros(len(constraints)))
    close_to(s.value(directional_derivative(positions, rates)), s.value(velocities))
    C = np.zeros((len(constraints), len(speeds)))
    for i, constraint in enumerate(constraints):
        C[i, list(constraint.jacobian)] = s.value(constraint.jacobian.values())
    second = C @ np.array(list(trial.values())) + s.value(c.bias for c in constraints)
    close_to(s.value(directional_derivative(velocities, rates)), second)
    slopes = jacobian(velocities, [q.symbol for q in speeds])
    dense = np.zeros_like(C)
    for (i, j), value in zip(slopes, s.value(slopes.values()), strict=True):
        dense[i, j] = value
    close_to(dense, C)


@given(number=numbers)
@examples(8)
def test_the_printed_equations_hold_for_the_rates_of_the_recursion(number: int) -> None:
    """M dp/dt = b + C^T f, with M and b formed by projection and dp/dt by elimination."""
    m, random = drawn(number)
    s = solved(m, random.choice(TREES)(m, random))
    mass = mass_matrix(s)
    forces = s.value(s.equations.dynamics.forcing)
    for constraint, f in zip(s.constraints, s.value(s.solution.reactions), strict=True):
        forces[list(constraint.jacobian)] += f * s.value(constraint.jacobian.values())
    close_to(mass @ s.value(s.solution.speed_rates), forces)
    assert (np.linalg.eigvalsh(mass) > 0.0).all()


@given(number=numbers)
@examples(5)
def test_the_mass_matrix_is_the_curvature_of_the_kinetic_energy(number: int) -> None:
    m, random = drawn(number)
    s = solved(m, random.choice(TREES)(m, random))
    p = [q.symbol for q in s.equations.speeds]
    assume(p)
    slopes = jacobian([s.outputs["energy.kinetic"]], p)
    second = jacobian([slopes.get((0, j), p[0] * 0.0) for j in range(len(p))], p)
    curvature = np.zeros((len(p), len(p)))
    for entry, value in zip(second, s.value(second.values()), strict=True):
        curvature[entry] = value
    close_to(mass_matrix(s), curvature)


def mass_matrix(s: Solved) -> np.ndarray:
    entries = s.equations.dynamics.mass
    mass = np.zeros((len(s.equations.speeds),) * 2)
    for (i, j), value in zip(entries, s.value(entries.values()), strict=True):
        mass[i, j] = mass[j, i] = value
    return mass
