"""Boundaries about a simulated curve, within which measured points are to lie.

About every point of the curve lies a rectangle with the half widths of its tolerances; what one of
them covers is within the boundary. Over time its width is the tolerance of time, in a cross plot
that of the quantity along x.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.model_files.channel_file import Tolerance

# Where none is stated: of the range of the simulated quantity. A choice of this package, no number
# of a standard.
DEFAULT_SHARE: Final = 0.05
_AT_ONCE: Final = 2_000_000  # pairs of points and pieces of a curve


def default_tolerance(simulated: FloatArray) -> Tolerance:
    """Of a quantity for which none is stated."""
    return Tolerance(absolute=DEFAULT_SHARE * float(np.ptp(simulated)))


@dataclass(frozen=True, eq=False)
class Boundary:
    """A boundary about a simulated curve, and the measured points in it or outside."""

    x: str  # name of the quantity along x; "time"
    y: str
    simulated: tuple[FloatArray, FloatArray]  # x and y of the curve, SI units
    measured: tuple[FloatArray, FloatArray]
    tolerances: tuple[Tolerance, Tolerance]  # along x and y
    is_stated: bool  # whether that of y is the user's own
    use: FloatArray  # of each measured point: distance over tolerance; up to 1 it is within

    @property
    def share_within(self) -> float:
        """Of the measured points [1]."""
        return float(np.mean(self.use <= 1.0))

    @property
    def is_met(self) -> bool:
        return bool((self.use <= 1.0).all())

    @property
    def greatest_use(self) -> float:
        return float(self.use.max())


def boundary(
    names: tuple[str, str],
    simulated: tuple[FloatArray, FloatArray],
    measured: tuple[FloatArray, FloatArray],
    tolerances: tuple[Tolerance | None, Tolerance | None],
) -> Boundary:
    """The boundary of a curve y over x; a tolerance that is None is the default of its quantity.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.measurements.boundaries import boundary
    >>> from axletree.model_files.channel_file import Tolerance
    >>> x, narrow = np.linspace(0.0, 4.0, 5), Tolerance(absolute=0.1)
    >>> points = np.array([1.0, 3.0]), np.array([1.15, 3.5])
    >>> found = boundary(("x", "y"), (x, x), points, (narrow, narrow))
    >>> found.use.round(3).tolist(), found.share_within
    ([0.75, 2.5], 0.5)
    """
    of_x, of_y = (
        given or default_tolerance(curve)
        for given, curve in zip(tolerances, simulated, strict=True)
    )
    use = _use(simulated, measured, of_x, of_y)
    stated = tolerances[1] is not None
    return Boundary(*names, simulated, measured, (of_x, of_y), stated, use)


def _use(
    curve: tuple[FloatArray, FloatArray],
    points: tuple[FloatArray, FloatArray],
    of_x: Tolerance,
    of_y: Tolerance,
) -> FloatArray:
    """The least of max(|dx| / tolerance of x, |dy| / tolerance of y) to any point of the curve."""
    if of_x == Tolerance():
        order = np.argsort(curve[0], kind="stable")
        y = np.interp(points[0], curve[0][order], curve[1][order])
        return _over(np.abs(points[1] - y), of_y.half_width(y))
    x, y = curve
    found = np.empty(len(points[0]))
    rows = max(1, _AT_ONCE // max(len(x), 1))
    for first in range(0, len(found), rows):
        some = slice(first, first + rows)
        found[some] = _nearest(x, y, points[0][some], points[1][some], of_x, of_y)
    return found


def _nearest(
    x: FloatArray,
    y: FloatArray,
    px: FloatArray,
    py: FloatArray,
    of_x: Tolerance,
    of_y: Tolerance,
) -> FloatArray:
    """Over the straight pieces of the curve, each with the tolerances at its middle.

    On a piece both distances are linear in the share s of the way along it, and the larger of
    their sizes is least at an end, where one of them is zero, or where both are of one size.
    """
    width = of_x.half_width(0.5 * (x[:-1] + x[1:])), of_y.half_width(0.5 * (y[:-1] + y[1:]))
    tiny = 1e-300
    a = (x[:-1] - px[:, None]) / np.maximum(width[0], tiny)
    b = np.diff(x) / np.maximum(width[0], tiny)
    c = (y[:-1] - py[:, None]) / np.maximum(width[1], tiny)
    d = np.diff(y) / np.maximum(width[1], tiny)
    best = np.full(a.shape, np.inf)
    with np.errstate(all="ignore"):
        for s in (0.0, 1.0, -a / b, -c / d, (c - a) / (b - d), -(a + c) / (b + d)):
            share = np.clip(np.nan_to_num(s, nan=0.0, posinf=1.0, neginf=0.0), 0.0, 1.0)
            best = np.minimum(best, np.maximum(np.abs(a + b * share), np.abs(c + d * share)))
    return np.asarray(best.min(axis=1), dtype=float)


def _over(distance: FloatArray, width: FloatArray) -> FloatArray:
    """Distance over width; where there is no width, 0 on the curve and infinite beside it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(distance == 0.0, 0.0, distance / width)
