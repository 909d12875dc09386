"""Sparse symbolic factorisation P A P^T = L D L^T of a symmetric matrix of expressions.

Structural zeros cost nothing, and the order of elimination keeps them: on the mass matrix
of a vehicle, leaf freedoms first halves the operations of the natural order. There is no
pivoting by size: the matrix has to be definite, as a mass matrix is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axletree.core.errors import ExpressionError
from axletree.core.expr.expression import Expr, reciprocal


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
        _eliminate(rows, pivot, below, column)
        lower.append(column)
        diagonal.append(d)
        inverses.append(inverse)
    return Factorisation(tuple(chosen), tuple(lower), tuple(diagonal), tuple(inverses))


def _eliminate(
    rows: list[dict[int, Expr]],
    pivot: int,
    below: Mapping[int, Expr],
    column: Sequence[tuple[int, Expr]],
) -> None:
    """Subtract the pivot's outer product from the rows that remain."""
    for k, (row, factor) in enumerate(column):
        del rows[row][pivot]
        for other, _ in column[k:]:
            entry = -factor * below[other]
            if other in rows[row]:
                entry = rows[row][other] + entry
            rows[row][other] = rows[other][row] = entry


def _symmetric(matrix: Mapping[tuple[int, int], Expr], size: int) -> list[dict[int, Expr]]:
    """Rows with both triangles; zero entries left out."""
    rows: list[dict[int, Expr]] = [{} for _ in range(size)]
    for (i, j), entry in matrix.items():
        if not (0 <= i < size and 0 <= j < size):
            raise ExpressionError(f"entry ({i}, {j}) lies outside a matrix of size {size}")
        if matrix.get((j, i), entry) != entry:
            raise ExpressionError(
                f"entries ({i}, {j}) and ({j}, {i}) differ; give one triangle, or equal entries"
            )
        if not entry.is_zero:
            rows[i][j] = rows[j][i] = entry
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
