"""What suspensions do to their wheels over travel, as curves beside the data sheet."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from axletree.components.signals import Curve
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.suspensions import Suspension
from axletree.vehicles.vehicle import Vehicle

_SHOWN: Final = (  # fields of suspensions by curves, titles, units and their sizes in SI
    ("camber", "change of camber", "deg", math.radians(1.0)),
    ("toe", "change of toe, in positive", "deg", math.radians(1.0)),
    ("outward", "wheel outward", "mm", 1e-3),
    ("forward", "wheel forward", "mm", 1e-3),
    ("force", "force of the springs from design", "kN", 1e3),
)
_POINTS: Final = 33  # of a curve that is given by fewer


def axle_curves(vehicle: Vehicle) -> list[dict[str, Any]]:
    """Over the common travel of both wheels [mm, bump positive], of all axles that have curves.

    Example:
    >>> import axletree as at
    >>> from axletree.studio.wheel_curves import axle_curves
    >>> car = at.read_model("pushrod-formula-student").described["vehicle"]
    >>> camber = axle_curves(car)[0]
    >>> camber["title"], [one["name"] for one in camber["lines"]]
    ('change of camber [deg]', ['front', 'rear'])
    """
    found = []
    for field, title, unit, size in _SHOWN:
        lines = [
            {"name": name, "x": (1e3 * x).tolist(), "y": (y / size).tolist()}
            for name, axle in vehicle.every_axle.items()
            for x, y in _curve(axle.suspension, field)
        ]
        if lines:
            found.append({"title": f"{title} [{unit}]", "lines": lines})
    return found


def _curve(suspension: Suspension, field: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Travel [m] and values in SI units, where there are any."""
    if isinstance(suspension, LinkedSuspension):
        curves = suspension.sweep.curves(suspension.carried)
        yield curves.travel, getattr(curves, field)
        return
    given = getattr(suspension, field, None)
    if isinstance(given, Curve):
        x = np.linspace(given.x[0], given.x[-1], _POINTS)
        yield x, np.asarray(given.table.evaluate(x))
