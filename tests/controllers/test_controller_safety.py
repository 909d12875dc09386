"""Every reference controller, in vehicles of all kinds: bounds, chatter, rest, reverse, wheels in
the air and sensors that fail."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import axletree as at
from axletree.catalogue import CONTROLLERS
from axletree.controllers.contract import ReferenceController, SolvingController
from axletree.controllers.discrete_system import RunningController
from axletree.simulation.control.reference_loops import controller_class
from axletree.vehicles.vehicle import Vehicle

WORDS = sorted(CONTROLLERS)
FOLLOWERS = ("pure-pursuit", "stanley", "mpc")
VEHICLES = ("sedan", "compact-car", "suv", "truck-4x2", "formula-student", "car-with-caravan")
PATH = at.CirclePath(radius=50.0, entry=10.0)
BOUNDS = {
    "modulator.share": (0.0, 1.0),
    "modulator.torque": (0.0, 3000.0),
    "motor.torque": (-500.0, 500.0),
    "actuator.damping": (0.0, 4000.0),
    "driver.throttle": (0.0, 1.0),
    "driver.brake": (0.0, 1.0),
    "steering_actuator.command": (-8.0, 8.0),
}
ROLLS = 20.0  # m/s


@cache
def vehicle(name: str) -> Vehicle:
    found: Vehicle = at.read_model(name).described["vehicle"]
    return found


@cache
def at_work(word: str, name: str = "sedan") -> Any:
    """One that runs, and is reset by who asks for it."""
    given_ = {"path": PATH} if word in FOLLOWERS else {}
    if word == "cruise":
        given_ = {"speed": ROLLS}
    own = controller_class(word).of(vehicle(name), **given_)
    if isinstance(own, SolvingController):
        return own.running(), own
    assert isinstance(own, ReferenceController)
    return RunningController(own), own


def begun(word: str, name: str = "sedan") -> tuple[Any, Any]:
    runs, own = at_work(word, name)
    runs.reset()
    return runs, own


def rolling(own: Any, v: float) -> dict[str, float]:
    """What it sees of straight driving at v, along the beginning of a path."""
    seen = dict.fromkeys((one.name for one in own.measured), 0.0)
    rates = {wheel.rate: v / wheel.radius for wheel in own.vehicle.wheels}
    seen |= {name: rate for name, rate in rates.items() if name in seen}
    if "vehicle.forward_speed" in seen:
        seen["vehicle.forward_speed"] = v
    return seen


def neutral(name: str) -> float:
    """What leaves the driver alone."""
    return 1.0 if name.endswith("share") else 0.0


def within_bounds(commands: dict[str, float]) -> bool:
    return all(
        low <= value <= high
        for name, value in commands.items()
        for end, (low, high) in BOUNDS.items()
        if name.endswith(end)
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", VEHICLES)
@pytest.mark.parametrize("word", WORDS)
@settings(max_examples=6)
@given(scale=st.floats(0.0, 1e4), seed=st.integers(0, 1000))
def test_commands_are_bounded_whatever_is_measured(
    word: str, name: str, scale: float, seed: int
) -> None:
    """Wheels that stand, spin, turn backwards or are in the air, and sensors far out of range."""
    runs, own = begun(word, name)
    random = np.random.default_rng(seed)
    for k in range(10):
        seen = {one.name: scale * float(random.standard_normal()) for one in own.measured}
        assert within_bounds(runs.update(0.01 * k, seen))


@pytest.mark.parametrize("v", [0.0, -5.0])
@pytest.mark.parametrize("word", [word for word in WORDS if word != "cruise"])
def test_at_rest_and_in_reverse_it_leaves_the_driver_alone(word: str, v: float) -> None:
    """A cruise control is there to move off; in reverse it is off, too."""
    runs, own = begun(word)
    for k in range(50):
        found = runs.update(0.01 * k, rolling(own, v))
    for name, value in found.items():
        if name != "driver.hands_off":
            assert value == pytest.approx(neutral(name), abs=1e-6), name


def test_cruise_control_does_not_drive_what_rolls_back() -> None:
    runs, own = begun("cruise")
    for k in range(50):
        found = runs.update(0.02 * k, rolling(own, -5.0))
    assert set(found.values()) == {0.0}
    assert runs.update(1.0, rolling(own, 0.0))["driver.throttle"] == 1.0


@pytest.mark.parametrize("name", ["sedan", "compact-car", "suv"])
@pytest.mark.parametrize("word", ["abs", "esc", "tcs", "torque-vectoring", "cruise"])
@pytest.mark.parametrize("wheel", range(4))
@pytest.mark.parametrize("rate", [0.0, 3.0])
def test_one_wheel_in_the_air_or_without_a_sensor_moves_little(
    word: str, name: str, wheel: int, rate: float
) -> None:
    """It turns three times as fast, or gives 0, on a straight road at steady speed: no brake comes
    on but its own (which tcs is for), and none is released but those of its axle: abs selects low
    behind, and holds the other side near in front. The throttle is that of wheels that roll."""
    runs, own = begun(word, name)
    lost, usual = own.vehicle.wheels[wheel], runs.update(0.0, rolling(own, ROLLS))
    seen = rolling(own, ROLLS)
    seen[lost.rate] *= rate
    for k in range(200):
        found = runs.update(0.01 * k, seen)
    together = {one.name for one in own.vehicle.wheels if one.axle == lost.axle}
    for command, value in found.items():
        if not any(command.startswith(f"{one}_modulator") for one in together):
            assert value == pytest.approx(usual[command], abs=0.05), command
    for k in range(600):  # and then works again
        found = runs.update(2.0 + 0.01 * k, rolling(own, ROLLS))
    assert found == pytest.approx(usual, abs=0.05)


STUCK = {
    "driver.steering": 20.0, "vehicle.yaw_rate": 10.0, "vehicle.lateral_acceleration": 100.0,
    "vehicle.longitudinal_acceleration": 100.0,
}  # fmt: skip


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(
    ("word", "name"),
    [("abs", "vehicle.longitudinal_acceleration"), ("esc", "vehicle.yaw_rate"),
     ("torque-vectoring", "vehicle.yaw_rate")],
)  # fmt: skip
def test_a_sensor_stuck_beyond_its_range_is_not_believed(word: str, name: str, sign: float) -> None:
    runs, own = begun(word)
    seen = rolling(own, ROLLS) | {name: sign * STUCK[name]}
    for k in range(100):
        found = runs.update(0.01 * k, seen)
    for command, value in found.items():
        assert value == pytest.approx(neutral(command), abs=1e-9), command


@pytest.mark.parametrize("word", WORDS)
def test_what_a_failed_sensor_did_is_over_once_it_works(word: str) -> None:
    """Each sensor in turn is stuck for a second; 10 s later commands are as they were."""
    runs, own = begun(word)
    healthy = rolling(own, ROLLS)
    for k in range(300):
        usual = runs.update(0.02 * k, healthy)
    for name in healthy:
        if name.startswith("vehicle.") and word in FOLLOWERS:
            continue  # a place that jumps is another place
        for k in range(50):
            assert within_bounds(runs.update(0.02 * k, healthy | {name: STUCK.get(name, 1000.0)}))
        for k in range(500):
            found = runs.update(1.0 + 0.02 * k, healthy)
        assert found == pytest.approx(usual, abs=0.02), name


@pytest.mark.parametrize(("word", "most"), [("abs", 20), ("tcs", 10), ("esc", 3), ("cruise", 1)])
def test_noise_of_sensors_does_not_make_it_chatter(word: str, most: int) -> None:
    """Wheel speeds off by 0.1 rad/s, yaw rates by 0.005 rad/s, accelerations by 0.2 m/s^2: on a
    straight road no command changes sign or comes on more often in a second than is stated."""
    runs, own = begun(word)
    random, seen = np.random.default_rng(5), rolling(own, ROLLS)
    count = round(4.0 / own.interval)
    rows = []
    for k in range(count):
        noisy = {
            name: value + random.standard_normal() * (0.1 if name.endswith("rate") else 0.2)
            for name, value in seen.items()
        }
        if "vehicle.yaw_rate" in seen:
            noisy["vehicle.yaw_rate"] = 0.005 * random.standard_normal()
        if "driver.steering" in seen:
            noisy["driver.steering"] = 0.0
        found = runs.update(k * own.interval, noisy)
        rows.append([found[name] - neutral(name) for name in sorted(found)])
    on = np.abs(np.array(rows)) > 0.05 * max(1.0, np.max(np.abs(rows)))
    onsets = np.sum(on[1:] & ~on[:-1], axis=0) / 4.0
    assert np.max(onsets) <= most
