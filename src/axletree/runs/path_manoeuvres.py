"""Paths that every vehicle that steers can be led along."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from axletree.ground.clearance import Footprint
from axletree.ground.lane_changes import Iso38881Path, Iso38882Path
from axletree.ground.pace import Pace
from axletree.ground.paths import CirclePath, Path, SkidPadPath, SlalomPath
from axletree.ground.race_track import ready_track
from axletree.metrics.vehicle_signals import THROTTLE
from axletree.model.manoeuvre import Manoeuvre
from axletree.runs.follow_path import FollowPath
from axletree.runs.standard_manoeuvres import FORWARD
from axletree.vehicles.steer_estimate import SAFE_SHARE, rigid_rollover_acceleration
from axletree.vehicles.units import Trailer, VehicleUnit
from axletree.vehicles.vehicle import Vehicle

BESIDE_WHEELS = 0.3  # m, by which a vehicle is wider than its tracks
BEYOND_AXLES = 0.8  # m, by which it reaches beyond its first and last axle
_KMH = 1.0 / 3.6
RACE = 6.0  # m/s^2, of lateral acceleration
RACE_START = 60.0 * _KMH
CIRCLE, CIRCLE_START = 100.0, 20.0 * _KMH  # m, radius; m/s, of a speed that rises
CIRCLE_GAIN = 0.1  # m/s^2, by which it does
CIRCLE_END = 3.0  # m/s^2, of lateral acceleration
CIRCLE_RUN_OUT = 250.0  # m, that is left when a run ends which is as late as it may be


def path_manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    """By name. What nobody describes of a vehicle's outline follows from its wheels."""
    axles = vehicle.axles.values()
    if all(axle.steering is None for axle in axles):
        return {}
    rear = -min(axle.position for axle in axles)
    drives = any(axle.drive is not None for axle in axles)
    own = _footprint(vehicle)
    towed = {name: _towed_footprint(trailer) for name, trailer in vehicle.trailers.items()}
    box = {"width": own.width, "ahead": own.ahead, "behind": own.behind}
    outline: dict[str, Any] = {
        "forward": FORWARD,
        "driven_by": (THROTTLE,) if drives else (),
        "towed": towed,
        **box,
    }
    # Lanes are for the widest of a train, which all of it is to go through.
    widest = {**box, "width": max(one.width for one in (own, *towed.values())), "rear": rear}
    paths: dict[str, tuple[Path, float]] = {
        "iso-3888-1": (Iso38881Path(**widest), 80.0 * _KMH),
        "iso-3888-2": (Iso38882Path(**widest), 50.0 * _KMH),
        "slalom": (SlalomPath(), 40.0 * _KMH),
        "skid-pad": (SkidPadPath(), 25.0 * _KMH),
        "constant-radius": (CirclePath(radius=40.0), 40.0 * _KMH),
    }
    found: dict[str, Manoeuvre] = {
        name: FollowPath(path=path, speed=speed, **outline) for name, (path, speed) in paths.items()
    }
    turn: Any = ({"type": "steady-turn", "offsets": "driver.offset"},)
    found["constant-radius"] = replace(found["constant-radius"], metrics=turn)
    found["race-track"] = _race(vehicle, outline)
    found["iso-4138-constant-radius"] = _circle(vehicle, outline)
    return found


def _circle(vehicle: Vehicle, outline: dict[str, Any]) -> Manoeuvre:
    """A circle on which speed rises so slowly that every record is nearly a steady state.

    The limit A of the pace is twice the level a, so that most of the gain g is left at its end:
    v^2 / (A R) = u grows by du/ds = 2 g / (A R) sqrt(1 - u^2) over the way s.
    """
    level = min(CIRCLE_END, SAFE_SHARE * rigid_rollover_acceleration(vehicle))
    limit, top = 2.0 * level, math.sqrt(level * CIRCLE)
    start = min(CIRCLE_START, 0.5 * top)
    pace = Pace(lateral=limit, driving=CIRCLE_GAIN, braking=1.0, top=top, start=start)
    shares = (speed**2 / (limit * CIRCLE) for speed in (start, top))
    begin, end = (math.asin(share) for share in shares)
    way = 0.5 * limit * CIRCLE / CIRCLE_GAIN * (end - begin)
    path = CirclePath(radius=CIRCLE, laps=way / (2.0 * math.pi * CIRCLE), run_out=CIRCLE_RUN_OUT)
    ratio = next(a.steering.ratio for a in vehicle.axles.values() if a.steering is not None)
    cornering: Any = (
        {"type": "steady-cornering", "wheelbase": vehicle.wheelbase, "ratio": ratio},
    )  # fmt: skip
    return FollowPath(path=path, pace=pace, speed=start, metrics=cornering, **outline)


def _footprint(unit: VehicleUnit) -> Footprint:
    """By its wheels."""
    places = [axle.position for axle in unit.axles.values()]
    widest = max(axle.track for axle in unit.axles.values()) + BESIDE_WHEELS
    width = widest if unit.body.width is None else unit.body.width
    return Footprint(width, max(places) + BEYOND_AXLES, BEYOND_AXLES - min(places))


def _towed_footprint(trailer: Trailer) -> Footprint:
    """Axles say little of how long a trailer is: it has the length of a box of even mass with its
    yaw inertia J, for which J = m (length^2 + width^2) / 12, and reaches beyond its axles."""
    box, body = _footprint(trailer), trailer.body
    square = 12.0 * body.inertia[2] / body.mass - box.width**2
    half = 0.5 * math.sqrt(max(square, 0.0))
    return replace(box, ahead=max(box.ahead, half), behind=max(box.behind, half))


def _race(vehicle: Vehicle, outline: dict[str, Any]) -> Manoeuvre:
    """A lap at a pace that leaves something of what would slide or tip."""
    lateral = min(RACE, 0.6 * rigid_rollover_acceleration(vehicle))
    pace = Pace(lateral=lateral, driving=0.5 * lateral, braking=0.7 * lateral)
    return FollowPath(path=ready_track("lindenring"), pace=pace, speed=RACE_START, **outline)
