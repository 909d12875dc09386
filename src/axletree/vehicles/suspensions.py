"""Suspensions: what carries the two wheels of an axle.

By contract a suspension adds components to a model and says on what the wheels turn. With the
vehicle as it is designed, its travel is zero and its springs carry what stands on them.

An independent suspension has each wheel on a guide of its own; a solid axle is a beam that heaves
and rolls in the body and carries both wheels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.components.bodies import FramedBody, MasslessBody, RigidBody
from axletree.components.fields import Part, optional_parameter, parameter, piece, positive
from axletree.components.frames import Frame
from axletree.components.joints import Prismatic, Revolute, Weld, WheelGuide
from axletree.components.motion_laws import XYZ
from axletree.components.signals import Curve, curve
from axletree.components.springs import (
    ActingSide,
    AntiRollBar,
    RotationalSpringDamper,
    SlideSpringDamper,
    TabulatedSlideSpringDamper,
)
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
    seats: tuple[float, float] = (0.0, 0.0)  # [N], that they push further at left and right wheels


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


@dataclass(frozen=True)
class SteerCompliance(Part):
    """By how much tyre forces steer a wheel in its bushings, as a rig measures it: toe-in of a left
    wheel at held travel and rack, by loads that act alike on both wheels of the axle.

    The wheel turns on a vertical axis with a spring 1/c of the aligning compliance c. Forces at the
    contact turn it by their lever, so that the axis is where all three are as they are given. What
    a torque does to the place of the contact is then right as well, since compliances are symmetric
    (Maxwell and Betti); camber by forces is left out.

    Example:
    >>> from axletree.vehicles.suspensions import SteerCompliance
    >>> soft = SteerCompliance("-0.5 deg/(kN*m)", lateral_steer="-0.05 deg/kN")
    >>> print(f"{soft.stiffness / 1e3:.1f} kN m/rad, {soft.axis[0]:.2f} m ahead")
    114.6 kN m/rad, -0.10 m ahead
    """

    summary: ClassVar[str] = "toe by tyre forces, of bushings and links that give"

    aligning_steer: float = parameter(
        "rad/(N*m)", "toe by a torque that turns a left wheel to the left about z; below 0",
        upper=0.0,
    )  # fmt: skip
    lateral_steer: float = parameter(
        "rad/N", "toe by a force on the contact of a left wheel to the left", default=0.0
    )
    braking_steer: float = parameter("rad/N", "toe by a rearward force on the contact", default=0.0)
    damping_time: float = parameter("s", "damping over stiffness", default=5e-4, lower=0.0)

    def problems(self) -> list[str]:
        if self.aligning_steer < 0.0:
            return []
        return ["aligning_steer: a torque to the left turns a wheel to the left, toe-out: below 0"]

    @property
    def stiffness(self) -> float:
        """About the axis [N m/rad]."""
        return -1.0 / self.aligning_steer

    @property
    def axis(self) -> tuple[float, float]:
        """How far the axis is ahead of the contact and outward of it [m]."""
        return self.lateral_steer * self.stiffness, self.braking_steer * self.stiffness

    def out_of_turn(self, side_force: float, aligning_moment: float) -> float:
        """Mean angle [rad] by which both wheels turn to the right, by what each has of side force
        to the left [N] and of torque to the left [N m].

        Example:
        >>> from axletree.vehicles.suspensions import SteerCompliance
        >>> front = SteerCompliance("-0.5 deg/(kN*m)", lateral_steer="0.02 deg/kN")
        >>> print(f"{57.29578 * front.out_of_turn(side_force=3e3, aligning_moment=-60.0):.2f} deg")
        0.09 deg
        """
        return self.lateral_steer * side_force + self.aligning_steer * aligning_moment


def add_steer_compliance(
    model: Model, compliance: SteerCompliance, name: str, side: str, carrier: Frame
) -> Frame:
    """Add the axis that a wheel turns on in its bushings; what of it takes the carrier's place.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.suspensions import SteerCompliance, add_steer_compliance
    >>> car = at.Model("car")
    >>> hub = car.add(at.RigidBody("hub", 20.0, (0.2, 0.2, 0.2))).main_frame  # kg, kg m^2
    >>> soft = SteerCompliance("-0.5 deg/(kN*m)", lateral_steer="-0.05 deg/kN")
    >>> wheel = add_steer_compliance(car, soft, "front_left", "left", hub)
    >>> wheel.body, wheel.position
    ('front_left_compliant_hub', (0.1, -0.0, 0.0))
    """
    ahead, outward = compliance.axis
    y_out, (x, y, z) = SIDES[side] * outward, carrier.position
    body = model[carrier.body]
    assert isinstance(body, FramedBody)
    hub = model.add(MasslessBody(f"{name}_compliant_hub"))
    tail = body.point(x + ahead, y + y_out, z, f"{name}_compliance")
    turns = model.add(Revolute(f"{name}_compliance", tail, hub.main_frame, axis=_Z))
    k = compliance.stiffness
    spring = RotationalSpringDamper(
        f"{name}_compliance_spring", turns, stiffness=k, damping=compliance.damping_time * k
    )
    model.add(spring)
    return hub.point(-ahead, -y_out, 0.0, "wheel")


class Suspension(Part, ABC):
    """How the wheels of an axle are carried.

    Example:
    >>> from axletree.vehicles.suspensions import Independent
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
        >>> from axletree.vehicles.suspensions import AxlePlace
        >>> from axletree.vehicles.suspensions import Independent
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
        >>> from axletree.vehicles.suspensions import Independent
        >>> strut = Independent("25 kN/m", mass="20 kg", bump_clearance="8 cm")
        >>> strut.plain().bump_clearance, strut.plain().stiffness  # m, N/m
        (None, 25000.0)
        """
        return self

    @property
    def static_angles(self) -> StaticAngles:
        """Camber and toe of its wheels [rad] in the design position."""
        return StaticAngles()

    @property
    def wheels_wind_up(self) -> bool:
        """Whether the carriers of its wheels turn about y as they travel, apart from one another:
        half shafts from the body then do another work than a drive on the carriers."""
        return False

    @property
    def steer_compliance(self) -> SteerCompliance | None:
        """How tyre forces steer its wheels; None of one that is stiff."""
        return None

    @abstractmethod
    def unsprung_yaw_inertia(self, track: float) -> float:
        """Of an axle without its wheels, about a vertical line through its middle [kg m^2], by
        the track [m].

        Example:
        >>> from axletree.vehicles.suspensions import Independent
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg")
        >>> round(strut.unsprung_yaw_inertia(track=1.6), 2)  # 40 kg at 0.8 m, and their own
        26.0
        """

    def add_rigid(self, model: Model, at: AxlePlace) -> Mapping[str, Frame]:
        """Add it as a part of the body, without springs; frames as for ``add``.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.suspensions import AxlePlace
        >>> from axletree.vehicles.suspensions import Independent
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
        >>> from axletree.vehicles.suspensions import Independent
        >>> Independent(stiffness="25 kN/m", mass="20 kg").travels("front")
        ('front_left_suspension.travel', 'front_right_suspension.travel')
        """

    @abstractmethod
    def wheel_rate(self) -> float:
        """Force on a wheel by its travel where both wheels go up [N/m].

        Example:
        >>> from axletree.vehicles.suspensions import Independent
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg", anti_roll="8 kN/m")
        >>> strut.wheel_rate()  # the bar does nothing here
        25000.0
        """

    def damping_rate(self) -> float:
        """Force on a wheel by its speed where it moves slowly [N s/m].

        Example:
        >>> from axletree.vehicles.suspensions import Independent
        >>> damper = [[-1.0, -1200.0], [1.0, 1200.0]]  # m/s, N
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg", damper=damper)
        >>> round(strut.damping_rate())
        1200
        """
        return 0.0

    @abstractmethod
    def roll_rate(self, track: float) -> float:
        """Moment by angle where the body rolls on wheels that stay [N m/rad], by the track [m].

        Example:
        >>> from axletree.vehicles.suspensions import Independent
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg", anti_roll="8 kN/m")
        >>> strut.roll_rate(track=2.0)  # (25e3 / 2 + 8e3) 2^2
        82000.0
        """

    @abstractmethod
    def in_roll(self, track: float, travel: float) -> RollMotion:
        """What its wheels do as the body rolls, by the track [m], from a travel [m] of both.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.suspensions import Independent
        >>> gain = at.Curve((-0.1, 0.1), (0.05, -0.05))  # rad of camber over m of travel
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg", camber=gain)
        >>> round(strut.in_roll(track=1.6, travel=0.0).lean, 3)  # 0.8 m times -0.5 rad/m
        -0.4
        """

    @abstractmethod
    def seat_forces(
        self, track: float, travels: tuple[float, float], loads: tuple[float, float]
    ) -> tuple[float, float]:
        """What the seats of its springs have to push further at the left and the right wheel at
        design [N], so that these rest at travels [m] with loads [N] beyond those at design.

        Example:
        >>> from axletree.vehicles.suspensions import Independent
        >>> strut = Independent(stiffness="25 kN/m", mass="20 kg")
        >>> strut.seat_forces(track=1.6, travels=(0.01, 0.01), loads=(0.0, 0.0))  # 1 cm lower
        (-250.0, -250.0)
        """

    def roll_centre(self, track: float, wheel_height: float, travel: float = 0.0) -> float:
        """Height [m] above the ground at which side forces do not roll the body: the way of the
        contact points to the right by angle.

        Example:
        >>> from axletree.vehicles.suspensions import SolidAxle
        >>> beam = SolidAxle("200 kN/m", spring_track="1 m", mass="300 kg", roll_inertia=150.0)
        >>> beam.roll_centre(track=1.8, wheel_height=0.5)  # m: it rolls about its own middle
        0.5
        """
        moves = self.in_roll(track, travel)
        return moves.sideways - wheel_height * moves.lean


_NEAR = 0.01  # share, by which a stiffness and the slope of its curve may differ
CARRIER_INERTIA = 0.01  # kg m^2 per kg, of a knuckle and hub of some 20 cm across


@dataclass(frozen=True)
class Independent(Suspension):
    """Springs, dampers and stops at wheel rates; curves over the travel of a wheel.

    Travel is up from the design position. Curves and static angles are those of engineers: camber
    is positive where the wheel's top leans outward, toe is positive where its front points inward,
    and a wheel goes outward or forward by a positive amount. Both sides are mirror images.

    Example:
    >>> from axletree.vehicles.suspensions import Independent
    >>> strut = Independent(stiffness="25 kN/m", mass="20 kg", damping="2 kN*s/m")
    >>> print(f"{(strut.stiffness / 400.0) ** 0.5:.2f} rad/s")  # of 400 kg on this wheel
    7.91 rad/s
    """

    summary: ClassVar[str] = "each wheel on a guide of its own, by curves over its travel"

    stiffness: float = positive("N/m", "of the spring at each wheel")
    mass: float = positive("kg", "unsprung mass of each side without the wheel")
    damping: float = parameter("N*s/m", "of the damper at each wheel", default=0.0, lower=0.0)
    damper: Curve | None = curve(
        "m/s", "N", "force of the damper at a wheel over speed, bump positive", default=None
    )
    anti_roll: float = parameter("N/m", "of the anti-roll bar, at each wheel", default=0.0, lower=0)
    bump_clearance: float | None = optional_parameter("m", "travel up to the bump stop", lower=0.0)
    rebound_clearance: float | None = optional_parameter(
        "m", "travel down to the rebound stop", lower=0.0
    )
    stop_stiffness: float = positive("N/m", "of these stops", default=2e5)
    static_camber: float = parameter("rad", "camber at the design position", default=0.0)
    static_toe: float = parameter("rad", "toe-in of a wheel at the design position", default=0.0)
    camber: Curve | None = curve("m", "rad", "change of camber over travel", default=None)
    toe: Curve | None = curve("m", "rad", "change of toe over travel", default=None)
    outward: Curve | None = curve("m", "m", "way of the wheel outward over travel", default=None)
    forward: Curve | None = curve("m", "m", "way of the wheel forward over travel", default=None)
    caster: Curve | None = curve("m", "rad", "turn about y over travel", default=None)
    force: Curve | None = curve(
        "m", "N", "of the spring at each wheel over travel, from that at the design position; it "
        "takes the place of the stiffness, which is its slope there", default=None,
    )  # fmt: skip
    compliance: SteerCompliance | None = piece(
        SteerCompliance, "toe by tyre forces; left out: none", default=None
    )

    @property
    def steer_compliance(self) -> SteerCompliance | None:
        return self.compliance

    def problems(self) -> list[str]:
        found = problems_of_damper(self.damping, self.damper)
        slope = _slope(self.force, 0.0)
        if self.force is not None and abs(slope - self.stiffness) > _NEAR * self.stiffness:
            found.append(
                f"force: its slope at the design position is {slope:.5g} N/m, the stiffness "
                f"{self.stiffness:.5g} N/m; make both the same"
            )
        return found

    @property
    def unsprung_mass(self) -> float:
        return 2.0 * self.mass

    @property
    def static_angles(self) -> StaticAngles:
        return StaticAngles(self.static_camber, self.static_toe)

    @property
    def wheels_wind_up(self) -> bool:
        return self.caster is not None

    def travels(self, axle: str) -> tuple[str, ...]:
        return tuple(f"{axle}_{side}_suspension.travel" for side in SIDES)

    def wheel_rate(self) -> float:
        return self.stiffness

    def damping_rate(self) -> float:
        return self.damping if self.damper is None else slow_damping(self.damper)

    def roll_rate(self, track: float) -> float:
        return (0.5 * self.stiffness + self.anti_roll) * track * track

    def seat_forces(
        self, track: float, travels: tuple[float, float], loads: tuple[float, float]
    ) -> tuple[float, float]:
        rolls = self.anti_roll * (travels[0] - travels[1])
        left, right = (load - self._push(z) for load, z in zip(loads, travels, strict=True))
        return left - rolls, right + rolls

    def _push(self, travel: float) -> float:
        """Of the spring at a wheel [N], beyond that at design."""
        if self.force is None:
            return self.stiffness * travel
        return float(self.force.table.evaluate(travel))

    def plain(self) -> Independent:
        names = (
            "damper",
            "bump_clearance",
            "rebound_clearance",
            "camber",
            "toe",
            "outward",
            "force",
        )
        without = dict.fromkeys((*names, "forward", "caster"))
        level = replace(self, static_camber=0.0, static_toe=0.0, **without)  # type: ignore[arg-type]
        return replace(level, damping=max(self.damping_rate(), 0.0))

    def unsprung_yaw_inertia(self, track: float) -> float:
        return self.unsprung_mass * (CARRIER_INERTIA + 0.25 * track * track)

    def in_roll(self, track: float, travel: float) -> RollMotion:
        """The outer wheel goes up by half of the track and the inner one down."""
        half, curves = 0.5 * track, (self.outward, self.camber, self.toe)
        return RollMotion(*(half * _slope(points, travel) for points in curves))

    def add(self, model: Model, at: AxlePlace) -> Mapping[str, Frame]:
        guides = {side: self._side(model, at, side) for side in SIDES}
        if self.anti_roll:
            both = guides["left"], guides["right"]
            model.add(AntiRollBar(f"{at.name}_anti_roll_bar", *both, stiffness=self.anti_roll))
        return {side: guide.head for side, guide in guides.items()}

    def _side(self, model: Model, at: AxlePlace, side: str) -> WheelGuide:
        name, sign = f"{at.name}_{side}", SIDES[side]
        inertia = (CARRIER_INERTIA * self.mass,) * 3
        carrier = model.add(RigidBody(f"{name}_carrier", self.mass, inertia))
        tail = at.body.point(at.x, sign * 0.5 * at.track, at.z, name)
        guide = model.add(
            WheelGuide(
                f"{name}_suspension",
                tail,
                carrier.main_frame,
                static_toe=-sign * self.static_toe,
                static_camber=-sign * self.static_camber,
                left=_scaled(self.outward, sign),
                forward=self.forward,
                toe=_scaled(self.toe, -sign),
                camber=_scaled(self.camber, -sign),
                caster=self.caster,
            )
        )
        more = dict(zip(SIDES, at.seats, strict=True))[side]
        self._add_springs(model, guide, name, at.carried + more)
        return guide

    def _add_springs(self, model: Model, guide: WheelGuide, name: str, carried: float) -> None:
        damping = 0.0 if self.damper is not None else self.damping
        stiffness = self.stiffness if self.force is None else 0.0
        spring = SlideSpringDamper(
            f"{name}_spring", guide, stiffness=stiffness, damping=damping, preload=carried
        )
        model.add(spring)
        if self.force is not None:
            model.add(
                TabulatedSlideSpringDamper(f"{name}_rate", guide, force_at_position=self.force)
            )
        if self.damper is not None:
            damper = TabulatedSlideSpringDamper(f"{name}_damper", guide, force_at_speed=self.damper)
            model.add(damper)
        stops = (
            ("bump", self.bump_clearance, 1.0, ActingSide.ABOVE),
            ("rebound", self.rebound_clearance, -1.0, ActingSide.BELOW),
        )
        for word, clearance, sign, acts in stops:
            if clearance is not None:
                stop = SlideSpringDamper(
                    f"{name}_{word}_stop", guide, stiffness=self.stop_stiffness,
                    free_position=sign * clearance, side=acts,
                )  # fmt: skip
                model.add(stop)


def problems_of_damper(damping: float, damper: Curve | None) -> list[str]:
    """Of a damper that is given twice, by a number [N s/m] and by a curve."""
    if damper is None or not damping:
        return []
    return [f"damping: {damping:g} N*s/m is given beside 'damper', the curve; give one of both"]


_SLOW = 0.01  # m/s, up to where a damper by a curve counts by one number


def slow_damping(damper: Curve) -> float:
    """The slope of a damper's curve through slow speeds of both signs [N s/m]."""
    pull, push = (float(damper.table.evaluate(v)) for v in (-_SLOW, _SLOW))
    return (push - pull) / (2.0 * _SLOW)


def _slope(points: Curve | None, travel: float) -> float:
    return 0.0 if points is None else float(points.table.derivative().evaluate(travel))


def _scaled(points: Curve | None, factor: float) -> Curve | None:
    return None if points is None else replace(points, y=tuple(factor * y for y in points.y))


_X = XYZ[0]
_Z = XYZ[2]


@dataclass(frozen=True)
class SolidAxle(Suspension):
    """A beam on two springs. It goes up and down and rolls about its centre, and nothing else.

    Example:
    >>> from axletree.vehicles.suspensions import SolidAxle
    >>> beam = SolidAxle("200 kN/m", spring_track="1 m", mass="300 kg", roll_inertia=150.0)
    >>> beam.stiffness * beam.spring_track**2 / 2  # N m/rad, of both springs in roll
    100000.0
    """

    summary: ClassVar[str] = "a beam on two springs, which heaves and rolls"

    stiffness: float = positive("N/m", "of the spring on each side")
    spring_track: float = positive("m", "distance of the springs")
    mass: float = positive("kg", "of the beam without the wheels")
    roll_inertia: float = positive("kg*m^2", "of the beam about x and z")
    damping: float = parameter("N*s/m", "of the damper on each side", default=0.0, lower=0.0)
    anti_roll: float = parameter("N*m/rad", "of an anti-roll bar, about x", default=0.0, lower=0.0)
    compliance: SteerCompliance | None = piece(
        SteerCompliance, "toe by tyre forces; left out: none", default=None
    )

    @property
    def steer_compliance(self) -> SteerCompliance | None:
        return self.compliance

    @property
    def unsprung_mass(self) -> float:
        return self.mass

    def travels(self, axle: str) -> tuple[str, ...]:
        return (f"{axle}_heave.position",)

    def wheel_rate(self) -> float:
        return self.stiffness

    def damping_rate(self) -> float:
        return self.damping

    def roll_rate(self, track: float) -> float:
        return self._lever * self.stiffness + self.anti_roll

    def unsprung_yaw_inertia(self, track: float) -> float:
        return self.roll_inertia

    def in_roll(self, track: float, travel: float) -> RollMotion:
        return RollMotion(sideways=0.0, lean=-1.0, steer=0.0)

    def seat_forces(
        self, track: float, travels: tuple[float, float], loads: tuple[float, float]
    ) -> tuple[float, float]:
        heave = self.stiffness * 0.5 * sum(travels)
        rolls = self.roll_rate(track) * (travels[0] - travels[1]) / (track * track)
        return loads[0] - heave - rolls, loads[1] - heave + rolls

    @property
    def _lever(self) -> float:
        return 0.5 * self.spring_track * self.spring_track

    def add(self, model: Model, at: AxlePlace) -> Mapping[str, Frame]:
        slider = model.add(MasslessBody(f"{at.name}_slider"))
        round_axis = 0.05 * self.roll_inertia
        inertia = (self.roll_inertia, round_axis, self.roll_inertia)
        beam = model.add(RigidBody(f"{at.name}_beam", self.mass, inertia))
        tail = at.body.point(at.x, 0.0, at.z, at.name)
        heave = model.add(Prismatic(f"{at.name}_heave", tail, slider.main_frame, axis=_Z))
        roll = model.add(Revolute(f"{at.name}_roll", slider.main_frame, beam.main_frame, axis=_X))
        carries = SlideSpringDamper(
            f"{at.name}_springs", heave, stiffness=2.0 * self.stiffness,
            damping=2.0 * self.damping, preload=2.0 * at.carried + sum(at.seats),
        )  # fmt: skip
        model.add(carries)
        holds = RotationalSpringDamper(
            f"{at.name}_roll_stiffness", roll, stiffness=self.roll_rate(at.track),
            damping=self._lever * self.damping,
            preload=0.5 * at.track * (at.seats[0] - at.seats[1]),
        )  # fmt: skip
        model.add(holds)
        ends = ((side, sign * 0.5 * at.track) for side, sign in SIDES.items())
        return {side: beam.point(0.0, y, 0.0, side) for side, y in ends}
