"""Paths that every vehicle that steers can be led along."""

from __future__ import annotations

from typing import Any

from axletree.library.paths.circle import CirclePath
from axletree.library.paths.contract import Path
from axletree.library.paths.lane_change import Iso38881Path, Iso38882Path
from axletree.library.paths.skid_pad import SkidPadPath
from axletree.library.paths.slalom import SlalomPath
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.manoeuvres.follow_path import FollowPath
from axletree.vehicles.standard_manoeuvres import FORWARD, THROTTLE
from axletree.vehicles.vehicle import Vehicle

BESIDE_WHEELS = 0.3  # m, by which a vehicle is wider than its tracks
BEYOND_AXLES = 0.8  # m, by which it reaches beyond its first and last axle
KMH = 1.0 / 3.6


def path_manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    """By name. What nobody describes of a vehicle's outline follows from its wheels."""
    axles = vehicle.axles.values()
    if all(axle.steering is None for axle in axles):
        return {}
    places = [axle.position for axle in axles]
    width = max(axle.track for axle in axles) + BESIDE_WHEELS
    drives = any(axle.drive is not None for axle in axles)
    outline: dict[str, Any] = {
        "forward": FORWARD, "driven_by": (THROTTLE,) if drives else (), "width": width,
        "ahead": max(places) + BEYOND_AXLES, "behind": BEYOND_AXLES - min(places),
    }  # fmt: skip
    paths: dict[str, tuple[Path, float]] = {
        "iso-3888-1": (Iso38881Path(width=width), 80.0 * KMH),
        "iso-3888-2": (Iso38882Path(width=width), 45.0 * KMH),
        "slalom": (SlalomPath(), 40.0 * KMH),
        "skid-pad": (SkidPadPath(), 25.0 * KMH),
        "constant-radius": (CirclePath(radius=40.0), 40.0 * KMH),
    }
    return {
        name: FollowPath(path=path, speed=speed, **outline) for name, (path, speed) in paths.items()
    }
