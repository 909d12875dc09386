"""Symbolic elimination against numpy on random sparse matrices, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest

from axletree.core.errors import ExpressionError
from axletree.expr import count_operations, evaluate, number, symbol
from axletree.expr.factorisation import choose_pivots, lu


def random_sparse(size: int, density: float, case: int) -> np.ndarray:
    """Regular, with a zero on most of the diagonal and entries of very different units."""
    random = np.random.default_rng(case)
    matrix = random.normal(size=(size, size)) * (random.random((size, size)) < density)
    matrix[random.permutation(size), random.permutation(size)] += 2.0
    units = 10.0 ** random.uniform(-3, 3, size=size)
    return matrix * units * units[:, None]


def solved(matrix: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, int]:
    """By expressions in which every entry is a symbol; and the operations that it takes."""
    places = [(int(i), int(j)) for i, j in zip(*np.nonzero(matrix), strict=True)]
    entries = {p: symbol(f"a{p[0]}_{p[1]}") for p in places}
    b = [symbol(f"b{i}") for i in range(len(right))]
    pivots = choose_pivots(places, matrix[None])
    x = lu(entries, len(right), pivots).solve(b)
    values = {e: float(matrix[p]) for p, e in entries.items()}
    values |= dict(zip(b, right.tolist(), strict=True))
    return np.array(evaluate(x, values)), count_operations(x).total


@pytest.mark.parametrize("case", range(12))
def test_the_solution_is_that_of_numpy(case: int) -> None:
    matrix = random_sparse(12, 0.25, case)
    right = np.random.default_rng(case).normal(size=12)
    wanted = np.linalg.solve(matrix, right)
    found, _ = solved(matrix, right)
    scale = np.linalg.cond(matrix / np.abs(matrix).max(axis=1, keepdims=True))
    assert np.abs(found - wanted).max() <= 1e-14 * scale * np.abs(wanted).max()


def test_a_banded_matrix_costs_what_a_band_costs() -> None:
    size = 10
    matrix = np.diag(np.full(size, 4.0)) + np.diag(np.ones(size - 1), 1)
    matrix += np.diag(np.ones(size - 1), -1)
    _, operations = solved(matrix, np.ones(size))
    # Thomas's algorithm: of each row but one a factor, two products with their subtractions,
    # and a further product with its subtraction on the way back; of each row a
    # division and a product with it, which in the last row is the division itself.
    assert operations == (size - 1) * (1 + 2 * 2 + 2) + 2 * size - 1


def test_a_triangular_matrix_is_solved_without_fill() -> None:
    matrix = np.tril(np.ones((6, 6)))[::-1]
    _, operations = solved(matrix, np.ones(6))
    assert operations == 15 * 2 + 6


def test_a_pivot_that_vanishes_in_one_sample_is_avoided() -> None:
    samples = np.array([[[0.0, 1.0], [1.0, 1.0]], [[5.0, 1.0], [1.0, 1.0]]])
    assert choose_pivots([(0, 0), (0, 1), (1, 0), (1, 1)], samples)[0] != (0, 0)


def test_a_pivot_that_has_either_sign_is_avoided_if_it_varies() -> None:
    samples = np.array([[[5.0, 1.0], [1.0, 1.0]], [[-5.0, 1.0], [1.0, 1.0]]])
    places = [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert choose_pivots(places, samples, varying=[(0, 0)])[0] != (0, 0)


def test_what_has_no_safe_pivot_is_left_to_exchanges() -> None:
    # A block that turns, beside one that does not.
    angles = (0.3, 2.0, 4.0)
    samples = np.zeros((3, 3, 3))
    samples[:, 2, 2] = samples[:, 0, 2] = 1.0
    samples[:, 0, 0] = samples[:, 1, 1] = np.cos(angles)
    samples[:, 1, 0] = np.sin(angles)
    samples[:, 0, 1] = -np.sin(angles)
    turning = [(0, 0), (0, 1), (1, 0), (1, 1)]
    pivots = choose_pivots([*turning, (0, 2), (2, 2)], samples, varying=turning)
    assert pivots == [(2, 2)]
    c, s = symbol("c"), symbol("s")
    entries = {
        (0, 0): c,
        (1, 1): c,
        (1, 0): s,
        (0, 1): -s,
        (0, 2): number(1.0),
        (2, 2): number(1.0),
    }
    x = lu(entries, 3, pivots).solve([number(1.0), number(2.0), number(3.0)])
    for sample in (*samples, samples[0] * 0.0 + [[0, -1, 1], [1, 0, 0], [0, 0, 1]]):
        found = evaluate(x, {c: float(sample[0, 0]), s: float(sample[1, 0])})
        assert found == pytest.approx(np.linalg.solve(sample, [1.0, 2.0, 3.0]), abs=1e-13)


def test_entries_that_cancel_are_not_computed() -> None:
    a, b = symbol("a"), symbol("b")
    factors = lu({(0, 0): a, (0, 1): b, (1, 0): a, (1, 1): b + 1.0}, 2, [(0, 0), (1, 1)])
    assert factors.inverses[1] == number(1.0)


def test_a_structural_zero_is_no_pivot() -> None:
    with pytest.raises(ExpressionError, match="choose the pivots anew"):
        lu({(0, 1): symbol("a"), (1, 0): symbol("b")}, 2, [(0, 0), (1, 1)])


def test_pivots_take_each_row_once() -> None:
    with pytest.raises(ExpressionError, match="take a row or a column twice"):
        lu({(0, 0): symbol("a")}, 2, [(0, 0), (0, 1)])


def test_a_right_hand_side_of_another_size_is_refused() -> None:
    factors = lu({(0, 0): symbol("a")}, 1, [(0, 0)])
    with pytest.raises(ExpressionError, match="2 entries; the matrix has 1 rows"):
        factors.solve([symbol("b"), symbol("c")])


def test_an_entry_outside_is_refused() -> None:
    with pytest.raises(ExpressionError, match="outside a matrix of size 1"):
        lu({(0, 1): symbol("a")}, 1, [(0, 0)])
