"""What keys set: a driver's wheel and pedals, or all wheels of a vehicle with motors in them."""

from __future__ import annotations

import axletree as at
from axletree.expr.quantity import Quantity, Role
from axletree.live_pages.live_controls import _of_wheels, live_controls
from axletree.simulation.stepper.step_program import step_program


def test_a_driver_has_a_wheel_and_pedals() -> None:
    system = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}).formulate()
    keys = live_controls(step_program(system, outputs=[]))["keys"]
    assert keys["steering"] == {"names": ["driver.steering"], "full": 1.0}
    assert list(keys) == ["steering", "throttle", "brake"]


def test_what_is_no_vehicle_has_sliders_alone() -> None:
    for name in ("motor-driven-slider-crank", "double-pendulum"):
        prepared = step_program(at.read_model(name).formulate(), outputs=[])
        found = live_controls(prepared)
        assert found["keys"] == {}
        assert len(found["inputs"]) == len(prepared.shaped)


def test_a_motorcycle_turns_to_the_side_of_the_key() -> None:
    """By a torque on the handlebar to the other side, as riders do."""
    system = at.read_model("motorcycle").formulate()
    prepared = step_program(system, outputs=[])
    found = live_controls(prepared)
    assert found["inputs"] == []
    (key,) = found["keys"].values()
    assert key["names"] == ["steer_torque.torque"]
    runs = [
        system.simulate(1.0, step=1e-3, method="rk4", watch=False, inputs={key["names"][0]: torque})
        for torque in (0.0, key["full"])
    ]
    turned, leant = (
        float(runs[1][name][-1] - runs[0][name][-1]) for name in ("chassis.yaw", "chassis.roll")
    )
    assert turned > 0.01  # rad, to the left
    assert -0.6 < leant < -0.2  # likewise: the right side goes up


def test_wheels_with_motors_are_driven_together() -> None:
    inputs = [Quantity(name, unit, "", Role.INPUT) for name, unit in (
        ("left_steer.angle", "rad"), ("right_steer.angle", "rad"), ("left_supply.voltage", "V"),
        ("right_supply.voltage", "V"), ("hitch.force", "N"),
    )]  # fmt: skip
    keys = _of_wheels(inputs)
    assert keys["steering"]["names"] == ["left_steer.angle", "right_steer.angle"]
    assert keys["throttle"] == {
        "names": ["left_supply.voltage", "right_supply.voltage"], "full": 24.0
    }  # fmt: skip
    assert _of_wheels(inputs[2:]) == {}  # of which nothing is steered
