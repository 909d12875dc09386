"""Brakes and gears of laps against those of the same car as it is formulated."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at
from axletree.components.axle_drives import AxleDrive
from axletree.expr.quantity import Quantities
from axletree.optimisation.lap_time.drive_on_track import as_on_track, wheel_torques
from axletree.system.system import System

PLANE = {"vehicle": {"fidelity": "two-track"}}


def systems(name: str) -> tuple[System, System]:
    model = at.read_model(name, PLANE)
    return model.formulate(), as_on_track(model).formulate()


def at_speed(states: Quantities, speed: float, slips: tuple[float, ...]) -> dict[str, float]:
    found = {q.name: q.default for q in states} | {"chassis.vx": speed}
    wheels = [q.name for q in states if q.name.endswith("_axle.rate")]
    rates = [speed * (1.0 - slip) / 0.33 for slip in slips]
    return found | dict(zip(wheels, rates, strict=True))


@pytest.mark.parametrize("name", ["formula-student", "sports-car"])
def test_wheels_that_turn_are_braked_as_by_the_brakes_of_the_car(name: str) -> None:
    """Plain brakes, and anti-lock ones whose rear axle goes by the wheel that slips more."""
    plain, sliding = systems(name)
    inputs = {"driver.brake": 0.6, "driver.clutch": 1.0}
    for slips in ((0.02, 0.04, 0.03, 0.05), (0.1, 0.14, 0.12, 0.09)):
        expected = plain.rhs(at_speed(plain.states, 25.0, slips), inputs=inputs)
        found = sliding.rhs(at_speed(sliding.states, 25.0, slips), inputs=inputs)
        assert not any("wind_up" in one for one in found)
        assert set(expected) - set(found) == {q for q in expected if "wind_up" in q}
        for one, value in found.items():
            assert value == pytest.approx(expected[one], rel=1e-9, abs=1e-9), one


def drive_of(name: str) -> AxleDrive:
    (found,) = (one for one in at.read_model(name, PLANE) if isinstance(one, AxleDrive))
    return found


def test_torques_behind_gears_by_hand() -> None:
    """First gear of the sedan at 20 rad/s: 4.1 * 3.2 * 20 rad/s = 2506 rpm, where it has 300 N m,
    of which gears leave 0.92; without fuel 18 + 1506 / 5000 * 27 N m."""
    found = wheel_torques(drive_of("sedan"))
    turns, drag = 4.1 * 3.2, 18.0 + (2505.7 - 1000.0) / 5000.0 * 27.0
    assert float(found.torque(1.0, 20.0, found.numbers)) == pytest.approx(0.92 * turns * 300.0)
    assert float(found.torque(0.0, 20.0, found.numbers)) == pytest.approx(-turns * drag, rel=1e-3)


@pytest.mark.parametrize("name", ["sedan", "sports-car", "van"])
def test_the_best_gear_pulls_no_less_than_the_one_of_the_box(name: str) -> None:
    drive = drive_of(name)
    found = wheel_torques(drive)
    best, own = (np.array(one.y) for one in (found.full_load, found.own_full_load))
    ratios = [float(one) for one in drive.gears]
    held = np.array([  # each gear, with the clutch slipping below the first speed of the map
        [
            r * drive.final_drive * drive.efficiency * float(
                drive.source.torque(1.0, r * drive.final_drive * w, drive.source.numbers)
            )
            for r in ratios
        ]
        for w in found.full_load.x
    ])  # fmt: skip
    pulls = best > 0.0
    assert best[pulls] == pytest.approx(held.max(axis=1)[pulls])
    # Ratios between two gears, while its clutch slips, may pull a little more.
    assert np.mean(own <= best * (1.0 + 1e-9) + 1e-9) > 0.8


@pytest.mark.parametrize(("throttle", "within"), [(1.0, 0.02), (0.0, 0.05)])
def test_the_own_gears_of_a_car_are_those_of_its_box(throttle: float, within: float) -> None:
    """With the pedal down and released the axle has the torque of the model, between the points of
    the table."""
    plain, geared = systems("sedan")
    for speed in (6.3, 17.0, 24.0, 38.0, 52.0):
        rates = []
        for system in (plain, geared):
            values = {"rear_drive.source.best_gear": 0.0} if system is geared else {}
            state = at_speed(system.states, speed, (0.0, 0.0, 0.0, 0.0))
            rates.append(system.rhs(state, inputs={"driver.throttle": throttle}, parameters=values))
        expected, found = (one["rear_left_axle.rate"] for one in rates)
        assert found == pytest.approx(expected, rel=within), speed
