"""The spring-damper along the axis of a joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.library.fields import choice, parameter
from axletree.library.forces.along_joint import AlongSlide
from axletree.library.forces.characteristic import (
    LinearCharacteristic,
    Pull,
    Side,
    linear_problems,
)


@dataclass(frozen=True, eq=False)
class SlideSpringDamper(AlongSlide):
    """A spring and a damper along the axis of a sliding joint.

    The force against the position is ``stiffness * (position - free_position) + damping *
    rate + preload``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("cart", 2.0))))
    >>> spring = model.add(at.SlideSpringDamper("spring", way, stiffness=50.0, damping=4.0))
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    -(spring.damping*way.speed + way.position*spring.stiffness)/cart.mass
    """

    summary: ClassVar[str] = "spring and damper along a joint's axis; one-sided on request"

    stiffness: float = parameter("N/m", "stiffness", lower=0.0, default=0.0)
    damping: float = parameter("N*s/m", "damping", lower=0.0, default=0.0)
    free_position: float = parameter("m", "position of the joint without spring force", default=0.0)
    preload: float = parameter("N", "force against the position at the free position", default=0.0)
    side: Side = choice(Side, "side of the free_position on which it acts", default=Side.BOTH)

    def problems(self) -> list[str]:
        return linear_problems(self.stiffness, self.damping, self.preload, self.side)

    def pull(self, position: Expr, rate: Expr) -> Pull:
        law = LinearCharacteristic(
            self.symbol("stiffness"), self.symbol("damping"), self.symbol("preload"), self.side
        )
        return law.pull(position - self.symbol("free_position"), rate)
