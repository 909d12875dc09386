"""Solved forms: what they do to a violated constraint, and that they agree where none is."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from mechanisms.random_mechanism import random_mechanism
from mechanisms.solved import Solved
from scipy.integrate import solve_ivp

import axletree as at
from axletree.core.errors import FormulationError
from axletree.expr import directional_derivative, symbol
from axletree.system.assemble import assemble
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.embedding import Embedded
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected

FORMS = [
    Projected(), Projected(3), Baumgarte(), Baumgarte(0.0, 0.0), Partition(), Partition(1),
    Embedded(),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms_agree_where_constraints_hold(four_bar: Any, numbers: Any, form: Any) -> None:
    given = {"a.angle": -1.1, "a.rate": 2.0}
    reference = numbers(four_bar.formulate(), given)
    other = numbers(four_bar.formulate(form=form), given)
    np.testing.assert_allclose(other.states, reference.states, atol=1e-9)
    found, expected = (x.of(x.system.derivatives) for x in (other, reference))
    np.testing.assert_allclose(found, expected, atol=1e-8)
    for name in ("d.Fx", "d.Fz", "b.reaction.force.x", "a.reaction.moment.z"):
        assert other.output(name) == pytest.approx(reference.output(name), abs=1e-7)


def test_shorter_expressions_have_the_same_values() -> None:
    """What ``assemble`` returns is what the form says, rearranged."""
    m = random_mechanism(Random(4), 3, loops=2, kinds=("Revolute", "Universal", "Cylindrical"))
    s = Solved(m)
    start = {q.name: s.state.values[q.symbol] for q in s.equations.coordinates}
    system = assemble(s.equations, Projected(), start)
    rates = (*s.solution.speed_rates, *s.solution.coordinate_rates)
    np.testing.assert_allclose(s.value(system.derivatives), s.value(rates), rtol=1e-10, atol=1e-10)
    assert system.projection is not None
    np.testing.assert_allclose(
        s.value(system.projection), s.value(q.symbol for q in system.states), atol=1e-9
    )


# -- projection ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", [Projected(1), Partition(1)])
@pytest.mark.parametrize("tree", [None, ["A", "B", "C"]])
def test_one_newton_step_squares_the_violation(
    four_bar: Any, numbers: Any, form: Any, tree: Any
) -> None:
    if tree is not None:
        four_bar.start = {
            "A.pitch": -1.3, "A.x": 0.1, "A.z": 0.5, "B.x": 1.0, "B.z": 1.2, "C.x": 2.0,
            "C.z": 0.75, "C.pitch": 1.7,
        }  # fmt: skip
    n = numbers(four_bar.formulate(tree=tree, form=form), {})
    direction = np.random.default_rng(5).normal(size=len(n.states))
    left = []
    for size in (4e-3, 2e-3, 1e-3):
        disturbed = n.states + size * direction
        projected = n.of(n.system.projection, disturbed)
        before, after = (np.abs(n.positions(x)).max() for x in (disturbed, projected))
        assert after < 30.0 * before**2
        assert np.abs(n.velocities(projected)).max() < 1e-10
        left.append(after)
    assert left[0] / left[1] == pytest.approx(4.0, rel=0.1)
    assert left[1] / left[2] == pytest.approx(4.0, rel=0.1)


@pytest.mark.parametrize("form", [Projected(1), Partition(1)])
def test_gears_between_measured_angles_are_projected_with_them(numbers: Any, form: Any) -> None:
    model = at.Model("gears")
    a, b = (model.add(at.RigidBody(name, 1.0, (0.1, 0.1, 0.1))) for name in "ab")
    first = model.add(at.Revolute("first", model.ground, a))
    second = model.add(at.Revolute("second", model.ground.point(1, 0, 0), b))
    model.add(at.GearPair("gear", first, second, -2.0))
    n = numbers(model.formulate(tree=["a", "b"], form=form), {"a.yaw": 0.4})
    disturbed = n.states.copy()
    for name in ("a.yaw", "first.angle"):
        disturbed[n.names.index(name)] += 0.01
    moved = dict(zip(n.names, n.of(n.system.projection, disturbed), strict=True))
    assert moved["first.angle"] == pytest.approx(-2.0 * moved["second.angle"], abs=1e-12)
    assert moved["first.angle"] == pytest.approx(moved["a.yaw"], abs=1e-12)
    assert moved["second.angle"] == pytest.approx(moved["b.yaw"], abs=1e-12)


def test_more_newton_steps_leave_less(four_bar: Any, numbers: Any) -> None:
    left = []
    for steps in (1, 2, 3):
        n = numbers(four_bar.formulate(form=Projected(steps)), {"a.angle": -1.0})
        moved = n.of(n.system.projection, n.states + 0.02)
        left.append(np.abs(n.positions(moved)).max())
    assert left[1] < 1e-3 * left[0]
    assert left[2] < 1e-3 * left[1]


def test_projection_is_the_least_move_in_the_metric_of_the_mass(
    pendulum: Any, numbers: Any
) -> None:
    """Among all speeds that satisfy the constraints it finds those nearest by kinetic energy."""
    n = numbers(pendulum.formulate(tree=["rod"]), {"rod.pitch": 0.3, "rod.pitch_rate": 1.0})
    disturbed = n.states.copy()
    disturbed[:6] += [0.1, 0.2, -0.1, 0.3, 0.2, -0.2]
    moved = n.of(n.system.projection, disturbed)
    change = moved[:6] - disturbed[:6]
    entries = n.system.source.dynamics.mass
    mass = np.zeros((6, 6))
    for (i, j), value in zip(entries, n.of(entries.values()), strict=True):
        mass[i, j] = mass[j, i] = value
    rows = np.zeros((5, 6))
    for i, c in enumerate(n.system.constraints):
        rows[i, list(c.jacobian)] = n.of(c.jacobian.values())
    allowed = np.linalg.svd(rows)[2][5:]  # what the constraints leave free
    np.testing.assert_allclose(allowed @ mass @ change, 0.0, atol=1e-12)


# -- Baumgarte -----------------------------------------------------------------------------


@pytest.mark.parametrize(("alpha", "beta"), [(5.0, 5.0), (3.0, 8.0), (9.0, 4.0), (0.0, 0.0)])
def test_a_violation_obeys_its_characteristic_equation(
    four_bar: Any, numbers: Any, alpha: float, beta: float
) -> None:
    """phi'' + 2 alpha phi' + beta^2 phi = 0 for every constraint, at any violated state."""
    n = numbers(four_bar.formulate(form=Baumgarte(alpha, beta)), {})
    disturbed = n.states + 0.1 * np.random.default_rng(2).normal(size=len(n.states))
    rates = dict(zip(map(symbol, n.names), n.of(n.system.derivatives, disturbed), strict=True))
    velocities = [c.velocity for c in n.system.constraints]
    second = n.of(directional_derivative(velocities, rates), disturbed)
    first, zeroth = n.velocities(disturbed), n.positions(disturbed)
    assert np.abs(zeroth).max() > 0.01
    np.testing.assert_allclose(second + 2.0 * alpha * first + beta**2 * zeroth, 0.0, atol=1e-9)


def test_a_violation_decays_at_the_rate_that_was_chosen(pendulum: Any, numbers: Any) -> None:
    alpha = 10.0
    n = numbers(pendulum.formulate(tree=["rod"], form=Baumgarte(alpha, alpha)), {"rod.pitch": 0.4})
    start = n.states.copy()
    start[n.names.index("rod.x")] += 0.01
    run = solve_ivp(
        lambda t, x: n.of(n.system.derivatives, x), (0.0, 0.5), start, rtol=1e-9, atol=1e-11,
        t_eval=[0.0, 0.1, 0.25, 0.5],
    )  # fmt: skip
    names = [c.reaction.name for c in n.system.constraints]
    row = names.index("pin.Fx")
    phi = [n.positions(x)[row] for x in run.y.T]
    decay = (1.0 + alpha * run.t) * np.exp(-alpha * run.t)
    assert abs(phi[0]) == pytest.approx(0.01)
    np.testing.assert_allclose(phi, phi[0] * decay, atol=1e-8)


# -- partition -----------------------------------------------------------------------------


def test_dependent_speeds_may_be_chosen(four_bar: Any, numbers: Any) -> None:
    given = {"a.angle": -1.1, "a.rate": 2.0}
    reference = numbers(four_bar.formulate(), given)
    for dependent in (("b.rate", "c.rate"), ("a.rate", "b.rate"), ("c.rate", "a.rate")):
        n = numbers(four_bar.formulate(form=Partition(3, dependent)), given)
        disturbed = n.states.copy()
        places = [n.names.index(name.replace("rate", "angle")) for name in dependent]
        disturbed[places] += 0.05
        # Whatever the dependent ones say, the independent ones decide.
        found = n.of(n.system.derivatives, disturbed)
        np.testing.assert_allclose(found, reference.of(reference.system.derivatives), atol=1e-6)


@pytest.mark.parametrize(
    ("dependent", "message"),
    [
        (("b.rate",), "has 2 independent constraints, so 2 speeds are dependent; got 1: b.rate"),
        (("b.rate", "b.rate"), "so 2 speeds are dependent; got 1: b.rate, b.rate"),
        (("b.rate", "e.rate"), "'e.rate' is no speed of the model; its speeds: a.rate, b.rate"),
        (("b.rate", "free.speed"), "do not determine b.rate, free.speed from the other speeds"),
    ],
)
def test_dependents_that_do_not_fit_are_refused(
    four_bar: Any, dependent: tuple[str, ...], message: str
) -> None:
    body = four_bar.add(at.RigidBody("X", 1.0, (0.1, 0.1, 0.1)))
    four_bar.add(at.Prismatic("free", four_bar.ground, body))
    with pytest.raises(FormulationError, match=message):
        four_bar.formulate(form=Partition(dependent=dependent))


@pytest.mark.parametrize("form", [Projected, Partition])
def test_newton_steps_are_at_least_one(form: Any) -> None:
    with pytest.raises(FormulationError, match="newton_steps must be at least 1, got 0"):
        form(0)


def test_negative_constants_are_refused() -> None:
    with pytest.raises(FormulationError, match="must not be negative, got -1 and 2"):
        Baumgarte(-1.0, 2.0)


# -- singular mass -------------------------------------------------------------------------


@pytest.mark.parametrize("form", [Projected(), Baumgarte(), Partition()])
def test_a_rod_without_axial_inertia_in_its_own_coordinates(
    slender_pendulum: Any, numbers: Any, form: Any
) -> None:
    own = numbers(
        slender_pendulum.formulate(tree=["rod"], form=form),
        {"rod.pitch": 0.4, "rod.pitch_rate": 1.5},
    )
    joint = numbers(slender_pendulum.formulate(), {"pin.angle": 0.4, "pin.rate": 1.5})
    assert own.output("rod.pitch_rate_dot") == pytest.approx(joint.output("pin.rate_dot"))
    for axis in "xyz":
        name = f"pin.reaction.force.{axis}"
        assert own.output(name) == pytest.approx(joint.output(name), abs=1e-9)
    for word in ("kinetic", "potential"):
        name = f"energy.{word}"
        assert own.output(name) == pytest.approx(joint.output(name))


def test_a_point_mass_whose_motion_is_prescribed_needs_no_inertia() -> None:
    model = at.Model("crane")
    hook = model.add(at.RigidBody("hook", mass=3.0))  # without inertia
    slide = model.add(at.Prismatic("slide", model.ground, hook, axis="z"))
    model.add(at.TranslationDriver("winch", slide, position="0.5*t**2"))
    system = model.formulate()
    assert system.degrees_of_freedom == 0
    run = system.simulate(1.0, step=0.1)
    np.testing.assert_allclose(run["winch.force"], 3.0 * (9.80665 + 1.0))


def wishbone(arm: Any) -> Any:
    """A corner of a car on two arms and a tie rod, which close three loops."""
    model = at.Model("wishbone")
    car = model.add(at.RigidBody("car", 400.0, (90.0, 90.0, 90.0)))
    model.add(at.Prismatic("heave", model.ground, car, axis="z"))
    lower, upper = model.add(arm("lower")), model.add(arm("upper"))
    knuckle = model.add(at.RigidBody("knuckle", 30.0, (0.5, 0.8, 0.5)))
    model.add(at.Revolute("low_hinge", car.point(0, 0.35, -0.2), lower.point(0, -0.2, 0), "x"))
    model.add(at.Revolute("up_hinge", car.point(0, 0.4, 0.1), upper.point(0, -0.15, 0), "x"))
    model.add(at.Spherical("low_ball", lower.point(0, 0.2, 0), knuckle.point(0, -0.05, -0.15)))
    model.add(at.Spherical("up_ball", upper.point(0, 0.15, 0), knuckle.point(0, -0.1, 0.15)))
    inner, outer = car.point(-0.15, 0.37, -0.1), knuckle.point(-0.15, -0.06, -0.05)
    model.add(at.Rod("tie", inner, outer, length=0.32))
    top, seat = car.point(0, 0.4, 0.4), lower.point(0, 0.1, 0)
    spring = {"stiffness": 3e4, "damping": 2e3, "free_length": 0.75}
    model.add(at.SpringDamper("spring", top, seat, **spring))
    return model.formulate()


@pytest.mark.slow
def test_arms_without_mass_are_cheaper_than_arms_with_some() -> None:
    """And their rates are the limit of those of light arms."""
    none = wishbone(at.MasslessBody)
    light, heavy = (
        wishbone(lambda name, m=m: at.RigidBody(name, m, (0.02 * m, 0.01 * m, 0.02 * m)))
        for m in (1e-7, 2.0)
    )
    for angle in (-0.5, 0.0, 0.3):  # rad, to which the lower arm has swung
        given = {"heave.speed": 0.3, "low_hinge.angle": angle, "low_hinge.rate": 1.5}
        state = light.state(given)
        rates = none.rhs(state)
        for name, rate in light.rhs(state).items():
            assert rates[name] == pytest.approx(rate, rel=1e-5, abs=1e-5)
        assert rates["heave.speed"] != pytest.approx(heavy.rhs(state)["heave.speed"], rel=1e-5)
    counts = [sum(vars(system.operations.total).values()) for system in (none, heavy)]
    assert counts[0] < counts[1]
    assert sum(call.each.divisions for call in none.operations.calls) <= 45  # of what is left
