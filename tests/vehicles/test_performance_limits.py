"""Accelerations that a vehicle holds by its description: closed forms, and laps that rank cars."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from vehicles.test_vehicle import described

import axletree as at
from axletree.ground.path_driver import Pace
from axletree.model.model import STANDARD_GRAVITY as G
from axletree.runs.follow_path import FollowPath
from axletree.vehicles.performance_limits import OwnPace, performance_limits
from axletree.vehicles.statics import wheel_heights
from axletree.vehicles.vehicle import Vehicle
from axletree.vehicles.wheel_loads import load_transfer

FRICTION = 0.9
SPEEDS = np.array([10.0, 30.0])  # m/s
SLIDING = {
    "type": "fiala", "width": 0.2, "slip_stiffness": 2e5, "cornering_stiffness": 2e5,
    "rolling_resistance": 0.0, "peak_friction": FRICTION, "sliding_friction": FRICTION,
}  # fmt: skip


def car(slip_limit: float | None = None, **more: Any) -> Vehicle:
    """On tyres whose greatest force is friction times load, to some thousandths."""
    given = described()
    for axle in given["axles"].values():
        axle["tyre"]["law"] = SLIDING
        axle["brakes"]["slip_limit"] = slip_limit
    return Vehicle(**given, **more)


def test_with_friction_in_proportion_to_load_it_holds_friction_times_gravity() -> None:
    own = car(slip_limit=0.1)
    limits = performance_limits(own, SPEEDS)
    assert limits is not None
    assert limits.lateral == pytest.approx(FRICTION * G, rel=1e-3)
    spun = sum(
        2.0 * axle.wheel.spin_inertia / wheel_heights(own)[name] ** 2
        for name, axle in own.axles.items()
    )
    # All brakes give way: the greatest force of all tyres, less a little in which wheels slip.
    assert limits.braking == pytest.approx(FRICTION * G * own.mass / (own.mass + spun), rel=0.04)


def test_wings_add_to_what_tyres_hold() -> None:
    wings = {"area": 1.0, "drag": 0.0, "front_lift": -1.4, "rear_lift": -1.1}  # as the weight is
    own = car(air=wings)
    limits = performance_limits(own, SPEEDS)
    assert limits is not None
    pressed = 0.5 * 1.225 * SPEEDS**2 * 2.5
    assert limits.lateral == pytest.approx(FRICTION * (G + pressed / own.mass), rel=0.02)


def test_without_an_anti_lock_system_the_first_axle_that_locks_ends_braking() -> None:
    own, loads = car(), load_transfer(car())
    limits = performance_limits(own, SPEEDS)
    assert limits is not None
    assert loads is not None
    heights = wheel_heights(own)
    torques = {"front": 1500.0, "rear": 900.0}
    whole = sum(2.0 * torque / heights[name] for name, torque in torques.items())
    slower = float(limits.braking[0])
    spun = sum(2.0 * a.wheel.spin_inertia / heights[k] ** 2 for k, a in own.axles.items())
    used = {
        name: slower * (own.mass + spun) / whole * torque / heights[name]
        / (FRICTION * (loads[name].standing - loads[name].pitch * slower))
        for name, torque in torques.items()
    }  # fmt: skip
    assert max(used.values()) == pytest.approx(1.0, abs=0.04)
    assert slower < FRICTION * G


def test_driving_is_by_the_torque_or_by_what_driven_wheels_transmit() -> None:
    own, loads = car(), load_transfer(car())
    weak = described()
    weak["axles"]["front"]["drive"]["torque"] = 400.0
    heights = wheel_heights(own)
    spun = sum(2.0 * a.wheel.spin_inertia / heights[k] ** 2 for k, a in own.axles.items())
    gentle, strong = (performance_limits(one, SPEEDS) for one in (Vehicle(**weak), own))
    assert gentle is not None
    assert strong is not None
    assert loads is not None
    by_torque = 2.0 * 400.0 / heights["front"] / (own.mass + spun)
    assert gentle.driving == pytest.approx(by_torque, rel=1e-6)
    # The front wheels, which are driven, lose load by it: m a = 2 mu (F + pitch a).
    front = loads["front"]
    transmitted = 2.0 * FRICTION * front.standing / (
        own.mass + spun - 2.0 * FRICTION * front.pitch
    )  # fmt: skip
    assert strong.driving == pytest.approx(transmitted, rel=0.02)


def test_a_pace_of_ones_own_asks_for_its_share_in_a_curve() -> None:
    own = car(slip_limit=0.1)
    most = {"lateral": 50.0, "driving": 50.0, "braking": 50.0}
    s = np.linspace(0.0, 100.0, 201)
    pace = OwnPace(**most, vehicle=own, share=0.5)
    turn = pace.speeds(s, np.full(201, 0.02))
    assert turn**2 * 0.02 == pytest.approx(0.5 * FRICTION * G, rel=2e-3)
    assert pace.hardest == pytest.approx(0.5 * FRICTION * G, rel=2e-3)
    # With limits below its own it is a pace of these.
    low = {"lateral": 2.0, "driving": 0.5, "braking": 1.0}
    bend = 0.02 * np.sin(0.05 * s)
    given, tied = Pace(**low), OwnPace(**low, vehicle=own, share=0.9)
    assert tied.speeds(s, bend) == pytest.approx(given.speeds(s, bend), rel=1e-3)


def test_planned_laps_rank_vehicles() -> None:
    """One pace for all had the same 50 s for a racing car and for a van."""
    times = []
    for name in ("formula-student", "sports-car", "sedan", "van", "truck-4x2"):
        race = at.read_model(name).manoeuvres["race-track"]
        assert isinstance(race, FollowPath)
        times.append(race.planned)
    assert all(quick < slow - 0.5 for quick, slow in pairwise(times))
