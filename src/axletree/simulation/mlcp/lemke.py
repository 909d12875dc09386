"""Lemke's complementary pivoting for W of any kind, in Python: the twin of lemke.c.

The problem is first written with unknowns y >= 0 and v = M y + r >= 0, y' v = 0:

1. lambda = lower + y, or upper - y where only that bound is there; v is w, or -w;
2. a second bound adds the unknown w- and the row upper - lower - y;
3. a row without bounds becomes two, of lambda = y+ - y-.

An artificial unknown, added to all rows, makes r feasible, and is driven out along a path of
complementary bases (Lemke 1965; Cottle, Pang and Stone 1992, section 4.4). Ties are broken
lexicographically, so that no basis comes back. For W that is positive semidefinite, symmetric or
not, and for friction as a pyramid (copositive M), the path ends at a solution if there is
one; for other W it may end without one. A bound beyond the first costs a row, so the
symmetric case is left to principal pivoting.
"""

from __future__ import annotations

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.simulation.mlcp.problem import Outcome

SMALL_PIVOT = 1e-10  # of the largest in a column: below it an entry is no pivot
_TIE = 1e-12  # ratios that differ by less than this share of a usual one are equal


class StandardProblem:
    """v = M y + r with y, v >= 0, and how lambda follows from y."""

    def __init__(
        self, matrix: FloatArray, offset: FloatArray, lower: FloatArray, upper: FloatArray
    ) -> None:
        n = offset.size
        self.lower, self.upper = lower, upper
        self.fixed = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper, 0.0))
        self.rows: list[tuple[int, float]] = []  # row of W and sign of y
        for i in range(n):
            if lower[i] == upper[i]:
                continue
            if np.isfinite(lower[i]) or np.isinf(upper[i]):
                self.rows.append((i, 1.0))
            if np.isinf(lower[i]):
                self.rows.append((i, -1.0))
        both = np.isfinite(lower) & np.isfinite(upper)
        self.boxed = [k for k, (i, _) in enumerate(self.rows) if both[i]]
        first = len(self.rows)
        size = first + len(self.boxed)
        self.index = np.array([i for i, _ in self.rows], dtype=int)
        self.sign = np.array([s for _, s in self.rows])
        self.matrix = np.zeros((size, size))
        self.matrix[:first, :first] = (
            self.sign[:, None] * matrix[np.ix_(self.index, self.index)] * self.sign
        )
        self.offset = np.zeros(size)
        self.offset[:first] = self.sign * (matrix @ self.fixed + offset)[self.index]
        for k, p in enumerate(self.boxed):
            self.matrix[p, first + k], self.matrix[first + k, p] = 1.0, -1.0
            self.offset[first + k] = upper[self.index[p]] - lower[self.index[p]]

    def unknowns(self, parts: FloatArray) -> FloatArray:
        """lambda from v and y; exactly at a second bound where nothing is left up to it."""
        size, first = self.offset.size, self.index.size
        v, y = parts[:size], np.maximum(parts[size : 2 * size], 0.0)
        x = self.fixed.copy()
        np.add.at(x, self.index, self.sign * y[:first])
        for k, p in enumerate(self.boxed):
            if y[p] > 0.0 and v[first + k] <= 0.0:
                x[self.index[p]] = self.upper[self.index[p]]
        return np.minimum(np.maximum(x, self.lower), self.upper)


def lemke(
    matrix: FloatArray, offset: FloatArray, lower: FloatArray, upper: FloatArray, most: int
) -> tuple[Outcome, int, FloatArray]:
    """The outcome, the pivots, and lambda."""
    problem = StandardProblem(matrix, offset, lower, upper)
    size = problem.offset.size
    table = np.hstack([np.eye(size), -problem.matrix, -np.ones((size, 1)), problem.offset[:, None]])
    basis = list(range(size))  # k is v[k], size + k is y[k], 2 size is the artificial one
    if size == 0 or np.min(problem.offset) >= 0.0:
        return Outcome.SOLVED, 0, problem.unknowns(np.zeros(2 * size + 1))
    row = size - 1 - int(np.argmin(problem.offset[::-1]))
    entering, steps = 2 * size, 0
    while steps < most:
        steps += 1
        left, basis[row] = basis[row], entering
        _exchange(table, row, entering)
        if left == 2 * size:
            return Outcome.SOLVED, steps, problem.unknowns(_refined(problem, table, basis))
        entering = left + size if left < size else left - size
        row = _leaving(table, basis, entering)
        if row < 0:
            return Outcome.UNDECIDED, steps, problem.unknowns(np.zeros(2 * size + 1))
    return Outcome.STOPPED, steps, problem.unknowns(np.zeros(2 * size + 1))


def _exchange(table: FloatArray, row: int, column: int) -> None:
    table[row] /= table[row, column]
    factors = table[:, column].copy()
    factors[row] = 0.0
    table -= np.outer(factors, table[row])
    table[:, column] = 0.0
    table[row, column] = 1.0


def _leaving(table: FloatArray, basis: list[int], column: int) -> int:
    """The row of the least ratio, by the first column of the inverse that tells rows apart."""
    size = len(basis)
    entries = table[:, column]
    largest = float(np.max(np.abs(entries)))
    candidates = [int(k) for k in np.flatnonzero(entries > SMALL_PIVOT * largest)]
    for place in (2 * size + 1, *range(size)):
        if len(candidates) < 2:
            break
        ratios = table[candidates, place] / entries[candidates]
        least = float(np.min(ratios))
        spread = _TIE * (abs(least) + float(np.max(np.abs(table[:, place]))) / largest)
        candidates = [k for k, r in zip(candidates, ratios, strict=True) if r <= least + spread]
        artificial = [k for k in candidates if basis[k] == 2 * size]
        if artificial and place > size:
            return artificial[0]  # it can go: the path ends here
    return candidates[0] if candidates else -1


def _refined(problem: StandardProblem, table: FloatArray, basis: list[int]) -> FloatArray:
    """v and y, with the rounding of the exchanges taken out by the inverse that is there."""
    size = len(basis)
    values = table[:, -1].copy()
    parts = np.zeros(2 * size + 1)
    parts[basis] = values
    for _ in range(2):
        left = problem.offset + problem.matrix @ parts[size : 2 * size] - parts[:size]
        values += table[:, :size] @ left
        parts[basis] = values
    return parts
