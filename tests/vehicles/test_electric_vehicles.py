"""Electric vehicles: blending of brakes, shares of a battery, what controllers command."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import ModelError

PLANE = {"fidelity": "single-track"}


@cache
def _car() -> at.Model:
    return at.read_model("electric-car", {"vehicle": PLANE})


def changed(**vehicle: Any) -> at.Model:
    return at.read_model("electric-car", {"vehicle": PLANE | vehicle, "run": {"outputs": []}})


BLENDED = (
    "rear_drive.regeneration", "rear_drive.torque", "rear_left_brake.torque",
    "front_left_brake.torque", "driver.brake", "vehicle.forward_speed",
)  # fmt: skip


@pytest.mark.parametrize(("pedal", "by_motor"), [(0.2, 1.0), (0.5, 0.5), (0.8, 0.0)])
def test_friction_has_of_the_asked_torque_what_the_motor_has_not(
    pedal: float, by_motor: float
) -> None:
    """The sum is that of friction alone, and the motor's part goes from 0.4 to 0.6 of the pedal."""
    car = _car()
    ramp = ([0.0, 0.2, 0.4], [0.0, 0.0, pedal])
    coasts = {"driver.brake": ramp, "driver.throttle": 0.0}
    manoeuvre = at.Coasting(speed=25.0, forward="chassis.vx", duration=1.5, inputs=coasts)
    run = car.drive(manoeuvre, outputs=BLENDED)
    asked = 11.0 * 110.0 * pedal  # N m of each rear wheel
    k = np.searchsorted(run.time, 1.2)
    taken = run["rear_drive.regeneration"][k]
    assert taken == pytest.approx(2.0 * asked * by_motor, rel=1e-3, abs=1e-3)
    assert run["rear_left_brake.torque"][k] == pytest.approx(asked - 0.5 * taken, rel=1e-6)
    assert run["front_left_brake.torque"][k] == pytest.approx(21.0 * 110.0 * pedal)
    # beside the released pedal, 45 N m at the motor
    lift = -45.0 * 11.5 / 0.97
    assert run["rear_drive.torque"][k] == pytest.approx(lift - taken, rel=1e-6)


@pytest.mark.slow
def test_friction_alone_holds_the_car_at_rest() -> None:
    run = _car().drive("braking", outputs=BLENDED)
    assert abs(run["vehicle.forward_speed"][-1]) < 1e-4
    assert abs(run["rear_drive.torque"][-1]) < 1e-2


def test_a_steady_motion_takes_what_resists_it_from_the_battery() -> None:
    """Rolling and air by hand; the charge and the heat are as they are."""
    found = at.trim(_car(), speed=25.0)
    air = 0.5 * 1.225 * 2.36 * 0.267 * 25.0**3
    rolling = 0.008 * 1726.0 * 9.80665 * 25.0
    on_wheels = found["rear_drive.power"]
    assert on_wheels == pytest.approx(air + rolling, rel=0.02)  # and a little slip
    taken = found["rear_drive.electrical_power"]
    parts = ("motor_losses", "inverter_losses", "gear_losses")
    assert taken == pytest.approx(on_wheels + sum(found[f"rear_drive.{one}"] for one in parts))
    assert found["battery.power"] == pytest.approx(taken + 350.0)
    assert found["battery.state_of_charge"] == 0.9
    assert found["rear_drive.temperature"] == 338.15


@pytest.mark.slow
def test_motors_share_the_battery_by_their_power() -> None:
    rear = at.read_model("electric-car").described["vehicle"].axles["rear"].drive
    small = at.Curve((0.0, 300.0, 900.0), (100.0, 100.0, 33.0), "linear")
    front = {"source": {"type": "traction-motor", "peak_torque": small,
                        "losses": {"type": "polynomial", "copper": 0.05}}, "final_drive": 9.0,
             "wheel_motors": True}  # fmt: skip
    car = changed(axles={"front": {"drive": front}})
    assert [one.name for one in car["battery"].drives] == [
        "front_left_drive", "front_right_drive", "rear_drive"
    ]  # fmt: skip
    total = 2.0 * 30e3 + rear.source.peak_power
    assert car["front_left_drive"].battery_share == pytest.approx(30e3 / total)
    assert car["rear_drive"].battery_share == pytest.approx(rear.source.peak_power / total)
    system = car.formulate()
    start = {"chassis.vx": 20.0, "battery.state_of_charge": 0.06}
    rolling = system.trim({"chassis.vx": 20.0}, ["driver.throttle"]).states
    found = system.outputs_at({**rolling, **start}, inputs={"driver.throttle": 1.0})
    drives = sum(found[f"{one.name}.electrical_power"] for one in car["battery"].drives)
    assert found["battery.power"] == pytest.approx(drives + 350.0)


def test_controllers_command_motors_at_the_wheels() -> None:
    motors = {"wheel_motors": True, "final_drive": 6.0}
    car = changed(axles={"rear": {"drive": motors}}, controls={"motors": True})
    system = car.formulate()
    names = [q.name for q in system.inputs]
    assert {"rear_left_motor.torque", "rear_right_motor.torque"} <= set(names)
    assert {"front_left_motor.torque"} <= set(names)  # an ideal motor, where the drive has none
    state = system.state({"rear_left_axle.rate": 60.0, "rear_right_axle.rate": 60.0})
    found = system.outputs_at(state, inputs={"rear_left_motor.torque": 300.0})
    apart = found["rear_left_drive.motor_torque"] - found["rear_right_drive.motor_torque"]
    assert apart == pytest.approx(300.0 / 6.0 / 0.97 * 0.97)
    (one,) = [q.name for q in changed(controls={"motors": True}).formulate().inputs
              if q.name.startswith("rear") and "motor." in q.name]  # fmt: skip
    assert one == "rear_motor.torque"


@pytest.mark.parametrize(
    ("name", "vehicle", "told"),
    [
        ("sedan", {"battery": {"capacity": "50 A*h", "resistance": 0.1, "discharge_power": 1e5,
                               "open_circuit_voltage": [[0, 300], [1, 400]]}},
         "no axle has a motor that takes its power from one"),
        ("electric-car", {"battery": {"lowest_charge": 0.98}}, "closer than twice the margin"),
        ("electric-car", {"axles": {"rear": {"drive": {"friction_from": 0.3}}}},
         "recuperation_until 0.4 is not below friction_from 0.3"),
        ("sedan", {"axles": {"rear": {"drive": {"wheel_motors": True}}}}, "neither gears nor"),
        ("suv", {"coupling": {"exponent": 0.7}}, "it passes nothing"),
        ("suv", {"coupling": {"preload": 10, "commanded": True}}, "give one of them"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_told(name: str, vehicle: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        at.read_model(name, {"vehicle": vehicle})


@pytest.mark.slow
def test_a_coupling_brings_both_axles_to_one_speed() -> None:
    """On wheels that spin: more viscosity, less difference."""
    slips = []
    for viscous in (20.0, 200.0):
        change = {"fidelity": "single-track", "coupling": {"viscous": viscous}}
        suv = at.read_model("suv", {"vehicle": change})
        run = suv.drive("acceleration", outputs=["coupling.slip", "coupling.power"])
        slips.append(np.abs(run["coupling.slip"]).max())
        assert run["coupling.power"].max() <= 1e-9
    assert slips[1] < slips[0]


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("manoeuvre", ["step-steer", "braking", "acceleration"])
def test_the_electric_car_drives_in_full(manoeuvre: str) -> None:
    run = at.read_model("electric-car").drive(manoeuvre)
    assert all(np.isfinite(found.value) for found in run.findings)


@pytest.mark.slow
def test_a_steady_motion_begins_in_the_gear_of_its_speed() -> None:
    """With the pedal released gears are left at 1900 rpm, 199 rad/s."""
    change = {"fidelity": "single-track", "axles": {"rear": {"drive": {"shift_time": "0.4 s"}}}}
    sedan = at.read_model("sedan", {"vehicle": change})
    gears = (4.1, 2.3, 1.5, 1.1, 0.85, 0.7)
    for speed in ("50 km/h", "80 km/h"):
        found = at.trim(sedan, speed=speed)
        turning = found["rear_drive.speed"] / found["rear_drive.gear"]  # rad/s, at a ratio of 1
        left = [gear for gear in gears[:-1] if gear * turning > 199.0]
        assert found["rear_drive.gear"] == pytest.approx(gears[len(left)])
        assert 0.0 < found["driver.throttle"] < 0.5


def test_shares_of_one_engine_add_up_to_one_at_most() -> None:
    more = {"axles": {"front": {"drive": {"share": 0.9}}}}
    with pytest.raises(ModelError, match=r"add up to 1.5 \(front 0.9, rear 0.6\)"):
        at.read_model("suv", {"vehicle": more})
    own = {"axles": {"front": {"drive": {"share": 1.0}}}}
    assert at.read_model("suv", {"vehicle": own}).name == "suv"  # an engine of its own
