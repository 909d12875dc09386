"""The contract of paths: lines that a driver follows, and cones beside them.

1. A path is a frozen dataclass whose fields come from ``library.fields``. It is part of the
   equations as tables, so that its fields are numbers that the equations are derived with.
2. ``points()`` are places on it in the order in which they are passed, dense enough for the spline
   through them. The vehicle begins at the first of them, along the line.
3. ``cones()`` must be passed on the side that they say. A path that has some begins at the origin
   along x.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axletree.library.part import Part
from axletree.library.paths.centre_line import CentreLine, Column

CONE_SPACING = 2.5  # m, at most, along the sides of a lane


@dataclass(frozen=True)
class Cone:
    """A place [m] that a vehicle must pass; on its left for the side 1, on its right for -1."""

    x: float
    y: float
    side: float


@dataclass(frozen=True)
class Path(Part, ABC):
    """A line to be followed."""

    @abstractmethod
    def points(self) -> Column:
        """Places x, y [m] in rows."""

    def cones(self) -> tuple[Cone, ...]:
        return ()

    @cached_property
    def line(self) -> CentreLine:
        """The line over its length."""
        return CentreLine.through(self.points())


def lane(begin: float, end: float, right: float, left: float) -> tuple[Cone, ...]:
    """Cones on both sides of a lane along x, between two boundaries y [m]."""
    count = int(np.ceil((end - begin) / CONE_SPACING)) + 1
    places = np.linspace(begin, end, count).tolist()
    sides = ((right, -1.0), (left, 1.0))
    return tuple(Cone(x, y, side) for x in places for y, side in sides)


def least_clearance(
    cones: tuple[Cone, ...], x: Column, y: Column, heading: Column, box: tuple[float, float, float]
) -> Column:
    """Of each cone, how near [m] the side of a vehicle came; negative where it is hit or passed on
    the wrong side, nan where the vehicle did not pass.

    ``box`` is how far the vehicle reaches ahead of and behind the place x, y, and its width [m].
    """
    ahead, behind, width = box
    cosine, sine = np.cos(heading), np.sin(heading)
    found = np.full(len(cones), np.nan)
    for k, cone in enumerate(cones):
        along = (cone.x - x) * cosine + (cone.y - y) * sine
        left = (cone.y - y) * cosine - (cone.x - x) * sine
        beside = (along <= ahead) & (along >= -behind)
        if beside.any():
            found[k] = (cone.side * left[beside] - 0.5 * width).min()
    return found
