"""A curve of solutions, followed by its length: pseudo-arclength continuation (Keller 1977).

A step goes along the tangent, and the corrector comes back at right angles to it. The value that
is followed is one of the unknowns, so the curve may turn back in it: at a fold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axletree.analysis.newton import DEPENDENT, Root, find_root
from axletree.analysis.steady_equations import LEAST_SLOPE, SteadyEquations, SteadyPoint
from axletree.core.errors import ExpressionError

LEAST_SCALE = 0.03  # of an unknown, beside a change of 1 in those that equations depend on most


@dataclass(frozen=True)
class CurvePoint:
    """A solution on the curve, unknowns and the value that is followed, with what it leads to.

    Lengths are those of unknowns divided by ``scales``, which grow along the curve with what
    the unknowns have been.
    """

    z: np.ndarray
    scales: np.ndarray
    tangent: np.ndarray  # dz, of length 1
    slopes: np.ndarray  # of the equations by z
    solution: Root

    @property
    def value(self) -> float:
        """Of what is followed."""
        return float(self.z[-1])

    def cosine(self, other: CurvePoint) -> float:
        """Of the angle to the tangent of another point."""
        turned = other.tangent / self.scales
        return float(self.tangent / self.scales @ turned / np.linalg.norm(turned))


class Curve:
    """The steady motions of one set of equations, with one value free."""

    def __init__(self, equations: SteadyEquations, around: SteadyPoint, span: float) -> None:
        """``around`` solves the equations; ``span`` is how far the value may go, with its sign."""
        self.equations, self.around = equations, around
        assert equations.along is not None
        value = equations.values(around)[equations.along]
        first = np.append(equations.unknowns(around), value)
        scales = np.maximum(np.abs(first), _least_scales(equations.slopes(first, around)))
        scales[-1] = abs(span)
        forward = np.zeros(len(scales))
        forward[-1] = span
        found = self._at(equations.unknowns(around), value)
        point = self._point(found, np.append(found.unknowns, value), scales, forward)
        by_value = np.abs(point.tangent * span / (point.tangent[-1] or np.inf))
        self.first = self._point(found, point.z, np.maximum(scales, by_value), forward)

    def step(self, point: CurvePoint, length: float) -> CurvePoint | None:
        """The point after a step along the tangent; None where none was found nearby."""
        ahead = point.z + length * point.tangent
        normal = point.tangent / point.scales**2

        def residual(z: np.ndarray) -> np.ndarray:
            return np.append(self.equations.residual(z, self.around), normal @ (z - ahead))

        def slopes(z: np.ndarray) -> np.ndarray:
            return np.vstack([self.equations.slopes(z, self.around), normal])

        try:
            found = find_root(residual, slopes, ahead, LEAST_SLOPE)
            return self._followed(found, found.unknowns, point)
        except ExpressionError:  # no real value there
            return None

    def at_value(self, near: CurvePoint, value: float) -> CurvePoint | None:
        """The point of a given value near another one."""
        lead = near.tangent / near.tangent[-1] if near.tangent[-1] else 0.0 * near.tangent
        try:
            found = self._at((near.z + (value - near.value) * lead)[:-1], value)
            return self._followed(found, np.append(found.unknowns, value), near)
        except ExpressionError:
            return None

    def _at(self, guess: np.ndarray, value: float) -> Root:
        return find_root(
            lambda y: self.equations.residual(np.append(y, value), self.around),
            lambda y: self.equations.slopes(np.append(y, value), self.around)[:, :-1],
            guess,
            LEAST_SLOPE,
        )

    def _followed(self, found: Root, z: np.ndarray, before: CurvePoint) -> CurvePoint | None:
        if not found.converged:
            return None
        scales = np.maximum(before.scales, np.abs(z))
        scales[-1] = before.scales[-1]
        return self._point(found, z, scales, before.tangent)

    def _point(
        self, found: Root, z: np.ndarray, scales: np.ndarray, forward: np.ndarray
    ) -> CurvePoint:
        """With the direction nearest to ``forward`` that keeps the equations satisfied."""
        slopes = self.equations.slopes(z, self.around)
        _, sizes, Vt = np.linalg.svd(_scaled(slopes, scales))
        rank = int((sizes > DEPENDENT * sizes.max(initial=0.0)).sum())
        null = Vt[min(rank, len(Vt) - 1) :]
        along = null.T @ (null @ (forward / scales))
        size = float(np.linalg.norm(along))
        if size <= DEPENDENT:
            along, size = forward / scales, float(np.linalg.norm(forward / scales))
        return CurvePoint(z, scales, along / size * scales, slopes, found)


def _least_scales(slopes: np.ndarray) -> np.ndarray:
    """Of unknowns that are 0 at first: a torque may change by more than a slip that it causes."""
    sizes = np.maximum(np.abs(slopes).max(axis=1, initial=0.0), LEAST_SLOPE)
    shares = np.abs(slopes / sizes[:, None]).max(axis=0, initial=0.0)
    return LEAST_SCALE / np.where(shares > DEPENDENT, shares, 1.0)


def _scaled(slopes: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """By unknowns of one size, and with rows of one size."""
    by_scaled = slopes * scales
    sizes = np.abs(by_scaled).max(axis=1, initial=0.0)
    return np.asarray(by_scaled / np.maximum(sizes, LEAST_SLOPE)[:, None])


class Chart:
    """How a curve looks from one of its points: regular as long as nothing branches off.

    With W a basis of what is normal to the tangent and C the inverse of the slopes J on it, the
    determinant of C J W is 1 there. With J of another point it is 0 where another curve meets
    this one, and negative beyond (Allgower and Georg 1990, section 8.1).
    """

    def __init__(self, point: CurvePoint) -> None:
        self._scales = point.scales
        slopes = point.slopes * point.scales
        self._sizes = np.maximum(np.abs(slopes).max(axis=1, initial=0.0), LEAST_SLOPE)
        _, sizes, Vt = np.linalg.svd(slopes / self._sizes[:, None])
        rank = int((sizes > DEPENDENT * sizes.max(initial=0.0)).sum())
        self._basis = Vt[:rank].T
        self._inverse = np.linalg.pinv(slopes / self._sizes[:, None] @ self._basis)

    def determinant(self, point: CurvePoint) -> float:
        slopes = point.slopes * self._scales / self._sizes[:, None]
        return float(np.linalg.det(self._inverse @ slopes @ self._basis))
