"""The call that solves A x = b: against NumPy, its C text, its derivative."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from axletree.core.errors import ExpressionError
from axletree.expr import (
    Expr,
    OperationCount,
    count_operations,
    directional_derivative,
    evaluate,
    jacobian,
    linear_solve,
    sin,
    symbol,
)
from axletree.expr.factorisation import linear_solver


def problem(size: int) -> tuple[list[list[Expr]], list[Expr], dict[Expr, float]]:
    """Symbols and values, with zeros on the diagonal that need a change of pivot."""
    random = np.random.default_rng(size)
    matrix = [[symbol(f"a{i}{j}") for j in range(size)] for i in range(size)]
    rhs = [symbol(f"b{i}") for i in range(size)]
    values = {s: float(random.normal()) for s in [*sum(matrix, []), *rhs]}
    if size > 1:
        values |= {matrix[k][k]: 0.0 for k in range(size)}
    return matrix, rhs, values


def exact(matrix: list[list[Expr]], rhs: list[Expr], values: dict[Expr, complex]) -> np.ndarray:
    numbers = np.array([[values[a] for a in row] for row in matrix])
    return np.linalg.solve(numbers, np.array([values[b] for b in rhs]))


@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_solution_equals_numpy(size: int) -> None:
    matrix, rhs, values = problem(size)
    x = linear_solve(matrix, rhs)
    np.testing.assert_allclose(evaluate(x, values), exact(matrix, rhs, values), rtol=1e-10)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_derivative_equals_the_complex_step(size: int) -> None:
    matrix, rhs, values = problem(size)
    variables = list(values)
    x = linear_solve(matrix, rhs)
    entries = jacobian(x, variables)
    numbers = evaluate(list(entries.values()), values)
    slopes = np.zeros((size, len(variables)))
    for (i, j), v in zip(entries, numbers, strict=True):
        slopes[i, j] = v
    for j, variable in enumerate(variables):
        moved = {**values, variable: values[variable] + 1e-30j}
        np.testing.assert_allclose(
            slopes[:, j], exact(matrix, rhs, moved).imag / 1e-30, rtol=1e-9, atol=1e-12
        )
    along = evaluate(directional_derivative(x, dict.fromkeys(variables, 1.0)), values)
    np.testing.assert_allclose(along, slopes.sum(axis=1), rtol=1e-9, atol=1e-12)


def test_second_derivative_equals_the_difference_of_first_ones() -> None:
    q = symbol("q")
    x = linear_solve([[2 + sin(q), q], [q * q, 3.0]], [1.0, q])
    first = directional_derivative(x, {q: 1.0})
    second = evaluate(directional_derivative(first, {q: 1.0}), {q: 0.4})
    h = 1e-5
    ahead, behind = (np.array(evaluate(first, {q: 0.4 + d})) for d in (h, -h))
    np.testing.assert_allclose(second, (ahead - behind) / (2 * h), rtol=1e-7)


def test_entries_may_be_numbers_and_arrays_are_solved_point_by_point() -> None:
    q = symbol("q")
    x = linear_solve([[0.0, q], [2.0, 0.0]], [1.0, 4.0])
    first, second = evaluate(x, {q: np.array([1.0, 2.0, 4.0])})
    assert first.tolist() == [2.0, 2.0, 2.0]
    assert second.tolist() == [1.0, 0.5, 0.25]
    assert linear_solve([], []) == ()


def test_bad_shapes_and_singular_matrices_are_refused() -> None:
    q = symbol("q")
    with pytest.raises(ExpressionError, match=r"square matrix of 2 rows.*\[2, 1\]"):
        linear_solve([[q, 1.0], [q]], [1.0, 2.0])
    with pytest.raises(ExpressionError, match="2 x 2 matrix is singular"):
        evaluate(linear_solve([[q, q], [q, q]], [1.0, 2.0]), {q: 1.0})


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize(("size", "columns"), [(1, 1), (4, 1), (3, 3)])
def test_the_c_text_gives_what_numpy_gives(size: int, columns: int, tmp_path: Path) -> None:
    function = linear_solver(size, columns)
    source = tmp_path / "solve.c"
    entry = f"void entry(const double *i, double *o) {{ {function.name}(i, o); }}\n"
    prototype = "void entry(const double *i, double *o);\n"
    source.write_text("#include <math.h>\n" + function.c_source + prototype + entry)
    library = tmp_path / "solve.so"
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", library, source, "-lm"], check=True)
    random = np.random.default_rng(5)
    arguments = random.normal(size=len(function.inputs))
    arguments[0] = 0.0 if size > 1 else 2.0
    result = np.zeros(len(function.outputs))
    pointer = ctypes.POINTER(ctypes.c_double)
    ctypes.CDLL(str(library)).entry(
        arguments.ctypes.data_as(pointer), result.ctypes.data_as(pointer)
    )
    np.testing.assert_allclose(result, function.python(*arguments), rtol=1e-10)


class Counted(float):
    """A number that counts what is computed with it."""

    counts: ClassVar[Counter[str]] = Counter()

    def __sub__(self, other: float) -> Counted:
        self.counts["additions"] += 1
        return Counted(float(self) - float(other))

    def __mul__(self, other: float) -> Counted:
        self.counts["multiplications"] += 1
        return Counted(float(self) * float(other))

    def __truediv__(self, other: float) -> Counted:
        self.counts["divisions"] += 1
        return Counted(float(self) / float(other))


def eliminated(a: list[list[Counted]], b: list[list[Counted]]) -> list[list[Counted]]:
    """The loops of the C text, without the exchange of rows."""
    size, columns = len(a), range(len(b[0]))
    for k in range(size):
        for i in range(k + 1, size):
            factor = a[i][k] / a[k][k]
            for j in range(k + 1, size):
                a[i][j] = a[i][j] - factor * a[k][j]
            for j in columns:
                b[i][j] = b[i][j] - factor * b[k][j]
    for k in reversed(range(size)):
        for j in columns:
            for i in range(k + 1, size):
                b[k][j] = b[k][j] - a[k][i] * b[i][j]
            b[k][j] = b[k][j] / a[k][k]
    return b


@pytest.mark.parametrize(("size", "columns"), [(1, 1), (2, 1), (5, 1), (4, 3)])
def test_a_call_counts_what_its_loops_compute(size: int, columns: int) -> None:
    random = np.random.default_rng(1)
    A = random.normal(size=(size, size)) + 3.0 * np.eye(size)
    B = random.normal(size=(size, columns))
    Counted.counts.clear()
    rows = [[[Counted(x) for x in row] for row in M.tolist()] for M in (A, B)]
    np.testing.assert_allclose(eliminated(*rows), np.linalg.solve(A, B))
    found = linear_solver(size, columns).operations
    assert found == OperationCount(**Counted.counts)
    q = symbol("q")
    x = linear_solve([[q, 1.0], [2.0, q]], [1.0, q])
    assert count_operations(x).divisions == 3
