"""Loops that are units of the recursion: a car on double wishbones, and mechanisms of one loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.double_wishbone_car import CORNERS, double_wishbone_car, turned_by_chassis

import axletree as at
from axletree.core.errors import FormulationError
from axletree.equations.articulated_bodies.aggregates import find_aggregates
from axletree.equations.derivation import derive_equations
from axletree.expr import OperationCount, evaluate, symbol
from axletree.simulation.stepper.step_program import step_program

FREE = ("x", "y", "z", "yaw", "pitch", "roll")
TURNING = 18.0 / 0.31  # rad/s
TWO = ("front_left", "rear_right")  # as many corners as comparisons need


def moving(seed: int, corners: Sequence[str] = TWO) -> dict[str, float]:
    """First values: pose, travel of the wheels and all independent speeds, drawn."""
    random = np.random.default_rng(seed)
    given = {f"free.{name}": 0.1 * random.normal() for name in FREE}
    given |= {f"free.{name}": random.normal() for name in ("vx", "vy", "vz", "wx", "wy", "wz")}
    for corner in corners:
        given[f"{corner}_lower.angle"] = 0.08 * random.normal()
        given[f"{corner}_lower.rate"] = random.normal()
        given[f"{corner}_axle.rate"] = TURNING + random.normal()
    return given


RACK = {
    "steering.position": 0.01,
    "steering.position_rate": 0.05,
    "steering.position_acceleration": 0.4,
}


@pytest.fixture(scope="module")
def car() -> Any:
    return double_wishbone_car(tyres=False)


@pytest.fixture(scope="module")
def embedded(car: Any) -> Any:
    return car.formulate(turned_by_chassis(), form="embedded")


@pytest.fixture(scope="module")
def half() -> tuple[Any, Any, Any]:
    """Two corners in the projected form, and in the embedded form by one tree and by two."""
    model = double_wishbone_car(TWO, tyres=False)
    form = at.Embedded()
    other = model.formulate(turned_by_chassis(TWO), form=form)
    return model.formulate(form="projected"), model.formulate(form=form), other


def test_each_corner_is_an_aggregate_on_the_chassis(car: Any) -> None:
    equations = derive_equations(car)
    k = equations.dynamics.kinematics
    found = find_aggregates(k, [c.jacobian for c in equations.constraints])
    link_of = {name: place.link for name, place in k.links.places.items()}
    assert [one.base for one in found] == [link_of["chassis"]] * 4
    for corner, one in zip(CORNERS, found, strict=True):
        parts = {link_of[f"{corner}_{part}"] for part in ("lower_arm", "upper_arm", "upright")}
        assert set(one.links) == parts
        assert len(one.constraints) == 4
        assert len(one.speeds) == 5


def test_the_travel_of_the_lower_arm_is_what_is_free(embedded: Any) -> None:
    names = [embedded.source.speeds[j].name for j in embedded.dependent]
    assert names == [
        f"{corner}_{part}"
        for corner in CORNERS
        for part in ("upper.rate", "turn.wx", "turn.wy", "turn.wz")
    ]


def rates_of(systems: Sequence[Any], state: dict[str, float]) -> list[np.ndarray]:
    """Of the speeds that all systems have, in the states that these first values lead to."""
    common = set.intersection(*({q.name for q in s.source.speeds} for s in systems))
    found = []
    for system in systems:
        rates = system.rhs(system.state(state, inputs=RACK), inputs=RACK)
        found.append(np.array([rates[name] for name in sorted(common)]))
    return found


@pytest.mark.slow
@pytest.mark.validation("mechanisms")
def test_accelerations_and_reactions_are_those_of_the_projected_form(
    half: tuple[Any, Any, Any], agrees: Agrees
) -> None:
    reactions = [c.reaction.name for c in half[0].constraints]
    for seed in range(3):
        first = moving(seed)
        expected, *others = rates_of(half, first)
        for found, tree in zip(others, ("one tree", "two trees"), strict=True):
            agrees(
                "car on double wishbones, loops as one link: accelerations", found, expected,
                abs=1e-9 * np.abs(expected).max(), unit="m/s², rad/s²",
                source="Axletree, projected form", case=f"state {seed}, {tree}",
            )  # fmt: skip
        forces, *others = (
            s.outputs_at(s.state(first, inputs=RACK), reactions, inputs=RACK) for s in half
        )
        largest = max(map(abs, forces.values()))
        for name, force in forces.items():
            for other in others:
                assert other[name] == pytest.approx(force, abs=1e-9 * largest), name


def test_operation_counts_of_a_step(embedded: Any, half: tuple[Any, Any, Any]) -> None:
    """Of an evaluation and of closing the loops; a corner of the projected form takes far more."""
    assert embedded.operations.total == OperationCount(2203, 2903, 31, 54)
    assert embedded.operations.projection == OperationCount(598, 882, 28, 72)
    projected, one_tree, two_trees = (
        step_program(s, "semi-implicit-euler", outputs=[]).operations().total for s in half
    )
    assert two_trees < one_tree < 0.28 * projected


@pytest.mark.slow
def test_operation_counts_of_a_step_on_tyres() -> None:
    """With slip, without the law of the tyres."""
    car = double_wishbone_car().formulate(turned_by_chassis(), form="embedded")
    evaluation, closing = car.operations.main_code, car.operations.projection
    assert evaluation == OperationCount(2595, 3437, 35, 70)
    assert closing == OperationCount(598, 882, 28, 72)


def test_loops_stay_closed_at_one_newton_step(embedded: Any) -> None:
    rack = "0.01 + 0.004*sin(20*t)"
    run = embedded.simulate(
        0.5, step=1e-3, method="semi-implicit-euler", initial=moving(5, CORNERS), outputs=(),
        inputs={"steering.position": rack}, record_interval=0.05,
    )  # fmt: skip
    values = {q.symbol: run[q.name] for q in embedded.states}
    values |= {q.symbol: q.default for q in (*embedded.parameters, *embedded.inputs)}
    values[symbol("steering.position")] = 0.01 + 0.004 * np.sin(20 * run.time)
    gaps = evaluate([c.position for c in embedded.constraints], values)
    assert max(np.abs(gap).max() for gap in gaps) < 1e-10


@pytest.mark.parametrize(
    "name", ["four-bar", "slider-crank", "six-bar", "bricard", "andrews-squeezer"]
)
def test_single_loops_take_fewer_operations_and_agree(name: str) -> None:
    model = at.read_model(name)
    projected, embedded = (model.formulate(form=f) for f in ("projected", "embedded"))
    state = projected.state()
    expected, found = (np.array(list(s.rhs(state).values())) for s in (projected, embedded))
    np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())
    mine, other = (
        s.operations.total.total + s.operations.projection.total for s in (embedded, projected)
    )
    assert mine < 0.6 * other


@pytest.mark.parametrize("name", ["four-bar", "six-bar"])
def test_energy_is_kept(name: str) -> None:
    model = at.read_model(name)
    run = model.formulate(form="embedded").simulate(
        2.0, step=1e-3, method="rk4", outputs=["energy.total"], record_interval=0.01
    )
    energy, kinetic = run["energy.total"], np.ptp(run["energy.total"])
    assert kinetic < 1e-7 * max(np.abs(energy).max(), 1.0)


def test_arms_without_mass() -> None:
    """Links that carry no mass are constraints: the upright's inertia is all there is."""
    light = double_wishbone_car(["front_left"], tyres=False, light_arms=True)
    systems = light.formulate(form="projected"), light.formulate(form="embedded")
    expected, found = rates_of(systems, moving(2, ["front_left"]))
    np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max())


# -- what cannot be done --------------------------------------------------------------------


def test_dependent_speeds_that_constraints_do_not_determine() -> None:
    with pytest.raises(FormulationError, match="need 2 dependent speeds that they determine"):
        at.read_model("four-bar").formulate(form=at.Embedded(dependent=("a.rate",)))
    with pytest.raises(FormulationError, match="newton_steps must be at least 1, got 0"):
        at.Embedded(newton_steps=0)


def test_a_start_in_a_dead_centre_leaves_the_choice_to_places_beside_it() -> None:
    """All bars of a parallelogram in line: two rows of its closure are one there."""
    model = at.Model("flat")
    bars = [model.add(at.RigidBody(name, 1.0, (0.1, 0.1, 0.1))) for name in "abc"]
    a, b, c = bars
    model.add(at.Revolute("A", model.ground, a.point(-0.5, 0, 0), axis="y"))
    model.add(at.Revolute("B", a.point(0.5, 0, 0), b.point(-1, 0, 0), axis="y"))
    model.add(at.Revolute("C", model.ground.point(2, 0, 0), c.point(-0.5, 0, 0), axis="y"))
    model.add(at.Revolute("D", b.point(1, 0, 0), c.point(0.5, 0, 0), axis="y"))
    system = model.formulate(form="embedded")
    assert (system.degrees_of_freedom, len(system.dependent)) == (1, 2)


def test_a_pivot_that_vanishes_far_from_the_assembly_is_told() -> None:
    """Of six hinges that turn round: the order of elimination was chosen around the assembly."""
    model = at.read_model("bricard")
    settings = {"step": 1e-3, "method": "rk4", "outputs": (), "initial": {"hinge1.rate": 3.0}}
    assert "no pivot" not in model.formulate().simulate(1.0, **settings).note
    with pytest.warns(UserWarning, match="the embedded loop of hinge1.* no pivot for hinge2.rate"):
        model.formulate(form="embedded").simulate(1.0, **settings)


def test_a_choice_without_a_dead_centre_on_the_travel_is_taken() -> None:
    """A rocker that turns back on the travel of its loop does not say where the crank is then."""
    model = at.Model("crank_and_rocker")
    rocker, crank, coupler = (
        model.add(at.RigidBody(name, 1.0, (0.1, 0.1, 0.1)))
        for name in ("rocker", "crank", "coupler")
    )
    model.add(at.Revolute("rocking", model.ground.point(1.5, 0, 0), rocker, axis="y"))
    model.add(at.Revolute("turning", model.ground, crank, axis="y"))
    model.add(at.Revolute("pin", crank.point(1.0, 0, 0), coupler, axis="y"))
    ends = coupler.point(1.2, 0, 0), rocker.point(1.2, 0, 0)
    model.add(at.Revolute("loop", *ends, axis="y"))
    model.start = {"turning.angle": -0.9, "rocking.angle": -1.7}
    system = model.formulate(form="embedded")
    names = [system.source.speeds[j].name for j in system.dependent]
    assert "rocking.rate" in names
    assert len(names) == 2


def test_a_dead_centre_of_the_choice_alone_is_told() -> None:
    """The rocker turns back where coupler and crank are in line: it does not determine them."""
    form = at.Embedded(dependent=("a.rate", "b.rate"))
    system = at.read_model("four-bar").formulate(form=form)
    free = at.read_model("four-bar").formulate()
    settings = {"step": 1e-4, "method": "rk4", "outputs": (), "initial": {"a.rate": 6.0}}
    assert free.simulate(1.5, **settings).note == ""
    with pytest.warns(UserWarning, match="or it is one of the form alone, which finds a.rate"):
        system.simulate(1.5, **settings)
