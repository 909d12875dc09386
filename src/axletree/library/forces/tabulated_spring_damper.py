"""The tabulated spring-damper between two points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.library.curve import Curve, curve
from axletree.library.forces.between_points import BetweenPoints
from axletree.library.forces.characteristic import Pull, TabulatedCharacteristic


@dataclass(frozen=True, eq=False)
class TabulatedSpringDamper(BetweenPoints):
    """A spring and a damper between two points, by their measured curves.

    The pull is the sum of a curve over the length and a curve over its rate. A one-sided
    spring is a curve that is zero on the other side.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> block = model.add(at.RigidBody("block", mass="5 kg"))
    >>> way = model.add(at.Prismatic("way", model.ground, block, axis="-z"))
    >>> pull = at.Curve((0.1, 0.2, 0.3), (-100.0, 0.0, 100.0), "linear")  # N over m
    >>> spring = model.add(at.TabulatedSpringDamper("spring", model.ground, block, pull))
    >>> hangs = model.formulate().steady_state(start={"way.position": 0.22})
    >>> print(f"{hangs['way.position']:.5f} m")  # 0.2 + 5 * 9.80665 / 1000
    0.24903 m
    """

    summary: ClassVar[str] = "spring and damper between two points, by tables"

    force_at_length: Curve | None = curve(
        "m", "N", "pull of the spring over the length", default=None
    )
    force_at_speed: Curve | None = curve(
        "m/s", "N", "pull of the damper over the rate of the length", default=None
    )

    def problems(self) -> list[str]:
        if self.force_at_length is None and self.force_at_speed is None:
            return ["neither force_at_length nor force_at_speed is given; give one or both"]
        return []

    def pull(self, length: Expr, rate: Expr) -> Pull:
        return TabulatedCharacteristic(self.force_at_length, self.force_at_speed).pull(length, rate)
