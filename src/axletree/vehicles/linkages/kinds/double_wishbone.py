"""Double wishbones: two arms on hinges, an upright between their ball joints, and a tie rod."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import Part, piece, vector_parameter
from axletree.vehicles.linkages.corner import TieRodSuspension, arm_mass
from axletree.vehicles.linkages.linkage import (
    BODY,
    Ball,
    Bar,
    Hinge,
    Point,
    WheelCarrier,
    frame_link,
)
from axletree.vehicles.linkages.parts.mounts import HingeBushing, hinge_mounts
from axletree.vehicles.linkages.parts.seats import Seat
from axletree.vehicles.linkages.sides import Pieces, Side


@dataclass(frozen=True, kw_only=True)
class DoubleWishbonePoints(Part):
    """Of one side. The ball joints lie on the upright, which the tie rod turns."""

    summary: ClassVar[str] = "hard points of a double wishbone"

    wheel_centre: Point = vector_parameter("m", "the wheel's centre")
    lower_arm_front: Point = vector_parameter("m", "front bearing of the lower arm on the body")
    lower_arm_rear: Point = vector_parameter("m", "rear bearing of the lower arm on the body")
    lower_ball_joint: Point = vector_parameter("m", "ball joint of lower arm and upright")
    upper_arm_front: Point = vector_parameter("m", "front bearing of the upper arm on the body")
    upper_arm_rear: Point = vector_parameter("m", "rear bearing of the upper arm on the body")
    upper_ball_joint: Point = vector_parameter("m", "ball joint of upper arm and upright")
    tie_rod_inner: Point = vector_parameter("m", "ball joint of tie rod and rack or body")
    tie_rod_outer: Point = vector_parameter("m", "ball joint of tie rod and upright")


@dataclass(frozen=True, kw_only=True)
class DoubleWishbone(TieRodSuspension):
    """The spring stands on the lower arm, the upper arm or the upright; tie rods have no mass.

    Example:
    >>> from axletree.vehicles.linkages.kinds.double_wishbone import DoubleWishbone
    >>> points = {  # m
    ...     "wheel_centre": (0.0, 0.76, 0.31),
    ...     "lower_arm_front": (0.15, 0.385, 0.193),
    ...     "lower_arm_rear": (-0.2, 0.375, 0.207),
    ...     "lower_ball_joint": (0.008, 0.71, 0.185),
    ...     "upper_arm_front": (0.09, 0.47, 0.462),
    ...     "upper_arm_rear": (-0.15, 0.465, 0.448),
    ...     "upper_ball_joint": (-0.03, 0.665, 0.475),
    ...     "tie_rod_inner": (-0.135, 0.335, 0.248),
    ...     "tie_rod_outer": (-0.125, 0.68, 0.245),
    ... }
    >>> spring = {"stiffness": 6e4, "lower": (-0.01, 0.59, 0.175), "upper": (-0.03, 0.52, 0.64)}
    >>> front = DoubleWishbone(points=points, spring=spring, upright_mass="20 kg")
    >>> curves = front.curves()
    >>> print(f"{curves.camber.table.derivative().evaluate(0.0):.3f} rad/m of camber")
    -0.466 rad/m of camber
    """

    summary: ClassVar[str] = "two arms, an upright and a tie rod on each side, by hard points"
    seats: ClassVar[tuple[Seat, ...]] = (Seat.LOWER_ARM, Seat.UPPER_ARM, Seat.UPRIGHT)

    points: DoubleWishbonePoints = piece(DoubleWishbonePoints, "hard points of the left side")
    right_points: DoubleWishbonePoints | None = piece(
        DoubleWishbonePoints, "those of the right side; left out: mirrored", default=None
    )
    lower_arm_mass: float | None = arm_mass("each lower arm")
    upper_arm_mass: float | None = arm_mass("each upper arm")
    lower_arm_bushings: HingeBushing | None = piece(
        HingeBushing, "of the lower arm on the body; left out: an ideal hinge", default=None
    )
    upper_arm_bushings: HingeBushing | None = piece(
        HingeBushing, "of the upper arm on the body, likewise", default=None
    )

    def _corner(self, side: Side) -> tuple[Pieces, WheelCarrier]:
        p = side.points(self.points, self.right_points)
        upright = side.named("upright")
        outer = (p.lower_ball_joint, p.upper_ball_joint, p.tie_rod_outer)
        lines = [(p.wheel_centre, at) for at in outer]
        tie_rod = Bar(
            side.named("tie_rod"), self._tie_rod_base(), upright, (p.tie_rod_inner, p.tie_rod_outer)
        )
        pieces = self._arm(side, "lower", p) + self._arm(side, "upper", p)
        pieces += Pieces((frame_link(upright, self.upright_mass, lines),), (tie_rod,))
        kingpin = (p.lower_ball_joint, p.upper_ball_joint)
        return pieces, self._carrier(side, upright, p.wheel_centre, kingpin)

    def _arm(self, side: Side, which: str, p: DoubleWishbonePoints) -> Pieces:
        front, rear, ball = (
            getattr(p, f"{which}_{end}") for end in ("arm_front", "arm_rear", "ball_joint")
        )
        mass, bushings = (getattr(self, f"{which}_arm_{what}") for what in ("mass", "bushings"))
        mounts = hinge_mounts(bushings, (front, rear))
        arm, upright = side.named(f"{which}_arm"), side.named("upright")
        return Pieces(
            links=(frame_link(arm, mass, [(ball, front), (ball, rear)]),),
            joints=(
                Hinge(f"{arm}_bearings", BODY, arm, (front, rear), mounts),
                Ball(side.named(f"{which}_ball_joint"), arm, upright, ball),
            ),
        )
