"""The contract of paths: lines that a driver follows, and cones beside them.

1. A path is a frozen dataclass whose fields come from ``components.fields``. It is part of the
   equations as tables, so that its fields are numbers that the equations are derived with.
2. ``points()`` are places on it in the order in which they are passed, dense enough for the spline
   through them. The vehicle begins at the first of them, along the line.
3. ``cones()`` must be passed on the side that they say. A path that has some begins at the origin
   along x. ``half_width`` is the room on either side of it. ``boundaries()`` are for pictures.
4. It is done at ``finish``. From ``release`` on the pedals are left alone.

The members here: straight line, circle, skid pad, slalom, circuit, and a line through points that
are given. ``lane_changes`` has those between cones. ``CentreLine`` is a line in the plane over its
length: place, heading and curvature at each station. ``Footprint`` and ``Swept`` are what a vehicle
covers on its way, ``least_clearance`` and ``lane_clearance`` how far cones and lanes are from it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.components.fields import Part, Rows, fixed_number, grid, parameter
from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.expr import Beyond
from axletree.expr.tables import Table

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
    >>> from axletree.components.fields import fixed_number
    >>> from axletree.ground.paths import Path
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

    standard: ClassVar[str] = ""  # that asks for its cones to stand

    @abstractmethod
    def points(self) -> FloatArray:
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

    def half_width(self, station: FloatArray) -> FloatArray | None:
        """From the line to either boundary of its lane [m], at stations [m]; None: there are
        none.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> at.SkidPadPath(lane="3 m").half_width(np.array([0.0, 20.0])).tolist()
        [1.5, 1.5]
        """
        return None

    def boundaries(self) -> tuple[FloatArray, ...]:
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


FINEST, _MOST = 0.5, 1500  # m between stations, and number of them
_RESOLVED = 1e-9  # of the length of a line: points closer together give it no direction
WITHIN = 20  # places from one station to the next that lengths are summed over


@dataclass(frozen=True, eq=False)
class CentreLine:
    """A smooth line that begins at the origin along x; y is to the left."""

    station: FloatArray  # [m], the length from its beginning
    x: FloatArray  # [m]
    y: FloatArray  # [m]
    heading: FloatArray  # [rad], from x to the left, turns counted
    curvature: FloatArray  # [1/m], to the left if positive

    @staticmethod
    def through(points: FloatArray) -> CentreLine:
        """The spline through points [m], one in each row, moved and turned to its beginning."""
        from scipy.interpolate import CubicSpline

        u = _chords(points)
        spline = CubicSpline(u, points)
        count = int(min(max(np.ceil(u[-1] / FINEST), 4), _MOST))
        fine = np.linspace(0.0, u[-1], WITHIN * max(count, len(u)))
        ways = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(spline(fine), axis=0).T))])
        station = np.linspace(0.0, ways[-1], count + 1)
        at = np.interp(station, ways, fine)
        slope, bend = spline(at, 1), spline(at, 2)
        heading = np.unwrap(np.arctan2(slope[:, 1], slope[:, 0]))
        curvature = (slope[:, 0] * bend[:, 1] - slope[:, 1] * bend[:, 0]) / np.hypot(*slope.T) ** 3
        c, s = np.cos(heading[0]), np.sin(heading[0])
        x, y = (spline(at) - points[0]).T
        return CentreLine(station, c * x + s * y, c * y - s * x, heading - heading[0], curvature)

    @property
    def length(self) -> float:
        """[m]"""
        return float(self.station[-1])

    @property
    def places(self) -> tuple[Table, Table]:
        """x and y [m] over station; straight on beyond the ends."""
        first, second = (self._table(values) for values in (self.x, self.y))
        return first, second

    @property
    def headings(self) -> Table:
        """[rad] over station, that of an end beyond it."""
        return self._table(self.heading, Beyond.VALUE_HELD)

    @property
    def curvatures(self) -> Table:
        """[1/m] over station; a line is straight after its end."""
        station = np.append(self.station, self.station[-1] + FINEST)
        values = np.append(self.curvature, 0.0)
        return Table.linear(station.tolist(), values.tolist(), Beyond.VALUE_HELD)

    def _table(self, values: FloatArray, beyond: Beyond = Beyond.SLOPE_CONTINUES) -> Table:
        return Table.spline(self.station.tolist(), values.tolist(), beyond)


def _chords(points: FloatArray) -> FloatArray:
    """Lengths [m] along straight lines between the points."""
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        raise ModelError(f"expected two points [x, y] or more, got an array {points.shape}")
    steps = np.hypot(*np.diff(points, axis=0).T)
    same = _same(steps)
    if same is not None:
        raise ModelError(f"points {same + 1} and {same + 2} of the line are the same; remove one")
    return np.concatenate([[0.0], np.cumsum(steps)])


def _same(steps: FloatArray) -> int | None:
    """The first step [m] that is none beside the length of all."""
    none = np.flatnonzero(steps <= _RESOLVED * np.sum(steps))
    return int(none[0]) if none.size else None


def points_of_curvature(station: FloatArray, curvature: FloatArray) -> FloatArray:
    """Points [m] of the line with this curvature [1/m] at evenly spaced stations [m]."""
    step = np.diff(station)
    turned = 0.5 * (curvature[1:] + curvature[:-1]) * step
    heading = np.concatenate([[0.0], np.cumsum(turned)])
    middle = heading[:-1] + 0.5 * turned - np.diff(curvature) * step / 8.0
    ends = np.cumsum(step * np.array([np.cos(middle), np.sin(middle)]), axis=1).T
    return np.concatenate([[[0.0, 0.0]], ends])


@dataclass(frozen=True)
class StraightPath(Path):
    """Straight on along x; it goes on beyond its length.

    Example:
    >>> import axletree as at
    >>> at.StraightPath(length="200 m").line.length  # m
    200.0
    """

    summary: ClassVar[str] = "a straight line"

    length: float = fixed_number("m", "length", default=200.0, lower=0.0, above=True)

    def points(self) -> FloatArray:
        return np.array([[0.0, 0.0], [self.length, 0.0]])


_SPACING = 0.25  # m between points
_LONGEST_PATH = 1e6  # m, of which a driver has a table


def _too_long(length: float) -> list[str]:
    """The problem of a path of this length [m], if it is one."""
    if length <= _LONGEST_PATH:
        return []
    return [f"the path is {length:.4g} m long; the limit is {_LONGEST_PATH / 1e3:g} km"]


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
    run_out: float = fixed_number("m", "run-out after the last lap", default=60.0, lower=0.0)

    def problems(self) -> list[str]:
        if not self.radius:
            return ["radius must not be zero"]
        return _too_long(self.finish + self.run_out)

    @property
    def finish(self) -> float:
        return self.entry + self.transition + self.laps * 2.0 * math.pi * abs(self.radius)

    def points(self) -> FloatArray:
        begin, full = self.entry, self.entry + self.transition
        end = self.finish + self.run_out
        station = np.linspace(0.0, end, math.ceil(end / _SPACING) + 1)
        return points_of_curvature(
            station, np.interp(station, [begin, full], [0.0, 1.0 / self.radius])
        )


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

    def half_width(self, station: FloatArray) -> FloatArray | None:
        return np.full(len(station), 0.5 * self.lane)

    def problems(self) -> list[str]:
        return _too_long(self.laps * 4.0 * math.pi * self.radius + 2.0 * self.entry)

    def points(self) -> FloatArray:
        way = self.laps * 2.0 * math.pi * self.radius
        places = np.cumsum([self.entry, way, way])  # where the curvature changes
        end = places[-1] + self.entry
        station = np.linspace(0.0, end, math.ceil(end / _SPACING) + 1)
        stops = (places[:, None] + 0.5 * CHANGE * np.array([-1.0, 1.0])).ravel()
        bend = 1.0 / self.radius
        return points_of_curvature(
            station, np.interp(station, stops, [0.0, -bend, -bend, bend, bend, 0.0])
        )


@dataclass(frozen=True)
class SlalomPath(Path):
    """A cosine about cones on a straight line, the first of which is passed on its left.

    Example:
    >>> import axletree as at
    >>> first, second = at.SlalomPath(spacing="18 m", cone_count=5).cones()[:2]
    >>> second.x - first.x, first.side, second.side  # m; to the right of the vehicle, to the left
    (18.0, -1.0, 1.0)
    """

    summary: ClassVar[str] = "a slalom about cones in a row"

    spacing: float = fixed_number("m", "distance of the cones", default=18.0, lower=2.0)
    cone_count: int = fixed_number("1", "number of cones", default=8, lower=1, whole=True)
    swing: float = fixed_number("m", "distance of the line from each cone", default=1.3, lower=0.0)
    entry: float = fixed_number("m", "distance to the first cone", default=50.0, lower=0.0)

    def points(self) -> FloatArray:
        d, last = self.spacing, self.entry + self.spacing * (self.cone_count - 1)
        x = np.arange(0.0, last + 2.0 * d + self.entry, _SPACING)
        swung = self.swing * np.cos(np.pi * (x - self.entry) / d)
        # On the way to the first cone and from the last one: from and to the middle.
        near = np.clip(np.minimum(x - self.entry + d, last + d - x) / d, 0.0, 1.0)
        side = np.where(x < self.entry, 1.0, (-1.0) ** (self.cone_count - 1))
        eased = side * self.swing * 0.5 * (1.0 - np.cos(np.pi * near))
        return np.column_stack([x, np.where(near < 1.0, eased, swung)])

    def cones(self) -> tuple[Cone, ...]:
        sides = (-1.0, 1.0)
        return tuple(
            Cone(self.entry + k * self.spacing, 0.0, sides[k % 2]) for k in range(self.cone_count)
        )

    def problems(self) -> list[str]:
        if self.entry < self.spacing:
            return [f"entry {self.entry:g} m is shorter than the spacing {self.spacing:g} m"]
        return _too_long(2.0 * self.entry + self.spacing * (self.cone_count + 1))


FEWEST_LAP_POINTS = 8  # points of a lap
NARROWEST = 1.0  # m


@dataclass(frozen=True)
class CircuitPath(Path):
    """The spline through points of a lap, the first of which is not given again at its end.

    It begins at the first point, along the line. Behind the last lap it goes on for a while. A
    third number of a point is the width of the lane there.

    Example:
    >>> import axletree as at
    >>> import numpy as np
    >>> turn = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    >>> ring = at.CircuitPath(through=100.0 * np.transpose([np.sin(turn), 1.0 - np.cos(turn)]))  # m
    >>> print(f"{ring.finish:.1f} m")  # 2 pi * 100
    628.3 m
    """

    summary: ClassVar[str] = "laps of a race track by its centre line"

    through: Rows = grid("m", "points x, y of a lap, or x, y and the lane width there")
    width: float = fixed_number(
        "m", "width of the lane where points have none", default=10.0, lower=NARROWEST
    )
    laps: int = fixed_number("1", "number of laps", default=1, lower=1, whole=True)
    run_out: float = fixed_number("m", "run-out after the last lap", default=60.0, lower=0.0)

    def problems(self) -> list[str]:
        if len(self.through) < FEWEST_LAP_POINTS or len(self.through[0]) not in (2, 3):
            return [
                f"through: expected {FEWEST_LAP_POINTS} points [x, y] or [x, y, width] or more, "
                f"got {len(self.through)} rows of {len(self.through[0])} numbers"
            ]
        if len(self.through[0]) == 3 and min(row[2] for row in self.through) < NARROWEST:
            return [f"through: a lane is narrower than {NARROWEST:g} m"]
        lap = np.array(self.through)[:, :2]
        steps = np.hypot(*(lap - np.roll(lap, -1, axis=0)).T)
        same = _same(steps)
        if same is not None:
            first, second = same + 1, (same + 1) % len(lap) + 1
            return [f"through: points {first} and {second} are the same; remove one"]
        return _too_long(self.laps * float(np.sum(steps)) + self.run_out)

    def points(self) -> FloatArray:
        lap = np.array(self.through)[:, :2]
        steps = np.hypot(*np.diff(np.vstack([lap, lap[:1]]), axis=0).T)
        further = int(np.searchsorted(np.cumsum(steps), self.run_out)) + 2
        return np.vstack([*([lap] * self.laps), lap[: min(further, len(lap))]])

    @cached_property
    def finish(self) -> float:
        """Where the last lap ends: the foot of the normal from the first point."""
        line: CentreLine = self.line
        late = line.station > (self.laps - 0.5) / (self.laps + 0.5) * line.length
        k = int(np.flatnonzero(late)[np.argmin(np.hypot(line.x, line.y)[late])])
        along = -line.x[k] * np.cos(line.heading[k]) - line.y[k] * np.sin(line.heading[k])
        return float(line.station[k] + along)

    def half_width(self, station: FloatArray) -> FloatArray | None:
        if len(self.through[0]) == 2:
            return np.full(len(station), 0.5 * self.width)
        lap = np.array(self.through)
        steps = np.hypot(*np.diff(np.vstack([lap, lap[:1]])[:, :2], axis=0).T)
        places = np.concatenate([[0.0], np.cumsum(steps)])
        length = self.finish / self.laps
        widths = np.append(lap[:, 2], lap[0, 2])
        share = np.mod(station, length) / length * places[-1]
        return np.asarray(0.5 * np.interp(share, places, widths))


@dataclass(frozen=True)
class CentreLinePath(Path):
    """The spline through points, such as the centre line of a road or a race track.

    It is moved and turned so that it begins at the origin along x. For several laps the points are
    given several times.

    Example:
    >>> import axletree as at
    >>> bend = at.CentreLinePath(through=((0, 0), (30, 0), (60, 0), (90, 0)))  # m
    >>> print(f"{bend.line.length:.1f} m")
    90.0 m
    """

    summary: ClassVar[str] = "a smooth line through points"

    through: Rows = grid("m", "points x, y in the order of travel")

    def problems(self) -> list[str]:
        try:
            _ = self.line
        except ModelError as error:
            return list(error.problems)
        return []

    def points(self) -> FloatArray:
        return np.array(self.through)


# What vehicles cover on their way along a path, and how far cones and boundaries are from it.

FEET = 6  # steps to the foot of a normal


@dataclass(frozen=True)
class Footprint(Part):
    """The rectangle that a body covers, about the place that tells where it is."""

    summary: ClassVar[str] = "the rectangle that a body covers"

    width: float = parameter("m", "width", lower=0.0)
    ahead: float = parameter("m", "from the centre of the body's mass to the front end")
    behind: float = parameter("m", "from there to the rear end")

    def problems(self) -> list[str]:
        return [] if self.ahead + self.behind >= 0.0 else ["its front end is behind its rear end"]


@dataclass(frozen=True, eq=False)
class Swept:
    """A footprint on its way: a record for each place [m] and heading [rad]."""

    footprint: Footprint
    x: FloatArray
    y: FloatArray
    heading: FloatArray

    @property
    def corners(self) -> NDArray[np.float64]:
        """Places [m] by record, corner and axis; front left, front right, rear right, rear left."""
        box = self.footprint
        half, c, s = 0.5 * box.width, np.cos(self.heading), np.sin(self.heading)
        ends = ((box.ahead, half), (box.ahead, -half), (-box.behind, -half), (-box.behind, half))
        found = [(self.x + u * c - w * s, self.y + u * s + w * c) for u, w in ends]
        return np.moveaxis(np.array(found), 2, 0)


def least_clearance(cones: Sequence[Cone], swept: Swept) -> FloatArray:
    """Of each cone, how near [m] the side of a body came; negative where it is hit or passed on the
    wrong side, nan where the body did not pass."""
    box, cosine, sine = swept.footprint, np.cos(swept.heading), np.sin(swept.heading)
    found = np.full(len(cones), np.nan)
    for k, cone in enumerate(cones):
        dx, dy = cone.x - swept.x, cone.y - swept.y
        along, left = dx * cosine + dy * sine, dy * cosine - dx * sine
        beside = (along <= box.ahead) & (along >= -box.behind)
        if beside.any():
            found[k] = (cone.side * left[beside] - 0.5 * box.width).min()
    return found


def lane_clearance(path: Path, station: FloatArray, swept: Swept) -> FloatArray:
    """How far [m] the corner of a body is within its lane that is farthest out, at each record.

    ``station`` is beside the body that is led along the path, which may be another one.
    """
    line, found = path.line, np.full(len(station), np.inf)
    for corner in np.moveaxis(swept.corners, 1, 0):
        foot = station
        for _ in range(FEET):
            turned = np.interp(foot, line.station, line.heading)
            x, y = (
                corner[:, axis] - np.interp(foot, line.station, values)
                for axis, values in enumerate((line.x, line.y))
            )
            foot = foot + x * np.cos(turned) + y * np.sin(turned)
        room = path.half_width(foot)
        aside = np.abs(y * np.cos(turned) - x * np.sin(turned))
        if room is not None:
            found = np.minimum(found, room - aside)
    return found
