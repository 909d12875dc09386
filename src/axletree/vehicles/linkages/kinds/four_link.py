"""Four links: a lower arm, two upper links whose kingpin joint is virtual, and a tie rod."""

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
from axletree.vehicles.linkages.parts.rods import BallRod
from axletree.vehicles.linkages.parts.seats import Seat
from axletree.vehicles.linkages.sides import Pieces, Side


@dataclass(frozen=True, kw_only=True)
class FourLinkPoints(Part):
    """Of one side, in the axle's axes."""

    wheel_centre: Point = vector_parameter("m", "the wheel's centre")
    lower_arm_front: Point = vector_parameter("m", "front bearing of the lower arm on the body")
    lower_arm_rear: Point = vector_parameter("m", "rear bearing of the lower arm on the body")
    lower_ball_joint: Point = vector_parameter("m", "ball joint of lower arm and upright")
    front_upper: BallRod = piece(BallRod, "the front upper link")
    rear_upper: BallRod = piece(BallRod, "the rear upper link")
    tie_rod_inner: Point = vector_parameter("m", "ball joint of tie rod and rack or body")
    tie_rod_outer: Point = vector_parameter("m", "ball joint of tie rod and upright")


@dataclass(frozen=True, kw_only=True)
class FourLink(TieRodSuspension):
    """As a double wishbone whose upper arm is taken apart.

    Example:
    >>> from axletree.vehicles.linkages.kinds.four_link import FourLink
    >>> axle = FourLink(
    ...     points={
    ...         "wheel_centre": (0.0, 0.76, 0.31),
    ...         "lower_arm_front": (0.15, 0.385, 0.193),
    ...         "lower_arm_rear": (-0.2, 0.375, 0.207),
    ...         "lower_ball_joint": (0.008, 0.71, 0.185),
    ...         "front_upper": {"inner": (0.09, 0.47, 0.462), "outer": (-0.01, 0.665, 0.475)},
    ...         "rear_upper": {"inner": (-0.15, 0.465, 0.448), "outer": (-0.05, 0.66, 0.475)},
    ...         "tie_rod_inner": (-0.135, 0.335, 0.248),
    ...         "tie_rod_outer": (-0.125, 0.68, 0.245),
    ...     },
    ...     spring={"stiffness": 6e4, "lower": (-0.01, 0.59, 0.175), "upper": (-0.03, 0.52, 0.64)},
    ...     upright_mass="16 kg",
    ... )
    >>> [joint.name for joint in axle.linkage().joints][2:5]
    ['left_front_upper_link', 'left_rear_upper_link', 'left_tie_rod']
    """

    summary: ClassVar[str] = "lower arm, two upper links and tie rod, by hard points"
    seats: ClassVar[tuple[Seat, ...]] = (Seat.LOWER_ARM, Seat.UPRIGHT)

    points: FourLinkPoints = piece(FourLinkPoints, "hard points of the left side")
    right_points: FourLinkPoints | None = piece(
        FourLinkPoints, "those of the right side; left out: mirrored", default=None
    )
    lower_arm_mass: float | None = arm_mass("each lower arm")
    lower_arm_bushings: HingeBushing | None = piece(
        HingeBushing, "of the lower arm on the body; left out: an ideal hinge", default=None
    )

    def _corner(self, side: Side) -> tuple[Pieces, WheelCarrier]:
        p = side.points(self.points, self.right_points)
        arm, upright = side.named("lower_arm"), side.named("upright")
        bearings = (p.lower_arm_front, p.lower_arm_rear)
        mounts = hinge_mounts(self.lower_arm_bushings, bearings)
        outer = (p.lower_ball_joint, p.front_upper.outer, p.rear_upper.outer, p.tie_rod_outer)
        pieces = Pieces(
            links=(
                frame_link(arm, self.lower_arm_mass, [(p.lower_ball_joint, b) for b in bearings]),
                frame_link(upright, self.upright_mass, [(p.wheel_centre, at) for at in outer]),
            ),
            joints=(
                Hinge(side.named("lower_arm_bearings"), BODY, arm, bearings, mounts),
                Ball(side.named("lower_ball_joint"), arm, upright, p.lower_ball_joint),
                p.front_upper.bar(side.named("front_upper_link"), (BODY, upright)),
                p.rear_upper.bar(side.named("rear_upper_link"), (BODY, upright)),
                Bar(
                    side.named("tie_rod"), self._tie_rod_base(), upright,
                    (p.tie_rod_inner, p.tie_rod_outer),
                ),
            ),
        )  # fmt: skip
        toe = side.named("tie_rod")
        return pieces, self._carrier(side, upright, p.wheel_centre, toe_link=toe)
