"""What every suspension by hard points has, and what it makes of them.

By contract a kind is one file: named hard points, a piece of their own with a sentence and a unit
each, and ``linkage``, which makes links and joints of them. All that a vehicle asks of a suspension
follows from the linkage: rates, curves over travel, roll centre, masses.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self, TypeVar

from axletree.components.fields import Part, chosen, parameter, piece, positive
from axletree.components.frames import Frame
from axletree.core.errors import ModelError
from axletree.model.model import Model
from axletree.vehicles.linkages.axle_curves import (
    AxleSweep,
    common_rate,
    coupling_rate,
    equivalent_suspension,
)
from axletree.vehicles.linkages.coilover import Coilover
from axletree.vehicles.linkages.hard_points import HardPoints, PointAxes
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Link,
    Point,
    Slide,
    spin_axis,
)
from axletree.vehicles.linkages.positions import LinkageKinematics
from axletree.vehicles.suspensions import (
    CARRIER_INERTIA,
    SIDES,
    AxlePlace,
    Independent,
    RollMotion,
    StaticAngles,
    Suspension,
)

_P = TypeVar("_P", bound=HardPoints)
_SAME = 1e-4  # m, by which points may be off where a file says the same twice
RACK_WAY = "rack_way"  # the joint of the rack in the body


@dataclass(frozen=True, kw_only=True)
class LinkedSuspension(Suspension, ABC):
    """A suspension by the hard points of its left side, in the axle's axes at design: x forward,
    y left, z up, origin on the road at y = 0 below the wheel centres.

    Toe and camber are set as shims and tie rods set them: the hub has them at design, the hard
    points stay.
    """

    spring: Coilover = piece(Coilover, "spring and damper of each side")
    upright_mass: float = positive("kg", "of the upright with hub and brake, without the wheel")
    static_toe: float = parameter("rad", "toe-in of a wheel at design", default=0.0)
    static_camber: float = parameter("rad", "camber at design; positive: top outward", default=0.0)
    axes: PointAxes = chosen(PointAxes.AXLE, "where hard points are measured from")
    # [N], by the springs of each wheel of the vehicle that it is in, at design
    carried: float = field(default=0.0, init=False, repr=False, compare=False)

    @abstractmethod
    def linkage(self) -> AxleLinkage:
        """Links, joints and springs of both sides at design."""

    # -- for kinds ---------------------------------------------------------------------------
    def sides(self, left: _P, right: _P | None) -> dict[str, _P]:
        """Hard points of both sides in the axle's axes; the right ones are mirrored if not given."""
        if self.axes is PointAxes.VEHICLE:
            forward = -left.wheel_centre[0]
            left, right = left.moved(forward), None if right is None else right.moved(forward)
        return {"left": left, "right": left.mirrored() if right is None else right}

    def spin_axis(self, side: str) -> Point:
        """Of the wheel of a side, with toe and camber as they are set."""
        return spin_axis(SIDES[side], self.static_toe, self.static_camber)

    def upright(self, name: str, centre: Point) -> Link:
        """With its mass about a centre, and the inertia of a knuckle of some 20 cm."""
        inertia = (CARRIER_INERTIA * self.upright_mass,) * 3
        return Link(name, self.upright_mass, centre, (*inertia, 0.0, 0.0, 0.0))

    def with_rack(self, linkage: AxleLinkage) -> AxleLinkage:
        """A linkage whose tie rods end on the rack, with the rack itself."""
        links, joints = (Link(RACK), *linkage.links), list(linkage.joints)
        way = Slide(RACK_WAY, BODY, RACK, (0.0, 1.0, 0.0))
        return replace(linkage, links=links, joints=(way, *joints), steers=True)

    # -- of the linkage ----------------------------------------------------------------------
    @cached_property
    def kinematics(self) -> LinkageKinematics:
        """Where its links are at any travel and rack."""
        return LinkageKinematics(self.linkage(), "the linkage")

    def problems(self) -> list[str]:
        try:
            linkage = self.kinematics.linkage
        except ModelError as error:
            return list(error.problems)
        x = linkage.carriers["left"].centre[0]
        if abs(x) > _SAME:
            return [
                f"wheel_centre: x is {x:g} m, and the axle's axes have their origin below the "
                "wheel centres; make it 0, or give points with axes: vehicle"
            ]
        return []

    def problems_of_place(self, position: float, track: float) -> list[str]:
        """What is wrong with its wheel centres in an axle of this position and track [m]."""
        left, right = (self.kinematics.linkage.carriers[side].centre[1] for side in SIDES)
        found = []
        if abs(left - right - track) > _SAME:
            found.append(
                f"track: {track:g} m, but the wheel centres of the suspension's hard points are "
                f"{left - right:g} m apart; make both the same"
            )
        stated = self._stated_position
        if stated is not None and abs(stated - position) > _SAME:
            found.append(
                f"position: {position:g} m, but wheel_centre of the suspension is {stated:g} m "
                "ahead of the centre of mass; make both the same, or give points with axes: axle"
            )
        return found

    @property
    def _stated_position(self) -> float | None:
        """Of the wheel centre ahead of the body's centre of mass [m], as points say it."""
        points = getattr(self, "points", None)
        if self.axes is PointAxes.VEHICLE and isinstance(points, HardPoints):
            return points.wheel_centre[0]
        return None

    def settled(self, carried: float) -> Self:
        """In a vehicle at rest whose weight puts a load [N] on the springs of each wheel."""
        other = copy.copy(self)
        other.__dict__.pop("_equivalent", None)
        object.__setattr__(other, "carried", carried)
        return other

    # -- as every suspension -----------------------------------------------------------------
    def curves(self) -> Independent:
        """A suspension by curves that does to its wheels what the linkage does at held rack."""
        return self._equivalent

    @cached_property
    def sweep(self) -> AxleSweep:
        """Its links over the travel of both wheels."""
        return AxleSweep(self.kinematics)

    @cached_property
    def _equivalent(self) -> Independent:
        return equivalent_suspension(self.sweep, self._angles, self.carried)

    @property
    def _angles(self) -> StaticAngles:
        return StaticAngles(self.static_camber, self.static_toe)

    @property
    def unsprung_mass(self) -> float:
        """Of all links: what hangs between body and wheels counts whole."""
        return sum(link.mass for link in self.kinematics.linkage.links)

    @property
    def static_angles(self) -> StaticAngles:
        return self._angles

    @property
    def damping(self) -> float:
        """Of the damper at each wheel, at design [N s/m]."""
        return self.curves().damping

    def add(self, model: Model, at: AxlePlace) -> Mapping[str, Frame]:
        """By its curves."""
        return self.curves().add(model, at)

    def plain(self) -> Suspension:
        return self.curves().plain()

    def travels(self, axle: str) -> tuple[str, ...]:
        return tuple(f"{axle}_{side}_suspension.travel" for side in SIDES)

    def wheel_rate(self) -> float:
        return common_rate(self.sweep.stiffness(self.carried))

    def roll_rate(self, track: float) -> float:
        K = self.sweep.stiffness(self.carried)
        return (0.5 * common_rate(K) + max(coupling_rate(K), 0.0)) * track * track

    def unsprung_yaw_inertia(self, track: float) -> float:
        """About a vertical line through the middle of the axle, of all links."""
        found = 0.0
        for link in self.kinematics.linkage.links:
            x, y, _ = link.centre
            found += link.inertia[2] + link.mass * (x * x + y * y)
        return found

    def in_roll(self, track: float, travel: float) -> RollMotion:
        return self.curves().in_roll(track, travel)

