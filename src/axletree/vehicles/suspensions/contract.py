"""The contract of suspensions: what carries the two wheels of an axle.

A suspension adds components to a model and says on what the wheels turn. With the vehicle as it is
designed, its travel is zero and its springs carry what stands on them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from axletree.library.bodies import RigidBody
from axletree.library.frame import Frame
from axletree.library.joints.weld import Weld
from axletree.library.part import Part
from axletree.model.model import Model

SIDES = {"left": 1.0, "right": -1.0}  # and the sign of y there


@dataclass(frozen=True)
class AxlePlace:
    """An axle of a vehicle, as a suspension needs to know it."""

    name: str
    body: RigidBody
    x: float  # [m], of the axle from the body's centre of mass
    z: float  # [m], of the wheels' centres from there
    track: float  # [m]
    carried: float  # [N], by the springs of each wheel


@dataclass(frozen=True)
class RollMotion:
    """What both wheels of an axle do in the body by the angle that it rolls against them by, to
    the right if positive."""

    sideways: float  # [m/rad], of their centres to the right
    lean: float  # [1], to the right; -1 where they lean as their axle does
    steer: float  # [1], to the left


@dataclass(frozen=True)
class StaticAngles:
    """Of each wheel [rad] in the design position."""

    camber: float = 0.0  # its top outward
    toe: float = 0.0  # its front inward


class Suspension(Part, ABC):
    """How the wheels of an axle are carried.

    Example:
    >>> from axletree.vehicles.suspensions.independent import Independent
    >>> strut = Independent(stiffness="25 kN/m", mass="20 kg")
    >>> strut.unsprung_mass  # kg, of both sides
    40.0
    """

    @property
    @abstractmethod
    def unsprung_mass(self) -> float:
        """Of an axle without its wheels [kg]."""

    @abstractmethod
    def add(self, model: Model, at: AxlePlace) -> Mapping[str, Frame]:
        """Add it to the model; the frames that wheels or kingpins turn on, by side.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.suspensions.contract import AxlePlace
        >>> from axletree.vehicles.suspensions.independent import Independent
        >>> car = at.Model("car")
        >>> body = car.add(at.RigidBody("body", 1400.0, (500.0, 2300.0, 2500.0)))  # kg, kg m^2
        >>> front = AxlePlace("front", body, x=1.3, z=-0.2, track=1.6, carried=3500.0)  # m, N
        >>> ends = Independent(stiffness="25 kN/m", mass="20 kg").add(car, front)
        >>> ends["left"].body, car["front_left_spring"].preload  # N
        ('front_left_carrier', 3500.0)
        """

    def plain(self) -> Suspension:
        """The same without what curves and stops add.

        Example:
        >>> from axletree.vehicles.suspensions.independent import Independent
        >>> strut = Independent("25 kN/m", mass="20 kg", bump_clearance="8 cm")
        >>> strut.plain().bump_clearance, strut.plain().stiffness  # m, N/m
        (None, 25000.0)
        """
        return self

    @property
    def static_angles(self) -> StaticAngles:
        """Camber and toe of its wheels [rad] in the design position."""
        return StaticAngles()

    @abstractmethod
    def unsprung_yaw_inertia(self, track: float) -> float:
        """Of an axle without its wheels, about a vertical line through its middle [kg m^2], by
        the track [m].

        Example:
        >>> from axletree.vehicles.suspensions.independent import Independent
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg")
        >>> round(strut.unsprung_yaw_inertia(track=1.6), 2)  # 40 kg at 0.8 m, and their own
        26.0
        """

    def add_rigid(self, model: Model, at: AxlePlace) -> Mapping[str, Frame]:
        """Add it as a part of the body, without springs; frames as for ``add``.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.suspensions.contract import AxlePlace
        >>> from axletree.vehicles.suspensions.independent import Independent
        >>> car = at.Model("car")
        >>> body = car.add(at.RigidBody("body", 1400.0, (500.0, 2300.0, 2500.0)))  # kg, kg m^2
        >>> front = AxlePlace("front", body, x=1.3, z=-0.2, track=1.6, carried=3500.0)  # m, N
        >>> Independent("25 kN/m", mass="20 kg").add_rigid(car, front)["left"].position  # m
        (0.0, 0.8, 0.0)
        """
        yaw = self.unsprung_yaw_inertia(at.track)
        beam = model.add(RigidBody(f"{at.name}_unsprung", self.unsprung_mass, (yaw, yaw, yaw)))
        tail = at.body.point(at.x, 0.0, at.z, at.name)
        model.add(Weld(f"{at.name}_mount", tail, beam.main_frame))
        ends = ((side, sign * 0.5 * at.track) for side, sign in SIDES.items())
        return {side: beam.point(0.0, y, 0.0, side) for side, y in ends}

    @abstractmethod
    def travels(self, axle: str) -> tuple[str, ...]:
        """Names of the travels [m] of an axle of this name, as long as it is on springs.

        Example:
        >>> from axletree.vehicles.suspensions.independent import Independent
        >>> Independent(stiffness="25 kN/m", mass="20 kg").travels("front")
        ('front_left_suspension.travel', 'front_right_suspension.travel')
        """

    @abstractmethod
    def wheel_rate(self) -> float:
        """Force on a wheel by its travel where both wheels go up [N/m].

        Example:
        >>> from axletree.vehicles.suspensions.independent import Independent
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg", anti_roll="8 kN/m")
        >>> strut.wheel_rate()  # the bar does nothing here
        25000.0
        """

    @abstractmethod
    def roll_rate(self, track: float) -> float:
        """Moment by angle where the body rolls on wheels that stay [N m/rad], by the track [m].

        Example:
        >>> from axletree.vehicles.suspensions.independent import Independent
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg", anti_roll="8 kN/m")
        >>> strut.roll_rate(track=2.0)  # (25e3 / 2 + 8e3) 2^2
        82000.0
        """

    @abstractmethod
    def in_roll(self, track: float, travel: float) -> RollMotion:
        """What its wheels do as the body rolls, by the track [m], from a travel [m] of both.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.suspensions.independent import Independent
        >>> gain = at.Curve((-0.1, 0.1), (0.05, -0.05))  # rad of camber over m of travel
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg", camber=gain)
        >>> round(strut.in_roll(track=1.6, travel=0.0).lean, 3)  # 0.8 m times -0.5 rad/m
        -0.4
        """

    def roll_centre(self, track: float, wheel_height: float, travel: float = 0.0) -> float:
        """Height [m] above the ground at which side forces do not roll the body: the way of the
        contact points to the right by angle.

        Example:
        >>> from axletree.vehicles.suspensions.solid_axle import SolidAxle
        >>> beam = SolidAxle("200 kN/m", spring_track="1 m", mass="300 kg", roll_inertia=150.0)
        >>> beam.roll_centre(track=1.8, wheel_height=0.5)  # m: it rolls about its own middle
        0.5
        """
        moves = self.in_roll(track, travel)
        return moves.sideways - wheel_height * moves.lean
