"""The contract of paths: lines that a driver follows, and cones beside them.

1. A path is a frozen dataclass whose fields come from ``library.fields``. It is part of the
   equations as tables, so that its fields are numbers that the equations are derived with.
2. ``points()`` are places on it in the order in which they are passed, dense enough for the spline
   through them. The vehicle begins at the first of them, along the line.
3. ``cones()`` must be passed on the side that they say. A path that has some begins at the origin
   along x. ``half_width`` is the room on either side of it. ``boundaries()`` are for pictures.
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
    """A line to be followed.

    Example:
    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from axletree.library.fields import fixed_number
    >>> from axletree.library.paths.contract import Path
    >>> @dataclass(frozen=True)
    ... class Bay(Path):
    ...     depth: float = fixed_number("m", "how far it swings to the left", default=2.0)
    ...
    ...     def points(self):
    ...         x = np.linspace(0.0, 100.0, 201)
    ...         return np.column_stack([x, self.depth * np.sin(np.pi * x / 100.0) ** 2])
    >>> bay = Bay(depth="3 m")
    >>> print(f"{max(bay.line.y):.1f} m aside, {bay.finish:.2f} m long")
    3.0 m aside, 100.22 m long
    """

    @abstractmethod
    def points(self) -> Column:
        """Places x, y [m] in rows, in the axes of the ground.

        Example:
        >>> import axletree as at
        >>> at.StraightPath(length="80 m").points().tolist()
        [[0.0, 0.0], [80.0, 0.0]]
        """

    def cones(self) -> tuple[Cone, ...]:
        """Places [m] that a vehicle must pass on one side, in the axes of the ground.

        Example:
        >>> import axletree as at
        >>> at.SlalomPath(entry=30.0, cone_count=5).cones()[0]
        Cone(x=30.0, y=0.0, side=-1.0)
        """
        return ()

    def half_width(self, station: Column) -> Column | None:
        """From the line to either boundary of its lane [m], at stations [m]; None: there are
        none.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> at.SkidPadPath(lane="3 m").half_width(np.array([0.0, 20.0])).tolist()
        [1.5, 1.5]
        """
        return None

    def boundaries(self) -> tuple[Column, ...]:
        """Lines that bound its lanes, each by places x, y [m] in rows.

        Example:
        >>> import axletree as at
        >>> right = at.Iso38881Path(width=1.8, entry=0.0).boundaries()[0]
        >>> right.round(3).tolist()  # of the first lane
        [[0.0, -1.115], [15.0, -1.115]]
        """
        line = self.line
        half = self.half_width(line.station)
        if half is None:
            return ()
        left = np.array([-np.sin(line.heading), np.cos(line.heading)])
        middle = np.array([line.x, line.y])
        return tuple((middle + side * half * left).T for side in (1.0, -1.0))

    @property
    def finish(self) -> float:
        """Station [m] at which it is done."""
        return self.line.length

    @property
    def release(self) -> float | None:
        """Station [m] from which on the driver leaves the pedals alone; None: never."""
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
