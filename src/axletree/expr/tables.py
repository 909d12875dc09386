"""Tables: piecewise polynomials of one variable, made from points.

``Table.linear`` joins the points by straight lines: no value is invented, and the slope
jumps at each point. ``Table.smooth`` is the monotone cubic of Fritsch and Butland (1984):
the slope is continuous, and between two points the curve stays between their values, so
that a spring characteristic that rises from point to point has no negative stiffness in
between, not even beside a bump stop; this is why it is the default for measured data.
``Table.spline`` is the cubic spline with not-a-knot ends: the second derivative is
continuous too, which a prescribed motion needs for a continuous acceleration, but it may
overshoot where the points have a kink.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.expr.expression import Expr, Operand, as_expr, number, special

LARGEST_COEFFICIENT: Final = 1e200


class Beyond(enum.Enum):
    """What a table does outside its points."""

    SLOPE_CONTINUES = "the end slope continues"
    VALUE_HELD = "the end value is held"


@dataclass(frozen=True, eq=False)
class Table:
    """A piecewise polynomial; ``len(breakpoints) + 1`` rows of coefficients.

    Row 0 holds below the first breakpoint, row k from breakpoint k-1 on. The coefficients
    of a row, from power 0 up, belong to powers of ``x - origin``; the origin is breakpoint
    k-1, and breakpoint 0 for row 0. All rows have the same length.
    """

    breakpoints: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]
    digest: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        content = repr((self.breakpoints, self.coefficients)).encode()
        digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        object.__setattr__(self, "digest", digest)

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Table) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    @staticmethod
    def linear(
        x: Sequence[float], y: Sequence[float], beyond: Beyond = Beyond.SLOPE_CONTINUES
    ) -> Table:
        """Straight lines through the points (x, y)."""
        xs, ys = _checked(x, y)
        slopes = np.diff(ys) / np.diff(xs)
        rows = [(value, slope) for value, slope in zip(ys, slopes, strict=False)]
        return _with_ends(xs, rows, (ys[0], slopes[0]), (ys[-1], slopes[-1]), beyond)

    @staticmethod
    def smooth(
        x: Sequence[float], y: Sequence[float], beyond: Beyond = Beyond.SLOPE_CONTINUES
    ) -> Table:
        """A cubic with continuous slope through the points that never overshoots."""
        xs, ys = _checked(x, y)
        return _hermite(xs, ys, _monotone_slopes(xs, ys), beyond)

    @staticmethod
    def spline(
        x: Sequence[float], y: Sequence[float], beyond: Beyond = Beyond.SLOPE_CONTINUES
    ) -> Table:
        """A cubic with continuous slope and curvature through the points."""
        xs, ys = _checked(x, y)
        return _hermite(xs, ys, _spline_slopes(xs, ys), beyond)

    @staticmethod
    def hermite(
        x: Sequence[float],
        y: Sequence[float],
        slopes: Sequence[float],
        beyond: Beyond = Beyond.SLOPE_CONTINUES,
    ) -> Table:
        """Cubics through the points with these slopes at them."""
        xs, ys = _checked(x, y)
        return _hermite(xs, ys, np.asarray(slopes, dtype=float), beyond)

    def derivative(self) -> Table:
        """The slope; at a breakpoint of a linear table, the slope to the right."""
        rows = tuple(
            tuple(k * c for k, c in enumerate(row) if k > 0) or (0.0,) for row in self.coefficients
        )
        return Table(self.breakpoints, rows)

    def evaluate(self, x: Any) -> Any:
        """The value at x, a float or an array."""
        points = np.asarray(self.breakpoints)
        rows = np.searchsorted(points, x, side="right")
        local = x - points[np.maximum(rows - 1, 0)]
        coefficients = np.asarray(self.coefficients)[rows]
        value = coefficients[..., -1]
        for power in range(coefficients.shape[-1] - 2, -1, -1):
            value = value * local + coefficients[..., power]
        return np.where(np.isnan(x), np.nan, value)[()]


def interpolate(table: Table, x: Operand) -> Expr:
    """The table's value at x, as an expression."""
    x = as_expr(x)
    if x.is_number:
        return number(float(table.evaluate(x.coefficient)))
    constants = {row[0] for row in table.coefficients}
    if len(constants) == 1 and not any(any(row[1:]) for row in table.coefficients):
        return number(constants.pop())
    return special("table", (x,), table)


def _checked(x: Sequence[float], y: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if xs.ndim != 1 or xs.shape != ys.shape:
        raise ExpressionError(f"a table needs as many x as y, got shapes {xs.shape} and {ys.shape}")
    if len(xs) < 2:
        raise ExpressionError(f"a table needs at least 2 points, got {len(xs)}")
    for name, values in (("x", xs), ("y", ys)):
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            raise ExpressionError(
                f"{name}[{bad[0]}] of a table is {values[bad[0]]}; expected finite numbers"
            )
    falling = np.flatnonzero(np.diff(xs) <= 0.0)
    if falling.size:
        k = int(falling[0])
        raise ExpressionError(
            f"the x of a table must rise, but x[{k}] = {xs[k]:g} is followed by "
            f"x[{k + 1}] = {xs[k + 1]:g}; sort the points and remove repeated ones"
        )
    # Coefficients divide by powers of the spacing up to the third.
    with np.errstate(over="ignore"):  # a spacing beyond all bounds is none that is too small
        smallest = LARGEST_COEFFICIENT * np.diff(xs).min() ** 3
    if np.abs(ys).max() > smallest:
        raise ExpressionError(
            f"two x of a table lie too close together, {np.diff(xs).min():g} apart: "
            "the slope between them leaves the range of floating-point numbers"
        )
    return xs, ys


def _with_ends(
    xs: np.ndarray,
    rows: Sequence[Sequence[float]],
    first: tuple[float, float],
    last: tuple[float, float],
    beyond: Beyond,
) -> Table:
    """The table of inner rows, with (value, slope) at both ends continued outwards."""
    keep = 1.0 if beyond is Beyond.SLOPE_CONTINUES else 0.0
    ends = [(value, keep * slope, *(0.0,) * (len(rows[0]) - 2)) for value, slope in (first, last)]
    table = [ends[0], *rows, ends[1]]
    return Table(
        tuple(float(v) for v in xs), tuple(tuple(float(c) + 0.0 for c in row) for row in table)
    )


def _hermite(xs: np.ndarray, ys: np.ndarray, slopes: np.ndarray, beyond: Beyond) -> Table:
    """Cubics with the given values and slopes at the points."""
    h = np.diff(xs)
    chord = np.diff(ys) / h
    left, right = slopes[:-1], slopes[1:]
    square = (3.0 * chord - 2.0 * left - right) / h
    cube = (left + right - 2.0 * chord) / h**2
    rows = list(zip(ys[:-1], left, square, cube, strict=True))
    return _with_ends(xs, rows, (ys[0], slopes[0]), (ys[-1], slopes[-1]), beyond)


def _monotone_slopes(xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
    """Fritsch and Butland 1984: a weighted harmonic mean, 0 at a local extremum."""
    h, chord = np.diff(xs), np.diff(ys) / np.diff(xs)
    slopes = np.empty(len(xs))
    before, after = chord[:-1], chord[1:]
    w1, w2 = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    rising = before * after > 0.0
    safe = np.where(rising, before, 1.0), np.where(rising, after, 1.0)
    slopes[1:-1] = np.where(rising, (w1 + w2) / (w1 / safe[0] + w2 / safe[1]), 0.0)
    slopes[0] = _end_slope(h[:2], chord[:2])
    slopes[-1] = _end_slope(h[:-3:-1], chord[:-3:-1])
    return slopes


def _end_slope(h: np.ndarray, chord: np.ndarray) -> float:
    """The slope of the parabola through the three end points, limited to stay monotone."""
    if len(h) == 1:
        return float(chord[0])
    slope = ((2.0 * h[0] + h[1]) * chord[0] - h[0] * chord[1]) / (h[0] + h[1])
    if slope * chord[0] <= 0.0:
        return 0.0
    if chord[0] * chord[1] <= 0.0 and abs(slope) > 3.0 * abs(chord[0]):
        return float(3.0 * chord[0])
    return float(slope)


def _spline_slopes(xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
    """Slopes with continuous curvature; two points give a line, three a parabola."""
    n, h = len(xs), np.diff(xs)
    chord = np.diff(ys) / h
    if n == 2:
        return np.array([chord[0], chord[0]])
    matrix, right = np.zeros((n, n)), np.zeros(n)
    for k in range(1, n - 1):
        matrix[k, k - 1 : k + 2] = h[k], 2.0 * (h[k - 1] + h[k]), h[k - 1]
        right[k] = 3.0 * (h[k] * chord[k - 1] + h[k - 1] * chord[k])
    if n == 3:
        matrix[0, :2], right[0] = 1.0, 2.0 * chord[0]
        matrix[2, 1:], right[2] = 1.0, 2.0 * chord[1]
        return np.linalg.solve(matrix, right)
    # Not a knot: the first two cubics are one, and so are the last two.
    matrix[0, :3] = 1.0 / h[0] ** 2, 1.0 / h[0] ** 2 - 1.0 / h[1] ** 2, -1.0 / h[1] ** 2
    right[0] = 2.0 * (chord[0] / h[0] ** 2 - chord[1] / h[1] ** 2)
    matrix[-1, -3:] = 1 / h[-2] ** 2, 1 / h[-2] ** 2 - 1 / h[-1] ** 2, -1 / h[-1] ** 2
    right[-1] = 2.0 * (chord[-2] / h[-2] ** 2 - chord[-1] / h[-1] ** 2)
    return np.linalg.solve(matrix, right)
