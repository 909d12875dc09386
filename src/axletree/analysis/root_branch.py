"""Roots that depend on a parameter: a branch of them is followed, round its turning points, too.

Equations f(y) = 0 with one more unknown than they determine; the parameter is the last. From
each point a step goes along the tangent, and Newton's method brings it back to the branch across
the tangent: pseudo-arclength continuation (Keller, in: Applications of Bifurcation Theory, 1977).
The equations may be more than their unknowns, and may leave some of these open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from axletree.analysis.newton import Function, Linear, Root, Vector, find_root
from axletree.core.errors import ExpressionError

FIRST_STEP = 0.05  # lengths are in unknowns beside their sizes, |y| + 1
LONGEST_STEP = 0.5
SHORTEST_STEP = 1e-6
STRAIGHT = 0.9  # cosine of the angle between tangents at the ends of a step, or more
NEARLY_STRAIGHT = 0.98
GROWTH = 2.0  # of the step where the branch is nearly straight


@dataclass(frozen=True)
class BranchPoint:
    """A root, and where the branch goes on."""

    unknowns: Vector
    tangent: Vector  # of the unknowns, of length 1 beside their sizes
    sizes: Vector  # of the equations, for Newton's method

    @property
    def parameter(self) -> float:
        return float(self.unknowns[-1])


def follow(
    function: Function, slopes: Callable[[Vector], Vector], root: Root, direction: float
) -> Iterator[BranchPoint]:
    """Points of the branch from a root on, which is the first of them.

    ``slopes`` gives d function / d unknowns, dense. ``direction`` is the sign in which the
    parameter changes first. It ends where even the shortest step leads to no further root.
    """
    ahead = np.zeros(len(root.unknowns))
    ahead[-1] = np.sign(direction)
    point = _point(root, slopes, ahead)
    length = FIRST_STEP
    yield point
    while length >= SHORTEST_STEP:
        following = _next(function, slopes, point, length)
        cosine = -1.0 if following is None else _cosine(point, following)
        if following is None or cosine < STRAIGHT:
            length *= 0.5
            continue
        if cosine > NEARLY_STRAIGHT:
            length = min(GROWTH * length, LONGEST_STEP)
        point = following
        yield point


def _next(
    function: Function, slopes: Callable[[Vector], Vector], point: BranchPoint, length: float
) -> BranchPoint | None:
    predicted = point.unknowns + length * point.tangent
    across = point.tangent / (np.abs(point.unknowns) + 1.0) ** 2

    def with_step(y: Vector) -> Vector:
        return np.append(function(y), across @ (y - predicted))

    try:
        found = find_root(with_step, lambda y: np.vstack([slopes(y), across]), predicted)
    except ExpressionError:  # no real value there
        return None
    if not found.converged:
        return None
    sizes = np.maximum(found.sizes[:-1], point.sizes)
    return _point(replace(found, sizes=sizes), slopes, point.tangent)


def _point(root: Root, slopes: Callable[[Vector], Vector], ahead: Vector) -> BranchPoint:
    """The tangent is that change, of all that keep the equations, which is most like ``ahead``."""
    y = root.unknowns
    scale = np.abs(y) + 1.0
    open_directions = Linear(slopes(y), y, root.sizes).open_directions(least=1)
    basis, _ = np.linalg.qr((open_directions / scale).T)
    along = basis @ (basis.T @ (ahead / scale))
    return BranchPoint(y, along / np.linalg.norm(along) * scale, root.sizes)


def _cosine(point: BranchPoint, following: BranchPoint) -> float:
    """Of the greater of two angles: from tangent to tangent, and from tangent to chord."""
    scale = np.abs(point.unknowns) + 1.0
    tangent, chord = point.tangent / scale, (following.unknowns - point.unknowns) / scale
    turned = following.tangent / (np.abs(following.unknowns) + 1.0)
    return float(min(tangent @ turned, tangent @ chord / np.linalg.norm(chord)))
