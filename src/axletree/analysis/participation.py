"""How much of each state is in each mode of a linear system."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DEFECTIVE = 1e-12  # of left times right eigenvector, both of length one


def participation(matrix: NDArray[np.float64]) -> tuple[np.ndarray, NDArray[np.float64]]:
    """Eigenvalues, and in the column of each the share of every state, free of units.

    Where modes coincide in value and direction, as those of a place and its speed do, left
    and right eigenvectors are normal to one another; then it is the share in the direction.
    """
    from scipy.linalg import eig

    values, left, right = eig(matrix, left=True)
    shares = np.abs(left * right)
    defective = shares.sum(axis=0) < DEFECTIVE
    shares[:, defective] = np.abs(right[:, defective]) ** 2
    return values, shares / shares.sum(axis=0)
