"""Pivoting against problems made from their solutions, and against all active sets."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.complementarity import (
    ALL_KINDS,
    Known,
    conditioned,
    gram,
    known,
    try_all_active_sets,
)

from axletree.code.backends.c import NO_COMPILER
from axletree.simulation.mlcp import ComplementarityProblem, Outcome, Pivoting

ROUNDING = 1e-12


def assert_solves(case: Known, language: str, *, unique: bool, accuracy: float = 1e-10) -> None:
    found = Pivoting().solve(case.problem)
    assert found.outcome is Outcome.SOLVED, f"{language}: {found.sentence}"
    assert found.residual <= ROUNDING
    np.testing.assert_allclose(found.slacks, case.slacks, atol=1e-10)
    assert np.all(case.problem.lower <= found.unknowns)
    assert np.all(found.unknowns <= case.problem.upper)
    if unique:
        np.testing.assert_allclose(found.unknowns, case.unknowns, atol=accuracy)
    else:
        # Of all solutions the shortest one: none can be longer than the one known.
        longest = np.linalg.norm(case.unknowns) * (1.0 + 1e-10)
        assert np.linalg.norm(found.unknowns) <= longest


@pytest.mark.parametrize("size", [1, 2, 5, 12, 30])
def test_positive_definite(size: int, language: str) -> None:
    rng = np.random.default_rng(size)
    for _ in range(10):
        matrix = gram(rng, size, size + 3) + 0.1 * np.eye(size)
        assert_solves(known(rng, matrix), language, unique=True)


@pytest.mark.parametrize("size", [2, 5, 12, 30])
def test_semidefinite(size: int, language: str) -> None:
    rng = np.random.default_rng(100 + size)
    for _ in range(10):
        case = known(rng, gram(rng, size, (size + 1) // 2))
        assert_solves(case, language, unique=False)


@pytest.mark.parametrize("size", [3, 8, 20])
def test_ill_conditioned(size: int, language: str) -> None:
    """With a condition number of 1e10, rounding of 1e-16 may move lambda by some 1e-6."""
    rng = np.random.default_rng(200 + size)
    for _ in range(10):
        case = known(rng, conditioned(rng, size, 1e10))
        assert_solves(case, language, unique=True, accuracy=1e-5)


def test_equations_alone_are_a_linear_system(language: str) -> None:
    rng = np.random.default_rng(1)
    matrix = gram(rng, 8, 10)
    offset = rng.normal(size=8)
    none = np.full(8, np.inf)
    found = Pivoting().solve(ComplementarityProblem(matrix, offset, -none, none))
    np.testing.assert_allclose(found.unknowns, np.linalg.solve(matrix, -offset), rtol=1e-9)


@pytest.mark.parametrize("kinds", [("free", "unilateral"), ("free", "box"), ("box",), ("below",)])
def test_kinds_of_rows(kinds: tuple[str, ...], language: str) -> None:
    rng = np.random.default_rng(len(kinds[0]) + len(kinds))
    for _ in range(20):
        assert_solves(known(rng, gram(rng, 9, 12), kinds=kinds), language, unique=True)


def test_degenerate_ones(language: str) -> None:
    """All w are zero, and most of lambda stand at their bounds all the same."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        case = known(rng, gram(rng, 10, 10), degenerate=1.0)
        assert_solves(case, language, unique=True, accuracy=1e-7)
        case = known(rng, gram(rng, 10, 4), degenerate=1.0)
        assert_solves(case, language, unique=False)


def test_equal_rows_at_the_same_bound_do_not_cycle(language: str) -> None:
    size = 12
    matrix = np.ones((size, size))
    box = ComplementarityProblem(matrix, np.full(size, -30.0), np.zeros(size), np.ones(size))
    found = Pivoting().solve(box)
    assert found.solved
    assert np.array_equal(found.unknowns, np.ones(size))
    shared = ComplementarityProblem(matrix, np.full(size, -6.0), np.zeros(size), np.ones(size))
    np.testing.assert_allclose(Pivoting().solve(shared).unknowns, 0.5, rtol=1e-14)


def test_nothing_to_do(language: str) -> None:
    empty = ComplementarityProblem(np.zeros((0, 0)), np.zeros(0), np.zeros(0), np.zeros(0))
    assert Pivoting().solve(empty).solved
    still = ComplementarityProblem(np.eye(3), np.zeros(3), -np.ones(3), np.ones(3))
    assert not np.any(Pivoting().solve(still).unknowns)
    flat = ComplementarityProblem(np.zeros((2, 2)), np.zeros(2), [-np.inf, 0.0], [np.inf, np.inf])
    assert np.array_equal(Pivoting().solve(flat, start=[3.0, 4.0]).unknowns, [0.0, 0.0])


@pytest.mark.parametrize("deficient", [False, True])
def test_all_active_sets_give_the_same(deficient: bool, language: str) -> None:
    """500 problems of either kind in either language, solvable or not, of up to 6 rows."""
    rng = np.random.default_rng(7 + deficient)
    outcomes = []
    for _ in range(500):
        size = int(rng.integers(2 if deficient else 1, 7))
        rank = int(rng.integers(1, size)) if deficient else size
        matrix = gram(rng, size, rank) + (0.0 if deficient else 0.05) * np.eye(size)
        problem = known(rng, matrix).problem
        if rng.uniform() < 0.3:
            problem = ComplementarityProblem(
                matrix, rng.normal(size=size), problem.lower, problem.upper
            )
        expected, found = try_all_active_sets(problem), Pivoting().solve(problem)
        outcomes.append(found.outcome)
        if expected is None:
            assert found.outcome is Outcome.UNSOLVABLE, found.sentence
        else:
            assert found.solved, found.sentence
            np.testing.assert_allclose(found.unknowns, expected, atol=1e-6)
    assert set(outcomes) == (
        {Outcome.SOLVED, Outcome.UNSOLVABLE} if deficient else {Outcome.SOLVED}
    )


@pytest.mark.parametrize("rank", [4, 9, 12])
def test_c_and_python_are_alike(rank: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(rank)
    problems = [known(rng, gram(rng, 10, rank), kinds=ALL_KINDS).problem for _ in range(30)]
    compiled = [Pivoting().solve(problem) for problem in problems]
    monkeypatch.setenv("AXLETREE_CC", NO_COMPILER)
    for problem, first in zip(problems, compiled, strict=True):
        second = Pivoting().solve(problem)
        assert (first.outcome, first.rows) == (second.outcome, second.rows)
        np.testing.assert_allclose(first.unknowns, second.unknowns, rtol=1e-9, atol=1e-10)


def test_a_start_near_the_solution_saves_steps(language: str) -> None:
    rng = np.random.default_rng(11)
    case = known(rng, gram(rng, 30, 35), kinds=("box", "unilateral"))
    cold = Pivoting().solve(case.problem)
    moved = ComplementarityProblem(
        case.problem.matrix, case.problem.offset + 1e-6 * rng.normal(size=30),
        case.problem.lower, case.problem.upper,
    )  # fmt: skip
    warm, again = Pivoting().solve(moved, start=cold.unknowns), Pivoting().solve(moved)
    np.testing.assert_allclose(warm.unknowns, again.unknowns, atol=1e-11)
    assert warm.steps <= 12 < again.steps


@pytest.mark.parametrize("size", [5, 12])
def test_a_bad_start_changes_nothing(size: int, language: str) -> None:
    rng = np.random.default_rng(13)
    case = known(rng, gram(rng, size, size - 2))
    expected = Pivoting().solve(case.problem).unknowns
    for _ in range(10):
        found = Pivoting().solve(case.problem, start=rng.normal(scale=100.0, size=size))
        np.testing.assert_allclose(found.unknowns, expected, atol=1e-9)


def test_units_do_not_matter(language: str) -> None:
    """Half of the rows in N m instead of N, or in kN: the same solution, the same residual."""
    rng = np.random.default_rng(17)
    for rank in (8, 5):
        case = known(rng, gram(rng, 8, rank))
        unit = 10.0 ** rng.integers(-6, 7, 8)
        given = case.problem
        other = ComplementarityProblem(
            unit[:, None] * given.matrix * unit, unit * given.offset,
            given.lower / unit, given.upper / unit,
        )  # fmt: skip
        first = Pivoting().solve(given)
        second = Pivoting().solve(other, weights=unit)
        np.testing.assert_allclose(second.unknowns * unit, first.unknowns, atol=1e-9)
        assert second.residual <= ROUNDING
