"""A circle with a straight and a transition before it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import fixed_number
from axletree.library.paths.centre_line import Column, bent
from axletree.library.paths.contract import Path

SPACING = 0.25  # m between points


@dataclass(frozen=True)
class CirclePath(Path):
    """Straight on, then a clothoid, whose curvature grows evenly, then laps of a circle.

    The circle goes on behind the finish, so that a driver who looks ahead keeps to it until there.

    Example:
    >>> import axletree as at
    >>> circle = at.CirclePath(radius="50 m", laps=1)
    >>> print(f"{max(circle.line.curvature):.4f} 1/m")
    0.0200 1/m
    """

    summary: ClassVar[str] = "a straight, a clothoid and laps of a circle"

    radius: float = fixed_number(
        "m", "radius of the circle, to the left if positive, to the right if negative"
    )
    laps: float = fixed_number("1", "laps of the circle", default=1.0, lower=0.0, above=True)
    entry: float = fixed_number("m", "length of the straight", default=20.0, lower=1.0)
    transition: float = fixed_number("m", "length of the clothoid", default=20.0, lower=1.0)
    run_out: float = fixed_number("m", "way behind the last lap", default=60.0, lower=0.0)

    def problems(self) -> list[str]:
        return [] if self.radius else ["radius must not be zero"]

    @property
    def finish(self) -> float:
        return self.entry + self.transition + self.laps * 2.0 * math.pi * abs(self.radius)

    def points(self) -> Column:
        begin, full = self.entry, self.entry + self.transition
        end = self.finish + self.run_out
        station = np.linspace(0.0, end, math.ceil(end / SPACING) + 1)
        return bent(station, np.interp(station, [begin, full], [0.0, 1.0 / self.radius]))
