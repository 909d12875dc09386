"""The whole system turned about the vertical: what that does to its states.

A vehicle on a plane does not care where it heads. In a steady turn its states therefore need
not be constant: they may change as they do when everything is turned at the yaw rate w,

    dx/dt = w g(x),

with g(x), the generator, as the rate of the states when the whole is turned by 1 rad/s. A place
is carried along a circle, a velocity that is given along the axes of the ground turns with it, a
heading grows; speeds along the axes of a body, angles of joints and slips stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from axletree.analysis.linear.jacobians import Slopes, SymbolValues, slopes_of
from axletree.core.errors import ExpressionError
from axletree.equations.kinematics import Kinematics
from axletree.expr import Expr, directional_derivative, evaluate, symbol
from axletree.expr.evaluation import Evaluator
from axletree.expr.quantity import Quantity
from axletree.expr.vectors import Vector
from axletree.system.system import System

_SAME = 1e-8  # share of its terms that a difference may have and count as zero
APART = 0.05  # of the values at which the symmetry is tried out, from those given


@dataclass(frozen=True)
class Generator:
    """g(x) and its slopes dg/dx, at a point."""

    field: np.ndarray
    slopes: np.ndarray


class YawSymmetry:
    """The generator of a system with bodies.

    It follows from how the links that the trees attach to the ground are placed: turning moves
    their origins r by k x r and their orientations R by (k x) R, with k upwards, and the
    velocities along with them. This is linear in g and solved in numbers.
    """

    def __init__(self, system: System, up: tuple[float, ...]) -> None:
        assert system.source is not None
        kinematics = system.source.dynamics.kinematics
        index = {q.name: k for k, q in enumerate(system.states)}
        moved = _attached(kinematics)
        self._system = system
        self._where = [index[q.name] for q in moved]
        turned = [symbol(f"turned {q.name}") for q in moved]
        rates = dict(zip((q.symbol for q in moved), turned, strict=True))
        rows = _rows(kinematics, Vector(up), rates)
        self._turned = turned
        self._rows = Evaluator(rows)
        self._by_turned: Slopes = slopes_of(rows, turned)
        self._by_states: Slopes = slopes_of(rows, [q.symbol for q in system.states])

    def generator(self, values: SymbolValues) -> Generator:
        """At values of all symbols of the system."""
        count = len(self._system.states)
        still = {**values, **dict.fromkeys(self._turned, 0.0)}
        J = self._by_turned(still)
        inverse = np.linalg.pinv(J)
        g = -inverse @ np.array(self._rows(still), dtype=float)
        moving = {**values, **dict(zip(self._turned, g.tolist(), strict=True))}
        field, slopes = np.zeros(count), np.zeros((count, count))
        field[self._where] = g
        # J(x) g + b(x) = 0 along all changes of x
        slopes[self._where] = -inverse @ self._by_states(moving)
        return Generator(field, slopes)

    @cached_property
    def _slopes_of_rates(self) -> Slopes:
        symbols = [q.symbol for q in self._system.states]
        return slopes_of(self._system.derivatives, symbols)

    def holds(self, values: SymbolValues) -> bool:
        """Whether the system moves alike wherever it heads: [f, g] = 0 near these values."""
        symbols = [q.symbol for q in self._system.states]
        try:
            apart = {**values, **_apart(symbols, values)}
            found = self.generator(apart)
            rates = np.array(evaluate(self._system.derivatives, apart), dtype=float)
            by_states = self._slopes_of_rates(apart)
            still = {**apart, **dict(zip(self._turned, found.field[self._where], strict=True))}
            off = np.abs(np.array(self._rows(still), dtype=float)).max(initial=0.0)
        except ExpressionError:  # no real value there
            return False
        bracket = by_states @ found.field - found.slopes @ rates
        terms = np.abs(by_states) @ np.abs(found.field) + np.abs(found.slopes) @ np.abs(rates)
        return bool(off < _SAME and (np.abs(bracket) <= _SAME * np.maximum(terms, 1.0)).all())


def yaw_symmetry(
    system: System, values: SymbolValues, settled: Sequence[int]
) -> YawSymmetry | None:
    """The symmetry, where a system moves alike wherever it heads and ``settled`` states see it.

    Where turning the system moves none of these states, they are constant in a turn, and there
    is nothing to take into account.
    """
    source = system.source
    if source is None or not source.has_bodies:
        return None
    symmetry = symmetry_of(system, values)
    apart = {**values, **_apart([q.symbol for q in system.states], values)}
    if not np.abs(symmetry.generator(apart).field[list(settled)]).max(initial=0.0) > _SAME:
        return None
    return symmetry if symmetry.holds(values) else None


def symmetry_of(system: System, values: SymbolValues) -> YawSymmetry:
    """What turning about the vertical would do, whether the system minds it or not."""
    assert system.source is not None
    gravity = evaluate(list(system.source.dynamics.kinematics.gravity), values)
    weight = float(np.linalg.norm(gravity))
    up = tuple(-g / weight for g in gravity) if weight else (0.0, 0.0, 1.0)
    return _symmetry(system, up)


_symmetry = lru_cache(maxsize=8)(YawSymmetry)


def _apart(symbols: list[Expr], values: SymbolValues) -> dict[Expr, float]:
    """The values, each moved by another amount, so that nothing cancels by chance."""
    return {
        s: values[s] + APART * (1.0 + abs(values[s])) * float(np.sin(1.0 + 2.0 * k))
        for k, s in enumerate(symbols)
    }


def _attached(kinematics: Kinematics) -> list[Quantity]:
    """Coordinates and speeds of the branches that begin at the ground."""
    links = kinematics.links
    first = [c for c in (*links.translations, *links.rotations) if c.parent == 0]
    return [q for c in first for q in (*c.coordinates, *c.speeds)]


def _rows(kinematics: Kinematics, up: Vector, rates: dict[Expr, Expr]) -> list[Expr]:
    """What is zero for the generator ``rates``: how vectors change, less up x vector."""
    links, rows = kinematics.links, []
    vectors: list[Vector] = []
    for c in links.rotations:
        if c.parent == 0:
            R = kinematics.rotation(0, c.child)
            vectors += [*R.T, R @ kinematics.angular_velocity[c.child]]
            if len(c.coordinates) > len(c.speeds):  # the length of a quaternion is kept
                symbols = [q.symbol for q in c.coordinates]
                rows.append(sum((q * rates[q] for q in symbols), start=symbols[0] * 0.0))
    for c in links.translations:
        if c.parent == 0:
            axes = kinematics.rotation(0, kinematics.linear_axes[c.child])
            vectors += [kinematics.origin_in(0, c.child), axes @ kinematics.velocity[c.child]]
    for vector in vectors:
        changes = directional_derivative(list(vector), rates)
        rows += [a - b for a, b in zip(changes, up.cross(vector), strict=True)]
    return rows
