"""Lines that vehicles of an array follow, each its own or all the same, and where they are on them.

All of it is whole-array arithmetic without functions whose last digit depends on the size of an
array, so that one vehicle alone sees the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.ground.paths import CentreLine, points_of_curvature

RowChoice = slice | NDArray[np.int64]
EVERY_ROW: Final = slice(None)
_NEAREST: Final = 0.2  # of the radius, from the centre of which a line has no foot of the normal


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
        self,
        count: int,
        stations: int,
        spacing: float,
        *,
        shared: bool = False,
        closed: bool = False,
    ) -> None:
        self.spacing, self._closed = spacing, closed
        self._table = np.zeros((1 if shared else count, stations + closed, 7))
        self._rows = np.arange(count)
        self._lines = np.zeros(count, dtype=np.int64) if shared else self._rows
        self._flat = self._table.reshape(-1, 7)
        self._curvatures = np.zeros(len(self._flat))
        self.station = np.zeros(count)

    @property
    def length(self) -> float:
        """[m]; a closed line ends where it begins."""
        return self.spacing * (self._table.shape[1] - 1)

    def bend(self, line: int, curvature: FloatArray, half_width: float) -> None:
        """From the origin along x with these curvatures [1/m] at the stations."""
        station = np.linspace(0.0, self.length, len(curvature))
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
        self._curvatures[line * self._table.shape[1] :][: len(curvature)] = curvature

    def begin(self, row: int, station: float) -> None:
        """A vehicle is beside this station [m]."""
        self.station[row] = station

    def place(self, row: int, station: float, offset: float) -> tuple[float, float, float]:
        """x, y [m] and heading [rad] beside a station [m]."""
        x, y, c, s, heading, _, _ = self._at(np.array([self._lines[row]]), np.array([station]))[0]
        return float(x - offset * s), float(y + offset * c), float(heading)

    def _at(self, lines: NDArray[np.int64], station: FloatArray) -> FloatArray:
        """Rows of the table, between two of its own."""
        last = self._table.shape[1] - 1
        places = station * (1.0 / self.spacing)
        below = np.floor(places)
        if self._closed:
            first = below.astype(np.int64) % last
        else:
            below = between_bounds(below, 0.0, last - 1.0)
            first = below.astype(np.int64)
        first += lines * (last + 1)
        before = self._flat.take(first, axis=0)
        share = (places - below)[:, None]
        return before + share * (self._flat.take(first + 1, axis=0) - before)

    def locate(self, rows: RowChoice, x: FloatArray, y: FloatArray) -> Beside:
        """Vehicles that are at x, y [m] now."""
        lines, station = self._lines[rows], self.station[rows]
        x0, y0, c, s, _, bend, _ = self._at(lines, station).T
        dx, dy = x - x0, y - y0
        beside = dy * c - dx * s
        station = station + (dx * c + dy * s) / np.maximum(1.0 - bend * beside, _NEAREST)
        self.station[rows] = station
        x0, y0, c, s, heading, bend, half_width = self._at(lines, station).T
        offset = (y - y0) * c - (x - x0) * s
        return Beside(station, offset, heading, bend, half_width)

    def curvature_ahead(self, rows: RowChoice, distances: FloatArray) -> FloatArray:
        """[1/m], a row for each vehicle, at distances [m] ahead of its station."""
        last = self._table.shape[1] - 1
        places = (self.station[rows][:, None] + distances) * (1.0 / self.spacing)
        nearest = np.rint(places).astype(np.int64)
        nearest = nearest % last if self._closed else between_bounds(nearest, 0, last)
        nearest += (self._lines[rows] * (last + 1))[:, None]
        return self._curvatures.take(nearest)

    def edges(self, row: int, behind: float, ahead: float) -> tuple[FloatArray, FloatArray]:
        """Points x, y [m] of both sides of the lane about a vehicle, for pictures."""
        station = self.station[row] + np.arange(-behind, ahead, 1.0)
        if not self._closed:
            station = station[(station >= 0.0) & (station <= self.length)]
        x, y, c, s, _, _, half_width = self._at(np.full(len(station), self._lines[row]), station).T
        left, middle = np.column_stack([-half_width * s, half_width * c]), np.column_stack([x, y])
        return middle + left, middle - left


def between_bounds(values: NDArray[Any], low: Any, high: Any) -> NDArray[Any]:
    """Values, or the bound that they are beyond; ``np.clip`` takes several times as long for arrays
    of some dozens of numbers."""
    bounded: NDArray[Any] = np.minimum(np.maximum(values, low), high)
    return bounded


def wrapped(angle: FloatArray) -> FloatArray:
    """Between -pi and pi [rad]."""
    turns = np.rint(angle * (0.5 / np.pi))
    return angle - turns * (2.0 * np.pi)


def one_by_one(function: Callable[..., float], *values: FloatArray) -> FloatArray:
    """A function of ``math`` of each number: NumPy's own may round otherwise in longer arrays."""
    return np.array([function(*each) for each in zip(*(v.tolist() for v in values), strict=True)])
