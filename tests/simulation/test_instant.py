"""One instant of a system: states completed by name, derivatives by name."""

from __future__ import annotations

import math

import pytest

import axletree as at
from axletree.core.errors import InitialValueError, SimulationError
from axletree.expr import symbol
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
    with pytest.raises(
        SimulationError, match=r"motor\.torque' is time; expected one finite number in N\*m"
    ):
        system.rhs(system.state(), inputs={"motor.torque": symbol("time")})


def test_states_off_the_constraints_are_taken_as_they_are() -> None:
    system = pendulum(tree=["rod"])
    x = system.state({"rod.pitch": 0.3})
    rates = system.rhs({**x, "rod.pitch": 0.4, "rod.vz": 0.7})  # x and z are those of 0.3 rad
    assert rates["rod.z"] == 0.7
    assert rates["rod.pitch_rate"] == pytest.approx(angular_acceleration(0.4), rel=1e-13)


def test_outputs_at_a_state_are_those_of_a_run_that_starts_there() -> None:
    system = pendulum()
    x = system.state({"pin.angle": 0.3, "pin.rate": 2.0})
    run = system.simulate(0.01, initial=x, step=0.01)
    found = system.outputs_at(x)
    assert list(found) == [definition.quantity.name for definition in system.outputs]
    assert found == pytest.approx({name: run[name][0] for name in found}, rel=1e-13, abs=1e-13)
    heavy = system.outputs_at(x, ["energy.kinetic"], parameters={"rod.mass": 3.0})
    assert heavy == pytest.approx({"energy.kinetic": 2.0 * (INERTIA + 3.0 * LENGTH**2)}, rel=1e-14)


def test_all_that_is_wrong_with_an_instant_is_said_at_once() -> None:
    with pytest.raises(SimulationError) as caught:
        pendulum().rhs({"pin.rat": 1.0, "pin.rate": math.nan}, parameters={"rod.mass": -1.0})
    for found in ("lacks pin.angle", "did you mean 'pin.rate'", "is nan", "'rod.mass' is -1.0"):
        assert found in str(caught.value)


def test_small_equations_are_evaluated_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a compiler was started")

    monkeypatch.setattr("axletree.code.backends.c.load_library", refuse)
    monkeypatch.setattr("axletree.code.backends.c_backend.load_library", refuse)
    system = pendulum()
    x = system.state({"pin.angle": 0.3})
    assert system.rhs(x)["pin.rate"] == pytest.approx(angular_acceleration(0.3), rel=1e-14)
    assert system.stable_step("rk4", x).step > 0.0
