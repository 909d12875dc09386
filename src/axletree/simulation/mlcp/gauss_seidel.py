"""Projected Gauss-Seidel sweeps with subspace steps, in Python: the twin of projected.c.

A sweep puts each row right in turn and cuts its unknown to the bounds; for symmetric positive
definite W sweeps converge (Cottle, Pang and Stone 1992, section 5.3), slowly where rows
depend on one another. A subspace step solves for the unknowns between bounds at once (Silcowitz,
Niebe and Erleben 2010), and is kept only if lambda' W lambda / 2 + q' lambda does not grow.
The number of operations depends on n and on the numbers given alone, up to which rows are
between bounds.
"""

from __future__ import annotations

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.simulation.mlcp.pivoting import GrowingFactor
from axletree.simulation.mlcp.problem import ComplementarityProblem

RANK = 1e-12  # as in pivoting: rows that depend on others wait


def projected_gauss_seidel(
    problem: ComplementarityProblem,
    x: FloatArray,
    sweeps: int,
    subspace_steps: int,
    relaxation: float,
) -> None:
    """``sweeps`` passes; then, ``subspace_steps`` times, a subspace step and as many passes."""
    for step in range(1 + subspace_steps):
        if step:
            _subspace_step(problem, x)
        for _ in range(sweeps):
            _sweep(problem, x, relaxation)


def _sweep(problem: ComplementarityProblem, x: FloatArray, relaxation: float) -> None:
    """One pass over all rows, in place."""
    matrix, lower, upper = problem.matrix, problem.lower, problem.upper
    for i in range(x.size):
        w = float(matrix[i] @ x) + problem.offset[i]
        if matrix[i, i] > 0.0:
            moved = x[i] - relaxation * w / matrix[i, i]
        else:
            # Nothing but a bound can stop this unknown; without a bound it stays.
            bound = lower[i] if w > 0.0 else upper[i]
            moved = bound if w != 0.0 and np.isfinite(bound) else x[i]
        x[i] = min(max(moved, lower[i]), upper[i])


def _subspace_step(problem: ComplementarityProblem, x: FloatArray) -> None:
    """Solve the rows between bounds; cut to the bounds, or else go as far as they let."""
    lower, upper = problem.lower, problem.upper
    factor = GrowingFactor(problem.matrix, RANK)
    for i in np.flatnonzero((lower < x) & (x < upper)):
        factor.append(int(i))
    rows = list(factor.rows)
    w = problem.slacks(x)
    line = np.zeros(x.size)
    line[rows] = -factor.solve(w[rows])
    cut = problem.within(x + line)
    change = cut - x
    if w @ change + 0.5 * float(change @ (problem.matrix @ change)) <= 0.0:
        x[:] = cut
        return
    room = np.full(x.size, np.inf)
    np.divide(np.where(line > 0.0, upper, lower) - x, line, out=room, where=line != 0.0)
    length = min(1.0, float(np.min(room, initial=1.0)))
    x[:] = problem.within(x + length * line)
