"""The joint force: a force along the freedom of a sliding joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.contract import Component, Computed, Instant, JointLoad, Response
from axletree.library.joint_reference import slide_of, sliding_joint
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class JointForce(Component):
    """A force on the head of a joint along its axis, driving its position up.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("cart", 2.0))))
    >>> push = model.add(at.JointForce("push", way, force="6*t"))  # N
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    6*time/cart.mass
    """

    summary: ClassVar[str] = "a force along the axis of a sliding joint"

    name: str
    joint: Component = sliding_joint("joint that the force acts along")
    force: Signal = signal("N", "force on the head along the joint's axis")

    def measured_joints(self) -> tuple[str, ...]:
        return (slide_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        force = self.signal("force")
        power = Computed("power", "W", "power of the force", force * now.travels[0].rate)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], force),),
            outputs=(*self.signal_outputs(), power),
        )
