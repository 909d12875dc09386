"""The solution of least norm where there are many, in Python: the twin of split.c.

With W symmetric and positive semidefinite all solutions have one w (Cottle, Pang and Stone 1992,
theorem 3.1.7). They differ by null vectors of W among the rows with w = 0, as far as
the bounds let. Less its part along these null vectors, a solution is the shortest; if a bound
is in the way, the multipliers eta >= 0 of the bounds solve a smaller problem of the same kind,
with the projector onto the null vectors in place of W.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from axletree.simulation.mlcp.pivoting import Limits, PrincipalPivots, moves
from axletree.simulation.mlcp.problem import Outcome, Vector

LOOSE = 1e-9  # of the largest unknown
PERHAPS = 10.0  # times the tolerance for agreement: beyond it a closer look is spared


def least_norm(pivots: PrincipalPivots, weights: Vector) -> Vector:
    """Of all solutions the one with the least sum of (weights[i] x[i])^2."""
    rows, null, moving = _null_vectors(pivots, weights)
    if null.shape[1] == 0:
        return pivots.x
    weight = weights[rows]
    start = weight * pivots.x[rows]
    shortest = start - null @ (null.T @ start)
    lower = np.where(moving, weight * pivots.lower[rows], -np.inf)
    upper = np.where(moving, weight * pivots.upper[rows], np.inf)
    change = _within(shortest, null, lower, upper, pivots.limits)
    if change is None:  # bounds that only just admit a solution, and rounding
        loose = LOOSE * float(np.max(np.abs(start)))
        change = _within(shortest, null, lower - loose, upper + loose, pivots.limits)
    if change is None:
        return pivots.x
    moved = np.where(moving, (shortest + null @ (null.T @ change)) / weight, pivots.x[rows])
    moved = np.where(change > 0.0, pivots.lower[rows], moved)
    moved = np.where(change < 0.0, pivots.upper[rows], moved)
    x = pivots.x.copy()
    x[rows] = np.minimum(np.maximum(moved, pivots.lower[rows]), pivots.upper[rows])
    return _polished(pivots, weights, x)


def _polished(pivots: PrincipalPivots, weights: Vector, x: Vector) -> Vector:
    """Solved once more from x, which is a solution but for rounding; the shorter one counts."""
    again = PrincipalPivots(
        pivots.matrix, pivots.offset, pivots.lower, pivots.upper, x, pivots.limits
    )
    solved = again.run() is Outcome.SOLVED
    shorter = np.sum((weights * again.x) ** 2) <= np.sum((weights * pivots.x) ** 2)
    return again.x if solved and shorter else pivots.x


def _null_vectors(
    pivots: PrincipalPivots, weights: Vector
) -> tuple[list[int], Vector, NDArray[np.bool_]]:
    """The rows with w = 0, an orthonormal basis of what may change among them, and which do."""
    factor = pivots.factor
    outside = pivots.lower < pivots.upper
    outside[factor.rows] = False
    zero = np.abs(pivots.w) <= pivots.zero
    dependent = [
        int(i) for i in np.flatnonzero(outside & zero)
        if factor.append(int(i)) <= pivots.limits.rank
    ]  # fmt: skip
    dependent += [int(i) for i in np.flatnonzero(outside & ~zero) if _agrees(pivots, int(i))]
    columns: list[Vector] = []
    moving = np.zeros(weights.size, dtype=bool)
    for i in dependent:
        column = np.zeros(weights.size)
        column[[*factor.rows, i]] = pivots.null_line(i)
        moving |= moves(column)
        _add_orthonormal(columns, column * weights)
    rows = sorted({*factor.rows, *dependent})
    null = np.array(columns).T[rows] if columns else np.zeros((len(rows), 0))
    return rows, null, moving[rows]


def _agrees(pivots: PrincipalPivots, row: int) -> bool:
    """A row at a bound that depends on the others may have their rounding in its w."""
    if abs(pivots.w[row]) > PERHAPS * pivots.limits.agreement * np.max(pivots.terms):
        return False
    if pivots.factor.append(row) > pivots.limits.rank:
        pivots.factor.remove(row)
        return False
    return bool(abs(pivots.w[row]) <= pivots.agreement(row, pivots.null_line(row)))


def _add_orthonormal(columns: list[Vector], column: Vector) -> None:
    for _ in range(2):  # once more, for what rounding leaves the first time
        for other in columns:
            column = column - (other @ column) * other
    columns.append(column / np.sqrt(column @ column))


def _within(
    shortest: Vector, null: Vector, lower: Vector, upper: Vector, limits: Limits
) -> Vector | None:
    """The multipliers of the bounds, positive at lower ones; None where none were found."""
    size = len(shortest)
    change = np.zeros(size)
    if np.all((lower <= shortest) & (shortest <= upper)):
        return change
    places = [(i, 1.0, lower[i]) for i in range(size) if lower[i] > -np.inf]
    places += [(i, -1.0, upper[i]) for i in range(size) if upper[i] < np.inf]
    index = [i for i, _, _ in places]
    sign = np.array([s for _, s, _ in places])
    directions = null[index] * sign[:, None]
    offset = sign * (shortest[index] - np.array([bound for _, _, bound in places]))
    zero, none = np.zeros(len(places)), np.full(len(places), np.inf)
    inner = PrincipalPivots(directions @ directions.T, offset, zero, none, zero.copy(), limits)
    if inner.run() is not Outcome.SOLVED:
        return None
    for i, s, multiplier in zip(index, sign, inner.x, strict=True):
        change[i] += s * multiplier
    return change
