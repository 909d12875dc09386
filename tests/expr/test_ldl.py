"""The symbolic factorisation against NumPy, and the fill it avoids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axletree.core.errors import ExpressionError
from axletree.expr import Expr, count_operations, evaluate, ldl, number, symbol

Matrix = dict[tuple[int, int], Expr]


def definite(pattern: set[tuple[int, int]], size: int) -> tuple[Matrix, dict[Expr, float]]:
    """A symbolic matrix with this pattern, and values that make it diagonally dominant."""
    random = np.random.default_rng(size + 100 * len(pattern))
    matrix = {(i, j): symbol(f"a{i}_{j}") for i, j in sorted(pattern)}
    values = {entry: float(random.uniform(-1.0, 1.0)) for entry in matrix.values()}
    for k in range(size):
        matrix[k, k] = symbol(f"a{k}_{k}")
        values[matrix[k, k]] = size + float(random.uniform(0.0, 1.0))
    return matrix, values


def dense(matrix: Matrix, size: int, values: dict[Expr, float]) -> np.ndarray:
    numbers = np.zeros((size, size))
    for (i, j), entry in matrix.items():
        numbers[i, j] = numbers[j, i] = values[entry]
    return numbers


@st.composite
def patterns(draw: st.DrawFn) -> tuple[int, set[tuple[int, int]], list[int]]:
    size = draw(st.integers(1, 7))
    pairs = [(i, j) for i in range(size) for j in range(i)]
    chosen = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    return size, chosen, draw(st.permutations(range(size)))


@given(patterns(), st.booleans())
@settings(max_examples=60)
def test_solution_equals_numpy(
    drawn: tuple[int, set[tuple[int, int]], list[int]], given_order: bool
) -> None:
    size, pattern, order = drawn
    matrix, values = definite(pattern, size)
    rhs = [symbol(f"b{k}") for k in range(size)]
    values |= {b: float(k + 1) for k, b in enumerate(rhs)}
    factors = ldl(matrix, size, order if given_order else None)
    solution = evaluate(factors.solve(rhs), values)
    expected = np.linalg.solve(dense(matrix, size, values), np.arange(1.0, size + 1))
    np.testing.assert_allclose(solution, expected, rtol=1e-10, atol=1e-12)
    determinant = np.prod(evaluate(list(factors.diagonal), values))
    assert determinant == pytest.approx(np.linalg.det(dense(matrix, size, values)))


def test_least_fill_takes_the_centre_of_a_star_last() -> None:
    size = 9
    matrix, _ = definite({(k, 0) for k in range(1, size)}, size)
    best, natural = ldl(matrix, size), ldl(matrix, size, range(size))
    assert sum(len(column) for column in best.lower) == size - 1
    assert sum(len(column) for column in natural.lower) == size * (size - 1) // 2
    rhs = [symbol(f"b{k}") for k in range(size)]
    # By hand, for each leaf: 1/d; l = a/d; the update of the centre; two sweeps; z = y/d.
    count = count_operations(best.solve(rhs))
    leaves = size - 1
    assert (count.additions, count.divisions) == (3 * leaves, size)
    assert count.multiplications == 5 * leaves


def test_a_tridiagonal_matrix_has_no_fill() -> None:
    size = 50
    matrix, _ = definite({(k + 1, k) for k in range(size - 1)}, size)
    assert sum(len(column) for column in ldl(matrix, size).lower) == size - 1


def test_both_triangles_may_be_given_if_they_agree() -> None:
    a, b, c = symbol("a"), symbol("b"), symbol("c")
    one = ldl({(0, 0): a, (1, 1): b, (1, 0): c}, 2)
    assert one == ldl({(0, 0): a, (1, 1): b, (0, 1): c, (1, 0): c}, 2)
    with pytest.raises(ExpressionError, match=r"\(0, 1\) and \(1, 0\) differ"):
        ldl({(0, 0): a, (1, 1): b, (0, 1): c, (1, 0): a}, 2)


def test_what_cannot_be_factorised_is_refused() -> None:
    a = symbol("a")
    with pytest.raises(ExpressionError, match="pivot of row 1 is 0"):
        ldl({(0, 0): a}, 2)
    with pytest.raises(ExpressionError, match="pivot of row 0 is 0"):
        ldl({(0, 0): number(0.0)}, 1)
    with pytest.raises(ExpressionError, match="no permutation"):
        ldl({(0, 0): a, (1, 1): a}, 2, [0, 0])
    with pytest.raises(ExpressionError, match=r"\(0, 2\) lies outside"):
        ldl({(0, 2): a}, 2)
    with pytest.raises(ExpressionError, match="2 entries; the matrix has 1 rows"):
        ldl({(0, 0): a}, 1).solve([a, a])
