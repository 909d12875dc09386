"""The rolling sphere: a ball that neither slips on a plane nor leaves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.vectors import Vector
from axletree.library.contract import Component, Held, Instant, Load, Response
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.frame import Frame, frame

FX = Variable("Fx", "N", "x component, in the axes of the road, of the force on the ball")
FY = Variable("Fy", "N", "y component, in the axes of the road, of the force on the ball")
FZ = Variable("Fz", "N", "normal force on the ball, negative where it has to pull")


@dataclass(frozen=True, eq=False)
class RollingSphere(Component):
    """A sphere around a point of a body rolls on the xy plane of a frame, which may move.

    It may turn about the normal. Its height is held, and the two velocities of its lowest
    point in the plane; forces in the axes of the road are the reactions.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> ball = model.add(at.RigidBody("ball", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> rolls = model.add(at.RollingSphere("rolls", ball, model.ground, radius="0.5 m"))
    >>> model.start = {"ball.z": 0.5}
    >>> state = model.formulate().state({"ball.pitch_rate": 4.0})
    >>> print(f"{state['ball.vx']:.3f} m/s")
    2.000 m/s
    """

    summary: ClassVar[str] = "a ball that rolls on a plane without slip"

    name: str
    centre: Frame = frame("frame whose origin is the centre of the sphere")
    road: Frame = frame("frame whose xy plane is the road, z up")
    radius: float = parameter("m", "radius of the sphere", lower=0.0, above=True)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.centre),)

    def respond(self, now: Instant) -> Response:
        motion, R = now.motions[0], self.symbol("radius")
        v, w = motion.velocity, motion.angular_velocity
        along = Load(self.road, self.centre, Vector((1.0, 0.0, 0.0)), Vector((0.0, -R, 0.0)))
        across = Load(self.road, self.centre, Vector((0.0, 1.0, 0.0)), Vector((R, 0.0, 0.0)))
        up = Load(self.road, self.centre, Vector((0.0, 0.0, 1.0)))
        return Response(
            held=(
                Held(FX, v[0] - R * w[1], (along,)),
                Held(FY, v[1] + R * w[0], (across,)),
                Held(FZ, v[2], (up,), position=motion.displacement[2] - R),
            )
        )
