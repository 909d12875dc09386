"""Sweeps come to the solution of pivoting; subspace steps get there sooner."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.complementarity import conditioned, gram, known

from axletree.code.backends.c import NO_COMPILER
from axletree.core.errors import SimulationError
from axletree.simulation.mlcp import ComplementarityProblem, Outcome, Pivoting, ProjectedSweeps


def test_sweeps_converge(language: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        problem = known(rng, gram(rng, 8, 8) + 2.0 * np.eye(8)).problem
        exact = Pivoting().solve(problem).unknowns
        errors = [
            np.max(np.abs(ProjectedSweeps(sweeps).solve(problem).unknowns - exact))
            for sweeps in (10, 40, 160)
        ]
        assert errors[2] < 1e-12
        assert errors[2] <= errors[1] <= errors[0]


def test_subspace_steps_end_at_the_solution(language: str) -> None:
    """Rows that depend much on one another: sweeps alone are far off, subspace steps are not."""
    rng = np.random.default_rng(2)
    far = []
    for _ in range(10):
        problem = known(rng, conditioned(rng, 20, 1e4), kinds=("box", "unilateral")).problem
        alone = ProjectedSweeps(60).solve(problem)
        helped = ProjectedSweeps(6, subspace_steps=9).solve(problem)
        assert alone.steps == helped.steps == 60
        assert helped.residual < 1e-12
        far.append(alone.residual)
        exact = Pivoting().solve(problem).unknowns
        np.testing.assert_allclose(helped.unknowns, exact, atol=1e-9)
    assert np.median(far) > 1e-5


def test_the_sum_that_is_least_at_the_solution_never_grows(language: str) -> None:
    rng = np.random.default_rng(3)
    for rank in (4, 12):
        problem = known(rng, gram(rng, 12, rank), kinds=("box", "unilateral", "free")).problem
        x, before = np.zeros(12), np.inf
        for _ in range(8):
            x = ProjectedSweeps(1, subspace_steps=1).solve(problem, start=x).unknowns
            now = 0.5 * x @ problem.matrix @ x + problem.offset @ x
            assert now <= before + 1e-12 * abs(before if np.isfinite(before) else now)
            before = now


def test_a_start_near_the_solution_saves_sweeps(language: str) -> None:
    rng = np.random.default_rng(4)
    problem = known(rng, gram(rng, 10, 12) + np.eye(10)).problem
    exact = Pivoting().solve(problem).unknowns
    warm = ProjectedSweeps(5).solve(problem, start=exact + 1e-6)
    assert np.max(np.abs(warm.unknowns - exact)) < 1e-6
    assert ProjectedSweeps(5).solve(problem).residual > 100.0 * warm.residual
    at_rest = ProjectedSweeps(1, subspace_steps=1).solve(problem, start=exact)
    np.testing.assert_allclose(at_rest.unknowns, exact, atol=1e-12)


def test_unsymmetric_matrices_by_sweeps(language: str) -> None:
    rng = np.random.default_rng(5)
    skew = 0.2 * rng.normal(size=(6, 6))
    case = known(rng, 4.0 * np.eye(6) + skew - skew.T)
    found = ProjectedSweeps(60).solve(case.problem)
    np.testing.assert_allclose(found.unknowns, case.unknowns, atol=1e-12)
    with pytest.raises(SimulationError, match="subspace steps need a symmetric matrix"):
        ProjectedSweeps(5, subspace_steps=1).solve(case.problem)


def test_rows_without_effect_stay_within_their_bounds(language: str) -> None:
    problem = ComplementarityProblem(
        np.diag([2.0, 0.0, 0.0, 0.0]), [-1.0, -1.0, 1.0, -1.0], [0.0, -1.0, -1.0, 0.0],
        [np.inf, 1.0, 1.0, np.inf],
    )  # fmt: skip
    found = ProjectedSweeps(2, subspace_steps=1).solve(problem)
    assert np.array_equal(found.unknowns, [0.5, 1.0, -1.0, 0.0])
    assert found.outcome is Outcome.APPROXIMATE
    assert found.residual == pytest.approx(0.5**0.5)  # the last row has no answer
    assert "4 sweeps" in found.sentence


@pytest.mark.parametrize("fault", [{"sweeps": 0}, {"subspace_steps": -1}, {"relaxation": 2.0}])
def test_faulty_numbers_are_refused(fault: dict[str, float]) -> None:
    with pytest.raises(SimulationError, match="at least one sweep"):
        ProjectedSweeps(**fault)


@pytest.mark.parametrize("steps", [0, 3])
def test_c_and_python_are_alike(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    problems = [known(rng, gram(rng, 10, rank)).problem for rank in (4, 10, 12) for _ in range(5)]
    method = ProjectedSweeps(7, subspace_steps=steps, relaxation=1.2)
    compiled = [method.solve(problem).unknowns for problem in problems]
    monkeypatch.setenv("AXLETREE_CC", NO_COMPILER)
    for problem, first in zip(problems, compiled, strict=True):
        np.testing.assert_allclose(first, method.solve(problem).unknowns, rtol=1e-8, atol=1e-10)
