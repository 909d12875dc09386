"""The select-low brake: one that gives way before either wheel of its axle locks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, maximum
from axletree.library.contract import Component, Instant
from axletree.library.drivers.slip_limited_brake import SlipLimitedBrake
from axletree.library.frame import Frame, frame
from axletree.library.joint_reference import turn_of, turning_joint


@dataclass(frozen=True, eq=False, kw_only=True)
class SelectLowBrake(SlipLimitedBrake):
    """A slip-limited brake whose torque falls with the greater slip of two wheels of an axle.

    With one on each of them both have the torque that the wheel with less grip can take: where one
    side is slippery, the other brakes no more than it does, and keeps its grip for side forces.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> hub = model.add(at.RigidBody("hub", 9.0, (1, 1, 1)))
    >>> way = model.add(at.Prismatic("way", model.ground, hub))
    >>> wheels = [model.add(at.RigidBody(name, 9.0, (1, 1, 1))) for name in ("left", "right")]
    >>> axles = [model.add(at.Revolute(f"{w.name}_axle", hub, w, axis="y")) for w in wheels]
    >>> given = {"ground": model.ground, "radius": 0.3, "slip_limit": 0.1, "torque": "900 N*m"}
    >>> low = at.SelectLowBrake("low", axles[0], hub=hub, other=axles[1], other_hub=hub, **given)
    >>> system = model.extended(low).formulate()
    >>> state = {"way.speed": 30.0, "left_axle.rate": 100.0, "right_axle.rate": 85.0}
    >>> rates = system.rhs(system.state(state))  # the other wheel slips by 0.15
    >>> print(f"{rates['left_axle.rate']:.1f} rad/s^2")
    -450.0 rad/s^2
    """

    summary: ClassVar[str] = "a brake that gives way before either wheel of its axle locks"

    other: Component = turning_joint("joint of the other wheel of the axle, of the same radius")
    other_hub: Frame = frame("frame that carries the other wheel, x forward")

    def problems(self) -> list[str]:
        same = self.other is self.joint
        return [f"joint and other are both {self.joint.name}"] if same else []

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return (*super().measures(), (self.ground, self.other_hub))

    def measured_joints(self) -> tuple[str, ...]:
        return (*super().measured_joints(), turn_of(self.other)[0].name)

    def _governing_slip(self, now: Instant) -> Expr:
        greater: Expr = maximum(self._slip(now, 0), self._slip(now, 1))
        return greater
