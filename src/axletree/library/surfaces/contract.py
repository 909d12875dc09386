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
    """A shape of the ground, and how slippery it is where.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.library.fields import parameter
    >>> from axletree.library.surfaces.contract import Surface
    >>> @dataclass(frozen=True)
    ... class Bowl(Surface):
    ...     radius: float = parameter("m", "radius of curvature at its bottom", lower=1.0)
    ...
    ...     def height(self, x, y, p):
    ...         return (x * x + y * y) / (2.0 * p["radius"])
    ...
    ...     @property
    ...     def least_radius(self):
    ...         return self.radius
    >>> bowl = Bowl(radius="40 m")
    >>> [float(slope) for slope in bowl.slopes(2.0, -1.0, bowl.numbers)]  # x / 40, y / 40
    [0.05, -0.025]
    """

    friction_map: FrictionMap = part(
        "FRICTION_MAPS", "how friction differs from place to place", default=NoFrictionMap
    )

    @abstractmethod
    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        """z [m] at x, y [m].

        Example:
        >>> import axletree as at
        >>> hill = at.Hill(rise=2.0, radius=10.0)  # m
        >>> [round(hill.height(x, 0.0, hill.numbers), 4) for x in (0.0, 5.0, 10.0)]  # m
        [2.0, 0.8438, 0.0]
        """

    def slopes(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        """dz/dx and dz/dy [1] at x, y [m].

        Example:
        >>> import axletree as at
        >>> ramp = at.Ramp(rise=1.0, length=10.0, edge=1.0, heading="90 deg")  # m, to the left
        >>> [round(float(slope), 4) for slope in ramp.slopes(0.0, 5.0, ramp.numbers)]
        [0.0, 0.1111]
        """
        entries = jacobian([as_expr(self.height(*PLACE, p))], PLACE)
        along, across = (entries.get((0, k), number(0.0)) for k in range(2))
        first, second = at_place([along, across], x, y)
        return first, second

    def normal(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value, Value]:
        """The unit vector that points out of the ground at x, y [m], in the axes of the road frame
        (Andres 2009, eq. 5.7).

        Example:
        >>> import axletree as at
        >>> ramp = at.Ramp(rise=3.0, length=5.0, edge=1.0)  # m: up by 3 on 4 between its edges
        >>> x, y, z = ramp.normal(2.5, 0.0, ramp.numbers)
        >>> print(f"{x:.1f} along x, {z:.1f} up")
        -0.6 along x, 0.8 up
        """
        along, across = self.slopes(x, y, p)
        length = sqrt(1.0 + along * along + across * across)
        return -along / length, -across / length, 1.0 / length

    def friction(self, x: Value, y: Value, p: Parameters) -> Value:
        """The factor on friction [1] at x, y [m].

        Example:
        >>> import axletree as at
        >>> road = at.Flat(friction_map=at.SplitFriction(left=0.2, right=1.0))
        >>> [round(float(road.friction(5.0, y, road.numbers)), 3) for y in (1.0, -1.0)]
        [0.2, 1.0]
        """
        return self.friction_map.factor_at(x, y, within(p, "friction_map"))

    @property
    @abstractmethod
    def least_radius(self) -> float:
        """The smallest radius of curvature [m], infinite where the ground is flat."""

    def cautions(self) -> list[str]:
        """What is allowed, but may not be what is meant; a model warns of it.

        Example:
        >>> import axletree as at
        >>> corners, size = ((0.0, 0.1), (0.0, 0.3)), {"length_x": 4.0, "length_y": 4.0}  # m
        >>> ground = at.Bicubic(heights=corners, outside="zero", **size)
        >>> ground.cautions()[0].partition(":")[0]
        'the ground jumps by up to 0.3 m at the border of its grid'
        """
        return []


def at_place(expressions: list[Expr], x: Value, y: Value) -> list[Value]:
    """Formulas in the symbols of ``PLACE``, at x, y [m], in kind."""
    place = dict(zip(PLACE, (x, y), strict=True))
    open_symbols = set(symbols_of(expressions)) - set(PLACE)
    if open_symbols or isinstance(x, Expr) or isinstance(y, Expr):
        return list(substitute(expressions, place))
    return list(evaluate(expressions, place))
