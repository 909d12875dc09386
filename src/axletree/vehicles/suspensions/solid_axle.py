"""Solid axle: a beam that heaves and rolls in the body and carries both wheels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.library.bodies import MasslessBody, RigidBody
from axletree.library.fields import parameter
from axletree.library.forces.rotational_spring_damper import RotationalSpringDamper
from axletree.library.forces.slide_spring_damper import SlideSpringDamper
from axletree.library.frame import Frame
from axletree.library.joints.prismatic import Prismatic
from axletree.library.joints.revolute import Revolute
from axletree.library.motion.translation import XYZ
from axletree.model.model import Model
from axletree.vehicles.suspensions.contract import SIDES, AxlePlace, RollMotion, Suspension

X = XYZ[0]
Z = XYZ[2]


@dataclass(frozen=True)
class SolidAxle(Suspension):
    """A beam on two springs. It goes up and down and rolls about its centre, and nothing else.

    Example:
    >>> from axletree.vehicles.suspensions.solid_axle import SolidAxle
    >>> beam = SolidAxle("200 kN/m", spring_track="1 m", mass="300 kg", roll_inertia=150.0)
    >>> beam.stiffness * beam.spring_track**2 / 2  # N m/rad, of both springs in roll
    100000.0
    """

    summary: ClassVar[str] = "a beam on two springs, which heaves and rolls"

    stiffness: float = parameter("N/m", "of the spring on each side", lower=0.0, above=True)
    spring_track: float = parameter("m", "distance of the springs", lower=0.0, above=True)
    mass: float = parameter("kg", "of the beam without the wheels", lower=0.0, above=True)
    roll_inertia: float = parameter("kg*m^2", "of the beam about x and z", lower=0.0, above=True)
    damping: float = parameter("N*s/m", "of the damper on each side", default=0.0, lower=0.0)
    anti_roll: float = parameter("N*m/rad", "of an anti-roll bar, about x", default=0.0, lower=0.0)

    @property
    def unsprung_mass(self) -> float:
        return self.mass

    def travels(self, axle: str) -> tuple[str, ...]:
        return (f"{axle}_heave.position",)

    def wheel_rate(self) -> float:
        return self.stiffness

    def roll_rate(self, track: float) -> float:
        return self._lever * self.stiffness + self.anti_roll

    def unsprung_yaw_inertia(self, track: float) -> float:
        return self.roll_inertia

    def in_roll(self, track: float, travel: float) -> RollMotion:
        return RollMotion(sideways=0.0, lean=-1.0, steer=0.0)

    @property
    def _lever(self) -> float:
        return 0.5 * self.spring_track * self.spring_track

    def add(self, model: Model, at: AxlePlace) -> Mapping[str, Frame]:
        slider = model.add(MasslessBody(f"{at.name}_slider"))
        round_axis = 0.05 * self.roll_inertia
        inertia = (self.roll_inertia, round_axis, self.roll_inertia)
        beam = model.add(RigidBody(f"{at.name}_beam", self.mass, inertia))
        tail = at.body.point(at.x, 0.0, at.z, at.name)
        heave = model.add(Prismatic(f"{at.name}_heave", tail, slider.main_frame, axis=Z))
        roll = model.add(Revolute(f"{at.name}_roll", slider.main_frame, beam.main_frame, axis=X))
        carries = SlideSpringDamper(
            f"{at.name}_springs", heave, stiffness=2.0 * self.stiffness,
            damping=2.0 * self.damping, preload=2.0 * at.carried,
        )  # fmt: skip
        model.add(carries)
        holds = RotationalSpringDamper(
            f"{at.name}_roll_stiffness", roll, stiffness=self.roll_rate(at.track),
            damping=self._lever * self.damping,
        )  # fmt: skip
        model.add(holds)
        ends = ((side, sign * 0.5 * at.track) for side, sign in SIDES.items())
        return {side: beam.point(0.0, y, 0.0, side) for side, y in ends}
