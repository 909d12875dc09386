"""The skid pad: two circles that touch, driven as an eight."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import fixed_number
from axletree.library.paths.centre_line import Column, bent
from axletree.library.paths.contract import Path

SPACING = 0.25  # m between points
CHANGE = 2.0  # m over which the curvature goes from one circle to the next


@dataclass(frozen=True)
class SkidPadPath(Path):
    """Straight on, laps to the right, laps to the left, straight on.

    The default radius and lane are those of Formula Student, between circles of 15.25 m and 21.25 m
    in diameter.

    Example:
    >>> import axletree as at
    >>> pad = at.SkidPadPath(radius=9.125)  # m
    >>> print(f"{pad.line.length:.1f} m, {min(pad.line.curvature):.4f} 1/m to the right")
    259.3 m, -0.1100 1/m to the right
    """

    summary: ClassVar[str] = "an eight: laps to the right, then to the left"

    radius: float = fixed_number("m", "of both circles", default=9.125, lower=1.0)
    laps: float = fixed_number(
        "1", "laps of each circle", default=2.0, lower=1.0, whole=True
    )  # fmt: skip
    entry: float = fixed_number("m", "length of the straights", default=15.0, lower=2.0)
    lane: float = fixed_number("m", "width of the lane", default=3.0, lower=0.0, above=True)

    def half_width(self, station: Column) -> Column | None:
        return np.full(len(station), 0.5 * self.lane)

    def points(self) -> Column:
        way = self.laps * 2.0 * math.pi * self.radius
        places = np.cumsum([self.entry, way, way])  # where the curvature changes
        end = places[-1] + self.entry
        station = np.linspace(0.0, end, math.ceil(end / SPACING) + 1)
        stops = (places[:, None] + 0.5 * CHANGE * np.array([-1.0, 1.0])).ravel()
        bend = 1.0 / self.radius
        return bent(station, np.interp(station, stops, [0.0, -bend, -bend, bend, bend, 0.0]))
