"""Double wishbones: two arms on hinges, an upright between their ball joints, and a tie rod."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import chosen, piece, positive, vector_parameter
from axletree.vehicles.linkages.arms import arm_link
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.linkages.hard_points import HardPoints
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Ball,
    Bar,
    Hinge,
    Joint,
    Link,
    Point,
    WheelCarrier,
)


@dataclass(frozen=True)
class DoubleWishbonePoints(HardPoints):
    """Of one side. The ball joints lie on the upright, which the tie rod turns."""

    summary: ClassVar[str] = "hard points of a double wishbone"

    lower_arm_front: Point = vector_parameter("m", "front hinge of the lower arm on the body")
    lower_arm_rear: Point = vector_parameter("m", "rear hinge of the lower arm on the body")
    lower_ball_joint: Point = vector_parameter("m", "between the lower arm and the upright")
    upper_arm_front: Point = vector_parameter("m", "front hinge of the upper arm on the body")
    upper_arm_rear: Point = vector_parameter("m", "rear hinge of the upper arm on the body")
    upper_ball_joint: Point = vector_parameter("m", "between the upper arm and the upright")
    tie_rod_inner: Point = vector_parameter(
        "m", "on the rack of a steered axle, on the body of another"
    )
    tie_rod_outer: Point = vector_parameter("m", "on the upright")


class SpringSeat(enum.Enum):
    """The link that the lower end of a spring stands on."""

    LOWER_ARM = "lower-arm"
    UPPER_ARM = "upper-arm"
    UPRIGHT = "upright"


@dataclass(frozen=True, kw_only=True)
class DoubleWishbone(LinkedSuspension):
    """By hard points. Arms without a mass of their own are tubes (``arms``); tie rods have none.

    Example:
    >>> from axletree.vehicles.linkages.double_wishbone import DoubleWishbone
    >>> points = {  # m
    ...     "wheel_centre": (0.0, 0.76, 0.31),
    ...     "lower_arm_front": (0.15, 0.385, 0.193), "lower_arm_rear": (-0.2, 0.375, 0.207),
    ...     "lower_ball_joint": (0.008, 0.71, 0.185),
    ...     "upper_arm_front": (0.09, 0.47, 0.462), "upper_arm_rear": (-0.15, 0.465, 0.448),
    ...     "upper_ball_joint": (-0.03, 0.665, 0.475),
    ...     "tie_rod_inner": (-0.135, 0.335, 0.248), "tie_rod_outer": (-0.125, 0.68, 0.245),
    ... }
    >>> spring = {"stiffness": 6e4, "lower": (-0.01, 0.59, 0.175), "upper": (-0.03, 0.52, 0.64)}
    >>> front = DoubleWishbone(points=points, spring=spring, upright_mass="20 kg")
    >>> print(f"{front.wheel_rate() / 6e4:.4f} = {0.604416720436909**2:.4f}")  # motion ratio^2
    0.3653 = 0.3653
    """

    summary: ClassVar[str] = "double wishbones by hard points"

    points: DoubleWishbonePoints = piece(DoubleWishbonePoints, "hard points of the left side")
    right_points: DoubleWishbonePoints | None = piece(
        DoubleWishbonePoints, "those of the right side; left out: the mirror image", default=None
    )
    spring_on: SpringSeat = chosen(SpringSeat.LOWER_ARM, "what the lower end of the spring is on")
    lower_arm_mass: float | None = positive(
        "kg", "of each lower arm; left out: of tubes of 3 kg/m from its hinges", default=None
    )
    upper_arm_mass: float | None = positive("kg", "of each upper arm, likewise", default=None)

    def linkage(self) -> AxleLinkage:
        sides = self.sides(self.points, self.right_points)
        links: list[Link] = []
        joints: list[Joint] = []
        carriers = {}
        for side, at in sides.items():
            links += self._links(side, at)
            joints += self._joints(side, at)
            carriers[side] = WheelCarrier(
                f"{side}_upright", at.wheel_centre, self.spin_axis(side),
                (at.lower_ball_joint, at.upper_ball_joint),
            )  # fmt: skip
        seat = self.spring_on.value.replace("-", "_")
        coils = tuple(self.spring.coil(side, seat) for side in sides)
        return self.with_rack(AxleLinkage(tuple(links), tuple(joints), carriers, coils))

    def _links(self, side: str, at: DoubleWishbonePoints) -> Iterator[Link]:
        lower = at.lower_arm_front, at.lower_arm_rear
        upper = at.upper_arm_front, at.upper_arm_rear
        yield arm_link(f"{side}_lower_arm", at.lower_ball_joint, lower, self.lower_arm_mass)
        yield arm_link(f"{side}_upper_arm", at.upper_ball_joint, upper, self.upper_arm_mass)
        yield self.upright(f"{side}_upright", at.wheel_centre)

    def _joints(self, side: str, at: DoubleWishbonePoints) -> Iterator[Joint]:
        for which in ("lower", "upper"):
            front, rear, ball = (
                getattr(at, f"{which}_{end}") for end in ("arm_front", "arm_rear", "ball_joint")
            )
            arm = f"{side}_{which}_arm"
            yield Hinge(f"{arm}_hinge", BODY, arm, (front, rear))
            yield Ball(f"{side}_{which}_ball_joint", arm, f"{side}_upright", ball)
        ends = at.tie_rod_inner, at.tie_rod_outer
        yield Bar(f"{side}_tie_rod", RACK, f"{side}_upright", ends)
