"""Redundant rows share their force by the least norm; contradictions are told."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.complementarity import gram, known

from axletree.core.errors import SimulationError
from axletree.simulation.mlcp import ComplementarityProblem, Limits, Outcome, Pivoting

NONE = np.inf


def test_redundant_equations_have_the_solution_of_lstsq(language: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        rows = rng.normal(size=(9, 5))
        matrix = rows @ rows.T
        offset = rows @ rng.normal(size=5)  # a velocity: the rows agree
        free = np.full(9, NONE)
        found = Pivoting().solve(ComplementarityProblem(matrix, offset, -free, free))
        expected, *_ = np.linalg.lstsq(matrix, -offset, rcond=1e-11)
        assert found.solved
        np.testing.assert_allclose(found.unknowns, expected, atol=1e-9)


def test_redundant_rows_of_the_active_set_have_the_solution_of_lstsq(language: str) -> None:
    """With the rows at bounds held, the others are the shortest solution of their equations."""
    rng = np.random.default_rng(4)
    checked = 0
    for _ in range(60):
        problem = known(rng, gram(rng, 10, 4), kinds=("free", "unilateral", "box")).problem
        found = Pivoting().solve(problem)
        x = found.unknowns
        free = (problem.lower < x) & (x < problem.upper)
        held = problem.offset + problem.matrix[:, ~free] @ x[~free]
        part = problem.matrix[np.ix_(free, free)]
        expected, _, rank, _ = np.linalg.lstsq(part, -held[free], rcond=1e-11)
        np.testing.assert_allclose(x[free], expected, atol=1e-8)
        checked += rank < np.count_nonzero(free)
    assert checked > 20


def test_four_brakes_share_what_holds_the_vehicle(language: str) -> None:
    """One direction, four rows: equal shares, and the weakest at its bound gives to the others."""
    matrix, offset = np.full((4, 4), 1e-3), np.full(4, -2.0)  # 1/kg, m/s: 2000 N s in all
    strong = np.full(4, 800.0)
    found = Pivoting().solve(ComplementarityProblem(matrix, offset, -strong, strong))
    np.testing.assert_allclose(found.unknowns, 500.0, rtol=1e-13)
    uneven = np.array([800.0, 200.0, 800.0, 800.0])
    found = Pivoting().solve(ComplementarityProblem(matrix, offset, -uneven, uneven))
    np.testing.assert_allclose(found.unknowns, [600.0, 200.0, 600.0, 600.0], rtol=1e-13)
    assert np.max(np.abs(found.slacks)) < 1e-15
    weak = np.full(4, 400.0)
    found = Pivoting().solve(ComplementarityProblem(matrix, offset, -weak, weak))
    assert np.array_equal(found.unknowns, weak)
    np.testing.assert_allclose(found.slacks, -0.4)


def test_weights_choose_the_split(language: str) -> None:
    """Three times the weight for a ninth of the share."""
    problem = ComplementarityProblem(np.ones((2, 2)), [-10.0, -10.0], [0.0, 0.0], [NONE, NONE])
    found = Pivoting().solve(problem, weights=[1.0, 3.0])
    np.testing.assert_allclose(found.unknowns, [9.0, 1.0], rtol=1e-13)


def test_a_standing_braked_wheel(language: str) -> None:
    """Rows F_t (v - r omega), F_c (v) and brake (omega) have rank 2: the sums are unique."""
    r, m, inertia = 0.4, 250.0, 1.5
    rows = np.array([[1.0, -r], [1.0, 0.0], [0.0, 1.0]])
    mass = np.diag([1.0 / m, 1.0 / inertia])
    push = np.array([0.3, 0.0])  # m/s, rad/s: what the slope gives in a step
    bound = np.array([500.0, 60.0, 400.0])
    found = Pivoting().solve(
        ComplementarityProblem(rows @ mass @ rows.T, rows @ push, -bound, bound)
    )
    after = push + mass @ rows.T @ found.unknowns
    np.testing.assert_allclose(after, 0.0, atol=1e-15)
    assert found.unknowns[0] + found.unknowns[1] == pytest.approx(-m * 0.3, rel=1e-13)


def test_a_push_into_a_rigid_wall_has_no_answer(language: str) -> None:
    """Two equations for one velocity that disagree."""
    problem = ComplementarityProblem(np.ones((2, 2)), [1.0, 1.5], [-NONE] * 2, [NONE] * 2)
    found = Pivoting().solve(problem)
    assert found.outcome is Outcome.UNSOLVABLE
    assert found.rows == (0, 1)
    assert "rows 0, 1 together" in found.sentence
    with pytest.raises(SimulationError, match="rows 0, 1 together"):
        found.checked()


def test_a_row_without_effect_and_of_the_wrong_sign_has_no_answer(language: str) -> None:
    matrix = np.diag([1.0, 0.0, 2.0])
    found = Pivoting().solve(
        ComplementarityProblem(matrix, [-1.0, -1.0, -1.0], [0.0] * 3, [NONE] * 3)
    )
    assert (found.outcome, found.rows) == (Outcome.UNSOLVABLE, (1,))
    assert "row 1" in found.sentence
    solvable = ComplementarityProblem(matrix, [-1.0, 1.0, -1.0], [0.0] * 3, [NONE] * 3)
    np.testing.assert_allclose(Pivoting().solve(solvable).unknowns, [1.0, 0.0, 0.5])


def test_redundant_rows_that_agree_up_to_rounding_are_solved(language: str) -> None:
    matrix = np.ones((3, 3))
    free = np.full(3, NONE)
    noise = np.array([0.0, 3e-13, -2e-13])
    found = Pivoting().solve(ComplementarityProblem(matrix, -3.0 + noise, -free, free))
    assert found.solved
    np.testing.assert_allclose(found.unknowns, 1.0, rtol=1e-11)
    assert 1e-14 < found.residual < 1e-12


def test_a_limit_on_the_steps_ends_the_search(language: str) -> None:
    rng = np.random.default_rng(6)
    problem = known(rng, gram(rng, 20, 20), kinds=("box",)).problem
    found = Pivoting(Limits(steps=3)).solve(problem)
    assert (found.outcome, found.steps) == (Outcome.STOPPED, 3)
    assert found.residual > 1e-6
    assert "3 steps" in found.sentence
    with pytest.raises(SimulationError, match="allow more steps"):
        found.checked()


def test_an_indefinite_matrix_is_solved_or_undecided(language: str) -> None:
    matrix = np.array([[1.0, 2.0], [2.0, 1.0]])
    boxed = ComplementarityProblem(matrix, [-1.0, -1.0], [0.0, 0.0], [5.0, 5.0])
    found = Pivoting().solve(boxed)
    assert found.solved
    assert found.residual < 1e-14
    open_ended = ComplementarityProblem([[-1.0]], [-1.0], [0.0], [NONE])
    found = Pivoting().solve(open_ended)
    assert found.outcome is Outcome.UNDECIDED
    assert "not positive semidefinite" in found.sentence


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"matrix": np.eye(3)}, r"the shape \(3, 3\).*\(2, 2\) is expected"),
        ({"offset": [np.nan, 0.0]}, "the offset has values that are no finite numbers in row 0"),
        ({"lower": [0.0, 2.0]}, "the bounds leave no value .* in row 1"),
        ({"upper": [np.nan, 1.0]}, "the bounds leave no value .* in row 0"),
        ({"matrix": "W"}, "must be an array of numbers, got 'W'"),
    ],
)
def test_faulty_problems_are_refused(change: dict[str, object], message: str) -> None:
    good: dict[str, object] = {
        "matrix": np.eye(2), "offset": [0.0, 0.0], "lower": [0.0, 0.0], "upper": [1.0, 1.0],
    }  # fmt: skip
    ComplementarityProblem(**good)
    with pytest.raises(SimulationError, match=message):
        ComplementarityProblem(**{**good, **change})


def test_faulty_starts_and_weights_are_refused() -> None:
    problem = ComplementarityProblem(np.eye(2), [0.0, 0.0], [0.0, 0.0], [1.0, 1.0])
    with pytest.raises(SimulationError, match="a start for 2 unknowns"):
        Pivoting().solve(problem, start=[np.nan, 0.0])
    with pytest.raises(SimulationError, match="weights of 2 unknowns"):
        Pivoting().solve(problem, weights=[1.0, 0.0])


def test_rows_of_very_different_size(language: str) -> None:
    """Masses from 0.01 to 10000 kg, twice as many rows as freedoms, lever arms from 0.01 to 100."""
    rng = np.random.default_rng(8)
    for _ in range(200):
        freedoms, size = 5, 10
        masses = 10.0 ** rng.uniform(-2.0, 4.0, freedoms)
        arms = 10.0 ** rng.uniform(-2.0, 2.0, (size, 1))
        rows = arms * rng.normal(size=(size, freedoms)) * (rng.uniform(size=(size, freedoms)) < 0.4)
        case = known(rng, rows / masses @ rows.T, kinds=("free", "unilateral", "box"))
        found = Pivoting().solve(case.problem)
        assert found.solved, found.sentence
        assert found.residual < 1e-11
        longest = (1.0 + 1e-4) * np.linalg.norm(case.unknowns)
        assert np.linalg.norm(found.unknowns) <= longest


def test_what_is_not_met_is_no_solution(language: str) -> None:
    """Rows that disagree by 1e-3 may pass for redundant, but not for solved."""
    rng = np.random.default_rng(9)
    rows = rng.normal(size=(12, 3))
    free = np.full(12, NONE)
    offset = rows @ rng.normal(size=3) + 1e-3 * rng.normal(size=12)
    problem = ComplementarityProblem(rows @ rows.T, offset, -free, free)
    assert Pivoting().solve(problem).outcome is Outcome.UNSOLVABLE
    found = Pivoting(Limits(agreement=0.1)).solve(problem)
    assert found.outcome is Outcome.INACCURATE
    assert 1e-8 < found.residual < 1e-2
    with pytest.raises(SimulationError, match="leaves a residual of"):
        found.checked()
