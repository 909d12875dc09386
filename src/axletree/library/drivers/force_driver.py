"""The force driver: a force along a direction that one of two bodies carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.vectors import Vector
from axletree.library.contract import Component, Computed, Instant, Load, Response
from axletree.library.edge import TRANSLATION, Basis, Domain
from axletree.library.fields import axis, choice
from axletree.library.frame import Frame, frame
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class ForceDriver(Component):
    """A force at the head's origin; the body of the tail gets the opposite force there.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> cart = model.add(at.RigidBody("cart", mass=2.0))
    >>> way = model.add(at.Prismatic("way", model.ground, cart))
    >>> push = model.add(at.ForceDriver("push", model.ground, cart, direction="x", force="5 N"))
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    push.force/cart.mass
    """

    measured_domains: ClassVar[tuple[Domain, ...]] = (TRANSLATION,)

    summary: ClassVar[str] = "a force along a direction of the tail or of the head"

    name: str
    tail: Frame = frame("frame whose body takes the reaction")
    head: Frame = frame("frame that the force acts on")
    direction: tuple[float, float, float] = axis("direction of the force on the head", default="x")
    force: Signal = signal("N", "force on the head along the direction")
    basis: Basis = choice(Basis, "whose axes the direction is given in", default=Basis.TAIL)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.tail, self.head),)

    def respond(self, now: Instant) -> Response:
        force = Vector(self.direction) * self.signal("force")
        load = Load(self.tail, self.head, force=force, basis=self.basis)
        power = Computed("power", "W", "power of the force", load.power(now.motions[0]))
        return Response(loads=(load,), outputs=(*self.signal_outputs(), power))
