"""One factor on friction everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.friction_maps.contract import FrictionMap, Parameters, Value


@dataclass(frozen=True)
class UniformFriction(FrictionMap):
    """Wet, icy or sticky ground.

    Example:
    >>> import axletree as at
    >>> wet = at.Flat(friction_map=at.UniformFriction(factor=0.6))
    >>> wet.friction(5.0, 0.0, wet.numbers)
    0.6
    """

    summary: ClassVar[str] = "one factor everywhere: wet or icy ground"

    factor: float = parameter("1", "factor on friction", lower=0.0)

    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        return p["factor"]
