"""Accelerations that a vehicle holds over speed, the pace by them, and laps that rank cars."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from vehicles.test_vehicle import described, written

import axletree as at
from axletree.analysis.handling.g_g_diagram import g_g_diagram
from axletree.analysis.handling.performance_envelope import performance_limits
from axletree.analysis.steady.turning import turning_of
from axletree.core.errors import AxletreeError
from axletree.ground.path_driver import Pace
from axletree.model.model import STANDARD_GRAVITY as G
from axletree.runs.follow_path import FollowPath
from axletree.vehicles.performance_limits import OwnPace, PerformanceLimits, own_pace
from axletree.vehicles.statics import wheel_heights
from axletree.vehicles.vehicle import Vehicle
from axletree.vehicles.wheel_loads import load_transfer

FRICTION = 0.9
SLIDING = {
    "type": "fiala", "width": 0.2, "slip_stiffness": 2e5, "cornering_stiffness": 2e5,
    "rolling_resistance": 0.0, "peak_friction": FRICTION, "sliding_friction": FRICTION,
}  # fmt: skip


def car(torque: float = 400.0, **more: Any) -> Vehicle:
    """On tyres whose greatest force is friction times load, to some thousandths."""
    given = described()
    for axle in given["axles"].values():
        axle["tyre"]["law"] = SLIDING
    given["axles"]["front"]["drive"]["torque"] = torque
    return Vehicle(**given, **more)


def limits(vehicle: Vehicle, top: float = 30.0) -> PerformanceLimits:
    return OwnPace(share=1.0, top=top, vehicle=vehicle).limits


def test_with_friction_in_proportion_to_load_it_holds_nearly_friction_times_gravity() -> None:
    """At 5 m/s front wheels are turned far, and their forces point backwards."""
    found = limits(car())
    assert found.lateral[1:] == pytest.approx(FRICTION * G, rel=0.02)
    assert found.lateral[0] < 0.95 * FRICTION * G


def test_driving_is_by_the_torque_or_by_what_driven_wheels_transmit() -> None:
    own = car()
    heights, loads = wheel_heights(own), load_transfer(own)
    assert loads is not None
    spun = sum(2.0 * a.wheel.spin_inertia / heights[k] ** 2 for k, a in own.axles.items())
    by_torque = 2.0 * 400.0 / heights["front"] / (own.mass + spun)
    assert limits(own).driving == pytest.approx(by_torque, rel=2e-2)
    # The front wheels, which are driven, lose load by it: m a = 2 mu (F + pitch a).
    front = loads["front"]
    transmitted = 2.0 * FRICTION * front.standing / (
        own.mass + spun - 2.0 * FRICTION * front.pitch
    )  # fmt: skip
    assert limits(car(torque=3000.0)).driving[:-1] == pytest.approx(transmitted, rel=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("weight", [0.6, 1.6])
def test_over_a_crest_and_in_a_dip_limits_are_those_of_the_load(weight: float) -> None:
    """Friction times the load across; driven front wheels lose load by what they transmit."""
    own = car(torque=4000.0)
    found = OwnPace(share=1.0, top=30.0, vehicle=own, speed_count=2, weight=weight).limits
    assert found.lateral[1:] == pytest.approx(weight * FRICTION * G, rel=0.03)
    heights, loads = wheel_heights(own), load_transfer(own)
    assert loads is not None
    spun = sum(2.0 * a.wheel.spin_inertia / heights[k] ** 2 for k, a in own.axles.items())
    front = loads["front"]
    transmitted = 2.0 * FRICTION * weight * front.standing / (
        own.mass + spun - 2.0 * FRICTION * front.pitch
    )  # fmt: skip
    assert found.driving[:-1] == pytest.approx(transmitted, rel=0.03)


@pytest.mark.slow
def test_a_factor_on_friction_is_as_tyres_of_less_friction(monkeypatch: pytest.MonkeyPatch) -> None:
    found = OwnPace(share=1.0, top=30.0, vehicle=car(), speed_count=2, grip=0.5).limits
    for name in ("peak_friction", "sliding_friction"):
        monkeypatch.setitem(SLIDING, name, 0.5 * FRICTION)
    half = OwnPace(share=1.0, top=30.0, vehicle=car(), speed_count=2).limits
    for name in ("lateral", "driving", "braking"):
        assert getattr(found, name) == pytest.approx(getattr(half, name), rel=1e-6)


def test_loads_that_stay_have_no_crests() -> None:
    plane = at.read_model("sedan", {"vehicle": {"fidelity": "two-track-static"}})
    with pytest.raises(AxletreeError, match="loads of its wheels stay as they stand"):
        plane.performance_limits(30.0, weight=1.3)


def test_wings_add_to_what_tyres_hold() -> None:
    wings = {"area": 1.0, "drag": 0.0, "front_lift": -1.4, "rear_lift": -1.1}  # as the weight is
    plain, own = limits(car()), limits(car(air=wings))
    pressed = 0.5 * 1.225 * own.speeds**2 * 2.5 / car().mass
    gain = (own.lateral - plain.lateral)[1:-1]
    assert gain == pytest.approx((FRICTION * pressed)[1:-1], rel=0.15)


@pytest.mark.long
def test_limits_are_those_of_the_g_g_diagram() -> None:
    """Alone they are the ends of its axes, and in turns between its points."""
    turning = turning_of(at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}}))
    own = performance_limits(turning, 40.0)
    speed = float(own.speeds[1])
    (one,) = g_g_diagram(turning, [speed], directions=7).envelopes
    lateral, driving, braking = own.at(speed)
    assert driving == pytest.approx(one.along.max(), rel=1e-3)
    assert braking == pytest.approx(-one.along.min(), rel=1e-3)
    assert 0.95 * one.lateral_alone < lateral <= one.lateral_alone * (1.0 + 1e-6)
    forward, backward = own.exponents(speed)
    for x, y in zip(one.along[1:6], one.lateral[1:6], strict=True):
        alone, n = (driving, forward) if x > 0.0 else (braking, backward)
        size = ((abs(x) / alone) ** n + (y / lateral) ** n) ** (1.0 / n)
        assert 0.9 < size < 1.25, (x, y)  # at most a tenth inside of what is planned by


def test_between_speeds_wings_press_by_squares_and_power_is_even() -> None:
    rows = ([9.0, 12.0], [4.0, 2.0], [10.0, 16.0], [1.0, 0.5], [0.7141, 0.7141])
    own = PerformanceLimits(np.array([10.0, 20.0]), *(np.array(row) for row in rows))
    lateral, driving, braking = own.at(math.sqrt(250.0))
    assert (lateral, braking) == pytest.approx((10.5, 13.0))
    assert driving == pytest.approx(40.0 / math.sqrt(250.0))
    assert own.at(5.0) == own.at(10.0)
    assert own.at(90.0) == own.at(20.0)
    square, by_half = own.exponents(10.0)[0], own.exponents(20.0)[0]
    assert square == pytest.approx(12.0, rel=1e-3)
    assert 0.5**by_half + 0.7**by_half == pytest.approx(1.0)
    assert own.exponents(10.0)[1] == pytest.approx(2.0, rel=1e-3)  # an ellipse


def test_a_pace_of_ones_own_asks_for_its_share_in_a_curve() -> None:
    own, s = car(), np.linspace(0.0, 100.0, 201)
    pace = OwnPace(share=0.5, top=30.0, vehicle=own)
    speed = float(pace.speeds(s, np.full(201, 0.02))[0])
    assert speed**2 * 0.02 == pytest.approx(0.5 * pace.limits.at(speed)[0], rel=1e-3)
    assert pace.hardest == pytest.approx(0.5 * pace.limits.lateral.max())
    # Limits that are given and lower than its own hold.
    low = OwnPace(lateral=2.0, driving=0.5, braking=1.0, share=0.9, top=30.0, vehicle=own)
    v = low.speeds(s, np.zeros(201), first=10.0, last=10.0)
    assert np.diff(v**2).max() / (2.0 * 0.5) == pytest.approx(0.5, rel=1e-9)
    assert low.speeds(s, np.full(201, 0.02))[0] == pytest.approx(10.0, rel=1e-2)


def test_a_pace_is_a_share_or_three_limits(tmp_path: Path) -> None:
    with pytest.raises(AxletreeError, match=r"no driving and no braking; give .* share: 0.6"):
        Pace(lateral=5.0)
    with pytest.raises(AxletreeError, match="no vehicle is known"):
        Pace(share=0.5).speeds(np.zeros(2), np.zeros(2))
    lap = {
        "type": "follow-path", "path": {"type": "race-track", "track": "lindenring"},
        "pace": {"share": 0.4}, "speed": 10.0, "forward": "chassis.vx",
    }  # fmt: skip
    model = at.read_model(written(tmp_path, vehicle=described(), manoeuvres={"lap": lap}))
    found = model.manoeuvres["lap"]
    assert isinstance(found, FollowPath)
    assert isinstance(found.pace, OwnPace)
    assert found.pace.share == 0.4
    assert found.pace.vehicle is model.described["vehicle"]
    own = Pace(lateral=5.0, driving=2.0, braking=4.0)
    assert own_pace(own, car()) is own


@pytest.mark.long
def test_planned_laps_rank_vehicles() -> None:
    """One pace for all had the same 50 s for a racing car and for a van."""
    times = []
    for name in ("formula-student", "sports-car", "sedan", "van", "truck-4x2"):
        race = at.read_model(name).manoeuvres["race-track"]
        assert isinstance(race, FollowPath)
        times.append(race.planned)
    assert all(quick < slow - 0.5 for quick, slow in pairwise(times))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "fidelity"),
    [
        pytest.param("formula-student", "two-track", marks=pytest.mark.slow),
        pytest.param("formula-student", "single-track", marks=pytest.mark.slow),
        pytest.param("formula-student", "full", marks=pytest.mark.long),
        pytest.param("sports-car", "two-track", marks=pytest.mark.slow),
        pytest.param("sedan", "two-track", marks=pytest.mark.long),
        pytest.param("van", "two-track", marks=pytest.mark.long),
    ],
)
@pytest.mark.shipped_flags
def test_laps_stay_in_the_lane_and_keep_to_the_plan(name: str, fidelity: str) -> None:
    changes = {"vehicle": {"fidelity": fidelity}}
    race = at.read_model(name, changes).manoeuvres["race-track"]
    changes["vehicle"].update(race.changes["vehicle"])
    system = at.read_model(name, changes).formulate()
    run = system.drive(race, method="subdivided-rk45", record_interval=2e-2, watch=False)
    found = {one.name: one.value for one in race.findings(run)}
    assert found["passed"] == 1.0
    assert found["planned_time"] < found["lap_time"] < 1.04 * found["planned_time"]
