"""An axle in the plane whose side force is in proportion to its slip angle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import absolute, maximum
from axletree.core.vectors import Vector
from axletree.library.contract import Component, Computed, Instant, Load, Response
from axletree.library.edge import Basis
from axletree.library.fields import parameter
from axletree.library.frame import Frame, frame
from axletree.library.signal import Signal, signal

LEAST_SPEED = 0.1  # m/s; a slower axle slips as at this speed


@dataclass(frozen=True, eq=False)
class LinearAxle(Component):
    """Wheels of an axle as in the linear single-track model (Riekert and Schunck 1940).

    Angles are small. With u and v the speeds of the head along its x and y axes,

        slip_angle = (v - u angle) / |u|,  Fy = -cornering_stiffness slip_angle,  Mz = -trail Fy,

    along the y axis of the head and about its z axis, wherever the wheels point. There is no limit
    of adhesion and no force along x.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> body = model.add(at.RigidBody("body", mass=1000.0, inertia=(1, 1, 1)))
    >>> plane = model.add(at.Planar("plane", model.ground, body))
    >>> axle = model.add(at.LinearAxle("axle", model.ground, body, 8e4, angle="1 deg"))  # N/rad
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"plane.vx": 20.0}))
    >>> print(f"{rates['plane.vy']:.4f} m/s^2")  # 8e4 * 0.01745 / 1000
    1.3963 m/s^2
    """

    summary: ClassVar[str] = "side force in proportion to the slip angle, small angles"

    name: str
    ground: Frame = frame("frame of the road, z up")
    head: Frame = frame("frame of the body in the middle of the axle, x forward, y left")
    cornering_stiffness: float = parameter(
        "N/rad", "of both tyres: slope of -Fy against the slip angle", lower=0.0
    )
    trail: float = parameter("m", "of the force behind the head", default=0.0)
    angle: Signal = signal("rad", "steering angle of the wheels, left if positive")

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.ground, self.head),)

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        u, v = motion.velocity_head[0], motion.velocity_head[1]
        across = v - u * self.signal("angle")  # speed across the wheels
        slip = across / maximum(absolute(u), LEAST_SPEED)
        side = -self.symbol("cornering_stiffness") * slip
        turn = -self.symbol("trail") * side
        load = Load(
            self.ground, self.head, Vector((0.0, side, 0.0)), Vector((0.0, 0.0, turn)), Basis.HEAD
        )
        return Response(
            loads=(load,),
            outputs=(
                Computed("slip_angle", "rad", "direction of the axle's velocity to the left of "
                         "its wheels", slip),
                Computed("Fy", "N", "side force, to the left", side),
                Computed("Mz", "N*m", "moment about the head, to the left", turn),
                Computed("power", "W", "power of the axle on the body", load.power(motion)),
                *self.signal_outputs(),
            ),
        )  # fmt: skip
