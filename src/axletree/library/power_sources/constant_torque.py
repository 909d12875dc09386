"""A torque in proportion to the throttle, at any speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.library.fields import parameter
from axletree.library.power_sources.contract import PowerSource, opened


@dataclass(frozen=True)
class ConstantTorque(PowerSource):
    """A source without a map.

    Example:
    >>> from axletree.library.power_sources.constant_torque import ConstantTorque
    >>> source = ConstantTorque("200 N*m")
    >>> float(source.torque(0.5, 300.0, source.numbers))  # N m at half throttle and 300 rad/s
    100.0
    """

    summary: ClassVar[str] = "a torque in proportion to the throttle, at any speed"

    full_torque: float = parameter("N*m", "torque at full throttle", lower=0.0, above=True)

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        driving: Expr = p["full_torque"] * opened(throttle)
        return driving
