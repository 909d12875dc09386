"""The factor of a part of a matrix, against solutions from the matrix itself."""

from __future__ import annotations

import numpy as np
from oracles.complementarity import conditioned, gram

from axletree.simulation.mlcp.pivoting import GrowingFactor

RANK = 1e-12


def assert_solves(factor: GrowingFactor, matrix: np.ndarray, right: np.ndarray) -> None:
    rows = factor.rows
    expected = np.linalg.solve(matrix[np.ix_(rows, rows)], right[rows])
    np.testing.assert_allclose(factor.solve(right[rows]), expected, rtol=1e-9, atol=1e-12)


def test_rows_come_and_go() -> None:
    rng = np.random.default_rng(1)
    matrix, right = gram(rng, 9, 12), rng.normal(size=9)
    factor = GrowingFactor(matrix, RANK)
    for _ in range(300):
        row = int(rng.integers(9))
        if row in factor.rows:
            factor.remove(row)
        else:
            assert factor.append(row) > RANK
        assert_solves(factor, matrix, right)


def test_a_dependent_row_is_not_taken() -> None:
    rng = np.random.default_rng(2)
    matrix = gram(rng, 6, 3)
    factor = GrowingFactor(matrix, RANK)
    curvatures = [factor.append(row) for row in range(6)]
    assert factor.rows == [0, 1, 2]
    assert max(np.abs(curvatures[3:])) < 1e-14


def test_the_curvature_is_that_of_the_line_on_which_the_others_stay() -> None:
    rng = np.random.default_rng(3)
    matrix = conditioned(rng, 5, 1e9)
    factor = GrowingFactor(matrix, RANK)
    for row in range(4):
        factor.append(row)
    line = np.append(-np.linalg.solve(matrix[:4, :4], matrix[:4, 4]), 1.0)
    expected = line @ matrix @ line / (line**2 @ np.diagonal(matrix))
    assert expected < 1e-6  # small, so that the closer look is taken
    np.testing.assert_allclose(factor.append(4), expected, rtol=1e-4)


def test_renewal_takes_the_matrix_as_it_is() -> None:
    rng = np.random.default_rng(4)
    matrix, right = gram(rng, 5, 6), rng.normal(size=5)
    factor = GrowingFactor(matrix, RANK)
    for row in (3, 1, 4):
        factor.append(row)
    matrix += np.eye(5)
    factor.renew()
    assert factor.rows == [3, 1, 4]
    assert_solves(factor, matrix, right)
