"""Sparse symbolic factorisation of a square matrix of expressions, pivots chosen beforehand.

Generated code cannot exchange rows as it runs, so the pivots are chosen once, at numbers: at
samples of the matrix. Of the entries that are large enough in every sample, the one is taken
whose elimination makes the fewest new nonzeros (Markowitz); entries that are known not to
change go before those that do. For matrices that are neither
symmetric nor definite, of which most entries are zero; ``ldl`` is cheaper where it applies,
and ``linear_solve`` exchanges rows, at the cost of a full matrix.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.core.expr.expression import Expr, reciprocal

Place = tuple[int, int]  # row, column
LARGE_ENOUGH: Final = 0.1  # of the largest in its column, in every sample
ROUNDING: Final = 1e-13


@dataclass(frozen=True)
class Pivots:
    """Places in the order of elimination."""

    places: tuple[Place, ...]
    safety: float  # the smallest pivot beside the largest entry in its column, over all samples


@dataclass(frozen=True)
class LUFactors:
    """The steps of an elimination: P A Q = L U, with the indices of the matrix."""

    pivots: tuple[Place, ...]
    inverses: tuple[Expr, ...]  # 1 / pivot, for each step
    lower: tuple[tuple[tuple[int, Expr], ...], ...]  # for each step: (row, multiple of the pivot's)
    upper: tuple[tuple[tuple[int, Expr], ...], ...]  # for each step: (column, entry) of its row

    def solve(self, rhs: Sequence[Expr]) -> list[Expr]:
        """x with A x = rhs."""
        if len(rhs) != len(self.pivots):
            raise ExpressionError(
                f"the right-hand side has {len(rhs)} entries; the matrix has "
                f"{len(self.pivots)} rows"
            )
        b = list(rhs)
        for (row, _), factors in zip(self.pivots, self.lower, strict=True):
            for other, factor in factors:
                b[other] = b[other] - factor * b[row]
        x = list(rhs)
        steps = zip(self.pivots, self.inverses, self.upper, strict=True)
        for (row, column), inverse, entries in reversed(list(steps)):
            total = b[row]
            for other, entry in entries:
                total = total - entry * x[other]
            x[column] = total * inverse
        return x


def lu(matrix: Mapping[Place, Expr], size: int, places: Sequence[Place]) -> LUFactors:
    """Eliminate at the places, which ``choose_pivots`` finds; absent entries are 0."""
    rows = _rows(matrix, size)
    for k in (0, 1):
        if sorted(place[k] for place in places) != list(range(size)):
            raise ExpressionError(f"the pivots {list(places)} do not take each row and column once")
    inverses, lower, upper = [], [], []
    left = set(range(size))
    for row, column in places:
        left.remove(row)
        entries = rows[row]
        pivot = entries.pop(column, None)
        if pivot is None or pivot.is_zero:
            raise ExpressionError(
                f"the pivot ({row}, {column}) is 0 for every value of the symbols; choose the "
                "pivots anew, or check the matrix, which may be singular"
            )
        inverse = reciprocal(pivot)
        factors = [
            (other, rows[other].pop(column) * inverse)
            for other in sorted(left)
            if column in rows[other]
        ]
        for other, factor in factors:
            _subtract(rows[other], factor, entries)
        inverses.append(inverse)
        lower.append(tuple(factors))
        upper.append(tuple(sorted(entries.items())))
    return LUFactors(tuple(places), tuple(inverses), tuple(lower), tuple(upper))


def _rows(matrix: Mapping[Place, Expr], size: int) -> list[dict[int, Expr]]:
    rows: list[dict[int, Expr]] = [{} for _ in range(size)]
    for (i, j), entry in matrix.items():
        if not (0 <= i < size and 0 <= j < size):
            raise ExpressionError(f"entry ({i}, {j}) lies outside a matrix of size {size}")
        if not entry.is_zero:
            rows[i][j] = entry
    return rows


def _subtract(row: dict[int, Expr], factor: Expr, entries: Mapping[int, Expr]) -> None:
    for column, entry in entries.items():
        new = -factor * entry
        if column in row:
            new = row[column] + new
        if new.is_zero:
            del row[column]
        else:
            row[column] = new


def choose_pivots(
    places: Iterable[Place], samples: np.ndarray, varying: Collection[Place] = ()
) -> Pivots:
    """Pivots for a matrix with nonzeros at these places.

    ``samples``, of shape (samples, size, size), are values of the matrix; ``varying`` are the
    places of entries that change as the code runs. The safety is 0 where the matrix is
    singular in a sample.
    """
    values = _equilibrated(np.array(samples, dtype=float))
    size = values.shape[1]
    filled, varies = np.zeros((2, size, size), dtype=bool)
    for place in places:
        filled[place], varies[place] = True, place in varying
    rows, columns = np.ones(size, dtype=bool), np.ones(size, dtype=bool)
    chosen: list[Place] = []
    safety = 1.0
    for _ in range(size):
        left = filled & np.outer(rows, columns)
        i, j, share = _next_pivot(values, left, rows, varies)
        if share <= ROUNDING:
            return Pivots((*chosen, *_any_order(rows, columns)), 0.0)
        rows[i] = columns[j] = False
        chosen.append((i, j))
        safety = min(safety, share)
        below, right = filled[:, j] & rows, filled[i] & columns
        factors = values[:, below, j] / values[:, i, j][:, None]
        values[np.ix_(np.arange(len(values)), below, right)] -= (
            factors[:, :, None] * values[:, i, right][:, None, :]
        )
        filled |= np.outer(below, right)
        varies |= np.outer(below & (varies[:, j] | varies[i, j]), right)
        varies |= np.outer(below, right & (varies[i] | varies[i, j]))
    return Pivots(tuple(chosen), safety)


def _next_pivot(
    values: np.ndarray, candidates: np.ndarray, rows: np.ndarray, varies: np.ndarray
) -> tuple[int, int, float]:
    """Row, column, and share of the largest in the column, in the sample where it is least."""
    sizes = np.abs(values) * candidates
    largest = sizes.max(axis=1, initial=0.0, where=rows[None, :, None], keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(largest > ROUNDING, sizes / largest, 0.0).min(axis=0)
    in_row, in_column = candidates.sum(axis=1), candidates.sum(axis=0)
    costs = np.outer(in_row - 1, in_column - 1)
    safe = candidates & (shares >= min(LARGE_ENOUGH, shares.max()))
    if not safe.any():
        return 0, 0, 0.0
    constant = safe & ~varies
    among = constant if constant.any() else safe
    best = min(zip(*np.nonzero(among), strict=True), key=lambda p: (costs[p], -shares[p], p))
    return int(best[0]), int(best[1]), float(shares[best])


def _any_order(rows: np.ndarray, columns: np.ndarray) -> list[Place]:
    pairs = zip(np.flatnonzero(rows), np.flatnonzero(columns), strict=True)
    return [(int(i), int(j)) for i, j in pairs]


def _equilibrated(samples: np.ndarray) -> np.ndarray:
    """Rows and columns scaled alike in all samples, so that units do not decide."""
    sizes = np.abs(samples).max(axis=0)
    for _ in range(3):
        for axis in (1, 0):
            largest = np.sqrt(sizes.max(axis=axis, keepdims=True, initial=0.0))
            factors = 1.0 / np.where(largest > 0.0, largest, 1.0)
            sizes, samples = sizes * factors, samples * factors
    return samples
