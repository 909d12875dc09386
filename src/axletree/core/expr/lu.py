"""Sparse symbolic elimination in a square matrix of expressions, pivots chosen beforehand.

Generated code does best without exchanging rows as it runs, so pivots are chosen once, at
numbers: at samples of the matrix. Of the entries that are large enough in every sample and do
not change their sign, the one is taken whose elimination makes the fewest new nonzeros
(Markowitz); entries that are known not to change go before those that do. What is left when no
entry is safe, most often nothing or the few rows of constraints, is a call of ``linear_solve``,
which does exchange rows. For matrices that are neither symmetric nor definite, of which most
entries are zero; ``ldl`` is cheaper where it applies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.core.expr.expression import ZERO, Expr, reciprocal
from axletree.core.expr.linear_solve import linear_solve

Place = tuple[int, int]  # row, column
LARGE_ENOUGH: Final = 0.1  # beside the largest in the column, in every sample; others by need
SAFE: Final = 0.01  # below this it is no pivot
ROUNDING: Final = 1e-13


@dataclass(frozen=True)
class LUFactors:
    """The steps of an elimination: P A Q = L U, with the indices of the matrix."""

    pivots: tuple[Place, ...]
    inverses: tuple[Expr, ...]  # 1 / pivot, for each step
    lower: tuple[tuple[tuple[int, Expr], ...], ...]  # for each step: (row, multiple of the pivot's)
    upper: tuple[tuple[tuple[int, Expr], ...], ...]  # for each step: (column, entry) of its row
    rest_rows: tuple[int, ...]
    rest_columns: tuple[int, ...]
    rest: tuple[tuple[Expr, ...], ...]  # what is left of the matrix there

    def solve(self, rhs: Sequence[Expr]) -> list[Expr]:
        """x with A x = rhs."""
        size = len(self.pivots) + len(self.rest)
        if len(rhs) != size:
            raise ExpressionError(
                f"the right-hand side has {len(rhs)} entries; the matrix has {size} rows"
            )
        b = list(rhs)
        for (row, _), factors in zip(self.pivots, self.lower, strict=True):
            for other, factor in factors:
                b[other] = b[other] - factor * b[row]
        x = list(rhs)
        values = linear_solve(self.rest, [b[row] for row in self.rest_rows])
        for column, value in zip(self.rest_columns, values, strict=True):
            x[column] = value
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
    left = [[k for k in range(size) if k not in {p[side] for p in places}] for side in (0, 1)]
    if any(len(indices) != size - len(places) for indices in left):
        raise ExpressionError(f"the pivots {list(places)} take a row or a column twice, or none")
    inverses, lower, upper = [], [], []
    waiting = set(range(size))
    for row, column in places:
        waiting.remove(row)
        entries = rows[row]
        pivot = entries.pop(column, None)
        if pivot is None or pivot.is_zero:
            raise ExpressionError(
                f"the pivot ({row}, {column}) is 0 for every value of the symbols; choose the "
                "pivots anew, or check the matrix, which may be singular"
            )
        inverse = reciprocal(pivot)
        below = [other for other in sorted(waiting) if column in rows[other]]
        factors = [(other, rows[other].pop(column) * inverse) for other in below]
        for other, factor in factors:
            _subtract(rows[other], factor, entries)
        inverses.append(inverse)
        lower.append(tuple(factors))
        upper.append(tuple(sorted(entries.items())))
    rest = tuple(tuple(rows[i].get(j, ZERO) for j in left[1]) for i in left[0])
    return LUFactors(
        pivots=tuple(places),
        inverses=tuple(inverses),
        lower=tuple(lower),
        upper=tuple(upper),
        rest_rows=tuple(left[0]),
        rest_columns=tuple(left[1]),
        rest=rest,
    )


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
) -> list[Place]:
    """Safe pivots for a matrix with nonzeros at these places, fewer than rows where need be.

    ``samples``, of shape (samples, size, size), are values of the matrix, which is regular in
    them; ``varying`` are the places of entries that change as the code runs.
    """
    values = _equilibrated(np.array(samples, dtype=float))
    size = values.shape[1]
    filled, varies = np.zeros((2, size, size), dtype=bool)
    for place in places:
        filled[place], varies[place] = True, place in varying
    rows, columns = np.ones(size, dtype=bool), np.ones(size, dtype=bool)
    chosen: list[Place] = []
    while rows.any():
        left = filled & np.outer(rows, columns)
        pivot = _only(left) if rows.sum() == 1 else _next_pivot(values, left, varies)
        if pivot is None:
            break
        i, j = pivot
        rows[i] = columns[j] = False
        chosen.append(pivot)
        below, right = filled[:, j] & rows, filled[i] & columns
        factors = values[:, below, j] / values[:, i, j][:, None]
        values[np.ix_(np.arange(len(values)), below, right)] -= (
            factors[:, :, None] * values[:, i, right][:, None, :]
        )
        filled |= np.outer(below, right)
        varies |= np.outer(below & (varies[:, j] | varies[i, j]), right)
        varies |= np.outer(below, right & (varies[i] | varies[i, j]))
    return chosen


def _only(left: np.ndarray) -> Place | None:
    """The last entry, for which there is nothing to be exchanged."""
    found = np.argwhere(left)
    return (int(found[0, 0]), int(found[0, 1])) if len(found) else None


def _next_pivot(values: np.ndarray, candidates: np.ndarray, varies: np.ndarray) -> Place | None:
    sizes = np.abs(values) * candidates
    largest = sizes.max(axis=1, keepdims=True)
    shares = (sizes / np.maximum(largest, ROUNDING)).min(axis=0)
    # What has either sign vanishes between.
    shares[varies & (values.min(axis=0) < 0.0) & (values.max(axis=0) > 0.0)] = 0.0
    if shares.max() < SAFE:
        return None
    costs = np.outer(candidates.sum(axis=1) - 1, candidates.sum(axis=0) - 1)
    safe = candidates & (shares >= min(LARGE_ENOUGH, shares.max()))
    constant = safe & ~varies
    among = np.argwhere(constant if constant.any() else safe).tolist()
    i, j = min(among, key=lambda p: (costs[p[0], p[1]], -shares[p[0], p[1]], p))
    return i, j


def _equilibrated(samples: np.ndarray) -> np.ndarray:
    """Rows and columns scaled alike in all samples, so that units do not decide."""
    sizes = np.abs(samples).max(axis=0)
    for _ in range(3):
        for axis in (1, 0):
            largest = np.sqrt(sizes.max(axis=axis, keepdims=True, initial=0.0))
            factors = 1.0 / np.where(largest > 0.0, largest, 1.0)
            sizes, samples = sizes * factors, samples * factors
    return samples
