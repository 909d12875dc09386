"""What every suspension by hard points has, and what it makes of them.

By contract a kind is one file: named hard points, a piece of their own with a sentence and a unit
each, and ``linkage``, which makes links and joints of them. All that a vehicle asks of a suspension
follows from the linkage: rates, curves over travel, roll centre, masses.
"""

from __future__ import annotations

import copy
import enum
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from axletree.components.fields import chosen, parameter, piece, positive
from axletree.components.frames import Frame
from axletree.core.errors import ModelError
from axletree.model.model import Model
from axletree.vehicles.linkages.curves.axle_curves import (
    BUMP,
    REBOUND,
    AxleSweep,
    common_rate,
    coupling_rate,
    equivalent_suspension,
)
from axletree.vehicles.linkages.curves.compliance import steer_compliance
from axletree.vehicles.linkages.curves.forces import (
    design_forces,
    forces_at_wheels,
    pushes_elsewhere,
)
from axletree.vehicles.linkages.linkage import AxleLinkage, moved_forward
from axletree.vehicles.linkages.parts.coilover import Coilover
from axletree.vehicles.linkages.positions import LinkageKinematics
from axletree.vehicles.suspensions import (
    SIDES,
    AxlePlace,
    Independent,
    RollMotion,
    SolidAxle,
    StaticAngles,
    SteerCompliance,
    Suspension,
)

_NOTED = 1e-3  # share of the wheel rate by which springs may be softer in roll
_ROLL_STEER = 0.02  # of the angle of roll
_STEEPEST = 45.0  # deg, of static toe and camber
_SAME = 1e-4  # m, by which points may be off where a file says the same twice


class PointAxes(enum.Enum):
    """Where hard points are measured from; x forward, y left, z up in both."""

    AXLE = "axle"  # from the road at y = 0 below the wheel centres
    VEHICLE = "vehicle"  # x from the body's centre of mass, z from the road


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
        """Links, joints and springs of both sides at design, in the axes of its points."""

    def with_steering(self) -> Self:
        """The same in an axle that is steered: its tie rods end on what steers.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("double-wishbone-sports-car").described["vehicle"]
        >>> rear = car.axles["rear"].suspension
        >>> rear.linkage().steers, rear.with_steering().linkage().steers
        (False, True)
        """
        return self

    @cached_property
    def _in_axle(self) -> AxleLinkage:
        """The linkage in the axle's axes."""
        linkage = self.linkage()
        if self.axes is PointAxes.AXLE:
            return linkage
        return moved_forward(linkage, -self.drawn().carriers["left"].centre[0])

    def drawn(self) -> AxleLinkage:
        """The linkage as its points are given, before anything is adjusted.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("double-wishbone-sports-car").described["vehicle"]
        >>> front = car.axles["front"].suspension
        >>> front.drawn() == front.linkage()  # nothing is
        True
        """
        return self.linkage()

    @property
    def _drawn_in_axle(self) -> AxleLinkage:
        drawn = self.drawn()
        if self.axes is PointAxes.AXLE:
            return drawn
        return moved_forward(drawn, -drawn.carriers["left"].centre[0])

    @property
    def in_axle(self) -> AxleLinkage:
        """The linkage in the axle's axes, on which a rig stands."""
        return self._in_axle

    @cached_property
    def kinematics(self) -> LinkageKinematics:
        """Where its links are at any travel and rack, in the axle's axes."""
        return LinkageKinematics(self._in_axle, "points")

    def problems(self) -> list[str]:
        found = [
            f"{name}: a wheel stands within {_STEEPEST:g} deg, got {math.degrees(angle):.4g} deg"
            for name, angle in (("toe", self.static_toe), ("camber", self.static_camber))
            if abs(angle) > math.radians(_STEEPEST)
        ]
        if found:
            return [f"static_{text}" for text in found]
        try:
            linkage = self._in_axle
            if not linkage.has_bushings():
                _ = self.kinematics
        except ModelError as error:
            return list(error.problems)
        x = self._drawn_in_axle.carriers["left"].centre[0]
        if abs(x) > _SAME:
            return [
                f"points: wheel_centre: x is {x:g} m, and the axle's axes have their origin below "
                "the wheel centres; make it 0, or give points with axes: vehicle"
            ]
        return []

    def problems_of_place(self, position: float, track: float) -> list[str]:
        """What is wrong with its wheel centres in an axle of this position and track [m].

        Example:
        >>> import axletree as at
        >>> car = at.read_model("double-wishbone-sports-car").described["vehicle"]
        >>> car.axles["rear"].suspension.problems_of_place(position=-1.1, track=1.56)
        []
        """
        left, right = (self._drawn_in_axle.carriers[side].centre[1] for side in SIDES)
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
    def notes(self) -> tuple[str, ...]:
        """What looks wrong with its points."""
        return self._in_axle.notes

    @property
    def notes_on_curves(self) -> tuple[str, ...]:
        """What its curves cannot show of it, and stops that it never comes to."""
        return (
            *self._stops_out_of_reach(),
            *self._softer_in_roll(),
            *self._springs_that_pull(),
        )

    def _stops_out_of_reach(self) -> Iterator[str]:
        for coil in self._in_axle.coils:
            for name, sign in (("bump_clearance", BUMP), ("rebound_clearance", REBOUND)):
                clearance = getattr(coil, name)
                if clearance is not None and (coil.name, sign) not in self.sweep.stops:
                    yield (
                        f"{coil.name}: no wheel travel changes its length by its {name} of "
                        f"{1e3 * clearance:.4g} mm; its links pass a dead centre before, or do "
                        "not go that far"
                    )

    @property
    def notes_on_beam(self) -> tuple[str, ...]:
        """What models by curves leave out of an axle that they have as a beam on two springs."""
        if not self.sweep.is_beam:
            return ()
        found, linkage = [], self._in_axle
        if any(coil.damper is not None for coil in linkage.coils):
            found.append("the curves of its dampers, which count by their slope at slow speeds")
        left, right = (linkage.carriers[side].centre[1] for side in SIDES)
        steer = self.in_roll(left - right, 0.0).steer
        if abs(steer) > _ROLL_STEER:
            found.append(f"the {steer:.2g} deg by which it steers for each degree of roll")
        return tuple(
            f"models up to the fidelity full leave out {one}; links has it" for one in found
        )

    def _springs_that_pull(self) -> Iterator[str]:
        for name, force in design_forces(self.kinematics, self.carried).items():
            if force < 0.0:
                yield (
                    f"{name} pulls with {-force:.4g} N at design, where springs push: its upper "
                    "end is below the lower one, or gas_force carries more than the vehicle weighs"
                )

    def _softer_in_roll(self) -> Iterator[str]:
        K = self.sweep.stiffness(self.carried)
        if not self.sweep.is_beam and coupling_rate(K) < -_NOTED * common_rate(K):
            yield (
                f"its springs are softer in roll than in heave, by {-coupling_rate(K):.4g} N/m at "
                "each wheel; models up to the fidelity full, which go by curves, roll as if they "
                "were not, and links shows them"
            )

    @property
    def wheel_centre_height(self) -> float:
        """Mean of both sides above the road at design [m], as points say it."""
        return 0.5 * sum(self._in_axle.carriers[side].centre[2] for side in SIDES)

    @property
    def _stated_position(self) -> float | None:
        """Of the wheel centres ahead of the body's centre of mass [m], as points say it."""
        if self.axes is PointAxes.AXLE:
            return None
        return self.drawn().carriers["left"].centre[0]

    def settled(self, carried: float) -> Self:
        """In a vehicle at rest whose weight puts a load [N] on the springs of each wheel.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("double-wishbone-sports-car").described["vehicle"]
        >>> rear = car.axles["rear"].suspension
        >>> rear.settled(4000.0).wheel_rate() > rear.settled(2000.0).wheel_rate()  # N
        True
        """
        _ = self.sweep  # shared by both
        other = copy.copy(self)
        other.__dict__.pop("_equivalent", None)
        object.__setattr__(other, "carried", carried)
        return other

    # -- as every suspension -----------------------------------------------------------------
    def curves(self) -> Independent | SolidAxle:
        """A suspension by curves that does to its wheels what the linkage does at held rack.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("double-wishbone-sports-car").described["vehicle"]
        >>> print(f"{car.axles['front'].suspension.curves().stiffness / 1e3:.1f} kN/m")
        51.0 kN/m
        """
        return self._equivalent

    @cached_property
    def sweep(self) -> AxleSweep:
        """Its links over the travel of both wheels."""
        return AxleSweep(self.kinematics)

    @cached_property
    def _equivalent(self) -> Independent | SolidAxle:
        try:
            found = equivalent_suspension(self.sweep, self._angles, self.carried)
        except ModelError:
            rate = common_rate(self.sweep.stiffness(self.carried))
            text = (
                f"the force at its wheels bends so much over travel that curves do not show the "
                f"rate of {rate:.4g} N/m at design: a rocker, a drop link or a spring stands near "
                "a dead centre there"
            )
            raise ModelError([text, *self.notes]) from None
        return replace(found, compliance=self.steer_compliance)

    @property
    def _angles(self) -> StaticAngles:
        return StaticAngles(self.static_camber, self.static_toe)

    @property
    def unsprung_mass(self) -> float:
        """Of all links: what hangs between body and wheels counts whole."""
        return sum(link.mass for link in self._in_axle.links)

    @property
    def static_angles(self) -> StaticAngles:
        return self._angles

    @cached_property
    def steer_compliance(self) -> SteerCompliance | None:
        return steer_compliance(self._in_axle, self.wheel_centre_height)

    @property
    def wheels_wind_up(self) -> bool:
        return not self.sweep.is_beam

    def add(self, model: Model, at: AxlePlace) -> Mapping[str, Frame]:
        """By its curves."""
        return self.curves().add(model, at)

    def plain(self) -> Suspension:
        return self.curves().plain()

    def travels(self, axle: str) -> tuple[str, ...]:
        return tuple(f"{axle}_{side}_suspension.travel" for side in SIDES)

    def wheel_rate(self) -> float:
        rate = common_rate(self.sweep.stiffness(self.carried))
        if not rate > 0.0:
            text = (
                f"its springs do not hold it at design: the rate at the wheel is {rate:.4g} N/m "
                "there, which is to be above 0; they push the more the farther it goes, as springs "
                "do that pull or stand nearly across the travel"
            )
            raise ModelError([text, *self.notes])
        return rate

    def damping_rate(self) -> float:
        return self.curves().damping_rate()

    def roll_rate(self, track: float) -> float:
        K = self.sweep.stiffness(self.carried)
        return (0.5 * common_rate(K) + coupling_rate(K)) * track * track

    def seat_forces(
        self, track: float, travels: tuple[float, float], loads: tuple[float, float]
    ) -> tuple[float, float]:
        at = self.kinematics.at(np.array([[*travels, 0.0]]))
        now = forces_at_wheels(self.kinematics, self.carried, at)[0]
        design = forces_at_wheels(self.kinematics, self.carried, self.kinematics.design)[0]
        left, right = pushes_elsewhere(self.kinematics, at, design + np.array(loads) - now)
        return float(left), float(right)

    def unsprung_yaw_inertia(self, track: float) -> float:
        """About a vertical line through the middle of the axle, of all links."""
        found = 0.0
        for link in self._in_axle.links:
            x, y, _ = link.centre
            found += link.inertia[2] + link.mass * (x * x + y * y)
        return found

    def in_roll(self, track: float, travel: float) -> RollMotion:
        return self.sweep.in_roll(track, travel)
