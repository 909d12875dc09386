"""Roots of nonlinear equations that may be more or fewer than their unknowns.

Newton's method with steps of least norm, damped by the natural monotonicity test (Deuflhard,
Newton Methods for Nonlinear Problems, 2004, section 3.3), which depends on no one's units.
What the equations leave open stays as near to the start as the rest allows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ExpressionError

Function = Callable[[FloatArray], FloatArray]

_MOST_STEPS = 60
SMALLEST_SHARE = 1e-4  # of a full step, below which there is no way on
_MOST = 0.9  # share of a residual that must be beyond reach for equations to contradict
_SMALL = 1e-11  # share of its terms that a residual may have and count as zero
_NOTHING = 1e-7  # share of the greatest slope below which those of an equation may be rounding
ROUNDING = 1e-11  # share of an equation's greatest slope below which one is what rounding leaves
_OPEN = 1e-9  # singular values below this share leave unknowns open, these in their own units
_MOST_RETURNS = 5  # along what is open
DEPENDENT = 1e-10  # singular values below this share of the greatest count as zero
_MOVED = 1e-6  # share of its start by which an unknown has left it for nothing
ACTIVE = 1e-6  # share of an open direction from which on an unknown belongs to it


@dataclass(frozen=True)
class Root:
    """Where the search ended."""

    unknowns: FloatArray
    residual: FloatArray
    converged: bool
    contradictory: bool  # nothing that is free changes what is left of the residual
    open: tuple[int, ...]  # unknowns that the equations leave open
    sizes: FloatArray  # of the equations: the greatest slopes on the way


def find_root(
    function: Function,
    slopes: Callable[[FloatArray], FloatArray],
    start: FloatArray,
    least: float = 0.0,
) -> Root:
    """A root of ``function`` near the start; ``slopes`` gives its Jacobian, dense.

    Equations whose slopes are below ``least`` weigh the less the smaller these are. Unknowns that
    the equations leave open at the root stay at the start: on the way there, where they are not
    quite open yet, a step may have taken them far.
    """
    root = _root_near(function, slopes, start, least)
    for _ in range(_MOST_RETURNS if root.converged else 0):
        back = _drawn_back(root, slopes(root.unknowns), start)
        if (np.abs(back - root.unknowns) <= _MOVED * (np.abs(start) + 1.0)).all():
            break
        nearer = _root_near(function, slopes, back, least)
        if not nearer.converged:
            break
        root = nearer
    return root


def _drawn_back(root: Root, J: FloatArray, start: FloatArray) -> FloatArray:
    """As near to the start as it goes along what the equations leave open."""
    _, sizes, directions = np.linalg.svd(J / row_sizes(J, root.sizes)[:, None])
    open_ones = directions[int((sizes > _OPEN * sizes.max(initial=0.0)).sum()) :]
    found: FloatArray = root.unknowns - open_ones.T @ (open_ones @ (root.unknowns - start))
    return found


def _root_near(
    function: Function,
    slopes: Callable[[FloatArray], FloatArray],
    start: FloatArray,
    least: float,
) -> Root:
    y, residual = start, function(start)
    found: tuple[int, ...] = ()
    sizes = np.full(len(residual), least)
    for _ in range(_MOST_STEPS):
        J = _finite(slopes, y)
        if J is None:
            break
        sizes = row_sizes(J, sizes)
        linear = LinearEquations(J, y, sizes)
        found, step = linear.open(), linear.solve(residual)
        if linear.vanishes(residual):
            last = y - step  # what a step costs little to gain
            better = _finite(function, last)
            if better is not None and _greatest(better) < _greatest(residual):
                y, residual = last, better
            return Root(y, residual, True, False, found, sizes)
        taken = _damped(function, linear, y, step)
        if taken is None or linear.size(step) < _SMALL:
            return Root(y, residual, False, linear.is_beyond_reach(residual), found, sizes)
        y, residual = taken
    return Root(y, residual, False, False, found, sizes)


def _greatest(residual: FloatArray) -> float:
    return float(np.abs(residual).max(initial=0.0))


def row_sizes(J: FloatArray, before: FloatArray) -> FloatArray:
    """The greatest slope of each equation so far; none is nothing beside the greatest of all.

    An equation that is always met has slopes that are what rounding makes of zero.
    """
    found = np.maximum(before, np.abs(J).max(axis=1, initial=0.0))
    least = _NOTHING * found.max(initial=0.0)
    sizes: FloatArray = np.maximum(found, least if least > 0.0 else 1.0)
    return sizes


def _damped(
    function: Function, linear: LinearEquations, y: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """The longest share of the step after which the next one would be shorter."""
    share, length = 1.0, linear.size(step)
    while share >= SMALLEST_SHARE:
        trial = y - share * step
        residual = _finite(function, trial)
        if residual is not None:
            following = linear.size(linear.solve(residual))
            if following <= (1.0 - 0.25 * share) * length:
                return trial, residual
        share *= 0.5
    return None


def _finite(function: Function, y: FloatArray) -> FloatArray | None:
    try:
        values = function(y)
    except ExpressionError:  # no real value there
        return None
    return values if np.isfinite(values).all() else None


class LinearEquations:
    """The equations made linear at a point, rows and columns brought to one size.

    ``sizes`` are those of the rows: the greatest slopes on the way to the point. A row whose
    slopes vanish at the root, such as that of a square, asks for half the step there. Among
    more equations than unknowns it must weigh less the smaller its slopes are; divided by them
    it would keep its weight, and what rounding leaves of it in the end as well.
    """

    def __init__(self, J: FloatArray, y: FloatArray, sizes: FloatArray) -> None:
        self._terms = np.abs(J) @ (np.abs(y) + 1.0)  # what a row adds up
        self._rows = sizes
        scaled = J / self._rows[:, None]
        columns = np.abs(scaled).max(axis=0, initial=0.0)
        felt = columns > ROUNDING  # an unknown that no equation feels stays where it is
        self._columns = np.where(felt, columns, 1.0)
        self._scaled = np.where(felt, scaled, 0.0) / self._columns
        U, s, Vt = np.linalg.svd(self._scaled)
        rank = int((s > DEPENDENT * s[0]).sum()) if len(s) else 0
        self._directions = Vt
        self._rank = rank
        self._inverse = (Vt[:rank].T / s[:rank]) @ U[:, :rank].T
        self._y = np.abs(y) + 1.0

    def solve(self, residual: FloatArray) -> FloatArray:
        found: FloatArray = self._inverse @ (residual / self._rows) / self._columns
        return found

    def size(self, step: FloatArray) -> float:
        """Of a step, beside the unknowns themselves."""
        return float(np.abs(step / self._y).max(initial=0.0))

    def vanishes(self, residual: FloatArray) -> bool:
        return bool((np.abs(residual) <= _SMALL * np.maximum(self._terms, 1.0)).all())

    def is_beyond_reach(self, residual: FloatArray) -> bool:
        """Whether most of it stays whatever the unknowns do."""
        scaled = residual / self._rows
        left = scaled - self._scaled @ (self._inverse @ scaled)
        return bool(np.linalg.norm(left) > _MOST * np.linalg.norm(scaled))

    def open(self) -> tuple[int, ...]:
        shares = np.abs(self.open_directions()).max(axis=0, initial=0.0)
        return tuple(int(k) for k in np.flatnonzero(shares > ACTIVE * shares.max(initial=0.0)))

    def open_directions(self, least: int = 0) -> FloatArray:
        """Changes of the unknowns, in rows, that change no equation.

        Where there are fewer than ``least``, those are added that change the equations least.
        """
        first = min(self._rank, len(self._columns) - least)
        directions: FloatArray = self._directions[first:] / self._columns
        return directions
