"""Pieces of a vehicle's description. Axes are x forward, y left, z up (ISO 8855)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import inertia_parameter, parameter
from axletree.library.part import Part, part
from axletree.library.tyres.contract import TyreLaw
from axletree.library.tyres.slip import KinematicSlip, Slip


@dataclass(frozen=True)
class Body(Part):
    """The sprung mass, in the position that the vehicle is designed for."""

    summary: ClassVar[str] = "the sprung mass"

    mass: float = parameter("kg", "sprung mass", lower=0.0, above=True)
    inertia: tuple[float, ...] = inertia_parameter("about the centre of mass")
    centre_height: float = parameter(
        "m", "height of the centre of mass above the ground", lower=0.0, above=True
    )


@dataclass(frozen=True)
class Wheel(Part):
    """A wheel with its tyre and what turns with it."""

    summary: ClassVar[str] = "what turns about the axle"

    mass: float = parameter("kg", "mass of wheel and tyre", lower=0.0, above=True)
    spin_inertia: float = parameter("kg*m^2", "about the axle", lower=0.0, above=True)
    transverse_inertia: float = parameter("kg*m^2", "about a diameter", lower=0.0, above=True)
    radius: float = parameter("m", "radius without load", lower=0.0, above=True)


@dataclass(frozen=True)
class VehicleTyre(Part):
    """A tyre: how it deflects, and its law."""

    summary: ClassVar[str] = "vertical stiffness and law of a tyre"

    stiffness: float = parameter("N/m", "vertical stiffness", lower=0.0, above=True)
    law: TyreLaw = part("TYRES", "forces over slip")
    damping: float = parameter("N*s/m", "vertical damping", default=200.0, lower=0.0)
    slip: Slip = part("SLIPS", "slip from velocities", default=KinematicSlip)


@dataclass(frozen=True)
class Steering(Part):
    """Wheels that follow the steering wheel."""

    summary: ClassVar[str] = "ratio and geometry of a steering"

    ratio: float = parameter(
        "1", "turn of the steering wheel over that of the wheels", default=16.0
    )
    ackermann: float = parameter(
        "1", "0: both wheels are parallel; 1: they turn about one point of the other axle",
        default=0.0,
    )  # fmt: skip

    def problems(self) -> list[str]:
        return [] if self.ratio else ["ratio must not be zero"]


@dataclass(frozen=True)
class Air(Part):
    """Forces of the air, at the ground below the middle between first and last axle."""

    summary: ClassVar[str] = "area and coefficients of the air's forces"

    area: float = parameter("m^2", "frontal area", lower=0.0, above=True)
    drag: float = parameter("1", "C_D", lower=0.0)
    front_lift: float = parameter("1", "lift at the first axle, upward if positive", default=0.0)
    rear_lift: float = parameter("1", "lift at the last axle, upward if positive", default=0.0)
    side: float = parameter("1/rad", "side force by angle of the wind", default=0.0)
    yaw_moment: float = parameter("1/rad", "about z by that angle, by the wheelbase", default=0.0)


@dataclass(frozen=True)
class Brakes(Part):
    """The brakes of an axle."""

    summary: ClassVar[str] = "torque of the brakes of an axle"

    torque: float = parameter("N*m", "of each wheel with the pedal down", lower=0.0, above=True)


@dataclass(frozen=True)
class Drive(Part):
    """The drive of an axle: equal torques on both wheels, as an open differential has them."""

    summary: ClassVar[str] = "torque of the drive of an axle"

    torque: float = parameter("N*m", "of each wheel at full throttle", lower=0.0, above=True)
