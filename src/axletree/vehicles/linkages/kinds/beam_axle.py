"""Solid axles: both wheels on a beam, which two freedoms are left, to heave and to roll.

``BeamAxle``      what all have: the beam, its springs, and knuckles where it is steered
``FourLinkAxle``  two lower and two upper links, which converge in plan view
``PanhardAxle``   three links, and a Panhard rod across
``WattAxle``      three links, and Watt's linkage across
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import Part, piece, positive, vector_parameter
from axletree.vehicles.linkages.corner import CornerSuspension
from axletree.vehicles.linkages.linkage import (
    BODY,
    Hinge,
    Point,
    WheelCarrier,
    frame_link,
)
from axletree.vehicles.linkages.parts.rods import BallRod
from axletree.vehicles.linkages.parts.seats import Seat
from axletree.vehicles.linkages.parts.steering_linkage import PITMAN, BeamSteering
from axletree.vehicles.linkages.sides import AXLE_SIDES, LEFT_SIDE, RIGHT_SIDE, Pieces, Side

_AXLE = "axle"


@dataclass(frozen=True, kw_only=True)
class BeamPoints(Part):
    """Of one side, in the axle's axes."""

    wheel_centre: Point = vector_parameter("m", "the wheel's centre")


@dataclass(frozen=True, kw_only=True)
class BeamAxle(CornerSuspension):
    """Each kind says what holds the beam."""

    seats: ClassVar[tuple[Seat, ...]] = (Seat.AXLE,)

    points: BeamPoints = piece(BeamPoints, "hard points of the left side")
    right_points: BeamPoints | None = piece(
        BeamPoints, "those of the right side; left out: mirrored", default=None
    )
    axle_mass: float = positive("kg", "of the beam, without hubs, brakes and knuckles")
    steering: BeamSteering | None = piece(
        BeamSteering, "knuckles and rods, if the axle is steered", default=None
    )

    @abstractmethod
    def _guides(self) -> Pieces:
        """What holds the beam in the body."""

    def _wheel_centre(self, side: Side) -> Point:
        """Of this side."""
        return side.points(self.points, self.right_points).wheel_centre

    def _between_sides(self) -> Pieces:
        ends = (self._wheel_centre(LEFT_SIDE), self._wheel_centre(RIGHT_SIDE))
        beam = frame_link(_AXLE, self.axle_mass, [ends])
        if self.steering is None:
            for end in ends:
                beam = beam.with_hub(self.upright_mass, end)
            return Pieces(links=(beam,)) + self._guides()
        return Pieces(links=(beam,)) + self._guides() + self.steering.rods()

    def _corner(self, side: Side) -> tuple[Pieces, WheelCarrier]:
        centre = self._wheel_centre(side)
        if self.steering is None:
            return Pieces(), self._carrier(side, _AXLE, centre)
        knuckle = self.steering.knuckle(side, self.upright_mass, centre)
        kingpin = self.steering.kingpin(side)
        return knuckle, self._carrier(side, side.named("knuckle"), centre, kingpin)

    def _steers(self) -> bool:
        return self.steering is not None

    def _steering_hinge(self) -> str | None:
        return None if self.steering is None else PITMAN

    def _pair(self, name: str, left: BallRod, right: BallRod) -> Pieces:
        """A link on each side between body and beam."""
        rods = ((LEFT_SIDE, left), (RIGHT_SIDE, right))
        return Pieces(joints=tuple(r.bar(one.named(name), (BODY, _AXLE)) for one, r in rods))

    def _single(self, name: str, rod: BallRod) -> Pieces:
        """One link between body and beam."""
        return Pieces(joints=(rod.bar(name, (BODY, _AXLE)),))


@dataclass(frozen=True, kw_only=True)
class FourLinkAxlePoints(BeamPoints):
    """Of one side, in the axle's axes."""

    lower_link: BallRod = piece(BallRod, "the lower link, from the body to the axle")
    upper_link: BallRod = piece(BallRod, "the upper link, from the body to the axle")


@dataclass(frozen=True, kw_only=True)
class FourLinkAxle(BeamAxle):
    """Links that converge in plan view take side forces. A Panhard rod beside them would be one
    link too many for ideal joints: the axle could not roll.

    Example:
    >>> from axletree.vehicles.linkages.kinds.beam_axle import FourLinkAxle
    >>> axle = FourLinkAxle(
    ...     points={
    ...         "wheel_centre": (0.0, 0.78, 0.36),
    ...         "lower_link": {"inner": (0.6, 0.45, 0.34), "outer": (0.0, 0.55, 0.28)},
    ...         "upper_link": {"inner": (0.45, 0.45, 0.5), "outer": (-0.02, 0.12, 0.52)},
    ...     },
    ...     spring={"stiffness": 3e4, "lower": (0.0, 0.5, 0.4), "upper": (0.0, 0.48, 0.7)},
    ...     axle_mass="60 kg",
    ...     upright_mass="15 kg",
    ... )
    >>> axle.linkage().carriers["right"].link
    'axle'
    """

    summary: ClassVar[str] = "a solid axle on four links, by hard points"

    points: FourLinkAxlePoints = piece(FourLinkAxlePoints, "hard points of the left side")
    right_points: FourLinkAxlePoints | None = piece(
        FourLinkAxlePoints, "those of the right side; left out: mirrored", default=None
    )

    def _guides(self) -> Pieces:
        left, right = (one.points(self.points, self.right_points) for one in AXLE_SIDES)
        found = self._pair("lower_link", left.lower_link, right.lower_link)
        return found + self._pair("upper_link", left.upper_link, right.upper_link)


@dataclass(frozen=True, kw_only=True)
class ThreeLinkAxlePoints(BeamPoints):
    """Of one side, in the axle's axes."""

    lower_link: BallRod = piece(BallRod, "the lower link, from the body to the axle")


@dataclass(frozen=True, kw_only=True)
class ThreeLinkAxle(BeamAxle):
    """Two lower links and an upper one, which leave the beam to be held sideways."""

    points: ThreeLinkAxlePoints = piece(ThreeLinkAxlePoints, "hard points of the left side")
    right_points: ThreeLinkAxlePoints | None = piece(
        ThreeLinkAxlePoints, "those of the right side; left out: mirrored", default=None
    )
    upper_link: BallRod = piece(BallRod, "the only upper link, from the body to the axle")

    @abstractmethod
    def _sideways(self) -> Pieces:
        """What takes side forces."""

    def _guides(self) -> Pieces:
        left, right = (one.points(self.points, self.right_points) for one in AXLE_SIDES)
        found = self._pair("lower_link", left.lower_link, right.lower_link)
        return found + self._single("upper_link", self.upper_link) + self._sideways()


@dataclass(frozen=True, kw_only=True)
class PanhardAxle(ThreeLinkAxle):
    """The rod leads the beam on an arc, so that it goes sideways with its travel.

    Example:
    >>> from axletree.vehicles.linkages.kinds.beam_axle import PanhardAxle
    >>> axle = PanhardAxle(
    ...     points={
    ...         "wheel_centre": (0.0, 0.78, 0.36),
    ...         "lower_link": {"inner": (0.6, 0.45, 0.34), "outer": (0.0, 0.55, 0.28)},
    ...     },
    ...     upper_link={"inner": (0.5, 0.1, 0.5), "outer": (0.0, 0.1, 0.53)},
    ...     panhard_rod={"inner": (-0.1, 0.5, 0.42), "outer": (-0.1, -0.5, 0.38)},
    ...     spring={"stiffness": 3e4, "lower": (0.0, 0.5, 0.4), "upper": (0.0, 0.48, 0.7)},
    ...     axle_mass="60 kg",
    ...     upright_mass="15 kg",
    ... )
    >>> axle.linkage().joints[-1].name
    'panhard_rod'
    """

    summary: ClassVar[str] = "a solid axle on three links and a Panhard rod, by hard points"

    panhard_rod: BallRod = piece(BallRod, "a rod across, from the body to the axle")

    def _sideways(self) -> Pieces:
        return self._single("panhard_rod", self.panhard_rod)


@dataclass(frozen=True, kw_only=True)
class WattLinkage(Part):
    """A rocker that turns on the axle about a line along the vehicle, and two rods from its ends to
    the body.

    Example:
    >>> from axletree.vehicles.linkages.kinds.beam_axle import WattLinkage
    >>> WattLinkage(
    ...     pivot=(-0.1, 0.0, 0.36),
    ...     left_rod={"inner": (-0.1, 0.5, 0.44), "outer": (-0.1, 0.0, 0.44)},
    ...     right_rod={"inner": (-0.1, -0.5, 0.28), "outer": (-0.1, 0.0, 0.28)},
    ... ).pieces().links[0].name
    'watt_rocker'
    """

    summary: ClassVar[str] = "Watt's linkage across a solid axle"

    pivot: Point = vector_parameter("m", "the rocker's pivot on the axle")
    left_rod: BallRod = piece(BallRod, "the left rod, from the body to the rocker")
    right_rod: BallRod = piece(BallRod, "the right rod, from the body to the rocker")
    rocker_mass: float = positive("kg", "of the rocker", default=1.5)

    def pieces(self) -> Pieces:
        """On the axle."""
        x, y, z = self.pivot
        lines = [(self.pivot, rod.outer) for rod in (self.left_rod, self.right_rod)]
        return Pieces(
            links=(frame_link("watt_rocker", self.rocker_mass, lines),),
            joints=(
                Hinge("watt_pivot", _AXLE, "watt_rocker", (self.pivot, (x + 0.1, y, z))),
                self.left_rod.bar("watt_left_rod", (BODY, "watt_rocker")),
                self.right_rod.bar("watt_right_rod", (BODY, "watt_rocker")),
            ),
        )


@dataclass(frozen=True, kw_only=True)
class WattAxle(ThreeLinkAxle):
    """The linkage leads the beam along a line that is straight near the middle.

    Example:
    >>> from axletree.vehicles.linkages.kinds.beam_axle import WattAxle
    >>> axle = WattAxle(
    ...     points={
    ...         "wheel_centre": (0.0, 0.78, 0.36),
    ...         "lower_link": {"inner": (0.6, 0.45, 0.34), "outer": (0.0, 0.55, 0.28)},
    ...     },
    ...     upper_link={"inner": (0.5, 0.0, 0.5), "outer": (0.0, 0.0, 0.53)},
    ...     watt={
    ...         "pivot": (-0.1, 0.0, 0.36),
    ...         "left_rod": {"inner": (-0.1, 0.5, 0.44), "outer": (-0.1, 0.0, 0.44)},
    ...         "right_rod": {"inner": (-0.1, -0.5, 0.28), "outer": (-0.1, 0.0, 0.28)},
    ...     },
    ...     spring={"stiffness": 3e4, "lower": (0.0, 0.5, 0.4), "upper": (0.0, 0.48, 0.7)},
    ...     axle_mass="60 kg",
    ...     upright_mass="15 kg",
    ... )
    >>> [link.name for link in axle.linkage().links]
    ['axle', 'watt_rocker']
    """

    summary: ClassVar[str] = "a solid axle on three links and Watt's linkage, by hard points"

    watt: WattLinkage = piece(WattLinkage, "what takes side forces")

    def _sideways(self) -> Pieces:
        return self.watt.pieces()
