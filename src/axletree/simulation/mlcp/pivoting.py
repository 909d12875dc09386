"""Principal pivoting for symmetric W, in Python: the twin of pivoting.c, factor.c and split.c.

With W symmetric the problem states when lambda' W lambda / 2 + q' lambda is least within the
bounds. The rows between bounds (the basis) are kept stationary; one row of wrong sign at a time
is driven off its bound along the line on which the basis stays stationary, until its own w is
zero or a bound is met (Cottle, Pang and Stone 1992, sections 4.2 and 4.3; Keller 1973 for W that
is not positive definite). Why it ends: bounds are independent of one another, so a driven row
can always move, after rows that stand at their bounds have left the basis. The sum above falls
from one stationary point to the next, no basis comes back, and there is nothing to break ties
for. A row that depends on the basis has no curvature along its line: it moves to a bound, or
without one proves that nothing solves the problem.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.simulation.mlcp.problem import Outcome

REFINEMENTS = 3  # steps on one basis, after which its w is as near zero as rounding lets it be
NO_MOVE = 1e-9  # relative size below which a part of a line is rounding


@dataclass(frozen=True)
class Limits:
    """What counts as zero, relative to the terms that a value is the sum of.

    Looser limits do not make a solution of what leaves a residual above 1e-8.
    """

    tolerance: float = 1e-13  # w
    rank: float = 1e-12  # curvature of a row that depends on others
    agreement: float = 1e-10  # w of a row that depends on others and says the same as they
    steps: int | None = None  # at most; None for 50 (n + 1)

    def most(self, size: int) -> int:
        return 50 * (size + 1) if self.steps is None else self.steps


class PrincipalPivots:
    """One problem; ``x`` holds the unknowns, at first a guess within the bounds."""

    def __init__(
        self,
        matrix: FloatArray,
        offset: FloatArray,
        lower: FloatArray,
        upper: FloatArray,
        x: FloatArray,
        limits: Limits,
    ) -> None:
        self.matrix, self.offset = matrix, offset
        self.lower, self.upper = lower, upper
        self.x = x
        self.limits = limits
        self.factor = GrowingFactor(matrix, limits.rank)
        self.allowed = np.zeros(x.size)  # w of rows that agree with those they depend on
        self.ray = np.zeros(x.size)  # where unsolvable: the line along which nothing helps
        self.steps = 0
        self.indefinite = False
        self._driven = -1
        self._refined = 0
        for i in np.flatnonzero((lower < x) & (x < upper)):
            self.factor.append(int(i))
        self.evaluate()

    def run(self) -> Outcome:
        most = self.limits.most(self.x.size)
        while self.steps < most:
            self.steps += 1
            self.evaluate()
            if not self._stationary():
                self._move_basis()
                continue
            row = self._row_to_drive()
            if row < 0:
                return Outcome.SOLVED
            curvature = self.factor.append(row)
            if curvature > self.limits.rank:
                self._driven, self._refined = -1, 0
                continue
            self.indefinite |= curvature < -self.limits.rank
            line = self.null_line(row)
            self.allowed[row] = self.agreement(row, line)
            agrees = abs(self.w[row]) <= self.allowed[row]
            if not agrees and not self._slide(row, line):
                return Outcome.UNDECIDED if self.indefinite else Outcome.UNSOLVABLE
        self.evaluate()
        return Outcome.STOPPED

    def evaluate(self) -> None:
        """w, the size of the terms of each w, and what of it is rounding."""
        self.w = self.matrix @ self.x + self.offset
        self.terms = np.abs(self.matrix) @ np.abs(self.x) + np.abs(self.offset)
        largest = float(np.max(self.terms, initial=0.0))
        rounding = self.limits.tolerance * (self.terms + 0.01 * largest)
        self.zero = np.maximum(rounding, self.allowed)

    def null_line(self, row: int) -> FloatArray:
        """Changes of the basis that keep it at w = 0 while a dependent row changes by 1."""
        return np.append(-self.factor.solve(self.matrix[self.factor.rows, row]), 1.0)

    def agreement(self, row: int, line: FloatArray) -> float:
        """What w of a row that depends on the basis may have from rounding of all their terms."""
        terms = np.abs(line) * self.terms[[*self.factor.rows, row]]
        return self.limits.agreement * float(np.max(terms))

    def _stationary(self) -> bool:
        rows = self.factor.rows
        return self._refined >= REFINEMENTS or bool(np.all(np.abs(self.w[rows]) <= self.zero[rows]))

    def _row_to_drive(self) -> int:
        """The row of the largest wrong w outside of the basis; -1 where there is none."""
        wrong = np.where(self.w < 0.0, self.x < self.upper, self.x > self.lower)
        wrong &= np.abs(self.w) > self.zero
        wrong[self.factor.rows] = False
        if self._driven >= 0 and wrong[self._driven]:
            return self._driven
        self._driven = -1
        row = int(np.argmax(np.where(wrong, np.abs(self.w), -1.0))) if wrong.size else -1
        return row if row >= 0 and wrong[row] else -1

    def _move_basis(self) -> None:
        """Make w of the basis zero, as far as the bounds let."""
        if self._refined == 1:
            self.factor.renew()  # rounding of many changes may stand in the way
        rows = list(self.factor.rows)
        line = -self.factor.solve(self.w[rows])
        length, blocked = self._room(rows, line, 1.0)
        self._advance(rows, line, length, blocked)
        self._refined += 1
        if blocked >= 0:
            self.factor.remove(blocked)
            self._refined = 0

    def _slide(self, row: int, line: FloatArray) -> bool:
        """Move a dependent row to a bound, its own or one of the basis; False without one."""
        rows = [*self.factor.rows, row]
        line = np.where(moves(line), -math.copysign(1.0, self.w[row]) * line, 0.0)
        length, blocked = self._room(rows, line, math.inf)
        if blocked < 0:
            self.ray[rows] = line
            return False
        self._advance(rows, line, length, blocked)
        self._refined = 0
        self._driven = row
        if blocked == row:
            self._driven = -1
        else:
            self.factor.remove(blocked)
        return True

    def _room(self, rows: list[int], line: FloatArray, length: float) -> tuple[float, int]:
        """How far the line may be followed, and the row that meets its bound there, or -1."""
        blocked = -1
        for row, change in zip(rows, line, strict=True):
            if change == 0.0:
                continue
            bound = self.upper[row] if change > 0.0 else self.lower[row]
            room = (bound - self.x[row]) / change
            if room < length:
                length, blocked = max(float(room), 0.0), row
        return length, blocked

    def _advance(self, rows: list[int], line: FloatArray, length: float, blocked: int) -> None:
        moved = self.x[rows] + length * line
        self.x[rows] = np.minimum(np.maximum(moved, self.lower[rows]), self.upper[rows])
        if blocked >= 0:
            change = line[rows.index(blocked)]
            self.x[blocked] = self.upper[blocked] if change > 0.0 else self.lower[blocked]


def moves(line: FloatArray) -> NDArray[np.bool_]:
    """The parts of a line that are more than rounding."""
    return np.asarray(np.abs(line) > NO_MOVE * np.max(np.abs(line)))


# L D L' of a part of a symmetric matrix, as rows enter it and leave it.
#
# A row enters at the end by one forward substitution; when one leaves, the rows behind it take a
# positive rank-one change, which is stable (Gill, Golub, Murray and Saunders 1974, method C1).
# Either costs of the order of the square of the rows held.

CLEAR = 1e-4  # relative pivot from which on a row is independent without a closer look


class GrowingFactor:
    """The factor of matrix[rows, rows], which stays positive definite."""

    def __init__(self, matrix: FloatArray, rank: float) -> None:
        self._matrix = matrix
        self._rank = rank
        self.rows: list[int] = []
        n = matrix.shape[0]
        self._lower = np.zeros((n, n))  # its diagonal of ones is not stored
        self._diagonal = np.zeros(n)

    def append(self, row: int) -> float:
        """Take a row in if it depends on none of those here; its curvature.

        This is z' W z / z' D z along the line z on which the rows here stay stationary, D the
        diagonal of W. (Rounding of a pivot grows with z' D z, so the pivot itself tells less.)
        """
        m = len(self.rows)
        y = self._forward(self._matrix[row, self.rows])
        scaled = y / self._diagonal[:m]
        size = abs(float(self._matrix[row, row]))
        pivot = float(self._matrix[row, row] - y @ scaled)
        if pivot < CLEAR * size:
            z = self._backward(scaled)
            size += float(z * z @ np.diagonal(self._matrix)[self.rows])
        curvature = pivot / size if size > 0.0 else 0.0
        if curvature > self._rank:
            self._lower[m, :m] = scaled
            self._diagonal[m] = pivot
            self.rows.append(row)
        return curvature

    def remove(self, row: int) -> None:
        k = self.rows.index(row)
        m = len(self.rows) - 1
        factor, diagonal = self._lower, self._diagonal
        alpha, v = float(diagonal[k]), factor[k + 1 : m + 1, k].copy()
        factor[k:m, :k] = factor[k + 1 : m + 1, :k]
        factor[k:m, k:m] = factor[k + 1 : m + 1, k + 1 : m + 1]
        diagonal[k:m] = diagonal[k + 1 : m + 1]
        del self.rows[k]
        for j in range(k, m):
            p = float(v[j - k])
            grown = float(diagonal[j]) + alpha * p * p
            beta = p * alpha / grown
            alpha *= float(diagonal[j]) / grown
            diagonal[j] = grown
            v[j - k + 1 :] -= p * factor[j + 1 : m, j]
            factor[j + 1 : m, j] += beta * v[j - k + 1 :]

    def renew(self) -> None:
        """The factor of the same rows from the matrix itself."""
        rows, self.rows = self.rows, []
        for row in rows:
            self.append(row)

    def solve(self, right: FloatArray) -> FloatArray:
        """matrix[rows, rows]^-1 right."""
        return self._backward(self._forward(right) / self._diagonal[: len(self.rows)])

    def _forward(self, right: FloatArray) -> FloatArray:
        y = np.array(right, dtype=float)
        for k in range(1, len(self.rows)):
            y[k] -= self._lower[k, :k] @ y[:k]
        return y

    def _backward(self, right: FloatArray) -> FloatArray:
        y = np.array(right, dtype=float)
        for k in range(len(self.rows) - 1, 0, -1):
            y[:k] -= self._lower[k, :k] * y[k]
        return y


# The solution of least norm where there are many, in Python: the twin of split.c.
#
# With W symmetric and positive semidefinite all solutions have one w (Cottle, Pang and Stone 1992,
# theorem 3.1.7). They differ by null vectors of W among the rows with w = 0, as far as
# the bounds let. Less its part along these null vectors, a solution is the shortest; if a bound
# is in the way, the multipliers eta >= 0 of the bounds solve a smaller problem of the same kind,
# with the projector onto the null vectors in place of W.

LOOSE = 1e-9  # of the largest unknown
DOUBTFUL = 10.0  # times the tolerance for agreement: beyond it a closer look is spared


def least_norm(pivots: PrincipalPivots, weights: FloatArray) -> FloatArray:
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


def _polished(pivots: PrincipalPivots, weights: FloatArray, x: FloatArray) -> FloatArray:
    """Solved once more from x, which is a solution but for rounding; the shorter one counts."""
    again = PrincipalPivots(
        pivots.matrix, pivots.offset, pivots.lower, pivots.upper, x, pivots.limits
    )
    solved = again.run() is Outcome.SOLVED
    shorter = np.sum((weights * again.x) ** 2) <= np.sum((weights * pivots.x) ** 2)
    return again.x if solved and shorter else pivots.x


def _null_vectors(
    pivots: PrincipalPivots, weights: FloatArray
) -> tuple[list[int], FloatArray, NDArray[np.bool_]]:
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
    columns: list[FloatArray] = []
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
    if abs(pivots.w[row]) > DOUBTFUL * pivots.limits.agreement * np.max(pivots.terms):
        return False
    if pivots.factor.append(row) > pivots.limits.rank:
        pivots.factor.remove(row)
        return False
    return bool(abs(pivots.w[row]) <= pivots.agreement(row, pivots.null_line(row)))


def _add_orthonormal(columns: list[FloatArray], column: FloatArray) -> None:
    for _ in range(2):  # once more, for what rounding leaves the first time
        for other in columns:
            column = column - (other @ column) * other
    columns.append(column / np.sqrt(column @ column))


def _within(
    shortest: FloatArray, null: FloatArray, lower: FloatArray, upper: FloatArray, limits: Limits
) -> FloatArray | None:
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
