"""L D L' of a part of a symmetric matrix, as rows enter it and leave it.

A row enters at the end by one forward substitution; when one leaves, the rows behind it take a
positive rank-one change, which is stable (Gill, Golub, Murray and Saunders 1974, method C1).
Either costs of the order of the square of the rows held.
"""

from __future__ import annotations

import numpy as np

from axletree.simulation.mlcp.problem import Vector

CLEAR = 1e-4  # relative pivot from which on a row is independent without a closer look


class GrowingFactor:
    """The factor of matrix[rows, rows], which stays positive definite."""

    def __init__(self, matrix: Vector, rank: float) -> None:
        self._matrix = matrix
        self._rank = rank
        self.rows: list[int] = []
        n = matrix.shape[0]
        self._lower = np.zeros((n, n))  # its diagonal of ones is not stored
        self._diagonal = np.zeros(n)

    def append(self, row: int) -> float:
        """Take a row in if it depends on none of those here; its curvature.

        This is z' W z / z' D z along the line z on which the rows here stay stationary, D the
        diagonal of W. (Rounding of a pivot grows with z' D z, so the pivot itself tells less.)
        """
        m = len(self.rows)
        y = self._forward(self._matrix[row, self.rows])
        scaled = y / self._diagonal[:m]
        size = abs(float(self._matrix[row, row]))
        pivot = float(self._matrix[row, row] - y @ scaled)
        if pivot < CLEAR * size:
            z = self._backward(scaled)
            size += float(z * z @ np.diagonal(self._matrix)[self.rows])
        curvature = pivot / size if size > 0.0 else 0.0
        if curvature > self._rank:
            self._lower[m, :m] = scaled
            self._diagonal[m] = pivot
            self.rows.append(row)
        return curvature

    def remove(self, row: int) -> None:
        k = self.rows.index(row)
        m = len(self.rows) - 1
        factor, diagonal = self._lower, self._diagonal
        alpha, v = float(diagonal[k]), factor[k + 1 : m + 1, k].copy()
        factor[k:m, :k] = factor[k + 1 : m + 1, :k]
        factor[k:m, k:m] = factor[k + 1 : m + 1, k + 1 : m + 1]
        diagonal[k:m] = diagonal[k + 1 : m + 1]
        del self.rows[k]
        for j in range(k, m):
            p = float(v[j - k])
            grown = float(diagonal[j]) + alpha * p * p
            beta = p * alpha / grown
            alpha *= float(diagonal[j]) / grown
            diagonal[j] = grown
            v[j - k + 1 :] -= p * factor[j + 1 : m, j]
            factor[j + 1 : m, j] += beta * v[j - k + 1 :]

    def renew(self) -> None:
        """The factor of the same rows from the matrix itself."""
        rows, self.rows = self.rows, []
        for row in rows:
            self.append(row)

    def solve(self, right: Vector) -> Vector:
        """matrix[rows, rows]^-1 right."""
        return self._backward(self._forward(right) / self._diagonal[: len(self.rows)])

    def _forward(self, right: Vector) -> Vector:
        y = np.array(right, dtype=float)
        for k in range(1, len(self.rows)):
            y[k] -= self._lower[k, :k] @ y[:k]
        return y

    def _backward(self, right: Vector) -> Vector:
        y = np.array(right, dtype=float)
        for k in range(len(self.rows) - 1, 0, -1):
            y[:k] -= self._lower[k, :k] * y[k]
        return y
