"""A suspension of two corners: what all kinds have beside their own links.

A kind makes the links and joints of one side and says on what the wheel turns. Spring, rocker,
anti-roll bars and what steers are put to them here.
"""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from axletree.components.fields import Part, choice, flag, named_pieces, piece, positive
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.alignment import Alignment
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.linkages.linkage import (
    ARM_SECTION,
    BODY,
    RACK,
    AxleLinkage,
    Point,
    WheelCarrier,
    spin_axis,
)
from axletree.vehicles.linkages.parts.anti_roll_bar import TBar, UBar
from axletree.vehicles.linkages.parts.coilover import Coilover
from axletree.vehicles.linkages.parts.mounts import JointBushing, with_bushings
from axletree.vehicles.linkages.parts.rocker import Rocker
from axletree.vehicles.linkages.parts.seats import Seat
from axletree.vehicles.linkages.parts.steering_linkage import (
    PITMAN,
    TRACK_ROD,
    PitmanAndIdler,
    rack,
)
from axletree.vehicles.linkages.sides import (
    AXLE_SIDES,
    LEFT_SIDE,
    RIGHT_SIDE,
    Pieces,
    Side,
    mirrored,
    named_points,
)
from axletree.vehicles.suspensions import StaticAngles

_FARTHEST = 30.0  # m, of a point from the origin of its axes


@dataclass(frozen=True, kw_only=True)
class CornerSuspension(LinkedSuspension):
    """Points are those of the left side; the right one is mirrored where it is not given."""

    seats: ClassVar[tuple[Seat, ...]] = ()  # what may carry the spring, the usual one first

    points: Part = piece(Part, "hard points of the left side")
    right_points: Part | None = piece(
        Part, "those of the right side; left out: mirrored", default=None
    )
    spring_on: Seat | None = choice(
        Seat, "what carries the spring, or its pushrod; left out: the usual link", default=None
    )
    rocker: Rocker | None = piece(Rocker, "that carries the spring", default=None)
    anti_roll_bar: UBar | None = piece(UBar, "a bar across the vehicle", default=None)
    t_bar: TBar | None = piece(TBar, "a bar in the form of a T", default=None)
    third_spring: Coilover | None = piece(
        Coilover, "between both rockers: lower end on the left one, upper end on the right one",
        default=None,
    )  # fmt: skip
    alignment: Alignment | None = piece(
        Alignment, "rods and shims that set toe and camber; left out: the hub has them",
        default=None,
    )  # fmt: skip
    bushings: Mapping[str, JointBushing] = named_pieces(
        JointBushing, "in place of ideal joints, by the joint: lower_ball_joint, tie_rod_inner",
        default=dict,
    )  # fmt: skip

    @abstractmethod
    def _corner(self, side: Side) -> tuple[Pieces, WheelCarrier]:
        """Links and joints of a side, and what its wheel turns on."""

    def _between_sides(self) -> Pieces:
        """Links and joints that both sides share."""
        return Pieces()

    def _steering_hinge(self) -> str | None:
        """The hinge whose angle steers."""
        return None

    def _steers(self) -> bool:
        """Whether a rack or a hinge steers its wheels."""
        return False

    def linkage(self) -> AxleLinkage:
        """Links, joints and springs of both sides at design, in the axes of its points.

        Example:
        >>> from axletree.vehicles.linkages.kinds.trailing_arms import TrailingArm
        >>> arm = TrailingArm(
        ...     points={"wheel_centre": (0.0, 0.7, 0.3), "pivot": (0.4, 0.5, 0.32)},
        ...     spring={"stiffness": 4e4, "lower": (0.0, 0.55, 0.3), "upper": (0.0, 0.55, 0.6)},
        ...     upright_mass=15.0,
        ... )
        >>> [joint.name for joint in arm.linkage().joints]
        ['left_arm_bearings', 'right_arm_bearings']
        """
        found, carriers = self._between_sides(), {}
        for side in AXLE_SIDES:
            pieces, carriers[side.name] = self._corner(side)
            found += pieces + self._spring(side)
        found += self._across()
        axle = found.axle(
            carriers,
            steers=self._steers(),
            steering_hinge=self._steering_hinge(),
            notes=tuple(self._notes()),
        )
        if self.alignment is not None:
            axle = self.alignment.aligned(axle, self.static_toe, self.static_camber)
        return with_bushings(axle, self.bushings)

    @property
    def _angles(self) -> StaticAngles:
        """As the left wheel stands, where shims that set one angle change the other."""
        if self.alignment is None:
            return super()._angles
        x, y, z = self.in_axle.carriers[LEFT_SIDE.name].spin_axis
        return StaticAngles(-math.asin(z), math.atan2(x, y))

    def drawn(self) -> AxleLinkage:
        return (
            dataclasses.replace(self, alignment=None).linkage()
            if self.alignment
            else self.linkage()
        )

    def problems(self) -> list[str]:
        found = list(self._far_points())
        seats = (*self.seats, *([Seat.ROCKER] if self.rocker else []))
        if self.spring_on is not None and self.spring_on not in self.seats:
            found.append(f"spring_on: {self._cannot_carry(self.spring_on, self.seats)}")
        for name, bar in (("anti_roll_bar", self.anti_roll_bar), ("t_bar", self.t_bar)):
            if bar is not None and bar.on not in seats:
                found.append(f"{name}: on: {self._cannot_carry(bar.on, seats)}")
        if self.third_spring is not None and self.rocker is None:
            found.append("third_spring: stands between rockers; give a rocker, too")
        return found or super().problems()

    def _far_points(self) -> Iterator[str]:
        """What no vehicle has so far out: lengths in millimetres without their unit."""
        for name, at in named_points(self):
            if max(map(abs, at)) > _FARTHEST and not name.startswith("bushings"):
                x, y, z = (f"{value:g}" for value in at)
                where = name.replace(" ", ": ", 1)
                yield (
                    f"{where}: [{x}, {y}, {z}] m is no place of a vehicle; numbers without a unit "
                    f"are metres, write [{x} mm, {y} mm, {z} mm]"
                )

    def _cannot_carry(self, seat: Seat, seats: tuple[Seat, ...]) -> str:
        words = ", ".join(one.value for one in seats)
        return f"there is no {seat.value} that could carry it; there are: {words}"

    # -- springs -------------------------------------------------------------------------
    def _spring_ends(self, side: Side) -> tuple[Point, Point]:
        """On the body and on what carries it."""
        if self.spring.lower is None or self.spring.upper is None:
            raise ModelError("spring: needs 'lower' and 'upper', the points of its ends")
        return side.of(self.spring.upper), side.of(self.spring.lower)

    def _seat(self) -> Seat:
        return self.seats[0] if self.spring_on is None else self.spring_on

    def _spring(self, side: Side) -> Pieces:
        link, found = self._seat().link(side.name), Pieces()
        if self.rocker is not None:
            found += self.rocker.pieces(side, link)
            link = Seat.ROCKER.link(side.name)
        coil = self.spring.between(side.named("spring"), (BODY, link), self._spring_ends(side))
        return found + Pieces(coils=(coil,))

    def _across(self) -> Pieces:
        found = Pieces()
        for bar in (self.anti_roll_bar, self.t_bar):
            if bar is not None:
                found += bar.pieces({side.name: bar.on.link(side.name) for side in AXLE_SIDES})
        third = self.third_spring
        if third is not None and (third.lower is None or third.upper is None):
            raise ModelError("third_spring: needs 'lower' and 'upper', the points of its ends")
        if third is not None and third.lower is not None and third.upper is not None:
            rockers = (Seat.ROCKER.link(LEFT_SIDE.name), Seat.ROCKER.link(RIGHT_SIDE.name))
            coil = third.between("third_spring", rockers, (third.lower, third.upper))
            found += Pieces(coils=(dataclasses.replace(coil, is_spring=False),))
        return found

    # -- what a kind needs ---------------------------------------------------------------
    def _carrier(
        self,
        side: Side,
        link: str,
        centre: Point,
        kingpin: tuple[Point, Point] | None = None,
        toe_link: str | None = None,
        kingpin_links: tuple[str, str] | None = None,
    ) -> WheelCarrier:
        """A wheel on a link, with the toe and camber that are set."""
        angles = self.static_toe, self.static_camber
        axis = spin_axis(side.sign, *(self.alignment.hub(*angles) if self.alignment else angles))
        return WheelCarrier(link, centre, axis, kingpin, toe_link, kingpin_links)

    def _notes(self) -> Iterator[str]:
        """Points on the other side of the vehicle, or below the road."""
        for side in AXLE_SIDES:
            places = [*named_points(side.points(self.points, self.right_points))]
            if self.rocker is None:  # which may turn a spring across the vehicle
                own = self.spring if side is LEFT_SIDE else mirrored(self.spring)
                places += [(f"spring {name}", at) for name, at in named_points(own)]
            for name, (_, y, z) in places:
                if side.sign * y < 0.0:
                    other = RIGHT_SIDE if side is LEFT_SIDE else LEFT_SIDE
                    yield f"{side.name} {name} is on the {other.name}, at y = {1e3 * y:.4g} mm"
                if z < 0.0:
                    yield f"{side.name} {name} is below the road, at z = {1e3 * z:.4g} mm"


@dataclass(frozen=True, kw_only=True)
class TieRodSuspension(CornerSuspension):
    """A corner whose wheel is held, or steered, by a tie rod."""

    steered: bool = flag(
        "whether a rack moves the inner ends of the tie rods; if not, the body has them",
        default=False,
    )
    pitman: PitmanAndIdler | None = piece(
        PitmanAndIdler, "that moves them in place of a rack", default=None
    )

    def with_steering(self) -> Self:
        """The same in an axle that is steered: its tie rods end on a rack, or on the track rod.

        Example:
        >>> from axletree.vehicles.linkages.kinds.macpherson import Macpherson
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
        ... )
        >>> strut.linkage().steers, strut.with_steering().linkage().steers
        (False, True)
        """
        return self if self._steers() else dataclasses.replace(self, steered=True)

    def _between_sides(self) -> Pieces:
        if self.pitman is not None:
            return self.pitman.pieces()
        return rack() if self.steered else Pieces()

    def _steers(self) -> bool:
        return self.steered or self.pitman is not None

    def _steering_hinge(self) -> str | None:
        return None if self.pitman is None else PITMAN

    def _tie_rod_base(self) -> str:
        """The link that has the inner ends of the tie rods."""
        if self.pitman is not None:
            return TRACK_ROD
        return RACK if self.steered else BODY


def arm_mass(of: str) -> Any:
    """A field for the mass of an arm; left out, it follows from the arm's lines."""
    told = f"of {of}; left out: {ARM_SECTION:g} kg per metre of its lines"
    return positive("kg", told, default=None)
