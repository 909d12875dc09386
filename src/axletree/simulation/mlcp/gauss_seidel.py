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

RANK = 1e-12  # as in pivoting: rows that depend on others wait


def gauss_seidel_sweep(
    matrix: FloatArray,
    offset: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    x: FloatArray,
    relaxation: float,
) -> None:
    """One pass over all rows, in place."""
    for i in range(x.size):
        w = float(matrix[i] @ x) + offset[i]
        if matrix[i, i] > 0.0:
            moved = x[i] - relaxation * w / matrix[i, i]
        else:
            # Nothing but a bound can stop this unknown; without a bound it stays.
            bound = lower[i] if w > 0.0 else upper[i]
            moved = bound if w != 0.0 and np.isfinite(bound) else x[i]
        x[i] = min(max(moved, lower[i]), upper[i])


def subspace_step(
    matrix: FloatArray, offset: FloatArray, lower: FloatArray, upper: FloatArray, x: FloatArray
) -> None:
    """Solve the rows between bounds; cut to the bounds, or else go as far as they let."""
    factor = GrowingFactor(matrix, RANK)
    for i in np.flatnonzero((lower < x) & (x < upper)):
        factor.append(int(i))
    rows = list(factor.rows)
    w = matrix @ x + offset
    line = -factor.solve(w[rows])
    cut = x.copy()
    cut[rows] = np.minimum(np.maximum(x[rows] + line, lower[rows]), upper[rows])
    change = cut - x
    if w @ change + 0.5 * float(change @ (matrix @ change)) <= 0.0:
        x[:] = cut
        return
    bound = np.where(line > 0.0, upper[rows], lower[rows])
    room = np.full(len(rows), np.inf)
    np.divide(bound - x[rows], line, out=room, where=line != 0.0)
    length = min(1.0, float(np.min(room, initial=1.0)))
    x[rows] = np.minimum(np.maximum(x[rows] + length * line, lower[rows]), upper[rows])


def projected_gauss_seidel(
    matrix: FloatArray, offset: FloatArray, lower: FloatArray, upper: FloatArray, x: FloatArray,
    sweeps: int, subspace_steps: int, relaxation: float,
) -> None:  # fmt: skip
    """``sweeps`` passes; then, ``subspace_steps`` times, a subspace step and as many passes."""
    for _ in range(sweeps):
        gauss_seidel_sweep(matrix, offset, lower, upper, x, relaxation)
    for _ in range(subspace_steps):
        subspace_step(matrix, offset, lower, upper, x)
        for _ in range(sweeps):
            gauss_seidel_sweep(matrix, offset, lower, upper, x, relaxation)
