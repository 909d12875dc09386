"""Linear equations in expressions: LDL of symmetric matrices, LU of others, a solver as a call.

``ldl`` takes definite matrices, such as mass matrices, ``lu`` sparse ones of any kind with pivots
chosen beforehand, and ``linear_solve`` exchanges rows as it runs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.expr.calls import (
    CalledFunction,
    ExternalFunction,
    SparseMatrix,
    call,
    filled_c_text,
)
from axletree.expr.expression import ONE, ZERO, Expr, Operand, reciprocal
from axletree.expr.traversal import OperationCount

# Sparse symbolic factorisation P A P^T = L D L^T of a symmetric matrix of expressions.
#
# Structural zeros cost nothing, and the order of elimination keeps them: on the mass matrix
# of a vehicle, leaf freedoms first halves the operations of the natural order. There is no
# pivoting by size: the matrix has to be definite, as a mass matrix is.


@dataclass(frozen=True)
class Factorisation:
    """L is unit lower triangular in the given order; indices are those of the matrix."""

    order: tuple[int, ...]  # rows in the order of elimination
    lower: tuple[tuple[tuple[int, Expr], ...], ...]  # for each step: (row, entry) of L's column
    diagonal: tuple[Expr, ...]  # D, for each step
    inverse_diagonal: tuple[Expr, ...]  # 1 / D, for each step

    def solve(self, rhs: Sequence[Expr]) -> list[Expr]:
        """x with A x = rhs."""
        if len(rhs) != len(self.order):
            raise ExpressionError(
                f"the right-hand side has {len(rhs)} entries; the matrix has {len(self.order)} rows"
            )
        x = list(rhs)
        for row, column in zip(self.order, self.lower, strict=True):
            for other, entry in column:
                x[other] = x[other] - entry * x[row]
        for row, inverse in zip(self.order, self.inverse_diagonal, strict=True):
            x[row] = x[row] * inverse
        for row, column in zip(reversed(self.order), reversed(self.lower), strict=True):
            for other, entry in column:
                x[row] = x[row] - entry * x[other]
        return x


def ldl(
    matrix: Mapping[tuple[int, int], Expr], size: int, order: Sequence[int] | None = None
) -> Factorisation:
    """Factorise; of each pair (i, j), (j, i) one entry is enough. Absent entries are 0.

    Without an order, the row whose elimination makes the fewest new nonzeros goes first.
    """
    rows = _symmetric(matrix, size)
    chosen = least_fill_order(rows) if order is None else list(order)
    if sorted(chosen) != list(range(size)):
        raise ExpressionError(f"the order {chosen} is no permutation of the {size} rows")
    lower, diagonal, inverses = [], [], []
    for pivot in chosen:
        below = rows[pivot]
        d = below.pop(pivot, None)
        if d is None or d.is_zero:
            raise ExpressionError(
                f"the pivot of row {pivot} is 0 for every value of the symbols; L D L^T needs "
                "a definite matrix, check for a freedom without inertia"
            )
        inverse = reciprocal(d)
        column = tuple((row, entry * inverse) for row, entry in sorted(below.items()))
        for k, (row, factor) in enumerate(column):  # less the outer product of the pivot's column
            del rows[row][pivot]
            for other, _ in column[k:]:
                new = -factor * below[other]
                new = rows[row][other] + new if other in rows[row] else new
                rows[row][other] = rows[other][row] = new
        lower.append(column)
        diagonal.append(d)
        inverses.append(inverse)
    return Factorisation(tuple(chosen), tuple(lower), tuple(diagonal), tuple(inverses))


def _symmetric(matrix: Mapping[tuple[int, int], Expr], size: int) -> list[dict[int, Expr]]:
    """Rows with both triangles; zero entries left out."""
    rows = _rows(matrix, size)
    for (i, j), entry in matrix.items():
        if matrix.get((j, i), entry) != entry:
            raise ExpressionError(
                f"entries ({i}, {j}) and ({j}, {i}) differ; give one triangle, or equal entries"
            )
        if not entry.is_zero:
            rows[j][i] = entry
    return rows


def least_fill_order(rows: Sequence[Mapping[int, Expr]]) -> list[int]:
    """Greedy: least fill first, then least degree, then the lowest index."""
    # Sets of rows are bits of integers, which makes counting fill a few machine operations.
    linked = [sum(1 << j for j in row if j != i) for i, row in enumerate(rows)]
    left = set(range(len(rows)))
    order: list[int] = []
    while left:
        pivot = min(left, key=lambda i: (_fill(linked, i), linked[i].bit_count(), i))
        left.remove(pivot)
        order.append(pivot)
        around = linked[pivot]
        for j in _bits(around):
            linked[j] = (linked[j] | around) & ~(1 << j) & ~(1 << pivot)
    return order


def _fill(linked: Sequence[int], i: int) -> int:
    """Twice the number of nonzeros that eliminating row i makes."""
    around = linked[i]
    return sum((around & ~linked[j] & ~(1 << j)).bit_count() for j in _bits(around))


def _bits(mask: int) -> list[int]:
    positions = []
    while mask:
        lowest = mask & -mask
        positions.append(lowest.bit_length() - 1)
        mask ^= lowest
    return positions


# Sparse symbolic elimination in a square matrix of expressions, pivots chosen beforehand.
#
# Generated code does best without exchanging rows as it runs, so pivots are chosen once, at
# numbers: at samples of the matrix. Of the entries that are large enough in every sample and do
# not change their sign, the one is taken whose elimination makes the fewest new nonzeros
# (Markowitz); entries that are known not to change go before those that do. What is left when no
# entry is safe, most often nothing or the few rows of constraints, is a call of ``linear_solve``,
# which does exchange rows. For matrices that are neither symmetric nor definite, of which most
# entries are zero; ``ldl`` is cheaper where it applies.

_Entry = tuple[int, int]  # row, column
LARGE_ENOUGH: Final = 0.1  # beside the largest in the column, in every sample; others by need
SAFE: Final = 0.01  # below this it is no pivot
_ROUNDING: Final = 1e-13
_DIGITS: Final = 9  # of such shares


@dataclass(frozen=True)
class LUFactors:
    """The steps of an elimination: P A Q = L U, with the indices of the matrix."""

    pivots: tuple[_Entry, ...]
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


def lu(matrix: Mapping[_Entry, Expr], size: int, places: Sequence[_Entry]) -> LUFactors:
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


def _rows(matrix: Mapping[_Entry, Expr], size: int) -> list[dict[int, Expr]]:
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
    places: Iterable[_Entry], samples: np.ndarray, varying: Collection[_Entry] = ()
) -> list[_Entry]:
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
    chosen: list[_Entry] = []
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


def _only(left: np.ndarray) -> _Entry | None:
    """The last entry, for which there is nothing to be exchanged."""
    found = np.argwhere(left)
    return (int(found[0, 0]), int(found[0, 1])) if len(found) else None


def _next_pivot(values: np.ndarray, candidates: np.ndarray, varies: np.ndarray) -> _Entry | None:
    sizes = np.abs(values) * candidates
    largest = sizes.max(axis=1, keepdims=True)
    # Of what is equal but for rounding, which depends on the processor, places decide.
    shares = (sizes / np.maximum(largest, _ROUNDING)).min(axis=0).round(_DIGITS)
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


# A x = b as a call: Gaussian elimination with partial pivoting, at a fixed cost.
#
# For matrices that ``ldl`` cannot take: not definite, such as those of constrained systems.

# Its C text, linear_solve.c, takes the matrix row by row, then the columns of the right-hand side.


def linear_solve(matrix: Sequence[Sequence[Operand]], rhs: Sequence[Operand]) -> tuple[Expr, ...]:
    """x with matrix x = rhs, for a square matrix of fixed size that is not singular."""
    size = len(rhs)
    if len(matrix) != size or any(len(row) != size for row in matrix):
        raise ExpressionError(
            f"linear_solve needs a square matrix of {size} rows, as the right-hand side has; "
            f"got rows of {[len(row) for row in matrix]} entries"
        )
    if size == 0:
        return ()
    entries = [entry for row in matrix for entry in row]
    return call(linear_solver(size, 1), *entries, *rhs)


@cache
def linear_solver(size: int, columns: int) -> ExternalFunction:
    """The external function: ``size**2`` matrix entries by rows, then the columns of B."""
    name = f"linear_solve_{size}_{columns}"
    words = {"NAME": name, "SIZE_SQUARED": size**2, "SIZE": size, "COLUMNS": columns}

    def python(*arguments: float) -> tuple[float, ...]:
        matrix = np.reshape(arguments[: size**2], (size, size))
        right = np.reshape(arguments[size**2 :], (columns, size)).T
        try:
            return tuple(float(v) for v in np.linalg.solve(matrix, right).T.ravel())
        except np.linalg.LinAlgError:
            raise ExpressionError(
                f"{name}: the {size} x {size} matrix is singular at these values; check for "
                "redundant constraints or a singular position"
            ) from None

    def derivative(arguments: Sequence[Expr], outputs: Sequence[Expr]) -> list[SparseMatrix]:
        """dX = A^-1 (dB - dA X): the inverse, a further call, times the inner rates."""
        identity = [ONE if i == j else ZERO for j in range(size) for i in range(size)]
        inverse = call(linear_solver(size, size), *arguments[: size**2], *identity)  # by columns
        outer: dict[tuple[int, int], Operand] = {}
        inner: dict[tuple[int, int], Operand] = {}
        for column in range(columns):
            first = column * size
            for i in range(size):
                inner[first + i, size**2 + first + i] = ONE
                for j in range(size):
                    outer[first + i, first + j] = inverse[j * size + i]
                    inner[first + i, i * size + j] = -outputs[first + j]
        return [outer, inner]

    return ExternalFunction(
        name,
        tuple(f"a{i}_{j}" for i in range(size) for j in range(size))
        + tuple(f"b{i}_{j}" for j in range(columns) for i in range(size)),
        tuple(f"x{i}_{j}" for j in range(columns) for i in range(size)),
        python,
        filled_c_text("axletree.expr", "linear_solve.c", words),
        derivative,
        cost=_cost(size, columns),
    )


def _cost(size: int, columns: int) -> OperationCount:
    """What linear_solve.c executes; comparisons and exchanges of rows count nothing."""
    below = size * (size - 1) // 2  # quotients that eliminate, and products that put back
    products = sum(k * (k + columns) for k in range(size)) + columns * below
    return OperationCount(
        additions=products, multiplications=products, divisions=below + columns * size
    )


def solver_size(function: CalledFunction) -> tuple[int, int] | None:
    """Size and columns, if the function is a ``linear_solver``."""
    found = re.fullmatch(r"linear_solve_(\d+)_(\d+)", function.name)
    if found is None:
        return None
    size, columns = int(found[1]), int(found[2])
    return (size, columns) if linear_solver(size, columns) == function else None
