"""The tabulated spring-damper along the axis of a joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.library.curve import Curve, curve
from axletree.library.forces.along_joint import AlongSlide
from axletree.library.forces.characteristic import Pull, TabulatedCharacteristic


@dataclass(frozen=True, eq=False)
class TabulatedSlideSpringDamper(AlongSlide):
    """A spring and a damper along the axis of a sliding joint, by their measured curves.

    The force against the position is the sum of a curve over it and a curve over its rate.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> block = model.add(at.RigidBody("block", mass="5 kg"))
    >>> way = model.add(at.Prismatic("way", model.ground, block, axis="-z"))
    >>> pull = at.Curve((0.0, 0.1), (0.0, 100.0), "linear")  # N over m
    >>> spring = model.add(at.TabulatedSlideSpringDamper("spring", way, pull))
    >>> print(f"{model.formulate().steady_state()['way.position']:.5f} m")  # 5 * 9.80665 / 1000
    0.04903 m
    """

    summary: ClassVar[str] = "spring and damper along the axis of a sliding joint, by tables"

    force_at_position: Curve | None = curve(
        "m", "N", "force against the position over it", default=None
    )
    force_at_speed: Curve | None = curve(
        "m/s", "N", "force against the position over its rate", default=None
    )

    def problems(self) -> list[str]:
        if self.force_at_position is None and self.force_at_speed is None:
            return ["neither force_at_position nor force_at_speed is given; give one or both"]
        return []

    def pull(self, position: Expr, rate: Expr) -> Pull:
        law = TabulatedCharacteristic(self.force_at_position, self.force_at_speed)
        return law.pull(position, rate)
