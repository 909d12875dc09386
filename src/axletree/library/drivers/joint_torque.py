"""The joint torque: a torque about the freedom of a turning joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.contract import Component, Computed, Instant, JointLoad, Response
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class JointTorque(Component):
    """A torque on the head of a joint about its axis, driving its angle up.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> motor = model.add(at.JointTorque("motor", model["pin"]))
    >>> trim = model.formulate().trim({"pin.angle": "90 deg"}, find=["motor.torque"])
    >>> print(f"{trim.inputs['motor.torque']:.4f} N m")  # holds the rod level: m g l
    4.9033 N m
    """

    summary: ClassVar[str] = "a torque about the axis of a turning joint"

    name: str
    joint: Component = turning_joint("joint that the torque acts about")
    torque: Signal = signal("N*m", "torque on the head about the joint's axis")

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        torque = self.signal("torque")
        power = Computed("power", "W", "power of the torque", torque * now.travels[0].rate)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], torque),),
            outputs=(*self.signal_outputs(), power),
        )
