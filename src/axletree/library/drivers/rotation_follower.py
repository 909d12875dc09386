"""The rotation follower: a turning joint that copies the motion of a driven one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.errors import ModelError
from axletree.core.expr.expression import ONE
from axletree.library.contract import Component
from axletree.library.drivers.rotation_driver import RotationDriver
from axletree.library.edge import ROTATION, Edge
from axletree.library.fields import parameter, structure
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.motion.driven import DrivenAbout


def _checked_driver(value: Any) -> RotationDriver:
    if isinstance(value, RotationDriver):
        return value
    raise ModelError(f"expected a rotation driver, got {value!r}")


@dataclass(frozen=True, eq=False)
class RotationFollower(Component):
    """Prescribes the angle of a joint: that of a driver, times a ratio.

    The two front wheels of a car follow one steering motion this way, and one input. A
    ratio of exactly one is left out of the equations, so that both share the sines.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("double-pendulum")
    >>> upper = model.add(at.RotationDriver("upper_motor", model["shoulder"]))
    >>> lower = model.add(at.RotationFollower("lower_motor", model["elbow"], upper, ratio=0.5))
    >>> model.formulate().degrees_of_freedom, [q.name for q in model.formulate().inputs][:1]
    (0, ['upper_motor.angle'])
    """

    summary: ClassVar[str] = "prescribes the angle of a joint as that of a driver times a ratio"

    name: str
    joint: Component = turning_joint("joint whose angle is prescribed")
    leader: RotationDriver = structure("component", "driver that is followed", _checked_driver)
    ratio: float = parameter("1", "angle of the joint over angle of the driver", default=1.0)

    def edges(self) -> tuple[Edge, ...]:
        edge, axis = turn_of(self.joint)
        course = self.leader.course("angle")
        ratio = ONE if self.ratio == 1.0 else self.symbol("ratio")
        motion = (course.value, course.rate, course.acceleration)
        angle, rate, acceleration = (part * ratio for part in motion)
        law = DrivenAbout(axis, angle, rate, acceleration)
        return (Edge(self.name, "R1", ROTATION, edge.tail, edge.head, law),)
