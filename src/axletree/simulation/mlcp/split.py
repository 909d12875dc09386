"""The solution of least norm where there are many, in Python: the twin of split.c.

With W symmetric and positive semidefinite all solutions have one w (Cottle, Pang and Stone 1992,
theorem 3.1.7). They differ by null vectors of W among the rows with w = 0, as far as
the bounds let. Less its part along these null vectors, a solution is the shortest; if a bound
is in the way, the multipliers eta >= 0 of the bounds solve a smaller problem of the same kind,
with the projector onto the null vectors in place of W.
"""

from __future__ import annotations

import numpy as np

from axletree.simulation.mlcp.pivoting import Limits, PrincipalPivots
from axletree.simulation.mlcp.problem import Outcome, Vector


def least_norm(pivots: PrincipalPivots, weights: Vector) -> None:
    """Of all solutions take the one with the least sum of (weights[i] x[i])^2."""
    rows, null = _null_vectors(pivots, weights)
    if null.shape[1] == 0:
        return
    weight = weights[rows]
    start = weight * pivots.x[rows]
    lower, upper = weight * pivots.lower[rows], weight * pivots.upper[rows]
    shortest = start - null @ (null.T @ start)
    change = _within(shortest, null, lower, upper, pivots.limits)
    if change is None:
        return
    moved = (shortest + null @ (null.T @ change)) / weight
    moved = np.where(change > 0.0, pivots.lower[rows], moved)
    moved = np.where(change < 0.0, pivots.upper[rows], moved)
    pivots.x[rows] = np.minimum(np.maximum(moved, pivots.lower[rows]), pivots.upper[rows])
    pivots.evaluate()


def _null_vectors(pivots: PrincipalPivots, weights: Vector) -> tuple[list[int], Vector]:
    """The rows with w = 0, and an orthonormal basis of what may change among them."""
    factor = pivots.factor
    free = (np.abs(pivots.w) <= pivots.zero) | pivots.settled
    free &= pivots.lower < pivots.upper
    free[factor.rows] = False
    columns: list[Vector] = []
    for i in np.flatnonzero(free):
        if factor.append(int(i)) > pivots.limits.rank:
            continue
        column = np.zeros(weights.size)
        column[factor.rows] = -factor.solve(pivots.matrix[factor.rows, i])
        column[i] = 1.0
        _add_orthonormal(columns, column * weights)
    rows = sorted({*factor.rows, *map(int, np.flatnonzero(free))})
    if not columns:
        return rows, np.zeros((len(rows), 0))
    return rows, np.array(columns).T[rows]


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
