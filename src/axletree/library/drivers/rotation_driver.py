"""The rotation driver: a joint's angle as a function of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.contract import Component, Instant, Response
from axletree.library.edge import ROTATION, Edge
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.motion.driven import DrivenAbout
from axletree.library.signal import Signal, motion


@dataclass(frozen=True, eq=False)
class RotationDriver(Component):
    """An ideal motor: the angle of a joint follows a signal, whatever torque it takes.

    Its edge lies parallel to the rotational edge of the joint.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> motor = model.add(at.RotationDriver("motor", model["pin"], angle="90 deg"))
    >>> held = model.formulate().steady_state()
    >>> print(f"{held['motor.torque']:.4f} N m")  # holds the rod level: m g l
    4.9033 N m
    """

    summary: ClassVar[str] = "prescribes the angle of a joint"

    name: str
    joint: Component = turning_joint("joint that is driven")
    angle: Signal = motion("rad", "angle of the head in the tail about the joint's axis")

    def edges(self) -> tuple[Edge, ...]:
        edge, axis = turn_of(self.joint)
        course = self.course("angle")
        law = DrivenAbout(axis, course.value, course.rate, course.acceleration)
        return (Edge(self.name, "R1", ROTATION, edge.tail, edge.head, law),)

    def respond(self, now: Instant) -> Response:
        return Response(outputs=self.signal_outputs())
