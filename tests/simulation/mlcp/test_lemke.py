"""Lemke's method: unsymmetric matrices, saddle points, and friction as a pyramid."""

from __future__ import annotations

import math

import numpy as np
import pytest
from oracles.complementarity import gram, known

from axletree.code.backends.c import NO_COMPILER
from axletree.simulation.mlcp import ComplementarityProblem, Limits, Outcome, Pivoting

NONE = np.inf


def turned(rng: np.random.Generator, size: int, rank: int) -> np.ndarray:
    """Positive semidefinite, and far from symmetric."""
    skew = rng.normal(size=(size, size))
    return gram(rng, size, rank) + skew - skew.T


@pytest.mark.parametrize("size", [1, 2, 5, 12, 25])
def test_unsymmetric_positive_definite(size: int, language: str) -> None:
    rng = np.random.default_rng(size)
    for _ in range(10):
        case = known(rng, turned(rng, size, size + 2) + 0.1 * np.eye(size))
        found = Pivoting().solve(case.problem)
        assert found.solved, found.sentence
        np.testing.assert_allclose(found.unknowns, case.unknowns, atol=1e-9)
        assert found.residual < 1e-12


@pytest.mark.parametrize("size", [3, 6, 12])
def test_unsymmetric_semidefinite(size: int, language: str) -> None:
    rng = np.random.default_rng(50 + size)
    for _ in range(20):
        case = known(rng, turned(rng, size, size // 2), degenerate=0.5)
        found = Pivoting().solve(case.problem)
        assert found.solved, found.sentence
        assert found.residual < 1e-11


def test_a_matrix_of_positive_principal_minors(language: str) -> None:
    """Not positive semidefinite, but with exactly one solution for every q (Murty 1988)."""
    matrix = np.tril(np.full((6, 6), 2.0), -1) + np.eye(6)
    rng = np.random.default_rng(3)
    for _ in range(20):
        case = known(rng, matrix, kinds=("unilateral",))
        found = Pivoting().solve(case.problem)
        assert found.solved, found.sentence
        np.testing.assert_allclose(found.unknowns, case.unknowns, atol=1e-10)


def test_a_saddle_point_is_the_shortest_vector_in_a_box(language: str) -> None:
    """x of least norm with A x = b, 0 <= x <= 1: multipliers of A are rows without bounds."""
    from scipy.optimize import minimize

    rng = np.random.default_rng(4)
    for _ in range(5):
        rows = rng.normal(size=(3, 7))
        target = rows @ rng.uniform(0.0, 1.0, 7)
        matrix = np.block([[np.eye(7), -rows.T], [rows, np.zeros((3, 3))]])
        problem = ComplementarityProblem(
            matrix, np.append(np.zeros(7), -target),
            np.append(np.zeros(7), np.full(3, -NONE)), np.append(np.ones(7), np.full(3, NONE)),
        )  # fmt: skip
        found = Pivoting().solve(problem)
        expected = minimize(
            lambda x: 0.5 * x @ x, np.full(7, 0.5), jac=lambda x: x, bounds=[(0.0, 1.0)] * 7,
            constraints={"type": "eq", "fun": lambda x, r=rows, b=target: r @ x - b},
            method="SLSQP", options={"ftol": 1e-14, "maxiter": 200},
        )  # fmt: skip
        assert found.solved, found.sentence
        np.testing.assert_allclose(found.unknowns[:7], expected.x, atol=1e-6)


def pyramid(mass: float, friction: float, velocity: list[float]) -> ComplementarityProblem:
    """A point on the ground, velocity x, y, z: normal impulse, 4 edges, and the sliding speed.

    Stewart and Trinkle 1996: the sum of the edges is at most friction times the unknown
    normal impulse, so that W is not symmetric.
    """
    directions = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], dtype=float)
    matrix = np.zeros((6, 6))
    matrix[:5, :5] = directions @ directions.T / mass
    matrix[1:5, 5] = 1.0
    matrix[5, 0], matrix[5, 1:5] = friction, -1.0
    offset = np.append(directions @ np.array(velocity), 0.0)
    return ComplementarityProblem(matrix, offset, np.zeros(6), np.full(6, NONE))


def test_friction_as_a_pyramid(language: str) -> None:
    """A point that meets the ground slides on, or stops where the cone lets it."""
    found = Pivoting().solve(pyramid(2.0, 0.5, [3.0, 0.0, -4.0]))
    assert found.solved, found.sentence
    np.testing.assert_allclose(found.unknowns, [8.0, 0.0, 0.0, 4.0, 0.0, 1.0], atol=1e-13)
    found = Pivoting().solve(pyramid(2.0, 0.5, [1.5, 0.0, -4.0]))
    assert found.unknowns[3] == pytest.approx(3.0, rel=1e-13)
    assert np.max(np.abs(found.slacks[1:5])) < 1e-14
    found = Pivoting().solve(pyramid(2.0, 0.5, [1.5, 0.0, 4.0]))
    assert np.max(found.unknowns[:5]) < 1e-15


def test_a_contradiction_is_told(language: str) -> None:
    matrix = np.array([[0.0, 1.0], [-1.0, 0.0]])
    contrary = ComplementarityProblem(matrix, [-1.0, -1.0], [0.0, 0.0], [NONE, NONE])
    found = Pivoting().solve(contrary)
    assert found.outcome is Outcome.UNSOLVABLE
    assert "all rows together" in found.sentence
    agreeing = ComplementarityProblem(matrix, [-1.0, 1.0], [0.0, 0.0], [NONE, NONE])
    np.testing.assert_allclose(Pivoting().solve(agreeing).unknowns, [1.0, 1.0])


def test_what_cannot_be_decided_is_told(language: str) -> None:
    matrix = np.array([[-1.0, 0.5], [0.0, -1.0]])
    found = Pivoting().solve(ComplementarityProblem(matrix, [-1.0, -1.0], [0.0] * 2, [NONE] * 2))
    assert found.outcome is Outcome.UNDECIDED
    assert "there may still be one" in found.sentence


def test_a_limit_on_the_steps_ends_the_search(language: str) -> None:
    rng = np.random.default_rng(6)
    case = known(rng, turned(rng, 12, 14), kinds=("box",))
    found = Pivoting(Limits(steps=2)).solve(case.problem)
    assert (found.outcome, found.steps) == (Outcome.STOPPED, 2)


def test_degenerate_ties_do_not_cycle(language: str) -> None:
    """All offsets equal, so that every ratio is a tie; a skew part makes it Lemke's."""
    size = 8
    skew = np.triu(np.ones((size, size)), 1)
    matrix = np.ones((size, size)) + skew - skew.T
    problem = ComplementarityProblem(matrix, -np.ones(size), np.zeros(size), np.full(size, NONE))
    found = Pivoting().solve(problem)
    assert found.solved
    assert found.residual < 1e-14
    assert found.steps < 50
    assert math.isclose(float(np.sum(found.unknowns @ found.slacks)), 0.0, abs_tol=1e-13)


def test_a_path_that_cycles_without_the_lexicographic_choice(language: str) -> None:
    """With the first row among ties leaving, the path comes back to where it was."""
    matrix = [[1, 0, 2, 0], [0, 1, 0, 1], [2, 1, 1, 0], [0, 0, 0, 1]]
    problem = ComplementarityProblem(matrix, [-1, -1, -1, 0], np.zeros(4), np.full(4, NONE))
    found = Pivoting().solve(problem)
    assert (found.outcome, found.steps) == (Outcome.SOLVED, 5)
    assert found.residual < 1e-15


def test_a_matrix_counts_as_symmetric_up_to_rounding_alone() -> None:
    matrix = gram(np.random.default_rng(1), 4, 5)
    for change, symmetric in ((1e-15, True), (1e-9, False)):
        moved = matrix.copy()
        moved[0, 1] *= 1.0 + change
        problem = ComplementarityProblem(moved, np.zeros(4), np.zeros(4), np.ones(4))
        assert problem.symmetric is symmetric


@pytest.mark.parametrize("rank", [3, 10])
def test_c_and_python_are_alike(rank: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(rank)
    problems = [known(rng, turned(rng, 9, rank)).problem for _ in range(20)]
    compiled = [Pivoting().solve(problem) for problem in problems]
    monkeypatch.setenv("AXLETREE_CC", NO_COMPILER)
    for problem, first in zip(problems, compiled, strict=True):
        second = Pivoting().solve(problem)
        assert (first.outcome, first.steps) == (second.outcome, second.steps)
        np.testing.assert_allclose(first.unknowns, second.unknowns, atol=1e-9)
