"""The rank of matrices of constraints, as numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RANK_TOLERANCE = 1e-8


def pivots(matrix: np.ndarray) -> list[int]:
    """Columns that span the matrix, the most independent first."""
    from scipy.linalg import qr

    if not matrix.size:
        return []
    _, R, order = qr(matrix, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    # Directions have length one: where all are far smaller, rounding is all there is.
    least = RANK_TOLERANCE * max(1.0, float(diagonal[0]))
    return [int(k) for k, size in zip(order, diagonal, strict=False) if size > least]


def exchangeable(matrix: np.ndarray, independent: Sequence[int]) -> list[int]:
    """Rows that are sums of others, whichever of them are called ``independent``."""
    redundant = [i for i in range(len(matrix)) if i not in set(independent)]
    shares, *_ = np.linalg.lstsq(matrix[list(independent)].T, matrix[redundant].T, rcond=None)
    involved = np.abs(shares).max(axis=1, initial=0.0) > RANK_TOLERANCE
    return [*redundant, *(i for i, taken in zip(independent, involved, strict=True) if taken)]
