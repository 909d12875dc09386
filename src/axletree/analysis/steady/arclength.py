"""A curve of solutions, followed by its length: pseudo-arclength continuation.

Equations f(z) = 0 with one more unknown than they determine, whose last is the value that is
followed. A step goes along the tangent, and the corrector comes back at right angles to it, so
the curve may turn back in that value: at a fold (Keller, in: Applications of Bifurcation Theory,
1977). The equations may be more than their unknowns, and may leave some of these open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from axletree.analysis.steady.newton import (
    DEPENDENT,
    Function,
    LinearEquations,
    Root,
    find_root,
    row_sizes,
)
from axletree.core.arrays import FloatArray
from axletree.core.errors import ExpressionError

LEAST_SCALE = 0.03  # of an unknown, beside a change of 1 in those that equations depend on most
STRAIGHT = 0.9  # cosine of the greatest turn in a step
NEARLY_STRAIGHT = 0.98  # from which on the next step is longer
GROWTH = 1.5  # of the step there
SHORTEST = 1e-5  # share of the longest step
FIRST, _LONGEST = 0.05, 0.5  # steps on the way to a value, whose length is 1 or a few
CORNERS = (1e-2, 1e-3, 1e-4)  # shares of the longest step, after a corner
_MOST_STEPS = 300  # on the way to a value
FOLD_STEPS = 3  # to a fold that ends the way to a value; it is told to some four digits


@dataclass(frozen=True)
class CurvePoint:
    """A solution on the curve, unknowns and the value that is followed, with what it leads to.

    Lengths are those of unknowns divided by ``scales``, which grow along the curve with what
    the unknowns have been.
    """

    z: FloatArray
    scales: FloatArray
    tangent: FloatArray  # dz, of length 1
    slopes: FloatArray  # of the equations by z
    sizes: FloatArray  # of the equations: the greatest slopes on the way
    residual: float  # the greatest of what should vanish

    @property
    def value(self) -> float:
        """Of what is followed."""
        return float(self.z[-1])

    def cosine(self, other: CurvePoint) -> float:
        """Of the greater of two angles: to the tangent of another point, and to the chord."""
        tangent = self.tangent / self.scales
        turned, chord = other.tangent / self.scales, (other.z - self.z) / self.scales
        length = np.linalg.norm(chord) or 1.0
        return float(min(tangent @ turned / np.linalg.norm(turned), tangent @ chord / length))


@dataclass(frozen=True)
class CurveStep:
    """From one point of a curve to the next."""

    point: CurvePoint
    length: float
    following: float  # length that the next step may have


class SolutionCurve:
    """The solutions of one set of equations, with one value free."""

    def __init__(
        self,
        residual: Function,
        slopes: Callable[[FloatArray], FloatArray],
        start: FloatArray,
        span: float,
        least: float = 0.0,
    ) -> None:
        """Both functions are of z, the value that is followed last; slopes are dense.

        ``start`` is a solution. ``span`` is how far the value may go, with the sign in which it
        changes first. Equations whose slopes are below ``least`` weigh the less the smaller
        these are.
        """
        self._residual, self._slopes, self._least = residual, slopes, least
        scales = np.maximum(np.abs(start), self._least_scales(slopes(start)))
        scales[-1] = abs(span)
        forward = np.zeros(len(scales))
        forward[-1] = span
        found = self._at(start[:-1], float(start[-1]))
        z, none = np.append(found.unknowns, start[-1]), np.zeros(len(found.sizes))
        point = self._point(found, z, scales, forward, none)
        by_value = np.abs(point.tangent * span / (point.tangent[-1] or np.inf))
        self.first = self._point(found, z, np.maximum(scales, by_value), forward, none)

    def advance(self, at: CurvePoint, length: float, longest: float) -> CurveStep | None:
        """A step of this length, or of a shorter one after which the curve has turned little.

        None where even the shortest leads to no solution.
        """
        while length >= SHORTEST * longest:
            found = self.step(at, length)
            cosine = -1.0 if found is None else at.cosine(found)
            if found is not None and cosine >= STRAIGHT:
                grown = min(GROWTH * length, longest) if cosine > NEARLY_STRAIGHT else length
                return CurveStep(found, length, grown)
            length *= 0.5
        return None

    def sense(self, point: CurvePoint) -> float:
        """The sign of the determinant of slopes and tangent; 0 where these are not square.

        It stays along a curve, also where slopes jump (Allgower and Georg, Introduction to
        Numerical Continuation Methods, 2003, chapter 2), but not where another curve branches off.
        """
        rows = np.vstack([point.slopes * point.scales, point.tangent / point.scales])
        sizes = np.abs(rows).max(axis=1, keepdims=True)
        if rows.shape[0] != rows.shape[1] or not sizes.all():
            return 0.0
        return float(np.linalg.slogdet(rows / sizes)[0])

    def around(self, at: CurvePoint, longest: float, sense: float) -> CurveStep | None:
        """A step on beyond a corner just ahead, where slopes of the equations jump.

        Beyond it the curve goes along what the slopes there leave open, in the direction that
        has the same ``sense`` as the curve before. None where no solution is found there.
        """
        near = at.z + 2.0 * SHORTEST * longest * at.tangent
        try:
            slopes = self._slopes(near)
        except ExpressionError:
            return None
        linear = LinearEquations(slopes, near, row_sizes(slopes, at.sizes))
        beyond = linear.open_directions(least=1)[0]
        turned = replace(at, tangent=beyond / np.linalg.norm(beyond / at.scales), slopes=slopes)
        own = self.sense(turned)
        along = turned.tangent @ (at.tangent / at.scales**2) > 0.0
        ahead = own == sense if own and sense else along
        turned = turned if ahead else replace(turned, tangent=-turned.tangent)
        for share in CORNERS:
            found = self.step(turned, share * longest)
            if found is not None and turned.cosine(found) >= STRAIGHT:
                return CurveStep(found, share * longest, share * longest)
        return None

    def reach(self, goal: float) -> tuple[FloatArray | None, CurvePoint]:
        """The unknowns at a value ahead, and the last point on the way.

        None where the curve turns back before, near that last point, or ends there.
        """
        at, length = self.first, FIRST
        ahead = np.sign(at.tangent[-1])
        for _ in range(_MOST_STEPS):
            step = self.advance(at, length, _LONGEST)
            if step is None:
                break
            to, fro = step.point.value - goal, at.value - goal
            if to * ahead >= 0.0:
                between = at.z + fro / (fro - to) * (step.point.z - at.z)
                return between[:-1], at
            if step.point.tangent[-1] * ahead <= 0.0:
                return None, self._fold(at, step)
            at, length = step.point, step.following
        return None, at

    def _fold(self, at: CurvePoint, step: CurveStep) -> CurvePoint:
        """Between both ends of a step, about where the curve turns back: by false position."""
        ends = [(0.0, at), (step.length, step.point)]
        for _ in range(FOLD_STEPS):
            (low, before), (high, after) = ends
            share = before.tangent[-1] / (before.tangent[-1] - after.tangent[-1])
            found = self.step(at, low + share * (high - low))
            if found is None:
                break
            turned = int(found.tangent[-1] * at.tangent[-1] <= 0.0)
            ends[turned] = low + share * (high - low), found
        return max((point for _, point in ends), key=lambda p: p.value * np.sign(at.tangent[-1]))

    def step(self, point: CurvePoint, length: float) -> CurvePoint | None:
        """The point after a step along the tangent; None where none was found nearby."""
        ahead = point.z + length * point.tangent
        normal = point.tangent / point.scales**2

        def residual(z: FloatArray) -> FloatArray:
            return np.append(self._residual(z), normal @ (z - ahead))

        def slopes(z: FloatArray) -> FloatArray:
            return np.vstack([self._slopes(z), normal])

        try:
            found = find_root(residual, slopes, ahead, self._least)
            return self._followed(found, found.unknowns, point)
        except ExpressionError:  # no real value there
            return None

    def within(self, at: CurvePoint, step: CurveStep) -> Callable[[float], CurvePoint]:
        """The points of a step by their length, each found once.

        An ``ArithmeticError`` says that there is none.
        """
        known = {0.0: at, step.length: step.point}

        def point(length: float) -> CurvePoint:
            if length not in known:
                found = self.step(at, length)
                if found is None:
                    raise ArithmeticError
                known[length] = found
            return known[length]

        return point

    def zero_within(
        self, at: CurvePoint, step: CurveStep, test: Callable[[CurvePoint], float]
    ) -> tuple[float, CurvePoint]:
        """The length at which a test function vanishes within a step, by Brent's method."""
        from scipy.optimize import brentq

        point = self.within(at, step)
        length = float(brentq(lambda s: test(point(s)), 0.0, step.length, xtol=1e-14, rtol=1e-13))
        return length, point(length)

    def at_value(self, near: CurvePoint, value: float) -> CurvePoint | None:
        """The point of a given value near another one."""
        lead = near.tangent / near.tangent[-1] if near.tangent[-1] else 0.0 * near.tangent
        try:
            found = self._at((near.z + (value - near.value) * lead)[:-1], value)
            return self._followed(found, np.append(found.unknowns, value), near)
        except ExpressionError:
            return None

    def _at(self, guess: FloatArray, value: float) -> Root:
        return find_root(
            lambda y: self._residual(np.append(y, value)),
            lambda y: self._slopes(np.append(y, value))[:, :-1],
            guess,
            self._least,
        )

    def _followed(self, found: Root, z: FloatArray, before: CurvePoint) -> CurvePoint | None:
        if not found.converged:
            return None
        scales = np.maximum(before.scales, np.abs(z))
        scales[-1] = before.scales[-1]
        return self._point(found, z, scales, before.tangent, before.sizes)

    def _point(
        self, found: Root, z: FloatArray, scales: FloatArray, forward: FloatArray, sizes: FloatArray
    ) -> CurvePoint:
        """With the direction nearest to ``forward`` that keeps the equations satisfied."""
        slopes = self._slopes(z)
        sizes = row_sizes(slopes, np.maximum(sizes, found.sizes[: len(sizes)]))
        kept = LinearEquations(slopes, z, sizes).open_directions(least=1) / scales
        basis, _ = np.linalg.qr(kept.T)
        along = basis @ (basis.T @ (forward / scales))
        size = float(np.linalg.norm(along))
        if size <= DEPENDENT:
            along, size = forward / scales, float(np.linalg.norm(forward / scales))
        residual = float(np.abs(found.residual).max(initial=0.0))
        return CurvePoint(z, scales, along / size * scales, slopes, sizes, residual)

    def _least_scales(self, slopes: FloatArray) -> FloatArray:
        """Of unknowns that are 0 at first: a torque may change by more than a slip it causes."""
        sizes = row_sizes(slopes, np.full(len(slopes), self._least))
        shares = np.abs(slopes / sizes[:, None]).max(axis=0, initial=0.0)
        return np.asarray(LEAST_SCALE / np.where(shares > DEPENDENT, shares, 1.0))
