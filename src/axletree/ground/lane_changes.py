"""Double lane changes between cones (ISO 3888).

``widest_line`` finds the widest turns through lanes that leave little room, and ``least_curvature``
the curvature that no driver and no vehicle can do without.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.components.fields import field_of, fixed_number
from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.ground.paths import Cone, Path, lane

_SPACING, _COARSER = 0.5, 1.0  # m between points of the line, and of what bounds all lines
AFTER = 30.0  # m after the last lane
RELEASE_WITHIN = 2.0  # m within the first lane, where the accelerator is released


@dataclass(frozen=True)
class LaneChangePath(Path):
    """Through three lanes, the second to the left of the others, with the widest turns that the
    lanes leave room for."""

    width: float = fixed_number("m", "width of the vehicle without mirrors", default=1.8, lower=0.5)
    ahead: float = fixed_number(
        "m", "from what is led along the path to the front end", default=2.0, lower=0.0
    )
    behind: float = fixed_number("m", "from there to the rear end", default=2.2, lower=0.0)
    rear: float = fixed_number("m", "from there to the rear axle", default=1.4, lower=0.0)
    entry: float = fixed_number("m", "distance to the first lane", default=50.0, lower=0.0)
    margin: float = fixed_number(
        "m", "that the line leaves between vehicle and cones", default=0.1, lower=0.0
    )

    @abstractmethod
    def lanes(self) -> Sequence[Lane]:
        """The three lanes [m]; y = 0 is the middle of the first.

        Example:
        >>> import axletree as at
        >>> second = at.Iso38882Path(width=1.8, entry=0.0).lanes()[1]
        >>> second.begin, second.end, round(second.left - second.right, 3)
        (25.5, 36.5, 2.8)
        """

    def problems(self) -> list[str]:
        room = min(one.left - one.right for one in self.lanes()) - self.width - 2.0 * self.margin
        return [] if room >= 0.0 else [f"margin: {self.margin:g} m is more than a lane leaves"]

    def points(self) -> FloatArray:
        lanes = self.lanes()
        x = np.arange(0.0, lanes[-1].end + AFTER, _SPACING)
        return np.column_stack([x, widest_line(x, lanes, self._outline, self.margin)])

    def least_curvature(self, x: FloatArray, speeds: FloatArray) -> float:
        """The least [1/m] that goes through, over the square of the first of speeds [m/s] at x [m].

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> path, steady = at.Iso38881Path(), np.full(2, 25.0)  # m/s
        >>> least = path.least_curvature(np.array([0.0, 200.0]), steady)
        >>> print(f"{least:.4f} 1/m, the line {max(abs(path.line.curvature)):.4f} 1/m")
        0.0051 1/m, the line 0.0099 1/m
        """
        lanes = self.lanes()
        places = np.arange(0.0, lanes[-1].end + _COARSER, _COARSER)
        slowing = np.interp(places, x, speeds / speeds[0])
        return least_curvature(places, lanes, self._outline, slowing)

    @property
    def _outline(self) -> Outline:
        return Outline(self.ahead, self.behind, self.width, self.rear)

    def boundaries(self) -> tuple[FloatArray, ...]:
        return tuple(
            np.array([[one.begin, y], [one.end, y]])
            for one in self.lanes()
            for y in (one.right, one.left)
        )

    def cones(self) -> tuple[Cone, ...]:
        found = (lane(one.begin, one.end, one.right, one.left) for one in self.lanes())
        return tuple(cone for cones in found for cone in cones)


@dataclass(frozen=True)
class Iso38881Path(LaneChangePath):
    """The double lane change of ISO 3888-1.

    Lanes of 15 m, 25 m and 30 m, 30 m and 25 m apart, 1.1, 1.2 and 1.3 times the width of the
    vehicle wide and 0.25 m. The right boundary of the second is 3.5 m to the left of the others.

    Example:
    >>> import axletree as at
    >>> places = [cone.x for cone in at.Iso38881Path(width=1.8).cones()]  # m, width of the vehicle
    >>> round(max(places) - min(places), 3)  # m
    125.0
    """

    summary: ClassVar[str] = "the double lane change of ISO 3888-1"
    standard: ClassVar[str] = "ISO 3888-1"

    margin: float = field_of(LaneChangePath, "margin", default=0.16)

    def lanes(self) -> Sequence[Lane]:
        x, widths = self.entry, [share * self.width + 0.25 for share in (1.1, 1.2, 1.3)]
        right = -0.5 * widths[0]
        return (
            Lane(x, x + 15.0, right, right + widths[0]),
            Lane(x + 45.0, x + 70.0, right + 3.5, right + 3.5 + widths[1]),
            Lane(x + 95.0, x + 125.0, right, right + widths[2]),
        )


@dataclass(frozen=True)
class Iso38882Path(LaneChangePath):
    """The obstacle avoidance of ISO 3888-2.

    Lanes of 12 m, 11 m and 12 m, 13.5 m and 12.5 m apart. The first is 1.1 times the width of the
    vehicle wide and 0.25 m, the second that width and 1 m, the third 1.3 times that width and
    0.25 m, but 3 m at least. The right boundary of the second is 1 m to the left of the left
    boundary of the others. 2 m within the first lane the driver lets the pedals go.

    Example:
    >>> import axletree as at
    >>> places = [cone.x for cone in at.Iso38882Path(width=1.8).cones()]  # m, width of the vehicle
    >>> round(max(places) - min(places), 3)  # m
    61.0
    """

    summary: ClassVar[str] = "the obstacle avoidance of ISO 3888-2"
    standard: ClassVar[str] = "ISO 3888-2"

    @property
    def release(self) -> float | None:
        return self.entry + RELEASE_WITHIN

    def lanes(self) -> Sequence[Lane]:
        x, first = self.entry, 1.1 * self.width + 0.25
        left = 0.5 * first
        return (
            Lane(x, x + 12.0, left - first, left),
            Lane(x + 25.5, x + 36.5, left + 1.0, left + 2.0 + self.width),
            Lane(x + 49.0, x + 61.0, left - max(1.3 * self.width + 0.25, 3.0), left),
        )


EASING = 6.0  # m; how a rate of curvature counts against curvature
STRAIGHTER = 1e-3  # how all curvature counts against the greatest


@dataclass(frozen=True)
class Lane:
    """A lane along x, between two boundaries y [m]."""

    begin: float
    end: float
    right: float
    left: float


@dataclass(frozen=True)
class Outline:
    """A vehicle that goes through: from its centre of mass ahead and behind, its width, and the
    distance of its rear axle behind the centre [m]."""

    ahead: float
    behind: float
    width: float
    rear: float


def widest_line(
    x: FloatArray, lanes: Sequence[Lane], outline: Outline, margin: float
) -> FloatArray:
    """y [m] over evenly spaced x [m] of the line on which a vehicle turns as little as it can.

    It begins along y = 0 and ends straight. The greatest curvature y'' plus ``EASING`` times the
    greatest rate of it is made least, by a linear program, with the sides of the vehicle by the
    margin [m] within every lane that it is beside. It may point along the line, as it does at some
    speed, or so that its rear axle goes along, as when it is slow.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack, vstack

    h, n = float(x[1] - x[0]), len(x)
    bend, rate = _differences(n, 2, h), _differences(n, 3, h)
    rows, limits = _within(x, lanes, outline, margin)
    size, k = csr_array(np.eye(n - 2)), n - 2

    def row(of_y: csr_array, of_sizes: csr_array | None, of_most: float, of_rate: float) -> object:
        count = of_y.shape[0]
        sizes = csr_array((count, k)) if of_sizes is None else of_sizes
        ends = csr_array(np.tile([of_most, of_rate], (count, 1)))
        return hstack([of_y, sizes, ends])

    # Unknown are y, sizes of the curvature, the greatest of them, and the greatest rate.
    blocks = [row(sign * bend, -size, 0.0, 0.0) for sign in (1.0, -1.0)]
    blocks += [row(csr_array((k, n)), size, -1.0, 0.0)]
    blocks += [row(sign * rate, None, 0.0, -1.0) for sign in (1.0, -1.0)]
    blocks += [row(rows, None, 0.0, 0.0)]
    right = np.concatenate([np.zeros(3 * k + 2 * (n - 3)), limits])
    cost = np.concatenate([np.zeros(n), np.full(k, STRAIGHTER * h), [1.0, EASING]])
    bounds = [(0.0, 0.0)] * 3 + [(None, None)] * (n - 3) + [(0.0, None)] * (k + 2)
    level = row(csr_array(_differences(n, 1, h)[-2:]), None, 0.0, 0.0)
    found = linprog(cost, vstack(blocks), right, level, np.zeros(2), bounds, method="highs")
    if found.x is None:
        raise ModelError(
            f"no line leads a vehicle {outline.width:g} m wide through the lanes with {margin:g} m "
            "on either side; make the margin or the vehicle smaller"
        )
    return np.asarray(found.x[:n])


def least_curvature(
    x: FloatArray, lanes: Sequence[Lane], outline: Outline, slowing: FloatArray
) -> float:
    """The least [1/m] of the greatest curvature with which anything of that outline goes through.

    It begins along y = 0, and may point anywhere at every x [m]: what swings round and turns in at
    once needs it, too. So with ``slowing`` the speed over the first one, v, at each x, no vehicle
    passes the lanes whose lateral acceleration stays below v^2 times this. Angles are small.

    Example:
    >>> import numpy as np
    >>> from axletree.ground.lane_changes import Lane, Outline, least_curvature
    >>> x = np.arange(0.0, 101.0)  # m; it turns from half a step before 30 m: 4 * 2 / 41^2
    >>> lanes = Lane(0.0, 30.0, 0.0, 0.0), Lane(70.0, 100.0, 2.0, 2.0)
    >>> point = Outline(ahead=0.0, behind=0.0, width=0.0, rear=0.0)
    >>> print(f"{least_curvature(x, lanes, point, np.ones(101)):.4f} 1/m")
    0.0048 1/m
    """
    from scipy.optimize import linprog

    h, n = float(x[1] - x[0]), len(x)
    bend = _differences(n, 2, h) * slowing[1:-1, None] ** 2
    rows, limits = _anyhow_within(x, lanes, outline)
    free, most = np.zeros((n - 2, n)), np.ones((n - 2, 1))
    # Unknown are y, the angles of the body, and the greatest curvature.
    matrix = np.vstack([np.hstack([bend, free, -most]), np.hstack([-bend, free, -most]), rows])
    right = np.concatenate([np.zeros(2 * (n - 2)), limits])
    cost = np.append(np.zeros(2 * n), 1.0)
    bounds = [(0.0, 0.0)] * 3 + [(None, None)] * (2 * n - 3) + [(0.0, None)]
    found = linprog(cost, matrix, right, bounds=bounds, method="highs")
    if found.x is None:
        raise ModelError(f"nothing {outline.width:g} m wide goes through the lanes")
    return float(found.x[-1])


def _anyhow_within(
    x: FloatArray, lanes: Sequence[Lane], outline: Outline
) -> tuple[NDArray[np.float64], FloatArray]:
    """Rows and limits: as ``_within``, with an angle of the body of its own at each x."""
    n, half = len(x), 0.5 * outline.width
    rows, limits = [], []
    for i, part in itertools.product(range(n), lanes):
        first = max(-outline.behind, part.begin - x[i])
        last = min(outline.ahead, part.end - x[i])
        for u in (first, last) if first <= last else ():
            row = np.zeros(2 * n + 1)
            row[i], row[n + i] = 1.0, u
            rows += [row, -row]
            limits += [part.left - half, -part.right - half]
    return np.array(rows), np.array(limits)


def _differences(n: int, order: int, h: float) -> NDArray[np.float64]:
    """Differences of neighbours, over h to the power of the order."""
    return np.asarray(np.diff(np.eye(n), order, axis=0) / h**order)


def _within(
    x: FloatArray, lanes: Sequence[Lane], outline: Outline, margin: float
) -> tuple[NDArray[np.float64], FloatArray]:
    """Rows and limits: the ends of the part that is beside a lane are within its boundaries."""
    h, half = float(x[1] - x[0]), 0.5 * outline.width + margin
    rows, limits = [], []
    for i in range(1, len(x) - 1):
        for part in lanes:
            first = max(-outline.behind, part.begin - x[i])
            last = min(outline.ahead, part.end - x[i])
            if first > last:
                continue
            for u, rear in itertools.product((first, last), (0.0, outline.rear)):
                row, bend = np.zeros(len(x)), -u * rear / h**2
                row[i - 1 : i + 2] = bend - 0.5 * u / h, 1.0 - 2.0 * bend, bend + 0.5 * u / h
                rows += [row, -row]
                limits += [part.left - half, -part.right - half]
    return np.array(rows), np.array(limits)
