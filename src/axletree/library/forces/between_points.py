"""What acts along the line between two points."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, maximum, sqrt
from axletree.library.contract import Component, Computed, Instant, Load, Response
from axletree.library.edge import TRANSLATION, Domain
from axletree.library.forces.characteristic import Pull
from axletree.library.frame import Frame, frame

SHORTEST = 1e-9  # [m]; below it the line has no direction, and the force fades to zero


@dataclass(frozen=True, eq=False)
class BetweenPoints(Component):
    """A massless element between two origins; the force on the head points to the tail."""

    measured_domains: ClassVar[tuple[Domain, ...]] = (TRANSLATION,)

    name: str
    tail: Frame = frame("frame at one end")
    head: Frame = frame("frame at the other end")

    @abstractmethod
    def pull(self, length: Expr, rate: Expr) -> Pull:
        """The pull [N] at a length [m] that grows at a rate [m/s].

        Example:
        >>> import axletree as at
        >>> from axletree.core.expr import number
        >>> ground, bob = at.Model().ground, at.RigidBody("bob", mass=1.0)
        >>> curve = at.Curve((0.2, 0.4), (0.0, 800.0), "linear")  # m, N
        >>> rope = at.TabulatedSpringDamper("rope", ground, bob, force_at_length=curve)
        >>> print(f"{float(rope.pull(number(0.3), number(0.0)).effort):.1f} N")
        400.0 N
        """

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.tail, self.head),)

    def respond(self, now: Instant) -> Response:
        r, v = now.motions[0].displacement, now.motions[0].velocity
        # The floor keeps length and slopes finite where the points meet.
        length = sqrt(maximum(r.dot(r), SHORTEST**2))
        rate = r.dot(v) / length
        pull = self.pull(length, rate)
        return Response(
            loads=(Load(self.tail, self.head, force=r * (-pull.effort / length)),),
            potential_energy=pull.energy,
            outputs=(
                Computed("length", "m", "distance of the two points", length),
                Computed("length_rate", "m/s", "rate of the distance", rate),
                Computed("force", "N", "force that pulls the points together", pull.effort),
                Computed("power", "W", "power delivered to the bodies", -pull.effort * rate),
            ),
        )
