"""Pieces of a vehicle's description. Axes are x forward, y left, z up (ISO 8855)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.bodies import inertia_matrix, inertia_problems
from axletree.library.fields import (
    inertia_parameter,
    optional_parameter,
    parameter,
    vector_parameter,
)
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

    def problems(self) -> list[str]:
        return [f"inertia: {text}" for text in inertia_problems(inertia_matrix(self.inertia))]


@dataclass(frozen=True)
class Wheel(Part):
    """A wheel with its tyre and what turns with it."""

    summary: ClassVar[str] = "what turns about the axle"

    mass: float = parameter("kg", "mass of wheel and tyre", lower=0.0, above=True)
    spin_inertia: float = parameter("kg*m^2", "about the axle", lower=0.0, above=True)
    transverse_inertia: float = parameter("kg*m^2", "about a diameter", lower=0.0, above=True)
    radius: float = parameter("m", "radius without load", lower=0.0, above=True)
    width: float | None = optional_parameter(
        "m", "width of what touches the ground; needed on soft ground", lower=0.0, above=True
    )

    def problems(self) -> list[str]:
        if self.spin_inertia <= 2.0 * self.transverse_inertia:
            return []
        return [
            f"spin_inertia {self.spin_inertia:g} exceeds twice transverse_inertia "
            f"{self.transverse_inertia:g}; no body has such inertia (triangle inequality)"
        ]


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
    """Wheels that follow the steering wheel.

    With a ``column_stiffness`` there is a spring between it and the wheels. Each kingpin then has
    half of its stiffness at the wheels, ratio^2 column_stiffness: the mean of both angles stays
    behind as one column between them would have it.
    """

    summary: ClassVar[str] = "ratio, geometry and compliance of a steering"

    ratio: float = parameter(
        "1", "turn of the steering wheel over that of the wheels", default=16.0
    )
    ackermann: float = parameter(
        "1", "0: both wheels are parallel; 1: they turn about one point of the other axle",
        default=0.0,
    )  # fmt: skip
    trail: float = parameter("m", "of the kingpin ahead of the wheel's centre", default=0.0)
    column_stiffness: float | None = optional_parameter(
        "N*m/rad", "of column and torsion bar, at the steering wheel; rigid without it", lower=0.0,
        above=True,
    )  # fmt: skip
    column_damping: float = parameter(
        "N*m*s/rad", "likewise; only with a column_stiffness", default=0.0, lower=0.0
    )

    def problems(self) -> list[str]:
        found = [] if self.ratio else ["ratio must not be zero"]
        if self.column_damping and self.column_stiffness is None:
            found.append("column_damping needs a column_stiffness; without it the column is rigid")
        return found


@dataclass(frozen=True)
class Load(Part):
    """A passenger or luggage: a point mass fixed in the body.

    The vehicle is described without its loads, and they make it sink on its springs.
    """

    summary: ClassVar[str] = "a point mass fixed in the body"

    mass: float = parameter("kg", "mass", lower=0.0, above=True)
    position: tuple[float, ...] = vector_parameter(
        "m", "ahead of the body's centre of mass, left of it, and above the ground"
    )


@dataclass(frozen=True)
class Air(Part):
    """Forces of the air, at the ground below the middle between first and last axle.

    On a trailer they act below the centre of mass of its body, lifts half of its wheelbase ahead of
    that place and behind it.
    """

    summary: ClassVar[str] = "area and coefficients of the air's forces"

    area: float = parameter("m^2", "frontal area", lower=0.0, above=True)
    drag: float = parameter("1", "C_D", lower=0.0)
    front_lift: float = parameter("1", "lift at the first axle, upward if positive", default=0.0)
    rear_lift: float = parameter("1", "lift at the last axle, upward if positive", default=0.0)
    side: float = parameter("1/rad", "side force by angle of the wind", default=0.0)
    yaw_moment: float = parameter("1/rad", "about z by that angle, by the wheelbase", default=0.0)
