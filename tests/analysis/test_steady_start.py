"""Steppers of vehicles: they start in steady motions, and are driven by names that all have."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at
from axletree.analysis.steady_start import steady_start
from axletree.core.errors import TrimError
from axletree.core.registry import UnknownNameError
from axletree.simulation.problem import SettingsError
from axletree.simulation.stepper.layout import stepper_layout

DRIVER = {"driver.steering", "driver.throttle", "driver.brake", "driver.clutch"}
PATH = ["vehicle.forward_speed", "vehicle.yaw_rate"]


def sedan(fidelity: str = "single-track") -> at.Model:
    return at.read_model("sedan", {"vehicle": {"fidelity": fidelity}})


def test_steps_are_those_of_a_run_from_the_same_steady_motion() -> None:
    """With the wheel turned by a step without corners, which a table has in the run."""
    car = sedan()
    smooth = {"driver.steering": at.SmoothInput("0.4 s")}
    s = car.stepper(step="1 ms", start={"speed": "80 km/h"}, outputs=PATH, shapes=smooth)
    system = car.formulate()
    found = system.trim(speed="80 km/h")
    s["driver.steering"] = 0.3
    s.advance("1 s")
    course = "0.3*(10*min(t/0.4, 1)**3 - 15*min(t/0.4, 1)**4 + 6*min(t/0.4, 1)**5)"
    run = system.simulate(
        1.0, step=1e-3, initial=found.states, outputs=PATH, watch=False,
        inputs={"driver.steering": course, "driver.throttle": found.inputs["driver.throttle"]},
    )  # fmt: skip
    for name in (*run.states, *PATH):
        scale = max(np.abs(run[name]).max(), 1e-3)
        assert s[name] == pytest.approx(run[name][-1], abs=1e-10 * scale), name
    assert abs(s["vehicle.yaw_rate"]) > 0.05


@pytest.mark.parametrize(
    "fidelity", ["linear", "two-track", pytest.param("full", marks=pytest.mark.slow)]
)
def test_a_vehicle_goes_on_at_the_speed_it_starts_with(fidelity: str) -> None:
    s = sedan(fidelity).stepper(start={"speed": "80 km/h"}, outputs=PATH)
    assert s.step == 1e-3
    assert set(s.inputs) >= DRIVER
    s.advance("0.5 s")
    assert s["vehicle.forward_speed"] == pytest.approx(80.0 / 3.6, rel=1e-7)
    s["driver.steering"] = "10 deg"
    s.advance("1 s")
    assert s["vehicle.yaw_rate"] > 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", ["formula-student", "truck-4x2", "tractor-semitrailer"])
def test_other_vehicles_are_driven_by_the_same_names(name: str) -> None:
    s = at.read_model(name).stepper(start={"speed": "60 km/h"}, outputs=PATH)
    assert set(s.inputs) >= DRIVER
    assert s["chassis.vx"] == pytest.approx(60.0 / 3.6, rel=1e-12)
    s.advance("0.2 s")
    assert s["chassis.vx"] == pytest.approx(60.0 / 3.6, rel=1e-6)
    s.set({"driver.throttle": 0.0, "driver.brake": 0.3})
    s.advance("0.5 s")
    assert s["vehicle.forward_speed"] < 16.4


def test_a_start_may_be_a_turn_and_has_a_name_to_reset_to() -> None:
    car = sedan()
    turn = {"speed": "72 km/h", "lateral_acceleration": 4.0}
    s = car.stepper(start=turn, starts={"slow": {"speed": "10 m/s"}}, outputs=PATH)
    assert s["vehicle.yaw_rate"] == pytest.approx(0.2, rel=1e-9)
    s.advance("1 s")
    assert s["vehicle.yaw_rate"] == pytest.approx(0.2, rel=1e-6)
    s.reset("slow")
    assert s["vehicle.forward_speed"] == pytest.approx(10.0, rel=1e-9)
    s.reset("own")
    assert s["driver.throttle"] == 0.0
    s.reset()
    assert s["vehicle.yaw_rate"] == pytest.approx(0.2, rel=1e-9)
    names = [one.name for one in s.prepared.starts]
    assert names == ["own", "speed 72 km/h, lateral_acceleration 4", "slow"]
    with pytest.raises(UnknownNameError, match="did you mean 'slow'"):
        s.reset("slw")


def test_a_start_may_be_that_of_a_manoeuvre() -> None:
    car = sedan()
    s = car.stepper(start="iso-7401-step", outputs=PATH)
    run = car.drive("coasting", watch=False, record_interval=1.0)
    assert s["vehicle.forward_speed"] == pytest.approx(80.0 / 3.6, rel=1e-9)
    assert s["driver.throttle"] > 0.1  # which keeps the speed
    coasts = car.stepper(start="coasting", outputs=PATH)
    assert coasts.states == pytest.approx({name: run[name][0] for name in run.states}, abs=1e-9)
    with pytest.raises(at.AxletreeError, match="iso-7401-step"):
        car.stepper(start="iso-7401-stp")


def test_a_trim_is_a_start() -> None:
    system = sedan().formulate()
    found = system.trim(speed="20 m/s")
    s = system.stepper(start=found, outputs=PATH)
    assert s.states == dict(found.states)
    s.advance("0.1 s")
    faster = system.trim(speed="25 m/s")
    s.reset(faster, time="1 s")
    assert (s.states, s.time) == (dict(faster.states), 1.0)
    assert s["driver.throttle"] == faster.inputs["driver.throttle"]
    with pytest.raises(SettingsError, match="another value of body.mass"):
        s.reset(system.trim(speed="25 m/s", parameters={"body.mass": 2000.0}))
    other = at.read_model("pendulum").formulate()
    with pytest.raises(at.AxletreeError, match="is not one of 'pendulum'"):
        other.stepper(start=found)


def test_what_contradicts_a_start_is_refused() -> None:
    car = sedan()
    with pytest.raises(SettingsError, match="beside a start"):
        car.stepper(start={"speed": 20.0}, inputs={"driver.brake": 0.1})
    with pytest.raises(SettingsError, match=r"parameters=\{"):
        steady_start(car.formulate(), {"speed": 20.0, "body.mass": 2000.0})
    s = car.stepper(start={"speed": 20.0}, parameters={"body.mass": "2000 kg"}, outputs=PATH)
    assert s["body.mass"] == 2000.0
    s.advance("0.2 s")
    assert s["vehicle.forward_speed"] == pytest.approx(20.0, rel=1e-7)


def test_pedals_and_the_steering_wheel_have_their_travel() -> None:
    """A brake of -1 would drive the car; a steering angle of 90 is meant in degrees, not rad."""
    s = sedan().stepper(start={"speed": 20.0}, outputs=PATH)
    for name, value in (("driver.brake", -0.1), ("driver.throttle", 1.1), ("driver.clutch", 2.0)):
        with pytest.raises(SettingsError, match="between 0 and 1"):
            s[name] = value
    layout = {one["name"]: one for one in stepper_layout(s.prepared)["inputs"]}
    assert (layout["driver.brake"]["lower"], layout["driver.brake"]["upper"]) == (0.0, 1.0)
    with pytest.raises(SettingsError, match="driver.steering"):
        s["driver.steering"] = 90.0
    turned = layout["driver.steering"]
    assert (turned["lower"], turned["upper"]) == pytest.approx((-6.0 * np.pi, 6.0 * np.pi))


def test_a_start_with_wheels_that_turn_backwards_is_refused() -> None:
    """Braked harder than the ground drives them: met by the equations at -3000 rad/s, no motion
    of a car; with the pedal pressed later the car begins with wheels that roll."""
    car = sedan()
    with pytest.raises(TrimError, match=r"(?s)front_left_axle.rate = -\d+ rad/s.*driver.brake = 1"):
        car.drive("coasting", inputs={"driver.brake": 1.0})
    later = {"driver.brake": ([0.0, 1.0, 1.1], [0.0, 0.0, 1.0])}
    run = car.drive("coasting", inputs=later, outputs=[])
    assert run["front_left_axle.rate"][0] * 0.3 == pytest.approx(80.0 / 3.6, rel=0.1)


@pytest.mark.parametrize("pedal", [0.1, 0.3])
def test_wheels_that_a_brake_slows_roll_and_are_found(pedal: float) -> None:
    found = sedan().drive("coasting", inputs={"driver.brake": pedal}, outputs=[])
    free = found["chassis.vx"][0] / 0.31  # rad/s, about as a wheel that is not braked
    assert 0.95 < found["front_left_axle.rate"][0] / free < 1.01
