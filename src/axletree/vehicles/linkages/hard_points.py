"""Hard points of one side of an axle, each a field with a sentence of its own."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

from axletree.components.fields import Part, vector_parameter
from axletree.vehicles.linkages.linkage import Point, mirrored_point


class PointAxes(enum.Enum):
    """Where hard points are measured from; x forward, y left, z up in both."""

    AXLE = "axle"  # from the road at y = 0 below the wheel centres
    VEHICLE = "vehicle"  # x from the body's centre of mass, z from the road


@dataclass(frozen=True)
class HardPoints(Part):
    """Points of one side at design; a kind of suspension adds those of its own.

    Example:
    >>> from axletree.vehicles.linkages.hard_points import HardPoints
    >>> HardPoints(wheel_centre=("0 mm", "760 mm", "310 mm")).mirrored().wheel_centre  # m
    (0.0, -0.76, 0.31)
    """

    summary: ClassVar[str] = "hard points of one side"

    wheel_centre: Point = vector_parameter("m", "centre of the wheel")

    def moved(self, forward: float) -> Self:
        """All of them by a distance [m] forward."""
        return self._changed(lambda point: (point[0] + forward, point[1], point[2]))

    def mirrored(self) -> Self:
        """Those of the other side."""
        return self._changed(mirrored_point)

    def named(self) -> dict[str, Point]:
        """The points that are given, by name."""
        names = (item.name for item in dataclasses.fields(self))
        found = ((name, getattr(self, name)) for name in names)
        return {name: point for name, point in found if point is not None}

    def _changed(self, change: Callable[[Point], Point]) -> Self:
        points = {name: change(point) for name, point in self.named().items()}
        return dataclasses.replace(self, **points)
