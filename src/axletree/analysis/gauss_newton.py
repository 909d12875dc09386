"""Points of a family of solutions, from one nearby: Newton's method with steps of least change.

There may be more equations than unknowns, as of a vehicle whose constraints are satisfied and
differentiated, and some of them may say nothing at all: the rate of a speed that nothing changes
is what rounding makes of zero, and so are its slopes. Rows are therefore brought to one size only
down to a least one, so that rounding errors of such rows weigh nothing beside the others.
``newton`` is for starts that are far off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from axletree.core.errors import ExpressionError

Vector = np.ndarray
Function = Callable[[Vector], Vector]

MOST_STEPS = 40
LEAST_SLOPE = 1e-3  # of a row, SI, below which rows weigh less
DEPENDENT = 1e-10  # singular values below this share of the greatest count as zero
SMALL = 1e-11  # share of its terms that a residual may have and count as zero
SMALLEST_SHARE = 1.0 / 256.0  # of a full step
ACTIVE = 1e-6  # share of an open direction from which on an unknown belongs to it
BEYOND = 0.9  # share of a residual that must be out of reach for equations to contradict


@dataclass(frozen=True)
class Solution:
    """Where the search ended."""

    unknowns: Vector
    residual: Vector
    converged: bool
    contradictory: bool  # nothing that is free changes what is left of the residual
    open: tuple[int, ...]  # unknowns that the equations leave open
    steps: int


def solve_near(function: Function, slopes: Function, start: Vector) -> Solution:
    """A root of ``function`` near the start; ``slopes`` gives its Jacobian, dense."""
    y, residual = start, _finite(function, start)
    if residual is None:
        return Solution(start, np.full(1, np.inf), False, False, (), 0)
    sizes = np.full(len(residual), LEAST_SLOPE)
    open_ones: tuple[int, ...] = ()
    beyond = False
    for count in range(MOST_STEPS):
        J = _finite(slopes, y)
        if J is None:
            break
        sizes = np.maximum(sizes, np.abs(J).max(axis=1, initial=0.0))
        linear = ScaledSlopes(J, sizes)
        open_ones, step = linear.open(), linear.solve(residual)
        if (np.abs(residual) <= SMALL * np.maximum(np.abs(J) @ (np.abs(y) + 1.0), 1.0)).all():
            last = _finite(function, y - step)  # what a step costs little to gain
            if last is not None and _largest(last) < _largest(residual):
                y, residual = y - step, last
            return Solution(y, residual, True, False, open_ones, count)
        taken = _damped(function, linear, y, step)
        beyond = linear.is_beyond_reach(residual)
        if taken is None:
            break
        y, residual = taken
    return Solution(y, residual, False, beyond, open_ones, MOST_STEPS)


class ScaledSlopes:
    """A Jacobian with rows and columns brought to one size, and what follows from its rank."""

    def __init__(self, J: Vector, sizes: Vector) -> None:
        self.rows = sizes
        scaled = J / sizes[:, None]
        columns = np.abs(scaled).max(axis=0, initial=0.0)
        self.columns = np.where(columns > 0.0, columns, 1.0)
        self.matrix = scaled / self.columns
        U, s, Vt = np.linalg.svd(self.matrix)
        rank = int((s > DEPENDENT * s[0]).sum()) if len(s) else 0
        self.null = Vt[rank:]  # rows: what changes nothing, in scaled unknowns
        self._inverse = (Vt[:rank].T / s[:rank]) @ U[:, :rank].T

    def solve(self, residual: Vector) -> Vector:
        found: Vector = self._inverse @ (residual / self.rows) / self.columns
        return found

    def is_beyond_reach(self, residual: Vector) -> bool:
        """Whether most of it stays whatever the unknowns do."""
        scaled = residual / self.rows
        left = scaled - self.matrix @ (self._inverse @ scaled)
        return bool(np.linalg.norm(left) > BEYOND * np.linalg.norm(scaled))

    def open(self) -> tuple[int, ...]:
        shares = np.abs(self.null / self.columns).max(axis=0, initial=0.0)
        return tuple(int(k) for k in np.flatnonzero(shares > ACTIVE * shares.max(initial=0.0)))


def _damped(
    function: Function, linear: ScaledSlopes, y: Vector, step: Vector
) -> tuple[Vector, Vector] | None:
    """The longest share of the step after which the next one would be shorter.

    The natural monotonicity test of Deuflhard 2004, section 3.3; steps that rounding alone
    makes are taken as they are.
    """
    share, length = 1.0, _size(step, y)
    while share >= SMALLEST_SHARE:
        trial = y - share * step
        residual = _finite(function, trial)
        if residual is not None:
            following = _size(linear.solve(residual), y)
            if following <= (1.0 - 0.25 * share) * length or following < SMALL:
                return trial, residual
        share *= 0.5
    return None


def _size(step: Vector, y: Vector) -> float:
    return float(np.abs(step / (np.abs(y) + 1.0)).max(initial=0.0))


def _largest(residual: Vector) -> float:
    return float(np.abs(residual).max(initial=0.0))


def _finite(function: Function, y: Vector) -> Vector | None:
    try:
        values = function(y)
    except ExpressionError:  # no real value there
        return None
    return values if np.isfinite(values).all() else None
