"""The friction brake: a torque that is against the turning of a joint, whichever way it turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import maximum, minimum
from axletree.library.contract import Component, Computed, Instant, JointLoad, Response
from axletree.library.fields import parameter
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class FrictionBrake(Component):
    """A brake that takes up to ``torque`` and never drives: it can hold a wheel locked.

    Below ``slow_rate`` the torque is in proportion to the rate, so that an integrator can pass
    through rest; a wheel that is held against a load below ``torque`` creeps at less than that.
    """

    summary: ClassVar[str] = "a brake about the axis of a turning joint; locks, and never drives"

    name: str
    joint: Component = turning_joint("joint that is braked")
    torque: Signal = signal("N*m", "greatest torque of the brake, not negative")
    slow_rate: float = parameter(
        "rad/s", "rate below which the torque is in proportion to it", default=0.5, lower=0.0,
        above=True,
    )  # fmt: skip

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        rate = now.travels[0].rate
        part = maximum(minimum(rate / self.symbol("slow_rate"), 1.0), -1.0)
        taken = -self.signal("torque") * part
        moment = Computed("friction", "N*m", "torque on the head about the axis", taken)
        power = Computed("power", "W", "power of the brake, never positive", taken * rate)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], taken),),
            outputs=(*self.signal_outputs(), moment, power),
        )
