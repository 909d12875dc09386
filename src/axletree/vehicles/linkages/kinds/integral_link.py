"""Integral link: a trapezoidal lower arm carries the upright on a ball joint and, by an upright
link beside it, takes its torque; an upper link and a tie rod do the rest."""

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
class IntegralLinkPoints(Part):
    """Of one side, in the axle's axes."""

    wheel_centre: Point = vector_parameter("m", "the wheel's centre")
    lower_arm_front: Point = vector_parameter("m", "front bearing of the lower arm on the body")
    lower_arm_rear: Point = vector_parameter("m", "rear bearing of the lower arm on the body")
    lower_ball_joint: Point = vector_parameter("m", "ball joint of lower arm and upright")
    integral_link: BallRod = piece(
        BallRod, "the integral link, from the lower arm (inner) to the upright (outer)"
    )
    upper_link: BallRod = piece(BallRod, "the upper link")
    tie_rod_inner: Point = vector_parameter("m", "ball joint of tie rod and rack or body")
    tie_rod_outer: Point = vector_parameter("m", "ball joint of tie rod and upright")


@dataclass(frozen=True, kw_only=True)
class IntegralLink(TieRodSuspension):
    """Torque of braking and driving goes through the integral link into the lower arm.

    Example:
    >>> from axletree.vehicles.linkages.kinds.integral_link import IntegralLink
    >>> axle = IntegralLink(
    ...     points={
    ...         "wheel_centre": (0.0, 0.78, 0.32),
    ...         "lower_arm_front": (0.25, 0.42, 0.22),
    ...         "lower_arm_rear": (-0.18, 0.36, 0.23),
    ...         "lower_ball_joint": (-0.06, 0.72, 0.2),
    ...         "integral_link": {"inner": (0.12, 0.7, 0.21), "outer": (0.11, 0.705, 0.34)},
    ...         "upper_link": {"inner": (-0.05, 0.45, 0.46), "outer": (-0.02, 0.7, 0.47)},
    ...         "tie_rod_inner": (-0.2, 0.4, 0.26),
    ...         "tie_rod_outer": (-0.18, 0.72, 0.25),
    ...     },
    ...     spring={"stiffness": 7e4, "lower": (0.0, 0.6, 0.2), "upper": (0.0, 0.56, 0.55)},
    ...     upright_mass="18 kg",
    ... )
    >>> [joint.name for joint in axle.linkage().joints][2:4]
    ['left_integral_link', 'left_upper_link']
    """

    summary: ClassVar[str] = "lower arm with integral link, upper link and tie rod, by hard points"
    seats: ClassVar[tuple[Seat, ...]] = (Seat.LOWER_ARM, Seat.UPRIGHT)

    points: IntegralLinkPoints = piece(IntegralLinkPoints, "hard points of the left side")
    right_points: IntegralLinkPoints | None = piece(
        IntegralLinkPoints, "those of the right side; left out: mirrored", default=None
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
        lines = [
            (p.lower_arm_front, p.integral_link.inner), (p.lower_arm_rear, p.lower_ball_joint),
            (p.integral_link.inner, p.lower_ball_joint),
        ]  # fmt: skip
        outer = (p.lower_ball_joint, p.integral_link.outer, p.upper_link.outer, p.tie_rod_outer)
        pieces = Pieces(
            links=(
                frame_link(arm, self.lower_arm_mass, lines),
                frame_link(upright, self.upright_mass, [(p.wheel_centre, at) for at in outer]),
            ),
            joints=(
                Hinge(side.named("lower_arm_bearings"), BODY, arm, bearings, mounts),
                Ball(side.named("lower_ball_joint"), arm, upright, p.lower_ball_joint),
                p.integral_link.bar(side.named("integral_link"), (arm, upright)),
                p.upper_link.bar(side.named("upper_link"), (BODY, upright)),
                Bar(
                    side.named("tie_rod"), self._tie_rod_base(), upright,
                    (p.tie_rod_inner, p.tie_rod_outer),
                ),
            ),
        )  # fmt: skip
        toe = side.named("tie_rod")
        return pieces, self._carrier(side, upright, p.wheel_centre, toe_link=toe)
