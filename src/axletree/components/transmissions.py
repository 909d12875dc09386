"""Transmissions between joints: gear pair, rack and pinion, differential, dry clutch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import Component
from axletree.components.edges import Variable
from axletree.components.exchange import (
    Coupling,
    Instant,
    JointLoad,
    NamedOutput,
    Response,
    SetValued,
    reaction_symbol,
)
from axletree.components.fields import parameter
from axletree.components.joints import slide_of, sliding_joint, turn_of, turning_joint
from axletree.components.signals import Signal, signal
from axletree.expr import maximum, minimum, number
from axletree.expr.expression import ONE

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
        return (Coupling(((a, number(1.0)), (b, -self.symbol("ratio"))), GEAR_TORQUE),)


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

    name: str
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


DIFFERENTIAL_TORQUE = Variable(
    "torque", "N*m", "torque on the head of the drive joint about its axis"
)


@dataclass(frozen=True, eq=False)
class Differential(Component):
    """An open differential: ``drive = ratio * (left + right) / 2``.

    Without masses of its own, it passes equal torques to left and right.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("shaft", "left", "right")]
    >>> joints = [model.add(at.Revolute(f"{b.name}_joint", model.ground, b)) for b in bodies]
    >>> final = model.add(at.Differential("final", *joints, ratio=4.0))
    >>> state = model.formulate().state({"left_joint.rate": 9.0, "right_joint.rate": 11.0})
    >>> print(f"{state['shaft_joint.rate']:.1f} rad/s")
    40.0 rad/s
    """

    summary: ClassVar[str] = "one turning joint drives the mean of two others"

    name: str
    drive: Component = turning_joint("joint of the propeller shaft")
    left: Component = turning_joint("joint of the left half shaft")
    right: Component = turning_joint("joint of the right half shaft")
    ratio: float = parameter("1", "turns of the drive per mean turn of the half shafts")

    def problems(self) -> list[str]:
        found = []
        if self.ratio == 0.0:
            found.append("ratio must not be zero: the drive would be locked")
        if len({self.drive.name, self.left.name, self.right.name}) < 3:
            found.append("drive, left and right must be three different joints")
        return found

    def couplings(self) -> tuple[Coupling, ...]:
        drive, left, right = (turn_of(j)[0].name for j in (self.drive, self.left, self.right))
        half = -0.5 * self.symbol("ratio")
        return (Coupling(((drive, number(1.0)), (left, half), (right, half)), DIFFERENTIAL_TORQUE),)


_FRICTION = Variable("friction", "N*m", "torque on the head of the driven joint about its axis")


@dataclass(frozen=True, eq=False)
class DryClutch(Component):
    """Carries up to ``capacity`` from one joint to another: it slips above it and locks below.

    The torque is set-valued: a method that solves for such forces ("complementarity") turns both
    joints at exactly one rate where the clutch is locked. For all other methods it is in
    proportion to the slip below ``slow_rate``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("engine", "gearbox")]
    >>> shafts = [model.add(at.Revolute(f"{b.name}_shaft", model.ground, b)) for b in bodies]
    >>> clutch = model.add(at.DryClutch("clutch", *shafts, capacity="100 N*m"))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"engine_shaft.rate": 50.0}))  # it slips
    >>> print(f"{rates['gearbox_shaft.rate']:.1f} rad/s^2")
    100.0 rad/s^2
    """

    summary: ClassVar[str] = "a clutch between two turning joints; slips, or locks them together"

    name: str
    driving: Component = turning_joint("joint of the driving side")
    driven: Component = turning_joint("joint of the driven side, of like axis")
    capacity: Signal = signal("N*m", "maximum torque of the clutch, not negative")
    slow_rate: float = parameter(
        "rad/s", "slip below which the torque is in proportion to it", default=0.5, lower=0.0,
        above=True,
    )  # fmt: skip

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.driving)[0].name, turn_of(self.driven)[0].name)

    def respond(self, now: Instant) -> Response:
        ahead = now.travels[1].rate - now.travels[0].rate  # of the driven side
        capacity = self.signal("capacity")
        part = maximum(minimum(ahead / self.symbol("slow_rate"), 1.0), -1.0)
        driving, driven = self.measured_joints()
        friction = SetValued(
            _FRICTION,
            velocity=ahead,
            lower=-capacity,
            upper=capacity,
            smooth=-capacity * part,
            joint_loads=(JointLoad(driven, ONE), JointLoad(driving, -ONE)),
        )
        carried = reaction_symbol(self.name, _FRICTION)
        slip = NamedOutput(
            "slip", "rad/s", "rate of the driving joint less that of the driven", -ahead
        )
        power = NamedOutput("power", "W", "power of the clutch, never positive", carried * ahead)
        return Response(set_valued=(friction,), outputs=(*self.signal_outputs(), slip, power))
