"""One instant of a system: states completed by name, derivatives and outputs by name."""

from __future__ import annotations

import math

import pytest

import axletree as at
from axletree.core.errors import AxletreeError, InitialValueError, SimulationError
from axletree.expr import symbol
from axletree.language import (
    POINT_MASS,
    Assembly,
    Body,
    World,
    parameters,
    rate,
    rod,
    state_space,
    translation,
    variable,
    variables,
)
from axletree.simulation.problem import SettingsError
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.system import System

LENGTH, MASS, INERTIA, GRAVITY = 0.5, 1.0, 0.083, 9.80665


def pendulum(tree: list[str] | None = None) -> System:
    model = at.Model("pendulum")
    rod = model.add(at.RigidBody("rod", mass=MASS, inertia=(INERTIA, INERTIA, INERTIA)))
    model.add(at.Revolute("pin", model.ground, rod.point(0, 0, LENGTH), axis="y"))
    return model.formulate(tree=tree)


def angular_acceleration(angle: float, mass: float = MASS) -> float:
    return -mass * GRAVITY * LENGTH * math.sin(angle) / (INERTIA + mass * LENGTH**2)


def test_the_derivative_is_that_of_the_compound_pendulum() -> None:
    system = pendulum()
    x = system.state({"pin.angle": 0.3, "pin.rate": 2.0})
    rates = system.rhs(x)
    assert rates["pin.angle"] == 2.0
    assert rates["pin.rate"] == pytest.approx(angular_acceleration(0.3), rel=1e-14)


def test_states_may_be_named_among_outputs() -> None:
    system = pendulum()
    names = ["energy.kinetic", "pin.rate", "pin.angle"]
    found = system.outputs_at({"pin.angle": 0.3, "pin.rate": 2.0}, names)
    energy = 0.5 * (INERTIA + MASS * LENGTH**2) * 2.0**2
    assert list(found) == names
    assert list(found.values()) == pytest.approx([energy, 2.0, 0.3], rel=1e-14)
    run = system.simulate(0.1, step=0.01, initial={"pin.angle": 0.3}, outputs=names, watch=False)
    assert run["pin.angle"][0] == 0.3
    assert set(run.names) == set(names)
    with pytest.raises(AxletreeError, match=r"unknown output 'pin\.angel'"):
        system.simulate(0.1, step=0.01, outputs=["pin.angel"])


def test_a_parameter_changes_without_a_new_derivation() -> None:
    system = pendulum()
    rates = system.rhs(system.state({"pin.angle": 0.3}), parameters={"rod.mass": 3.0})
    assert rates["pin.rate"] == pytest.approx(angular_acceleration(0.3, mass=3.0), rel=1e-14)


def test_a_partial_state_is_completed_to_satisfy_the_constraints() -> None:
    x = pendulum(tree=["rod"]).state({"rod.pitch": 0.3, "rod.pitch_rate": 2.0})
    assert x["rod.x"] == pytest.approx(-LENGTH * math.sin(0.3), abs=1e-12)
    assert x["rod.z"] == pytest.approx(-LENGTH * math.cos(0.3), abs=1e-12)
    assert x["rod.vx"] == pytest.approx(-2.0 * LENGTH * math.cos(0.3), abs=1e-12)


def test_too_much_given_says_which_constraint_is_violated() -> None:
    given = {"rod.pitch": 0.3, "rod.x": 1.0, "rod.roll": 0.0, "rod.yaw": 0.0}
    with pytest.raises(InitialValueError, match=r"pin\.Fx by 1\.15"):
        pendulum(tree=["rod"]).state(given)


def test_a_state_that_is_not_whole_is_refused() -> None:
    with pytest.raises(SimulationError, match=r"lacks pin\.angle; system\.state\(\) completes"):
        pendulum().rhs({"pin.rate": 1.0})


def test_an_input_that_runs_with_time_has_no_place_in_an_instant() -> None:
    model = at.Model("driven")
    rod = model.add(at.RigidBody("rod", mass=1.0, inertia=(1, 1, 1)))
    pin = model.add(at.Revolute("pin", model.ground, rod, axis="y"))
    model.add(at.JointTorque("motor", pin))
    system = model.formulate()
    assert system.rhs(system.state(), inputs={"motor.torque": 2.0})["pin.rate"] == 2.0
    with pytest.raises(SimulationError, match=r"is time; expected one finite number in N\*m"):
        system.rhs(system.state(), inputs={"motor.torque": symbol("time")})


def test_states_off_the_constraints_are_taken_as_they_are() -> None:
    """The pin's reaction holds accelerations, which do not ask where the rod has drifted to."""
    system = pendulum(tree=["rod"])
    on = system.state({"rod.pitch": 0.3, "rod.pitch_rate": 2.0})
    off = on | {"rod.x": on["rod.x"] + 0.1, "rod.vz": on["rod.vz"] - 0.4}
    rates = system.rhs(off)
    assert rates["rod.pitch_rate"] == pytest.approx(angular_acceleration(0.3), rel=1e-12)
    assert rates["rod.z"] == off["rod.vz"]
    assert system.outputs_at(off, ["rod.position.x"])["rod.position.x"] == off["rod.x"]


def test_states_beyond_a_small_bound_are_taken_as_they_are() -> None:
    """x'' = -k x / m is what the equations say, whatever is to be believed of them."""
    m, k, x = *parameters("m k"), variable("x")
    values = {m: 2.0, k: 50.0}
    space = state_space("cart", [m * rate(x, 2) + k * x], [x], [], values, small={x: 0.1})
    assert space.system().rhs({"x": 4.0, "V_x": 3.0}) == {"x": 3.0, "V_x": -100.0}


def test_baumgartes_form_answers_to_a_violated_constraint() -> None:
    """A bob on a string, by hand: the tension that makes the stretch's second rate be wanted."""
    (m, g, L), (x, z) = parameters("m g L"), variables("x z")
    base = World(gravity=(0, 0, -g)).base
    bob = Body("bob", base.moved("B", translation(x, 0, z)), m, POINT_MASS)
    string = rod("string", (bob, bob.centre), (None, base.origin), L)
    rows = Assembly("bob", [bob], [], [string]).newton()
    given = {m: MASS, g: GRAVITY, L: LENGTH}
    space = state_space("bob", rows[::2], [x, z], [], given, constraints=[string])
    X, Z, U, W = 0.3, -0.5, 0.2, 0.1  # m, m/s: too far out, and leaving
    system, alpha, beta = space.system(Baumgarte(10.0, 20.0)), 10.0, 20.0
    stretch, leaving = (X**2 + Z**2 - LENGTH**2) / (2 * LENGTH), (X * U + Z * W) / LENGTH
    wanted = -2 * alpha * leaving - beta**2 * stretch
    over_mass = (U**2 + W**2 - GRAVITY * Z) / LENGTH - wanted
    over_mass *= LENGTH**2 / (X**2 + Z**2)
    state = {"x": X, "z": Z, "V_x": U, "V_z": W}
    rates = system.rhs(state)
    assert rates["V_x"] == pytest.approx(-over_mass * X / LENGTH, rel=1e-12)
    assert rates["V_z"] == pytest.approx(-over_mass * Z / LENGTH - GRAVITY, rel=1e-12)
    tension = system.outputs_at(state)["string_tension"]
    assert tension == pytest.approx(MASS * over_mass, rel=1e-12)


def test_outputs_at_a_state_are_those_that_a_run_records() -> None:
    system = at.read_model("four-bar").formulate()
    changed = {system.parameters[0].name: 1.1 * system.parameters[0].default}
    run = system.simulate(0.02, step=0.01, parameters=changed)
    state = {q.name: float(run[q.name][-1]) for q in system.states}
    found = system.outputs_at(state, parameters=changed, time=0.02)
    assert set(found) == {definition.quantity.name for definition in system.outputs}
    for name, value in found.items():
        assert value == pytest.approx(run[name][-1], rel=1e-12, abs=1e-12), name
    chosen = system.outputs_at(state, ["energy.total"], parameters=changed)
    assert chosen == {"energy.total": found["energy.total"]}


def test_an_unknown_output_and_a_wrong_state_are_named() -> None:
    system = pendulum()
    with pytest.raises(AxletreeError, match=r"unknown output 'energy\.totl'.*'energy\.total'"):
        system.outputs_at(system.state(), ["energy.totl"])
    with pytest.raises(SettingsError) as error:
        system.outputs_at({"pin.angel": 1.0, "pin.rate": "3 kg"})
    assert len(error.value.problems) == 3  # the strange name, the wrong unit, what is missing


def test_small_equations_are_evaluated_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a compiler was started")

    monkeypatch.setattr("axletree.code.backends.c.load_library", refuse)
    monkeypatch.setattr("axletree.code.backends.c_backend.load_library", refuse)
    system = pendulum()
    x = system.state({"pin.angle": 0.3})
    assert system.rhs(x)["pin.rate"] == pytest.approx(angular_acceleration(0.3), rel=1e-14)
    assert system.stable_step("rk4", x).step > 0.0
