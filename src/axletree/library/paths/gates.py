"""The widest turns through lanes that leave little room."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.core.errors import ModelError

Column = NDArray[np.float64]
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


def widest_line(x: Column, lanes: Sequence[Lane], outline: Outline, margin: float) -> Column:
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


def _differences(n: int, order: int, h: float) -> NDArray[np.float64]:
    """Differences of neighbours, over h to the power of the order."""
    return np.asarray(np.diff(np.eye(n), order, axis=0) / h**order)


def _within(
    x: Column, lanes: Sequence[Lane], outline: Outline, margin: float
) -> tuple[NDArray[np.float64], Column]:
    """Rows and limits: the ends of the part that is beside a lane are within its boundaries."""
    h, half = float(x[1] - x[0]), 0.5 * outline.width + margin
    rows, limits = [], []
    for i in range(1, len(x) - 1):
        for lane in lanes:
            first = max(-outline.behind, lane.begin - x[i])
            last = min(outline.ahead, lane.end - x[i])
            if first > last:
                continue
            for u, rear in itertools.product((first, last), (0.0, outline.rear)):
                row, bend = np.zeros(len(x)), -u * rear / h**2
                row[i - 1 : i + 2] = bend - 0.5 * u / h, 1.0 - 2.0 * bend, bend + 0.5 * u / h
                rows += [row, -row]
                limits += [lane.left - half, -lane.right - half]
    return np.array(rows), np.array(limits)
