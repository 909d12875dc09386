"""The torque driver: a moment about an axis that one of two bodies carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.vectors import Vector
from axletree.library.contract import Component, Computed, Instant, Load, Response
from axletree.library.edge import ROTATION, Basis, Domain
from axletree.library.fields import axis, choice
from axletree.library.frame import Frame, frame
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class TorqueDriver(Component):
    """A moment on the head; the tail gets the opposite moment.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> rotor = model.add(at.RigidBody("rotor", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> hinge = model.add(at.Revolute("hinge", model.ground, rotor))
    >>> twist = model.add(at.TorqueDriver("twist", model.ground, rotor, axis="z"))
    >>> print(model.formulate().derivatives[0])  # of hinge.rate, rad/s^2
    twist.torque/rotor.inertia.zz
    """

    measured_domains: ClassVar[tuple[Domain, ...]] = (ROTATION,)

    summary: ClassVar[str] = "a moment about an axis of the tail or of the head"

    name: str
    tail: Frame = frame("frame whose body takes the reaction")
    head: Frame = frame("frame that the moment acts on")
    axis: tuple[float, float, float] = axis("axis of the moment on the head", default="z")
    torque: Signal = signal("N*m", "moment on the head about the axis")
    basis: Basis = choice(Basis, "whose axes the axis is given in", default=Basis.TAIL)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.tail, self.head),)

    def respond(self, now: Instant) -> Response:
        moment = Vector(self.axis) * self.signal("torque")
        load = Load(self.tail, self.head, moment=moment, basis=self.basis)
        power = Computed("power", "W", "power of the moment", load.power(now.motions[0]))
        return Response(loads=(load,), outputs=(*self.signal_outputs(), power))
