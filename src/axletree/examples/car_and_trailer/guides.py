"""Components of one's own: what guides the car of Lot and Massaro 2017, beside its axles.

x forward, y to the right, z down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.vectors import UNIT, Vector
from axletree.library.contract import Component, Held, Instant, Load, Response
from axletree.library.edge import Basis, RotationLaw, TranslationLaw, Variable
from axletree.library.exchange import reaction_symbol
from axletree.library.fields import parameter
from axletree.library.frame import Frame, frame
from axletree.library.joints.joint import Joint
from axletree.library.motion.rotation import AboutAxes
from axletree.library.motion.translation import XYZ, AlongAxes

X, Y, Z = XYZ

DRIVE = Variable("X", "N", "driving force, forward")
SUPPORT = Variable("F_z", "N", "force of the road on the body, down")
ROLLING = Variable("M_x", "N*m", "moment that keeps the body from rolling")
PITCHING = Variable("M_y", "N*m", "moment that keeps the body from pitching")


@dataclass(frozen=True, eq=False)
class Suspension(Joint):
    """The chassis moves down by z in the unsprung body, pitches by mu and rolls by phi (eq. 9)."""

    summary: ClassVar[str] = "bounce, pitch and roll"

    def translation(self) -> TranslationLaw:
        bounce = Variable("z", "m", "way of the head down")
        return AlongAxes((Z,), (bounce,), (Variable("V_z", "m/s", "rate of z"),))

    def rotation(self) -> RotationLaw:
        angles = (
            Variable("mu", "rad", "pitch, nose up"),
            Variable("phi", "rad", "roll to the right"),
        )
        rates = (
            Variable("Omega_mu", "rad/s", "rate of the pitch"),
            Variable("Omega_phi", "rad/s", "rate of the roll"),
        )
        return AboutAxes((Y, X), angles, rates)


@dataclass(frozen=True, eq=False)
class UprightGuide(Component):
    """An unsprung body stays upright on the road, by moments that the chassis gives.

    Under rigid wheels the road would take these moments by loads of its own. In the paper loads
    are those of the springs (eq. 30), and Euler's equation is that of the whole car: whatever
    turns the unsprung body (tyre forces on the road, the chassis' push at its own height) has to
    be borne by the chassis. So its moments M_x, M_y are those that hold the body upright, reversed.
    """

    summary: ClassVar[str] = "holds a body upright on the road, by moments of another"

    name: str
    road: Frame = frame("frame whose xy plane is the road, z down")
    body: Frame = frame("frame of the body, on the road")
    chassis: Frame = frame("frame of what gives the moments")

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.body), (self.road, self.chassis))

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        x, y = motion.R_tail_head.column(0), motion.R_tail_head.column(1)
        along, across = y.cross(UNIT[2]), UNIT[2].cross(x)  # level, and x and y where both are
        w = motion.angular_velocity
        M_x, M_y = (reaction_symbol(self.name, reaction) for reaction in (ROLLING, PITCHING))
        down = Load(self.road, self.body, Vector(Z))
        roll, pitch = (Load(self.road, self.body, moment=axis) for axis in (along, across))
        given = Load(self.road, self.chassis, moment=-(along * M_x + across * M_y))
        # What depends on these reactions does so linearly: one step of Newton's finds them.
        return Response(
            loads=(given,),
            held=(
                Held(SUPPORT, motion.velocity[2], (down,), position=motion.displacement[2]),
                Held(ROLLING, w.dot(along), (roll,), position=y[2], steps=1),
                Held(PITCHING, w.dot(across), (pitch,), position=-x[2], steps=1),
            ),
        )


@dataclass(frozen=True, eq=False)
class ConstantSpeed(Component):
    """A driving force holds the forward speed of a frame."""

    summary: ClassVar[str] = "forward speed held by a driving force"

    name: str
    road: Frame = frame("frame that the speed is measured in")
    head: Frame = frame("frame where the force acts, x forward")
    speed: float = parameter("m/s", "forward speed, u", lower=0.0, above=True)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.head),)

    def respond(self, now: Instant) -> Response:
        forward = now.motions[0].velocity_head[0] - self.symbol("speed")
        force = Load(self.road, self.head, Vector(X), basis=Basis.HEAD)
        return Response(held=(Held(DRIVE, forward, (force,)),))
