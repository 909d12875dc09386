"""Units in which the diagonal of W is near 1, so that rows in N and in N m compare.

They are powers of two: nothing is rounded, and a value at its bound is exactly there.
"""

from __future__ import annotations

import numpy as np

from axletree.simulation.mlcp.problem import ComplementarityProblem, Vector


def units_of(matrix: Vector) -> Vector:
    """A power of two near 1 / sqrt(|W[i, i]|) for each row; 1 where W[i, i] = 0."""
    diagonal = np.abs(np.diagonal(matrix))
    _, exponent = np.frexp(diagonal)
    return np.where(diagonal > 0.0, np.ldexp(1.0, -(exponent // 2)), 1.0)


def scaled(problem: ComplementarityProblem, units: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Matrix, offset and bounds for lambda / units and w * units."""
    return (
        units[:, None] * problem.matrix * units,
        problem.offset * units,
        problem.lower / units,
        problem.upper / units,
    )
