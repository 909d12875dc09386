"""The tabulated spring-damper about the axis of a joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.library.curve import Curve, curve
from axletree.library.forces.along_joint import AboutTurn
from axletree.library.forces.characteristic import Pull, TabulatedCharacteristic


@dataclass(frozen=True, eq=False)
class TabulatedRotationalSpringDamper(AboutTurn):
    """A torsion spring and a rotational damper about a joint's axis, by their measured curves.

    The torque against the angle is the sum of a curve over the angle, which counts whole
    turns, and a curve over its rate.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> torque = at.Curve((0.1, 0.3, 0.5), (-4.0, 0.0, 8.0), "linear")  # N m over rad
    >>> spring = model.add(at.TabulatedRotationalSpringDamper("spring", model["pin"], torque))
    >>> print(f"{model.formulate().steady_state()['pin.angle']:.3f} rad")  # where it has no torque
    0.300 rad
    """

    summary: ClassVar[str] = "torsion spring and damper about the axis of a joint, by tables"

    torque_at_angle: Curve | None = curve(
        "rad", "N*m", "torque against the angle over the angle", default=None
    )
    torque_at_speed: Curve | None = curve(
        "rad/s", "N*m", "torque against the angle over its rate", default=None
    )

    def problems(self) -> list[str]:
        if self.torque_at_angle is None and self.torque_at_speed is None:
            return ["neither torque_at_angle nor torque_at_speed is given; give one or both"]
        return []

    def pull(self, angle: Expr, rate: Expr) -> Pull:
        return TabulatedCharacteristic(self.torque_at_angle, self.torque_at_speed).pull(angle, rate)
