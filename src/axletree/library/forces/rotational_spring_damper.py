"""The spring-damper about the axis of a joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.library.fields import choice, parameter
from axletree.library.forces.along_joint import AboutTurn
from axletree.library.forces.characteristic import (
    LinearCharacteristic,
    Pull,
    Side,
    linear_problems,
)


@dataclass(frozen=True, eq=False)
class RotationalSpringDamper(AboutTurn):
    """A torsion spring and a rotational damper about the axis of a joint.

    The torque against the angle is ``stiffness * (angle - free_angle) + damping * rate +
    preload``. The angle is the joint's own: it counts whole turns.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> spring = model.add(at.RotationalSpringDamper("spring", model["pin"], 2.0, free_angle=0.5))
    >>> model.formulate().steady_state()["pin.angle"]  # rad
    0.5
    """

    summary: ClassVar[str] = "torsion spring and damper about a joint's axis; one-sided on request"

    stiffness: float = parameter("N*m/rad", "stiffness", lower=0.0, default=0.0)
    damping: float = parameter("N*m*s/rad", "damping", lower=0.0, default=0.0)
    free_angle: float = parameter("rad", "angle of the joint without spring torque", default=0.0)
    preload: float = parameter("N*m", "torque against the angle at the free angle", default=0.0)
    side: Side = choice(Side, "side of the free_angle on which it acts", default=Side.BOTH)

    def problems(self) -> list[str]:
        return linear_problems(self.stiffness, self.damping, self.preload, self.side)

    def pull(self, angle: Expr, rate: Expr) -> Pull:
        law = LinearCharacteristic(
            self.symbol("stiffness"), self.symbol("damping"), self.symbol("preload"), self.side
        )
        return law.pull(angle - self.symbol("free_angle"), rate)
