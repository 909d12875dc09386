"""The elastic rotation driver: a joint that is turned through a spring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.contract import Component, Computed, Instant, JointLoad, Response
from axletree.library.fields import parameter
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.signal import Signal, motion


@dataclass(frozen=True, eq=False)
class ElasticRotationDriver(Component):
    """A motor that holds one end of a spring and damper; the joint has the other.

    The torque on the head is ``stiffness * (angle - own) + damping * (rate - own rate)``, with the
    joint's own angle and rate. At rest it stays behind by the load over the stiffness.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> servo = at.ElasticRotationDriver("servo", model["pin"], stiffness=10.0, angle=0.2)
    >>> system = model.extended(servo).formulate()
    >>> print(f"{system.steady_state()['pin.angle']:.3f} rad")
    0.200 rad
    """

    summary: ClassVar[str] = "turns a joint towards an angle through a spring and damper"

    name: str
    joint: Component = turning_joint("joint that is turned")
    stiffness: float = parameter("N*m/rad", "of the spring", lower=0.0, above=True)
    angle: Signal = motion("rad", "angle of the head in the tail without load")
    damping: float = parameter("N*m*s/rad", "of the damper", default=0.0, lower=0.0)

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        own, wanted = now.travels[0], self.course("angle")
        twist = wanted.value - own.travel
        torque = self.symbol("stiffness") * twist
        torque = torque + self.symbol("damping") * (wanted.rate - own.rate)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], torque),),
            outputs=(
                *self.signal_outputs(),
                Computed("twist", "rad", "by which the joint stays behind", twist),
                Computed("torque", "N*m", "torque on the head about the joint's axis", torque),
                Computed("power", "W", "power of the torque", torque * own.rate),
            ),
        )
