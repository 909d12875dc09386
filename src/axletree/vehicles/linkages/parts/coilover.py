"""A spring with damper and stops between a link and the body, by the points of its ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import (
    Part,
    optional_parameter,
    parameter,
    positive,
    vector_parameter,
)
from axletree.components.signals import Curve, curve
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.linkage import BODY, Coil, Point, mirrored_point
from axletree.vehicles.suspensions import problems_of_damper


@dataclass(frozen=True)
class Coilover(Part):
    """Of the left side, in the axle's axes at design; the right one is its mirror image.

    Example:
    >>> from axletree.vehicles.linkages.parts.coilover import Coilover
    >>> spring = Coilover("60 kN/m", lower=(-0.01, 0.59, 0.175), upper=(-0.03, 0.52, 0.64))
    >>> spring.coil("left", "lower_arm").second
    'left_lower_arm'
    """

    summary: ClassVar[str] = "spring, damper and stops between two points"

    stiffness: float = positive("N/m", "of the spring itself, along it")
    lower: Point | None = vector_parameter(
        "m", "its end on the link that carries it; of a strut or a leaf, left out", default=None
    )
    upper: Point | None = vector_parameter(
        "m", "its end on the body; of a strut or a leaf, left out", default=None
    )
    damping: float = parameter("N*s/m", "of the damper itself, along it", default=0.0, lower=0.0)
    damper: Curve | None = curve(
        "m/s", "N", "force of the damper over its speed, bump positive", default=None
    )
    gas_force: float = parameter("N", "of the damper's gas, apart", default=0.0, lower=0.0)
    bump_clearance: float | None = optional_parameter(
        "m", "by which it shortens until the bump stop acts", lower=0.0
    )
    rebound_clearance: float | None = optional_parameter(
        "m", "by which it lengthens until the rebound stop acts", lower=0.0
    )
    stop_stiffness: float = positive("N/m", "of these stops, along it", default=5e5)

    def problems(self) -> list[str]:
        return problems_of_damper(self.damping, self.damper)

    def coil(self, side: str, link: str) -> Coil:
        """Between the body and a link of this side."""
        if self.lower is None or self.upper is None:
            raise ModelError("spring: needs 'lower' and 'upper', the points of its ends")
        ends = (self.upper, self.lower)
        if side == "right":
            ends = (mirrored_point(self.upper), mirrored_point(self.lower))
        return self.between(f"{side}_spring", (BODY, f"{side}_{link}"), ends)

    def between(self, name: str, links: tuple[str, str], ends: tuple[Point, Point]) -> Coil:
        """Between these points of two links."""
        return Coil(
            name, *links, ends, self.stiffness, self.damping, self.damper, self.gas_force,
            self.bump_clearance, self.rebound_clearance, self.stop_stiffness,
        )  # fmt: skip
