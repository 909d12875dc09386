"""The contract of paths: lines that a driver follows, and cones beside them.

1. A path is a frozen dataclass whose fields come from ``library.fields``. It is part of the
   equations as tables, so that its fields are numbers that the equations are derived with.
2. ``points()`` are places on it in the order in which they are passed, dense enough for the spline
   through them. The vehicle begins at the first of them, along the line.
3. ``cones()`` must be passed on the side that they say. A path that has some begins at the origin
   along x. ``half_width`` is the room on either side of it.
4. It is done at ``finish``. From ``release`` on the pedals are left alone.
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

    def half_width(self, station: Column) -> Column | None:
        """From the line to either boundary of its lane [m], at stations [m]; None: there are
        none."""
        return None

    @property
    def finish(self) -> float:
        """Station [m] at which it is done."""
        return self.line.length

    @property
    def release(self) -> float | None:
        """Station [m] from which on the driver leaves the pedals alone; None: he never does."""
        return None

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


def lane_clearance(
    path: Path,
    station: Column,
    x: Column,
    y: Column,
    heading: Column,
    box: tuple[float, float, float],
) -> Column:
    """How far [m] the corner of a vehicle is within its lane that is farthest out, at each record.

    ``station`` is beside the place x, y; ``box`` as for ``least_clearance``.
    """  # fmt: skip
    line, found = path.line, np.full(len(station), np.inf)
    for along, across in ((u, 0.5 * v * box[2]) for u in (box[0], -box[1]) for v in (1.0, -1.0)):
        corner = (x + along * np.cos(heading) - across * np.sin(heading),
                  y + along * np.sin(heading) + across * np.cos(heading))  # fmt: skip
        foot = station + along
        for _ in range(3):
            turned = np.interp(foot, line.station, line.heading)
            off = [
                p - np.interp(foot, line.station, q)
                for p, q in zip(corner, (line.x, line.y), strict=True)
            ]
            foot = foot + off[0] * np.cos(turned) + off[1] * np.sin(turned)
        room = path.half_width(foot)
        aside = np.abs(off[1] * np.cos(turned) - off[0] * np.sin(turned))
        if room is not None:
            found = np.minimum(found, room - aside)
    return found


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
