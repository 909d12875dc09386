"""One factor on friction everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.friction_maps.contract import FrictionMap, Parameters, Value


@dataclass(frozen=True)
class UniformFriction(FrictionMap):
    """Wet, icy or sticky ground."""

    summary: ClassVar[str] = "one factor everywhere: wet or icy ground"

    factor: float = parameter("1", "factor on friction", lower=0.0)

    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        return p["factor"]
