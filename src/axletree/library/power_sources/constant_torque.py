"""A torque in proportion to the throttle, at any speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.library.fields import parameter
from axletree.library.power_sources.contract import PowerSource, opened


@dataclass(frozen=True)
class ConstantTorque(PowerSource):
    """A source without a map."""

    summary: ClassVar[str] = "a torque in proportion to the throttle, at any speed"

    full_torque: float = parameter("N*m", "torque at full throttle", lower=0.0, above=True)

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        driving: Expr = p["full_torque"] * opened(throttle)
        return driving
