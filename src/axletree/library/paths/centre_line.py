"""A line in the plane over its length: place, heading and curvature at each station."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.core.errors import ModelError
from axletree.core.expr import Beyond
from axletree.core.expr.table import Table

FINEST, MOST = 0.5, 1500  # m between stations, and number of them
WITHIN = 20  # places from one station to the next that lengths are summed over

Column = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CentreLine:
    """A smooth line that begins at the origin along x; y is to the left."""

    station: Column  # [m], the length from its beginning
    x: Column  # [m]
    y: Column  # [m]
    heading: Column  # [rad], from x to the left, turns counted
    curvature: Column  # [1/m], to the left if positive

    @staticmethod
    def through(points: Column) -> CentreLine:
        """The spline through points [m], one in each row, moved and turned to its beginning."""
        from scipy.interpolate import CubicSpline

        u = _chords(points)
        spline = CubicSpline(u, points)
        count = int(min(max(np.ceil(u[-1] / FINEST), 4), MOST))
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

    def _table(self, values: Column, beyond: Beyond = Beyond.SLOPE_CONTINUES) -> Table:
        return Table.spline(self.station.tolist(), values.tolist(), beyond)


def _chords(points: Column) -> Column:
    """Lengths [m] along straight lines between the points."""
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        raise ModelError(f"expected two points [x, y] or more, got an array {points.shape}")
    steps = np.hypot(*np.diff(points, axis=0).T)
    if not steps.all():
        k = int(np.flatnonzero(steps == 0.0)[0]) + 1
        raise ModelError(f"points {k} and {k + 1} of the line are the same; remove one")
    return np.concatenate([[0.0], np.cumsum(steps)])


def bent(station: Column, curvature: Column) -> Column:
    """Points [m] of the line with this curvature [1/m] at evenly spaced stations [m]."""
    step = np.diff(station)
    turned = 0.5 * (curvature[1:] + curvature[:-1]) * step
    heading = np.concatenate([[0.0], np.cumsum(turned)])
    middle = heading[:-1] + 0.5 * turned - np.diff(curvature) * step / 8.0
    ends = np.cumsum(step * np.array([np.cos(middle), np.sin(middle)]), axis=1).T
    return np.concatenate([[[0.0, 0.0]], ends])
