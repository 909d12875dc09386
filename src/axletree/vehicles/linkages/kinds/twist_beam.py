"""Twist beam: two trailing arms on a cross member that twists.

The cross member lets its arms turn one against the other about the line through its shear
centres. The arms' bearings stay on a line across the vehicle and may slide on it, as the twist
brings them together by second order; the middle of the cross member stays in the middle of the
vehicle. In roll each arm then turns about the line from its bearing to that middle, and the axle
steers and cambers as semi-trailing arms do; with both wheels up it is a trailing arm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import Part, parameter, piece, positive, vector_parameter
from axletree.vehicles.linkages.corner import CornerSuspension, arm_mass
from axletree.vehicles.linkages.kinds.trailing_arms import arm_with_hub
from axletree.vehicles.linkages.linkage import (
    BODY,
    Hinge,
    Mount,
    Plane,
    Point,
    Sleeve,
    TorsionBar,
    WheelCarrier,
)
from axletree.vehicles.linkages.parts.seats import Seat
from axletree.vehicles.linkages.sides import LEFT_SIDE, RIGHT_SIDE, Pieces, Side

_HINGE = "cross_member"


@dataclass(frozen=True, kw_only=True)
class TwistBeamPoints(Part):
    """Of one side, in the axle's axes."""

    wheel_centre: Point = vector_parameter("m", "the wheel's centre")
    pivot: Point = vector_parameter("m", "the arm's bearing on the body")
    shear_centre: Point = vector_parameter(
        "m", "where the line through the shear centres of the cross member meets the arm"
    )


@dataclass(frozen=True, kw_only=True)
class TwistBeam(CornerSuspension):
    """Torsion of the cross member is a spring; its bending gives where bushings are modelled.

    Example:
    >>> from axletree.vehicles.linkages.kinds.twist_beam import TwistBeam
    >>> axle = TwistBeam(
    ...     points={
    ...         "wheel_centre": (0.0, 0.74, 0.3),
    ...         "pivot": (0.42, 0.56, 0.32),
    ...         "shear_centre": (0.25, 0.5, 0.34),
    ...     },
    ...     spring={"stiffness": 2.5e4, "lower": (0.0, 0.5, 0.25), "upper": (0.0, 0.5, 0.5)},
    ...     torsion_stiffness="3 kN*m/rad",
    ...     upright_mass="14 kg",
    ... )
    >>> axle.linkage().bars[0].stiffness  # N m/rad
    3000.0
    """

    summary: ClassVar[str] = "two trailing arms on a cross member that twists, by hard points"
    seats: ClassVar[tuple[Seat, ...]] = (Seat.ARM,)

    points: TwistBeamPoints = piece(TwistBeamPoints, "hard points of the left side")
    right_points: TwistBeamPoints | None = piece(
        TwistBeamPoints, "those of the right side; left out: mirrored", default=None
    )
    torsion_stiffness: float = parameter(
        "N*m/rad", "of the cross member, of one arm against the other", lower=0.0
    )
    torsion_damping: float = parameter("N*m*s/rad", "likewise", default=0.0, lower=0.0)
    bending_stiffness: float | None = positive(
        "N*m/rad", "of the cross member, where bushings are modelled; left out: rigid", default=None
    )
    arm_mass: float | None = arm_mass("each half, without the upright")

    def _between_sides(self) -> Pieces:
        left, right = (
            one.points(self.points, self.right_points) for one in (LEFT_SIDE, RIGHT_SIDE)
        )
        ends = (right.shear_centre, left.shear_centre)
        middle = tuple(0.5 * (a + b) for a, b in zip(*ends, strict=True))
        at = (middle[0], middle[1], middle[2])
        mounts = self._mounts(ends)
        return Pieces(
            joints=(
                Hinge(_HINGE, RIGHT_SIDE.named("arm"), LEFT_SIDE.named("arm"), ends, mounts),
                Plane("cross_member_middle", LEFT_SIDE.named("arm"), BODY, at, (0.0, 1.0, 0.0)),
            ),
            bars=(TorsionBar(_HINGE, (_HINGE,), self.torsion_stiffness, self.torsion_damping),),
        )

    def _mounts(self, ends: tuple[Point, Point]) -> tuple[Mount, Mount] | None:
        """Springs of k across the hinge at both of its ends, b apart, take a moment of
        k b^2 / 2 by angle: the bending stiffness. Each has half of the torsion.
        """
        if self.bending_stiffness is None:
            return None
        along = tuple(b - a for a, b in zip(*ends, strict=True))
        across = 2.0 * self.bending_stiffness / sum(x * x for x in along)
        mount = Mount(
            (across, across, across),
            (0.0, 0.0, 0.5 * self.torsion_stiffness),
            rotational_damping=(0.0, 0.0, 0.5 * self.torsion_damping),
            axis=(along[0], along[1], along[2]),
        )
        return mount, mount

    def _corner(self, side: Side) -> tuple[Pieces, WheelCarrier]:
        p = side.points(self.points, self.right_points)
        arm, (x, y, z) = side.named("arm"), p.pivot
        ends = (p.pivot, p.shear_centre)
        pieces = Pieces(
            links=(arm_with_hub(arm, self.arm_mass, self.upright_mass, ends, p.wheel_centre),),
            joints=(Sleeve(side.named("pivot"), arm, BODY, p.pivot, (x, y + 0.1, z)),),
        )
        return pieces, self._carrier(side, arm, p.wheel_centre)
