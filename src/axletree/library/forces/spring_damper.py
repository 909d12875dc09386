"""The spring-damper between two points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.library.fields import choice, parameter
from axletree.library.forces.between_points import BetweenPoints
from axletree.library.forces.characteristic import (
    LinearCharacteristic,
    Pull,
    Side,
    linear_problems,
)


@dataclass(frozen=True, eq=False)
class SpringDamper(BetweenPoints):
    """A spring and a damper side by side between two points.

    The pull is ``stiffness * (length - free_length) + damping * rate + preload``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> block = model.add(at.RigidBody("block", mass=3.0))
    >>> way = model.add(at.Prismatic("way", model.ground, block, axis="-z"))
    >>> spring = at.SpringDamper("spring", model.ground, block, stiffness="1 kN/m", free_length=0.2)
    >>> steady = model.extended(spring).formulate().steady_state(start={"way.position": 0.2})
    >>> print(f"{steady['way.position']:.5f} m")  # hangs at 0.2 + 3 * 9.80665 / 1000
    0.22942 m
    """

    summary: ClassVar[str] = "spring and damper between two points; one-sided on request"

    stiffness: float = parameter("N/m", "stiffness", lower=0.0, default=0.0)
    damping: float = parameter("N*s/m", "damping", lower=0.0, default=0.0)
    free_length: float = parameter("m", "length without spring force", lower=0.0, default=0.0)
    preload: float = parameter("N", "pull at the free length; negative for a push", default=0.0)
    side: Side = choice(Side, "side of the free_length on which it acts", default=Side.BOTH)

    def problems(self) -> list[str]:
        return linear_problems(self.stiffness, self.damping, self.preload, self.side)

    def pull(self, length: Expr, rate: Expr) -> Pull:
        law = LinearCharacteristic(
            self.symbol("stiffness"), self.symbol("damping"), self.symbol("preload"), self.side
        )
        return law.pull(length - self.symbol("free_length"), rate)
