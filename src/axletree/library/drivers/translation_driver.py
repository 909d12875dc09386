"""The translation driver: a joint's position as a function of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.contract import Component, Instant, Response
from axletree.library.edge import TRANSLATION, Edge
from axletree.library.joint_reference import slide_of, sliding_joint
from axletree.library.motion.driven import DrivenAlong
from axletree.library.signal import Signal, motion


@dataclass(frozen=True, eq=False)
class TranslationDriver(Component):
    """An ideal actuator: the position of a joint follows a signal, whatever force it takes.

    Its edge lies parallel to the translational edge of the joint.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("cart", 2.0))))
    >>> actuator = model.add(at.TranslationDriver("actuator", way, position="3*t^2"))  # m
    >>> moved = model.formulate().steady_state(time=2.0)  # s
    >>> moved["actuator.force"], moved["cart.velocity.x"]  # N: 2 kg at 6 m/s^2; m/s
    (12.0, 12.0)
    """

    summary: ClassVar[str] = "prescribes the position of a joint"

    name: str
    joint: Component = sliding_joint("joint that is driven")
    position: Signal = motion("m", "position of the head in the tail along the joint's axis")

    def edges(self) -> tuple[Edge, ...]:
        edge, axis = slide_of(self.joint)
        course = self.course("position")
        law = DrivenAlong(axis, course.value, course.rate, course.acceleration)
        return (Edge(self.name, "T1", TRANSLATION, edge.tail, edge.head, law),)

    def respond(self, now: Instant) -> Response:
        return Response(outputs=self.signal_outputs())
