"""The load driver: a force and a moment with all six components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.vectors import Vector
from axletree.library.contract import Component, Computed, Instant, Load, Response
from axletree.library.edge import Basis
from axletree.library.fields import choice
from axletree.library.frame import Frame, frame
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class LoadDriver(Component):
    """Three forces at the head's origin and three moments; the tail gets the opposite.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> plate = model.add(at.RigidBody("plate", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    >>> table = model.add(at.Planar("table", model.ground, plate))
    >>> load = model.add(at.LoadDriver("load", model.ground, plate, Mz="0.5 N*m"))
    >>> print(model.formulate().derivatives[2])  # of table.rate, rad/s^2
    load.Mz/plate.inertia.zz
    """

    summary: ClassVar[str] = "three forces and three moments in the axes of the tail or the head"

    name: str
    tail: Frame = frame("frame whose body takes the reaction")
    head: Frame = frame("frame that the load acts on")
    Fx: Signal = signal("N", "x component of the force on the head, in the axes of the basis")
    Fy: Signal = signal("N", "y component of the force on the head, in the axes of the basis")
    Fz: Signal = signal("N", "z component of the force on the head, in the axes of the basis")
    Mx: Signal = signal("N*m", "x component of the moment on the head, in the axes of the basis")
    My: Signal = signal("N*m", "y component of the moment on the head, in the axes of the basis")
    Mz: Signal = signal("N*m", "z component of the moment on the head, in the axes of the basis")
    basis: Basis = choice(Basis, "whose axes the components are along", default=Basis.HEAD)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.tail, self.head),)

    def respond(self, now: Instant) -> Response:
        force = Vector(self.signal(name) for name in ("Fx", "Fy", "Fz"))
        moment = Vector(self.signal(name) for name in ("Mx", "My", "Mz"))
        load = Load(self.tail, self.head, force, moment, self.basis)
        power = Computed("power", "W", "power of the load", load.power(now.motions[0]))
        return Response(loads=(load,), outputs=(*self.signal_outputs(), power))
