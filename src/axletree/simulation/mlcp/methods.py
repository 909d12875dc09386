"""The two methods for complementarity problems: pivoting, and a fixed number of sweeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from axletree.code.backends.c import find_compiler
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.simulation.mlcp.c_code import iterate_in_c, lemke_in_c, pivot_in_c
from axletree.simulation.mlcp.gauss_seidel import projected_gauss_seidel
from axletree.simulation.mlcp.lemke import lemke
from axletree.simulation.mlcp.pivoting import Limits, PrincipalPivots, least_norm
from axletree.simulation.mlcp.problem import (
    ComplementarityProblem,
    ComplementaritySolution,
    Outcome,
    scaled_problem,
    units_of,
)

ACCURATE = 1e-8  # residual up to which a problem counts as solved


@dataclass(frozen=True)
class Pivoting:
    """The solution up to rounding; in C where there is a compiler.

    1. Symmetric W, positive semidefinite: solved, or proven unsolvable. Of many solutions, as
       of redundant rows, the one with the least sum of (weights[i] lambda[i])^2 is taken.
    2. Symmetric W that is indefinite: a solution where one is met, else UNDECIDED.
    3. Unsymmetric W: by Lemke's method, without start and weights; solved or UNSOLVABLE if W is
       positive semidefinite, else solved or UNDECIDED.

    Example:
    >>> from axletree.simulation.mlcp import ComplementarityProblem, Pivoting
    >>> push = ComplementarityProblem([[0.5]], [1.0], [-4.0], [4.0])  # 1/kg, m/s, N s
    >>> Pivoting().solve(push).unknowns.tolist()  # friction holds the block
    [-2.0]
    """

    limits: Limits = Limits()

    def solve(
        self,
        problem: ComplementarityProblem,
        start: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> ComplementaritySolution:
        """Solve from ``start``: lambda of the step before, or zero; what is found is the same.

        Example:
        >>> from axletree.simulation.mlcp import ComplementarityProblem, Pivoting
        >>> most = [9.0, 9.0]
        >>> twice = ComplementarityProblem([[1, 1], [1, 1]], [2.0, 2.0], [-9.0, -9.0], most)
        >>> Pivoting().solve(twice, weights=[1.0, 1.0]).unknowns.round(6).tolist()
        [-1.0, -1.0]
        """
        x = _start(problem, start)
        weight = _weights(problem, weights)
        if not problem.symmetric:
            return _lemke_solution(problem, self.limits, x)
        if find_compiler() is not None:
            outcome, steps, ray = pivot_in_c(problem, weight, self.limits, x)
        else:
            outcome, steps, ray = _pivot(problem, weight, self.limits, x)
        rows = tuple(int(i) for i in np.flatnonzero(ray))
        return _solution(problem, x, outcome, steps, rows)


@dataclass(frozen=True)
class ProjectedSweeps:
    """A fixed number of operations: sweeps, then subspace steps with sweeps after each.

    Example:
    >>> from axletree.simulation.mlcp import ComplementarityProblem, ProjectedSweeps
    >>> push = ComplementarityProblem([[0.5]], [1.0], [-4.0], [4.0])  # 1/kg, m/s, N s
    >>> ProjectedSweeps(sweeps=5).solve(push).sentence
    '5 sweeps done, residual 0.0e+00'
    """

    sweeps: int = 30
    subspace_steps: int = 0  # for symmetric W
    relaxation: float = 1.0  # between 0 and 2; below 1 slower and surer

    def __post_init__(self) -> None:
        if self.sweeps < 1 or self.subspace_steps < 0 or not 0.0 < self.relaxation < 2.0:
            raise SimulationError(
                f"{self} cannot run; expected at least one sweep, no negative number of "
                "subspace steps, and a relaxation between 0 and 2"
            )

    def solve(
        self, problem: ComplementarityProblem, start: ArrayLike | None = None
    ) -> ComplementaritySolution:
        """As near as the sweeps come from ``start``: lambda of the step before, or zero.

        Example:
        >>> from axletree.simulation.mlcp import ComplementarityProblem, ProjectedSweeps
        >>> most = [9.0, 9.0]
        >>> both = ComplementarityProblem([[2, 1], [1, 2]], [3.0, 3.0], [-9.0, -9.0], most)
        >>> [ProjectedSweeps(sweeps=n).solve(both).unknowns.round(3).tolist() for n in (1, 20)]
        [[-1.5, -0.75], [-1.0, -1.0]]
        """
        if self.subspace_steps and not problem.symmetric:
            raise SimulationError(
                "subspace steps need a symmetric matrix, and that of this complementarity "
                "problem is not; use ProjectedSweeps(subspace_steps=0)"
            )
        x = _start(problem, start)
        if find_compiler() is not None:
            iterate_in_c(problem, self.sweeps, self.subspace_steps, self.relaxation, x)
        else:
            projected_gauss_seidel(problem, x, self.sweeps, self.subspace_steps, self.relaxation)
        sweeps = self.sweeps * (1 + self.subspace_steps)
        return _solution(problem, x, Outcome.APPROXIMATE, sweeps)


def _pivot(
    problem: ComplementarityProblem, weights: FloatArray, limits: Limits, x: FloatArray
) -> tuple[Outcome, int, FloatArray]:
    units = units_of(problem.matrix)
    matrix, offset, lower, upper = scaled_problem(problem, units)
    pivots = PrincipalPivots(matrix, offset, lower, upper, x / units, limits)
    outcome = pivots.run()
    one = outcome is not Outcome.SOLVED or pivots.indefinite
    x[:] = (pivots.x if one else least_norm(pivots, weights * units)) * units
    return outcome, pivots.steps, pivots.ray


def _lemke_solution(
    problem: ComplementarityProblem, limits: Limits, x: FloatArray
) -> ComplementaritySolution:
    most = limits.most(problem.size)
    if find_compiler() is not None:
        outcome, steps = lemke_in_c(problem, most, x)
    else:
        units = units_of(problem.matrix)
        outcome, steps, y = lemke(*scaled_problem(problem, units), most)
        x[:] = y * units
    if outcome is Outcome.UNDECIDED and problem.positive_semidefinite:
        outcome = Outcome.UNSOLVABLE
    return _solution(problem, x, outcome, steps)


def _solution(
    problem: ComplementarityProblem,
    x: FloatArray,
    outcome: Outcome,
    steps: int,
    rows: tuple[int, ...] = (),
) -> ComplementaritySolution:
    residual = problem.residual(x)
    if outcome is Outcome.SOLVED and residual > ACCURATE:
        outcome = Outcome.INACCURATE
    solved = outcome is Outcome.SOLVED
    w = problem.slacks_of_solution(x) if solved else problem.slacks(x)
    return ComplementaritySolution(x, w, outcome, residual, steps, rows)


def _start(problem: ComplementarityProblem, start: ArrayLike | None) -> FloatArray:
    guess = np.zeros(problem.size) if start is None else np.array(start, dtype=float)
    if guess.shape != (problem.size,) or not np.all(np.isfinite(guess)):
        raise SimulationError(
            f"a start for {problem.size} unknowns must be as many finite numbers, got {start!r}"
        )
    return problem.within(guess)


def _weights(problem: ComplementarityProblem, weights: ArrayLike | None) -> FloatArray:
    values = np.ones(problem.size) if weights is None else np.array(weights, dtype=float)
    good = values.shape == (problem.size,) and np.all(np.isfinite(values)) and np.all(values > 0.0)
    if not good:
        raise SimulationError(
            f"weights of {problem.size} unknowns must be as many positive numbers, got {weights!r}"
        )
    return values
