"""Lines that vehicles of an array follow, each its own or all the same, and where they are on them.

All of it is whole-array arithmetic without functions whose last digit depends on the size of an
array, so that one vehicle alone sees the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.ground.paths import CentreLine, points_of_curvature

Rows = slice | NDArray[np.int64]
ALL: Final = slice(None)
_X, _Y, _C, _S, _HEADING, _CURVATURE, _HALF_WIDTH = range(7)


@dataclass(frozen=True)
class Beside:
    """Where vehicles are beside their lines."""

    station: FloatArray  # [m]
    offset: FloatArray  # [m], to the left
    heading: FloatArray  # [rad], of the line
    curvature: FloatArray  # [1/m]
    half_width: FloatArray  # [m]


class LineArray:
    """A line for each of ``count`` vehicles, or with ``shared`` one for all, at even stations.

    Values between stations are linear. A vehicle's station is the foot of its normal, by one step
    of Newton's method from where it was: a vehicle goes on by some decimetres between two looks.
    """

    def __init__(
        self, count: int, stations: int, spacing: float, *, shared: bool = False, closed: bool = False
    ) -> None:
        self.spacing, self._closed = spacing, closed
        self._table = np.zeros((1 if shared else count, stations + closed, 7))
        self._rows = np.arange(count)
        self._lines = np.zeros(count, dtype=np.int64) if shared else self._rows
        self.station = np.zeros(count)

    @property
    def length(self) -> float:
        """[m]; a closed line ends where it begins."""
        return self.spacing * (self._table.shape[1] - 1)

    def bend(self, line: int, curvature: FloatArray, half_width: float) -> None:
        """From the origin along x with these curvatures [1/m] at the stations."""
        station = self.spacing * np.arange(len(curvature))
        turned = 0.5 * (curvature[1:] + curvature[:-1]) * self.spacing
        heading = np.concatenate([[0.0], np.cumsum(turned)])
        x, y = points_of_curvature(station, curvature).T
        self._lay(line, x, y, heading, curvature, np.full(len(x), half_width))

    def follow(self, line: int, path: CentreLine, half_width: FloatArray) -> None:
        """Along a path, with half widths [m] at its stations."""
        at = self.spacing * np.arange(self._table.shape[1])
        values = (path.x, path.y, path.heading, path.curvature, half_width)
        self._lay(line, *(np.interp(at, path.station, one) for one in values))

    def _lay(
        self, line: int, x: FloatArray, y: FloatArray, heading: FloatArray,
        curvature: FloatArray, half_width: FloatArray,
    ) -> None:  # fmt: skip
        columns = (x, y, np.cos(heading), np.sin(heading), heading, curvature, half_width)
        self._table[line] = np.column_stack(columns)

    def begin(self, row: int, station: float) -> None:
        """A vehicle is beside this station [m]."""
        self.station[row] = station

    def place(self, row: int, station: float, offset: float) -> tuple[float, float, float]:
        """x, y [m] and heading [rad] beside a station [m]."""
        x, y, c, s, heading, _, _ = self._at(np.array([self._lines[row]]), np.array([station]))[0]
        return float(x - offset * s), float(y + offset * c), float(heading)

    def _at(self, lines: NDArray[np.int64], station: FloatArray) -> FloatArray:
        """Rows of the table between two of its own."""
        last = self._table.shape[1] - 1
        places = station * (1.0 / self.spacing)
        below = np.floor(places)
        if self._closed:
            first = below.astype(np.int64) % last
        else:
            below = np.clip(below, 0.0, last - 1.0)
            first = below.astype(np.int64)
        share = (places - below)[..., None]
        before = self._table[lines, first]
        return before + share * (self._table[lines, first + 1] - before)

    def locate(self, rows: Rows, x: FloatArray, y: FloatArray) -> Beside:
        """Vehicles that are at x, y [m] now."""
        lines, station = self._lines[rows], self.station[rows]
        at = self._at(lines, station)
        dx, dy = x - at[:, _X], y - at[:, _Y]
        ahead = dx * at[:, _C] + dy * at[:, _S]
        beside = dy * at[:, _C] - dx * at[:, _S]
        station = station + ahead / np.maximum(1.0 - at[:, _CURVATURE] * beside, 0.2)
        self.station[rows] = station
        at = self._at(lines, station)
        offset = (y - at[:, _Y]) * at[:, _C] - (x - at[:, _X]) * at[:, _S]
        return Beside(station, offset, at[:, _HEADING], at[:, _CURVATURE], at[:, _HALF_WIDTH])

    def curvature_ahead(self, rows: Rows, distances: FloatArray) -> FloatArray:
        """[1/m], a row for each vehicle, at distances [m] ahead of its station."""
        last = self._table.shape[1] - 1
        places = (self.station[rows][:, None] + distances) * (1.0 / self.spacing)
        nearest = np.rint(places).astype(np.int64)
        nearest = nearest % last if self._closed else np.clip(nearest, 0, last)
        return self._table[self._lines[rows][:, None], nearest, _CURVATURE]

    def edges(self, row: int, behind: float, ahead: float) -> tuple[FloatArray, FloatArray]:
        """Points x, y [m] of both sides of the lane about a vehicle, for pictures."""
        station = self.station[row] + np.arange(-behind, ahead, 1.0)
        if not self._closed:
            station = station[(station >= 0.0) & (station <= self.length)]
        at = self._at(np.full(len(station), self._lines[row]), station)
        left = np.column_stack([-at[:, _S], at[:, _C]]) * at[:, _HALF_WIDTH, None]
        middle = at[:, [_X, _Y]]
        return middle + left, middle - left


def wrapped(angle: FloatArray) -> FloatArray:
    """Between -pi and pi [rad]."""
    turns = np.rint(angle * (0.5 / np.pi))
    return angle - turns * (2.0 * np.pi)
