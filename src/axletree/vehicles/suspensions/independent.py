"""Independent suspension: each wheel on a guide of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.library.bodies import RigidBody
from axletree.library.curve import Curve, curve
from axletree.library.fields import optional_parameter, parameter
from axletree.library.forces.anti_roll_bar import AntiRollBar
from axletree.library.forces.characteristic import Side
from axletree.library.forces.slide_spring_damper import SlideSpringDamper
from axletree.library.forces.tabulated_slide_spring_damper import TabulatedSlideSpringDamper
from axletree.library.frame import Frame
from axletree.library.joints.wheel_guide import WheelGuide
from axletree.model.model import Model
from axletree.vehicles.suspensions.contract import (
    SIDES,
    AxlePlace,
    RollMotion,
    StaticAngles,
    Suspension,
)

CARRIER_INERTIA = 0.01  # kg m^2 per kg, of a knuckle and hub of some 20 cm across


@dataclass(frozen=True)
class Independent(Suspension):
    """Springs, dampers and stops at wheel rates; curves over the travel of a wheel.

    Travel is up from the design position. Curves and static angles are those of engineers: camber
    is positive where the wheel's top leans outward, toe is positive where its front points inward,
    and a wheel goes outward or forward by a positive amount. Both sides are mirror images.

    Example:
    >>> from axletree.vehicles.suspensions.independent import Independent
    >>> strut = Independent(stiffness="25 kN/m", mass="20 kg", damping="2 kN*s/m")
    >>> print(f"{(strut.stiffness / 400.0) ** 0.5:.2f} rad/s")  # of 400 kg on this wheel
    7.91 rad/s
    """

    summary: ClassVar[str] = "each wheel on a guide of its own, by curves over its travel"

    stiffness: float = parameter("N/m", "of the spring at each wheel", lower=0.0, above=True)
    mass: float = parameter(
        "kg", "unsprung mass of each side without the wheel", lower=0, above=True
    )
    damping: float = parameter("N*s/m", "of the damper at each wheel", default=0.0, lower=0.0)
    damper: Curve | None = curve(
        "m/s", "N", "force of the damper at a wheel over speed, bump positive", default=None
    )
    anti_roll: float = parameter("N/m", "of the anti-roll bar, at each wheel", default=0.0, lower=0)
    bump_clearance: float | None = optional_parameter("m", "travel up to the bump stop", lower=0.0)
    rebound_clearance: float | None = optional_parameter(
        "m", "travel down to the rebound stop", lower=0.0
    )
    stop_stiffness: float = parameter("N/m", "of these stops", default=2e5, lower=0.0, above=True)
    static_camber: float = parameter("rad", "camber at the design position", default=0.0)
    static_toe: float = parameter("rad", "toe-in of a wheel at the design position", default=0.0)
    camber: Curve | None = curve("m", "rad", "change of camber over travel", default=None)
    toe: Curve | None = curve("m", "rad", "change of toe over travel", default=None)
    outward: Curve | None = curve("m", "m", "way of the wheel outward over travel", default=None)
    forward: Curve | None = curve("m", "m", "way of the wheel forward over travel", default=None)
    caster: Curve | None = curve("m", "rad", "turn about y over travel", default=None)

    @property
    def unsprung_mass(self) -> float:
        return 2.0 * self.mass

    @property
    def static_angles(self) -> StaticAngles:
        return StaticAngles(self.static_camber, self.static_toe)

    def travels(self, axle: str) -> tuple[str, ...]:
        return tuple(f"{axle}_{side}_suspension.travel" for side in SIDES)

    def wheel_rate(self) -> float:
        return self.stiffness

    def roll_rate(self, track: float) -> float:
        return (0.5 * self.stiffness + self.anti_roll) * track * track

    def plain(self) -> Independent:
        names = ("damper", "bump_clearance", "rebound_clearance", "camber", "toe", "outward")
        without = dict.fromkeys((*names, "forward", "caster"))
        return replace(self, static_camber=0.0, static_toe=0.0, **without)  # type: ignore[arg-type]

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
        self._add_springs(model, guide, name, at.carried)
        return guide

    def _add_springs(self, model: Model, guide: WheelGuide, name: str, carried: float) -> None:
        damping = 0.0 if self.damper is not None else self.damping
        spring = SlideSpringDamper(
            f"{name}_spring", guide, stiffness=self.stiffness, damping=damping, preload=carried
        )
        model.add(spring)
        if self.damper is not None:
            damper = TabulatedSlideSpringDamper(f"{name}_damper", guide, force_at_speed=self.damper)
            model.add(damper)
        stops = (
            ("bump", self.bump_clearance, 1.0, Side.ABOVE),
            ("rebound", self.rebound_clearance, -1.0, Side.BELOW),
        )
        for word, clearance, sign, acts in stops:
            if clearance is not None:
                stop = SlideSpringDamper(
                    f"{name}_{word}_stop", guide, stiffness=self.stop_stiffness,
                    free_position=sign * clearance, side=acts,
                )  # fmt: skip
                model.add(stop)


def _slope(points: Curve | None, travel: float) -> float:
    return 0.0 if points is None else float(points.table.derivative().evaluate(travel))


def _scaled(points: Curve | None, factor: float) -> Curve | None:
    return None if points is None else replace(points, y=tuple(factor * y for y in points.y))
