"""An arm that turns on one hinge of the body and carries the wheel.

``TrailingArm``      its hinge lies across the vehicle: neither toe nor camber changes
``SemiTrailingArm``  its hinge lies as its two points give it
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import Part, piece, positive, vector_parameter
from axletree.vehicles.linkages.corner import CornerSuspension, arm_mass
from axletree.vehicles.linkages.linkage import (
    ARM_SECTION,
    BODY,
    Hinge,
    Link,
    Point,
    WheelCarrier,
    frame_link,
)
from axletree.vehicles.linkages.parts.mounts import HingeBushing, hinge_mounts
from axletree.vehicles.linkages.parts.seats import Seat
from axletree.vehicles.linkages.sides import Pieces, Side


@dataclass(frozen=True, kw_only=True)
class HingeArm(CornerSuspension):
    """What both have: an arm of one piece with the upright."""

    seats: ClassVar[tuple[Seat, ...]] = (Seat.ARM,)

    arm_mass: float | None = arm_mass("each arm, without the upright")
    arm_bushings: HingeBushing | None = piece(
        HingeBushing, "of the arm on the body; left out: an ideal hinge", default=None
    )

    @abstractmethod
    def _pivots(self, side: Side) -> tuple[Point, Point]:
        """Ends of the hinge on the body."""

    @abstractmethod
    def _wheel_centre(self, side: Side) -> Point:
        """Of this side."""

    def _corner(self, side: Side) -> tuple[Pieces, WheelCarrier]:
        arm, ends, centre = side.named("arm"), self._pivots(side), self._wheel_centre(side)
        mounts = hinge_mounts(self.arm_bushings, ends)
        pieces = Pieces(
            links=(arm_with_hub(arm, self.arm_mass, self.upright_mass, ends, centre),),
            joints=(Hinge(side.named("arm_bearings"), BODY, arm, ends, mounts),),
        )
        return pieces, self._carrier(side, arm, centre)


def arm_with_hub(
    name: str, mass: float | None, hub: float, ends: tuple[Point, Point], centre: Point
) -> Link:
    """An arm from its bearings to the wheel, with hub and brake there."""
    arm = frame_link(name, mass, [(end, centre) for end in ends], ARM_SECTION)
    return arm.with_hub(hub, centre)


@dataclass(frozen=True, kw_only=True)
class TrailingArmPoints(Part):
    """Of one side, in the axle's axes."""

    wheel_centre: Point = vector_parameter("m", "the wheel's centre")
    pivot: Point = vector_parameter("m", "middle of the arm's hinge, which lies along y")


@dataclass(frozen=True, kw_only=True)
class TrailingArm(HingeArm):
    """A trailing arm; with its pivot behind the wheel, a leading one.

    Example:
    >>> from axletree.vehicles.linkages.kinds.trailing_arms import TrailingArm
    >>> axle = TrailingArm(
    ...     points={"wheel_centre": (0.0, 0.7, 0.3), "pivot": (0.4, 0.5, 0.32)},
    ...     pivot_width=0.25,
    ...     spring={"stiffness": 4e4, "lower": (0.0, 0.55, 0.3), "upper": (0.0, 0.55, 0.6)},
    ...     upright_mass="15 kg",
    ... )
    >>> axle.linkage().joints[0].ends
    ((0.4, 0.375, 0.32), (0.4, 0.625, 0.32))
    """

    summary: ClassVar[str] = "an arm on a hinge across the vehicle, by hard points"

    points: TrailingArmPoints = piece(TrailingArmPoints, "hard points of the left side")
    right_points: TrailingArmPoints | None = piece(
        TrailingArmPoints, "those of the right side; left out: mirrored", default=None
    )
    pivot_width: float = positive("m", "between the bearings of the hinge", default=0.2)

    def _wheel_centre(self, side: Side) -> Point:
        return side.points(self.points, self.right_points).wheel_centre

    def _pivots(self, side: Side) -> tuple[Point, Point]:
        x, y, z = side.points(self.points, self.right_points).pivot
        half = 0.5 * side.sign * self.pivot_width
        return (x, y - half, z), (x, y + half, z)


@dataclass(frozen=True, kw_only=True)
class SemiTrailingArmPoints(Part):
    """Of one side, in the axle's axes."""

    wheel_centre: Point = vector_parameter("m", "the wheel's centre")
    pivot_inner: Point = vector_parameter("m", "inner bearing of the arm on the body")
    pivot_outer: Point = vector_parameter("m", "outer bearing of the arm on the body")


@dataclass(frozen=True, kw_only=True)
class SemiTrailingArm(HingeArm):
    """An arm whose hinge lies oblique, so that toe and camber change with its travel.

    Example:
    >>> from axletree.vehicles.linkages.kinds.trailing_arms import SemiTrailingArm
    >>> axle = SemiTrailingArm(
    ...     points={
    ...         "wheel_centre": (0.0, 0.7, 0.3),
    ...         "pivot_inner": (0.3, 0.2, 0.28),
    ...         "pivot_outer": (0.4, 0.55, 0.3),
    ...     },
    ...     spring={"stiffness": 4e4, "lower": (0.0, 0.5, 0.3), "upper": (0.0, 0.5, 0.6)},
    ...     upright_mass="15 kg",
    ... )
    >>> [link.name for link in axle.linkage().links]
    ['left_arm', 'right_arm']
    """

    summary: ClassVar[str] = "an arm on an oblique hinge, by hard points"

    points: SemiTrailingArmPoints = piece(SemiTrailingArmPoints, "hard points of the left side")
    right_points: SemiTrailingArmPoints | None = piece(
        SemiTrailingArmPoints, "those of the right side; left out: mirrored", default=None
    )

    def _wheel_centre(self, side: Side) -> Point:
        return side.points(self.points, self.right_points).wheel_centre

    def _pivots(self, side: Side) -> tuple[Point, Point]:
        p = side.points(self.points, self.right_points)
        return p.pivot_inner, p.pivot_outer
