"""Steering gears with a torsion bar, assist and friction, on a rack or on a pitman arm.

The column turns the pinion, or the worm of a recirculating-ball gear, through a torsion bar of the
stiffness c and the damping d. With the angle delta that the column has and that of the pinion,
theta = s / i, where s is the travel of what steers and i its travel by that angle,

    T = c (delta - theta) + d (delta' - theta')             torque of the bar
    F = (T + A(c (delta - theta)) k(v)) / i - R sat(s'/v0)  force on the rack, moment on an arm
    H = T d(delta)/d(hand) + C sat(hand'/w0)                torque of the hands

with the assist A over the torque that the bar's twist shows, its share k over the speed v, and
friction R of the rack and C of the column, in proportion below slow rates v0 and w0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import Component, Instant, JointLoad, NamedOutput, Response
from axletree.components.edges import Edge
from axletree.components.fields import parameter, positive
from axletree.components.frames import Frame, frame
from axletree.components.joints import OnJoints, sliding_joint, turning_joint
from axletree.components.signals import Curve, Signal, curve, motion, signal, table_through
from axletree.expr import ONE, ZERO, Beyond, Expr, Value, interpolate, maximum, minimum


class SteeringGear(OnJoints):
    """What both have; ``ratio`` and efforts have the unit of the joint."""

    effort_unit: ClassVar[str]

    joint: Component
    ground: Frame
    body: Frame
    angle: Signal
    hand: Signal
    hand_ratio: Signal
    ratio: float
    stiffness: float
    damping: float
    assist: Curve | None
    share: Curve | None
    friction: float
    column_friction: float
    slow_travel: float
    slow_rate: float

    def problems(self) -> list[str]:
        found = [] if self.ratio else ["ratio must not be zero"]
        if self.share is not None and self.assist is None:
            found.append("share: of an assist; give one, or leave it out")
        return found

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.ground, self.body),) if self.share is not None else ()

    def respond(self, now: Instant) -> Response:
        own, column = now.travels[0], self.course("angle")
        ratio = self.symbol("ratio")
        twist = column.value - own.travel / ratio
        shown = self.symbol("stiffness") * twist
        torque = shown + self.symbol("damping") * (column.rate - own.rate / ratio)
        assist = self._assist(shown) * self._share(now)
        rubs = self.symbol("friction") * _part(own.rate, self.symbol("slow_travel"))
        effort = (torque + assist) / ratio - rubs
        turned = self.course("hand").rate
        held = self.symbol("column_friction") * _part(turned, self.symbol("slow_rate"))
        hands = torque * self.signal("hand_ratio") + held
        unit, steers = self.effort_unit, "what steers"
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], effort),),
            outputs=(
                NamedOutput("twist", "rad", "of the torsion bar", twist),
                NamedOutput("bar_torque", "N*m", "torque of the torsion bar", torque),
                NamedOutput("assist_torque", "N*m", "torque of the assist at the pinion", assist),
                NamedOutput("hand_torque", "N*m", "torque of the hands on the wheel", hands),
                NamedOutput("friction_load", unit, f"of {steers}, against its rate", rubs),
                NamedOutput("force", unit, f"on {steers} along its joint, friction off", effort),
                NamedOutput("power", "W", "power of this force", effort * own.rate),
            ),
        )

    def _assist(self, torque: Expr) -> Expr:
        """Beyond its points it stays."""
        if self.assist is None:
            return ZERO
        x, y, kind = self.assist.x, self.assist.y, self.assist.kind
        return interpolate(table_through(x, y, kind, Beyond.VALUE_HELD), torque)

    def _share(self, now: Instant) -> Expr:
        if self.share is None:
            return ONE
        table = table_through(self.share.x, self.share.y, self.share.kind, Beyond.VALUE_HELD)
        return interpolate(table, now.motions[0].velocity_head[0])


def _part(rate: Value, slow: Value) -> Value:
    return maximum(minimum(rate / slow, 1.0), -1.0)


def _assist_curve() -> Curve | None:
    told = "assist at the pinion over torque of the torsion bar"
    found: Curve | None = curve("N*m", "N*m", told, default=None)
    return found


def _share_curve() -> Curve | None:
    found: Curve | None = curve("m/s", "1", "share of the assist over speed", default=None)
    return found


@dataclass(frozen=True, eq=False)
class RackSteeringGear(SteeringGear):
    """On a rack.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("rack", 3.0))))
    >>> frames = {"ground": model.ground, "body": model.ground}
    >>> eps = at.Curve((-6.0, -2.0, 0.0, 2.0, 6.0), (-40.0, -4.0, 0.0, 4.0, 40.0))  # N m
    >>> turned = {"angle": 0.02, "hand": 0.02, "hand_ratio": 1.0}
    >>> bar = {"ratio": "50 mm/rev", "stiffness": "2 N*m/deg"}
    >>> gear = at.RackSteeringGear("gear", way, **frames, **turned, **bar, assist=eps)
    >>> system = model.extended(gear).formulate()
    >>> found = system.outputs_at(system.state(), ["gear.bar_torque", "gear.force"])
    >>> print(f"{found['gear.bar_torque']:.3f} N m, {found['gear.force']:.0f} N")
    2.292 N m, 922 N
    """

    summary: ClassVar[str] = "steers by a rack through a torsion bar, with assist and friction"
    effort_unit: ClassVar[str] = "N"

    joint: Component = sliding_joint("joint of the rack")
    ground: Frame = frame("frame that the vehicle moves over")
    body: Frame = frame("frame whose speed along x counts, of the vehicle")
    ratio: float = parameter("m/rad", "travel of the rack by the angle of the pinion")
    stiffness: float = positive("N*m/rad", "of the torsion bar")
    angle: Signal = motion("rad", "angle of the column behind its joints")
    hand: Signal = motion("rad", "angle of the steering wheel")
    hand_ratio: Signal = signal("1", "angle of the column by that of the steering wheel")
    damping: float = parameter("N*m*s/rad", "of the torsion bar", default=0.0, lower=0.0)
    assist: Curve | None = _assist_curve()
    share: Curve | None = _share_curve()
    friction: float = parameter("N", "of the rack", default=0.0, lower=0.0)
    column_friction: float = parameter("N*m", "at the steering wheel", default=0.0, lower=0.0)
    slow_travel: float = positive("m/s", "rate below which friction is less", default=2e-3)
    slow_rate: float = positive("rad/s", "the same of the steering wheel", default=0.05)


@dataclass(frozen=True, eq=False)
class ArmSteeringGear(SteeringGear):
    """On the shaft of a pitman arm, as by recirculating balls.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> frames = {"ground": model.ground, "body": model.ground}
    >>> turned = {"angle": 0.4, "hand": 0.4, "hand_ratio": 1.0}
    >>> bar = {"ratio": 0.05, "stiffness": "2 N*m/deg"}
    >>> gear = at.ArmSteeringGear("gear", model["pin"], **frames, **turned, **bar)
    >>> print(f"{model.extended(gear).formulate().trim()['pin.angle']:.3f} rad")
    0.020 rad
    """

    summary: ClassVar[str] = "steers by a pitman arm through a torsion bar, with assist, friction"
    effort_unit: ClassVar[str] = "N*m"

    joint: Component = turning_joint("joint of the pitman arm")
    ground: Frame = frame("frame that the vehicle moves over")
    body: Frame = frame("frame whose speed along x counts, of the vehicle")
    ratio: float = parameter("1", "angle of the arm by that of the worm")
    stiffness: float = positive("N*m/rad", "of the torsion bar")
    angle: Signal = motion("rad", "angle of the column behind its joints")
    hand: Signal = motion("rad", "angle of the steering wheel")
    hand_ratio: Signal = signal("1", "angle of the column by that of the steering wheel")
    damping: float = parameter("N*m*s/rad", "of the torsion bar", default=0.0, lower=0.0)
    assist: Curve | None = _assist_curve()
    share: Curve | None = _share_curve()
    friction: float = parameter("N*m", "of the arm's shaft", default=0.0, lower=0.0)
    column_friction: float = parameter("N*m", "at the steering wheel", default=0.0, lower=0.0)
    slow_travel: float = positive("rad/s", "rate below which friction is less", default=0.01)
    slow_rate: float = positive("rad/s", "the same of the steering wheel", default=0.05)
