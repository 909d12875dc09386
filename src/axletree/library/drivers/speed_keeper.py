"""A force that keeps the forward speed of a body that turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.vectors import Vector
from axletree.library.contract import Component, Computed, Instant, Load, Response
from axletree.library.edge import Basis
from axletree.library.fields import parameter
from axletree.library.frame import Frame, frame


@dataclass(frozen=True, eq=False)
class SpeedKeeper(Component):
    """Along the x axis of a body in the plane: what it takes that turning does not slow it down.

    With v the lateral speed of the head, r the yaw rate and c the place of the centre of mass ahead
    of the head, the speed u along x obeys m (du/dt - r v - c r^2) = Fx + ..., and the force is
    Fx = -m (r v + c r^2). Where nothing else acts along x, u is constant.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> plate = model.add(at.RigidBody("plate", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    >>> table = model.add(at.Planar("table", model.ground, plate))
    >>> keeper = model.add(at.SpeedKeeper("keeper", model.ground, plate, mass=2.0))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"table.vy": 3.0, "table.rate": 0.5}))
    >>> print(f"{rates['table.vx']:.2f} m/s^2")  # -r v: along the body its speed stays
    -1.50 m/s^2
    """

    summary: ClassVar[str] = "force along x by which a body keeps its speed in turns"

    name: str
    ground: Frame = frame("frame of the road, z up")
    head: Frame = frame("frame of the body, x forward through its centre of mass")
    mass: float = parameter("kg", "mass of the body", lower=0.0, above=True)
    centre: float = parameter("m", "centre of mass ahead of the head", default=0.0)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.ground, self.head),)

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        v, r = motion.velocity_head[1], motion.angular_velocity_head[2]
        force = -self.symbol("mass") * r * (v + self.symbol("centre") * r)
        load = Load(self.ground, self.head, Vector((force, 0.0, 0.0)), basis=Basis.HEAD)
        return Response(
            loads=(load,),
            outputs=(
                Computed("force", "N", "force along x of the body", force),
                Computed("power", "W", "power delivered to the body", load.power(motion)),
            ),
        )
