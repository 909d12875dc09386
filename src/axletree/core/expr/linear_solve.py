"""A x = b as a call: Gaussian elimination with partial pivoting, at a fixed cost.

For matrices that ``ldl`` cannot take: not definite, such as those of constrained systems.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.core.expr.call import ExternalFunction, call
from axletree.core.expr.called import CalledFunction, Matrix
from axletree.core.expr.expression import ONE, ZERO, Expr, Operand

# Row by row: the n x n matrix, then the columns of the right-hand side one after another.
_C_SOURCE: Final = """\
static void {name}(const double *input, double *output)
{{
    double a[{n}][{n}], b[{n}][{m}];
    int i, j, k;
    for (i = 0; i < {n}; i++) {{
        for (j = 0; j < {n}; j++) a[i][j] = input[i * {n} + j];
        for (j = 0; j < {m}; j++) b[i][j] = input[{nn} + j * {n} + i];
    }}
    for (k = 0; k < {n}; k++) {{
        int pivot = k;
        for (i = k + 1; i < {n}; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        for (j = 0; j < {n}; j++) {{
            double keep = a[k][j]; a[k][j] = a[pivot][j]; a[pivot][j] = keep;
        }}
        for (j = 0; j < {m}; j++) {{
            double keep = b[k][j]; b[k][j] = b[pivot][j]; b[pivot][j] = keep;
        }}
        for (i = k + 1; i < {n}; i++) {{
            double factor = a[i][k] / a[k][k];
            for (j = k + 1; j < {n}; j++) a[i][j] -= factor * a[k][j];
            for (j = 0; j < {m}; j++) b[i][j] -= factor * b[k][j];
        }}
    }}
    for (k = {n} - 1; k >= 0; k--)
        for (j = 0; j < {m}; j++) {{
            double sum = b[k][j];
            for (i = k + 1; i < {n}; i++) sum -= a[k][i] * output[j * {n} + i];
            output[j * {n} + k] = sum / a[k][k];
        }}
}}
"""


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

    def derivative(arguments: Sequence[Expr], outputs: Sequence[Expr]) -> list[Matrix]:
        """dX = A^-1 (dB - dA X): the inverse, a further call, times the inner rates."""
        inverse = _inverse(arguments[: size**2], size)
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
        _C_SOURCE.format(name=name, n=size, m=columns, nn=size**2),
        derivative,
    )


def solver_size(function: CalledFunction) -> tuple[int, int] | None:
    """Size and columns, if the function is a ``linear_solver``."""
    found = re.fullmatch(r"linear_solve_(\d+)_(\d+)", function.name)
    if found is None:
        return None
    size, columns = int(found[1]), int(found[2])
    return (size, columns) if linear_solver(size, columns) == function else None


def _inverse(entries: Sequence[Expr], size: int) -> tuple[Expr, ...]:
    """The inverse by columns; where a call has identity columns already, that call."""
    identity = [ONE if i == j else ZERO for j in range(size) for i in range(size)]
    return call(linear_solver(size, size), *entries, *identity)
