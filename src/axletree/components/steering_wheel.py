"""A steering wheel that is free to turn: torques move it, and the road turns it back.

With the inertia J and the damping C of wheel and column, the torque M of hands or of a motor, and
what it feels of the road, T, its angle a follows from

    J a'' = M - C a' - T.                                                                        (1)

Kingpins of the angles k_i, which are held to d_i(a) by springs of the stiffness c and dampers of
the damping b, give

    T = sum_i (c (d_i(a) - k_i) + b (d_i' - k_i')) d(d_i)/da,                                    (2)

so that what the springs take from the steering wheel's power they give to the kingpins, or keep. A
torsion bar between the column, of the angle d(a), and the pinion of a rack or the worm of a pitman
arm gives the same with s / i in the place of k, of what steers by s, i by the angle of the pinion,
and the friction of the column beside it, in proportion below a slow rate; assist acts behind the
bar, and is not felt. The axle of a linear model has no angle of its own: its wheels turn by n a,
and their side force F does work about kingpins, whose trail and the tyre's add up to t:

    T = n t F.                                                                                   (3)
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.components.contract import (
    BetweenFrames,
    Component,
    Instant,
    NamedOutput,
    Response,
)
from axletree.components.drivers import bounded_controls
from axletree.components.edges import Edge, Variable
from axletree.components.fields import parameter, positive
from axletree.components.frames import Frame, frame
from axletree.components.joints import OnJoints, sliding_joint, turning_joint
from axletree.components.loads import linear_side_force
from axletree.components.signals import Signal, motion, signal
from axletree.expr import Expr, Value, as_expr, maximum, minimum
from axletree.expr.quantity import Quantity, Role

_TURNED = (
    Variable("steering", "rad", "angle of the steering wheel, left if positive"),
    Variable("steering_rate", "rad/s", "rate of the steering"),
)


@dataclass(frozen=True, eq=False, kw_only=True)
class SteeringWheel(Component):
    """Steering torque and pedals, in place of driver controls, whose wheel has an angle."""

    inertia: float = positive("kg*m^2", "of the steering wheel and its column", default=0.04)
    damping: float = parameter("N*m*s/rad", "of the steering wheel", default=0.6, lower=0.0)
    steering_torque: Signal = signal("N*m", "torque on the steering wheel, left if positive")
    throttle: Signal = signal("1", "position of the accelerator, from 0 to 1")
    brake: Signal = signal("1", "position of the brake pedal, from 0 to 1")
    clutch: Signal = signal("1", "position of the clutch pedal, from 0 to 1")
    brake_pressure: Signal = signal("Pa", "pressure in the brake lines beside that of the pedal")

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def inputs(self) -> tuple[Quantity, ...]:
        """With the travel of the pedals."""
        return bounded_controls(super().inputs(), self.name)

    def states(self) -> tuple[Variable, ...]:
        return _TURNED

    def followed(self) -> tuple[Quantity, ...]:
        angle, rate = (
            Quantity(f"{self.name}.{v.suffix}", v.unit, v.description, Role.STATE) for v in _TURNED
        )
        return (angle, replace(rate, derivative_of=angle.name), *self.inputs())

    @abstractmethod
    def _road_torque(self, now: Instant) -> Value:
        """What it feels [N m], T of (1)."""

    def respond(self, now: Instant) -> Response:
        _, rate = now.states
        felt = as_expr(self.symbol("damping") * rate + self._road_torque(now))
        turned = self.signal("steering_torque")
        outputs = (
            *self.signal_outputs(),
            NamedOutput("felt_torque", "N*m", "by which the steering wheel is held", felt),
            NamedOutput("steering_power", "W", "power of the torque on it", turned * rate),
        )
        return Response(rates=(rate, (turned - felt) / self.symbol("inertia")), outputs=outputs)


@dataclass(frozen=True, eq=False)
class FreeSteeringWheel(SteeringWheel, OnJoints):
    """Steering torque and pedals, in place of driver controls, whose wheel has an angle.

    It follows kingpins that are turned through springs by ``left_angle`` and ``right_angle``, and
    feels these springs; ``left_slope`` and ``right_slope`` are their derivatives by its angle.

    Example:
    >>> import axletree as at
    >>> controls = {"steering_torque": True}
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "two-track", "controls": controls}})
    >>> held = car.formulate().trim({"chassis.vx": 20.0}, ["driver.throttle"])
    >>> print(f"{held['driver.steering']:.3f} rad")
    0.000 rad
    """

    summary: ClassVar[str] = "a steering wheel that torques turn, and pedals"

    left: Component = turning_joint("left kingpin")
    right: Component = turning_joint("right kingpin")
    stiffness: float = positive("N*m/rad", "of the spring at each kingpin")
    left_angle: Signal = motion("rad", "angle that the left kingpin is turned to")
    right_angle: Signal = motion("rad", "angle that the right kingpin is turned to")
    left_slope: Signal = signal("1", "of this angle by that of the steering wheel")
    right_slope: Signal = signal("1", "likewise")
    kingpin_damping: float = parameter("N*m*s/rad", "of the damper there", default=0.0, lower=0.0)

    def _road_torque(self, now: Instant) -> Value:
        felt: Value = 0.0
        for side, own in zip(("left", "right"), now.travels, strict=True):
            wanted = self.course(f"{side}_angle")
            torque = self.symbol("stiffness") * (wanted.value - own.travel)
            torque += self.symbol("kingpin_damping") * (wanted.rate - own.rate)
            felt += torque * self.signal(f"{side}_slope")  # (2)
        return felt


@dataclass(frozen=True, eq=False)
class GearedSteeringWheel(SteeringWheel, OnJoints):
    """On a torsion bar, which a rack or a pitman arm is moved by."""

    def _bar_torque(self, now: Instant) -> Expr:
        own, column, ratio = now.travels[0], self.course("angle"), self.symbol("ratio")
        torque = self.symbol("stiffness") * (column.value - own.travel / ratio)
        return as_expr(torque + self.symbol("bar_damping") * (column.rate - own.rate / ratio))

    def _road_torque(self, now: Instant) -> Value:
        slow = minimum(now.states[1] / self.symbol("slow_rate"), 1.0)
        rubs = self.symbol("friction") * maximum(slow, -1.0)
        return self._bar_torque(now) * self.signal("angle_slope") + rubs


@dataclass(frozen=True, eq=False)
class RackSteeringWheel(GearedSteeringWheel):
    """A steering wheel that torques turn, on the torsion bar of a rack.

    Example:
    >>> import axletree as at
    >>> controls = {"steering_torque": True}
    >>> car = at.read_model("double-wishbone-sports-car", {"vehicle": {"controls": controls}})
    >>> wheel = car["driver"]
    >>> print(f"{wheel.stiffness:.0f} N m/rad on {wheel.joint.name}")
    1146 N m/rad on front_rack_way
    """

    summary: ClassVar[str] = "a steering wheel that torques turn, on a rack, and pedals"

    joint: Component = sliding_joint("joint of the rack")
    ratio: float = parameter("m/rad", "travel of the rack by the angle of the pinion")
    stiffness: float = positive("N*m/rad", "of the torsion bar")
    angle: Signal = motion("rad", "angle of the column behind its joints")
    angle_slope: Signal = signal("1", "of this angle by that of the steering wheel")
    bar_damping: float = parameter("N*m*s/rad", "of the torsion bar", default=0.0, lower=0.0)
    friction: float = parameter("N*m", "of the column", default=0.0, lower=0.0)
    slow_rate: float = positive("rad/s", "rate below which it rubs less", default=0.05)


@dataclass(frozen=True, eq=False)
class ArmSteeringWheel(GearedSteeringWheel):
    """The same on the torsion bar of a pitman arm.

    Example:
    >>> import axletree as at
    >>> controls = {"steering_torque": True}
    >>> truck = at.read_model("beam-axle-truck", {"vehicle": {"controls": controls}})
    >>> print(f"1 : {1.0 / abs(truck['driver'].ratio):.0f}")
    1 : 24
    """

    summary: ClassVar[str] = "a steering wheel that torques turn, on a pitman arm, and pedals"

    joint: Component = turning_joint("joint of the pitman arm")
    ratio: float = parameter("1", "angle of the arm by that of the worm")
    stiffness: float = positive("N*m/rad", "of the torsion bar")
    angle: Signal = motion("rad", "angle of the column behind its joints")
    angle_slope: Signal = signal("1", "of this angle by that of the steering wheel")
    bar_damping: float = parameter("N*m*s/rad", "of the torsion bar", default=0.0, lower=0.0)
    friction: float = parameter("N*m", "of the column", default=0.0, lower=0.0)
    slow_rate: float = positive("rad/s", "rate below which it rubs less", default=0.05)


@dataclass(frozen=True, eq=False)
class LinearSteeringWheel(SteeringWheel, BetweenFrames):
    """A steering wheel that torques turn, of the linear single-track model.

    Example:
    >>> import axletree as at
    >>> controls = {"steering_torque": True}
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "linear", "controls": controls}})
    >>> system, torque = car.formulate(), {"driver.steering_torque": 2.0}  # N m
    >>> rates = system.rhs(system.state({"chassis.vx": 20.0}), inputs=torque)
    >>> print(f"{rates['driver.steering_rate']:.0f} rad/s^2")  # 2 N m / 0.04 kg m^2
    50 rad/s^2
    """

    summary: ClassVar[str] = "a steering wheel that torques turn, of a linear model, and pedals"

    ground: Frame = frame("frame of the road, z up")
    head: Frame = frame("frame of the body in the middle of the axle, x forward, y left")
    cornering_stiffness: float = parameter("N/rad", "of both tyres", lower=0.0)
    trail: float = parameter("m", "of kingpin and tyre, of the force behind the axis")
    share: float = parameter("1", "angle of the wheels by that of the steering wheel")

    def _road_torque(self, now: Instant) -> Value:
        share = self.symbol("share")
        side, heading = linear_side_force(
            now.motions[0], share * now.states[0], self.symbol("cornering_stiffness")
        )
        return share * self.symbol("trail") * heading * side  # (3)
