"""How much of each state is in each mode of a linear system."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def participation(matrix: NDArray[np.float64]) -> tuple[np.ndarray, NDArray[np.float64]]:
    """Eigenvalues, and in the column of each the share of every state, free of units."""
    from scipy.linalg import eig

    values, left, right = eig(matrix, left=True)
    shares = np.abs(left * right)
    return values, shares / np.maximum(shares.sum(axis=0), np.finfo(float).tiny)
