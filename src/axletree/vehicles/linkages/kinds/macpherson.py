"""MacPherson strut: the upright slides and turns on a line that goes through the strut's top."""

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
    Sleeve,
    WheelCarrier,
    frame_link,
)
from axletree.vehicles.linkages.parts.mounts import HingeBushing, hinge_mounts
from axletree.vehicles.linkages.parts.seats import Seat
from axletree.vehicles.linkages.sides import Pieces, Side


@dataclass(frozen=True, kw_only=True)
class MacphersonPoints(Part):
    """Of one side, in the axle's axes."""

    wheel_centre: Point = vector_parameter("m", "the wheel's centre")
    lower_arm_front: Point = vector_parameter("m", "front bearing of the lower arm on the body")
    lower_arm_rear: Point = vector_parameter("m", "rear bearing of the lower arm on the body")
    lower_ball_joint: Point = vector_parameter("m", "ball joint of lower arm and upright")
    strut_top: Point = vector_parameter("m", "the strut's bearing on the body")
    strut_axis_point: Point = vector_parameter("m", "a point of the strut's axis on the upright")
    tie_rod_inner: Point = vector_parameter("m", "ball joint of tie rod and rack or body")
    tie_rod_outer: Point = vector_parameter("m", "ball joint of tie rod and upright")


@dataclass(frozen=True, kw_only=True)
class Macpherson(TieRodSuspension):
    """The spring stands on the strut's axis, between its two points, if it has no ends of its own.

    Example:
    >>> from axletree.vehicles.linkages.kinds.macpherson import Macpherson
    >>> from axletree.vehicles.linkages.positions import LinkageKinematics
    >>> strut = Macpherson(
    ...     points={
    ...         "wheel_centre": (0.0, 0.755, 0.3),
    ...         "lower_arm_front": (0.01, 0.37, 0.19),
    ...         "lower_arm_rear": (-0.29, 0.385, 0.2),
    ...         "lower_ball_joint": (0.005, 0.725, 0.175),
    ...         "strut_top": (-0.04, 0.585, 0.83),
    ...         "strut_axis_point": (-0.01, 0.655, 0.42),
    ...         "tie_rod_inner": (-0.135, 0.33, 0.252),
    ...         "tie_rod_outer": (-0.13, 0.69, 0.25),
    ...     },
    ...     spring={"stiffness": "25 kN/m"},
    ...     upright_mass="18 kg",
    ...     steered=True,
    ... )
    >>> LinkageKinematics(strut.linkage()).inputs  # both wheels, and the rack
    3
    """

    summary: ClassVar[str] = "strut, lower arm and tie rod, by hard points"
    seats: ClassVar[tuple[Seat, ...]] = (Seat.UPRIGHT, Seat.LOWER_ARM)

    points: MacphersonPoints = piece(MacphersonPoints, "hard points of the left side")
    right_points: MacphersonPoints | None = piece(
        MacphersonPoints, "those of the right side; left out: mirrored", default=None
    )
    lower_arm_mass: float | None = arm_mass("each lower arm")
    lower_arm_bushings: HingeBushing | None = piece(
        HingeBushing, "of the lower arm on the body; left out: an ideal hinge", default=None
    )

    def _spring_ends(self, side: Side) -> tuple[Point, Point]:
        if self.spring.lower is None and self.spring.upper is None and self._on_strut():
            p = side.points(self.points, self.right_points)
            return p.strut_top, p.strut_axis_point
        return super()._spring_ends(side)

    def _on_strut(self) -> bool:
        return self.rocker is None and self.spring_on in (None, Seat.UPRIGHT)

    def _corner(self, side: Side) -> tuple[Pieces, WheelCarrier]:
        p = side.points(self.points, self.right_points)
        arm, upright = side.named("lower_arm"), side.named("upright")
        bearings = (p.lower_arm_front, p.lower_arm_rear)
        mounts = hinge_mounts(self.lower_arm_bushings, bearings)
        outer = (p.lower_ball_joint, p.strut_axis_point, p.tie_rod_outer)
        pieces = Pieces(
            links=(
                frame_link(arm, self.lower_arm_mass, [(p.lower_ball_joint, b) for b in bearings]),
                frame_link(upright, self.upright_mass, [(p.wheel_centre, at) for at in outer]),
            ),
            joints=(
                Hinge(side.named("lower_arm_bearings"), BODY, arm, bearings, mounts),
                Ball(side.named("lower_ball_joint"), arm, upright, p.lower_ball_joint),
                Sleeve(side.named("strut"), BODY, upright, p.strut_top, p.strut_axis_point),
                Bar(
                    side.named("tie_rod"), self._tie_rod_base(), upright,
                    (p.tie_rod_inner, p.tie_rod_outer),
                ),
            ),
        )  # fmt: skip
        kingpin = (p.lower_ball_joint, p.strut_top)
        return pieces, self._carrier(
            side, upright, p.wheel_centre, kingpin, kingpin_links=(upright, BODY)
        )
