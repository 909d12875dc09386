"""The contract of surfaces: height, slopes and friction of the ground at a place.

1. A surface is a frozen dataclass whose fields come from ``library.fields``; x, y and the
   height z are in the axes of the tyre's road frame, z up [m].
2. ``height(x, y, p)`` is written once with the functions of ``core.expr``: it answers in kind
   to floats, arrays and expressions. ``p`` holds the parameters by name: the numbers of the
   surface, or symbols that stand for them.
3. The height is continuous and has continuous slopes wherever the surface does not say
   otherwise. It is finite everywhere: a wheel may leave the road.
4. ``slopes`` are the exact derivatives of the height, and ``normal`` follows from them.
   Whoever defines them otherwise, for speed, tests one against the other.
5. ``least_radius`` bounds the radius of curvature from below. A wheel that meets the ground
   at one point needs a tyre that is well smaller than that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axletree.core.expr import (
    Expr,
    as_expr,
    evaluate,
    jacobian,
    number,
    sqrt,
    substitute,
    symbol,
    symbols_of,
)
from axletree.library.friction_maps.contract import FrictionMap
from axletree.library.friction_maps.none import NoFrictionMap
from axletree.library.part import Part, part, within

Value = Any  # float, numpy.ndarray or Expr
Parameters = Mapping[str, Value]

PLACE = (symbol("surface.x"), symbol("surface.y"))  # the place that formulas are derived at


@dataclass(frozen=True, kw_only=True)
class Surface(Part, ABC):
    """A shape of the ground, and how slippery it is where."""

    friction_map: FrictionMap = part(
        "FRICTION_MAPS", "how friction differs from place to place", default=NoFrictionMap
    )

    @abstractmethod
    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        """z [m] at x, y [m]."""

    def slopes(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        """dz/dx and dz/dy [1] at x, y [m]."""
        entries = jacobian([as_expr(self.height(*PLACE, p))], PLACE)
        along, across = (entries.get((0, k), number(0.0)) for k in range(2))
        first, second = at_place([along, across], x, y)
        return first, second

    def normal(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value, Value]:
        """The unit vector that points out of the ground at x, y [m] (Andres 2009, eq. 5.7)."""
        along, across = self.slopes(x, y, p)
        length = sqrt(1.0 + along * along + across * across)
        return -along / length, -across / length, 1.0 / length

    def friction(self, x: Value, y: Value, p: Parameters) -> Value:
        """The factor on friction [1] at x, y [m]."""
        return self.friction_map.factor_at(x, y, within(p, "friction_map"))

    @property
    @abstractmethod
    def least_radius(self) -> float:
        """The smallest radius of curvature [m], infinite where the ground is flat."""

    def cautions(self) -> list[str]:
        """What is allowed, but may not be what is meant; a model warns of it."""
        return []


def at_place(expressions: list[Expr], x: Value, y: Value) -> list[Value]:
    """Formulas in the symbols of ``PLACE``, at x, y [m], in kind."""
    place = dict(zip(PLACE, (x, y), strict=True))
    open_symbols = set(symbols_of(expressions)) - set(PLACE)
    if open_symbols or isinstance(x, Expr) or isinstance(y, Expr):
        return list(substitute(expressions, place))
    return list(evaluate(expressions, place))
