"""Gears between joints: pair, rack and pinion, and a weighted sum of angles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import Component, Coupling
from axletree.components.edges import Variable
from axletree.components.fields import parameter
from axletree.components.joints import slide_of, sliding_joint, turn_of, turning_joint
from axletree.expr import ONE, number

GEAR_TORQUE = Variable("torque", "N*m", "torque on the head of joint_a about its axis")


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
        return (Coupling(((a, number(1.0)), (b, -self.symbol("ratio"))), GEAR_TORQUE),)


_SUM_TORQUE = Variable("torque", "N*m", "torque on the head of the first joint")


@dataclass(frozen=True, eq=False)
class AngleSum(Component):
    """Four joints: the angle of the first, and those of the others times factors, sum up to zero.

    The halves of two leaf springs of an axle wind up against one another like this.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> arms = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("a", "b", "c", "d")]
    >>> pins = [model.add(at.Revolute(f"pin_{a.name}", model.ground, a)) for a in arms]
    >>> sums = model.add(at.AngleSum("sums", *pins, second_factor=0.5))
    >>> model.formulate().degrees_of_freedom
    3
    """

    summary: ClassVar[str] = "four turning joints whose angles sum up to zero"

    first: Component = turning_joint("first joint")
    second: Component = turning_joint("second joint")
    third: Component = turning_joint("third joint")
    fourth: Component = turning_joint("fourth joint")
    second_factor: float = parameter("1", "of the second joint's angle", default=1.0)
    third_factor: float = parameter("1", "of the third joint's angle", default=1.0)
    fourth_factor: float = parameter("1", "of the fourth joint's angle", default=1.0)

    def problems(self) -> list[str]:
        joints = (self.first, self.second, self.third, self.fourth)
        if len({joint.name for joint in joints}) < len(joints):
            return ["two of its joints are the same"]
        return []

    def couplings(self) -> tuple[Coupling, ...]:
        others = ("second", "third", "fourth")
        terms = [(turn_of(self.first)[0].name, ONE)]
        for name in others:
            terms.append((turn_of(getattr(self, name))[0].name, self.symbol(f"{name}_factor")))
        return (Coupling(tuple(terms), _SUM_TORQUE),)


_FORCE = Variable("force", "N", "force on the rack along the axis of its joint")


@dataclass(frozen=True, eq=False)
class RackAndPinion(Component):
    """A turning and a sliding joint: ``position = radius * angle``.

    Position and angle count from where the teeth are set.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> pinion = model.add(at.RigidBody("pinion", 1.0, (0.1, 0.1, 0.1)))
    >>> turn = model.add(at.Revolute("turn", model.ground, pinion, axis="z"))
    >>> slide = model.add(at.Prismatic("slide", model.ground, model.add(at.RigidBody("rack", 2.0))))
    >>> teeth = model.add(at.RackAndPinion("teeth", turn, slide, radius="20 mm"))
    >>> print(f"{model.formulate().state({'turn.rate': 3.0})['slide.speed']:.3f} m/s")
    0.060 m/s
    """

    summary: ClassVar[str] = "a turning and a sliding joint that move together"

    pinion: Component = turning_joint("joint of the pinion")
    rack: Component = sliding_joint("joint of the rack")
    radius: float = parameter(
        "m", "travel of the rack per radian; negative where it runs the other way"
    )

    def problems(self) -> list[str]:
        return ["radius must not be zero: the rack would be locked"] if self.radius == 0.0 else []

    def couplings(self) -> tuple[Coupling, ...]:
        pinion, rack = turn_of(self.pinion)[0].name, slide_of(self.rack)[0].name
        return (Coupling(((rack, number(1.0)), (pinion, -self.symbol("radius"))), _FORCE),)
