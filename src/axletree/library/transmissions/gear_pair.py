"""The gear pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import number
from axletree.library.contract import Component, Coupling
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.joint_reference import turn_of, turning_joint

TORQUE = Variable("torque", "N*m", "torque on the head of joint_a about its axis")


@dataclass(frozen=True, eq=False)
class GearPair(Component):
    """Two joints whose angles keep a ratio: ``angle_a = ratio * angle_b``.

    For joints with parallel axes, external gears have a negative ratio, a belt or an
    internal gear a positive one. Both angles count from where the teeth are set.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> wheels = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("a", "b")]
    >>> shafts = [model.add(at.Revolute(f"shaft_{w.name}", model.ground, w)) for w in wheels]
    >>> gears = model.add(at.GearPair("gears", *shafts, ratio=-2.0))
    >>> state = model.formulate().state({"shaft_b.rate": 3.0})
    >>> print(f"{state['shaft_a.rate']:.1f} rad/s")
    -6.0 rad/s
    """

    summary: ClassVar[str] = "two turning joints whose angles keep a ratio"

    name: str
    joint_a: Component = turning_joint("joint of the first gear")
    joint_b: Component = turning_joint("joint of the second gear")
    ratio: float = parameter("1", "turns of joint_a per turn of joint_b")

    def problems(self) -> list[str]:
        found = []
        if self.ratio == 0.0:
            found.append("ratio must not be zero: joint_a would be locked")
        if self.joint_a is self.joint_b:
            found.append(f"joint_a and joint_b are both {self.joint_a.name}")
        return found

    def couplings(self) -> tuple[Coupling, ...]:
        a, b = turn_of(self.joint_a)[0].name, turn_of(self.joint_b)[0].name
        return (Coupling(((a, number(1.0)), (b, -self.symbol("ratio"))), TORQUE),)
