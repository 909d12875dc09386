"""Motion drivers: a joint's angle or position as a function of time, rigid, elastic or copied.

``DriverControls`` are what a person has in hand and under foot: inputs that other components
follow. ``SpeedDriver`` has the pedals follow a speed. The driver who follows a path is
``ground.path_driver``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.components.contract import (
    BetweenFrames,
    Component,
    Instant,
    JointLoad,
    NamedOutput,
    RangeLimit,
    Response,
)
from axletree.components.edges import Edge, Variable
from axletree.components.fields import parameter, positive, structure
from axletree.components.frames import Frame, frame
from axletree.components.joints import OnJoints, slide_of, sliding_joint, turn_of, turning_joint
from axletree.components.motion_laws import DrivenAbout, DrivenAlong
from axletree.components.signals import Constant, MotionCourse, Signal, motion, signal
from axletree.core.errors import ModelError
from axletree.expr import Value, absolute, maximum, minimum
from axletree.expr.expression import ONE
from axletree.expr.quantity import Quantity, Role


@dataclass(frozen=True, eq=False)
class RotationDriver(Component):
    """An ideal motor: the angle of a joint follows a signal, whatever torque it takes.

    Its edge lies parallel to the rotational edge of the joint.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> motor = model.add(at.RotationDriver("motor", model["pin"], angle="90 deg"))
    >>> held = model.formulate().trim()
    >>> print(f"{held['motor.torque']:.4f} N m")  # holds the rod level: m g l
    4.9033 N m
    """

    summary: ClassVar[str] = "prescribes the angle of a joint"

    joint: Component = turning_joint("joint that is driven")
    angle: Signal = motion("rad", "angle of the head in the tail about the joint's axis")

    def edges(self) -> tuple[Edge, ...]:
        edge, axis = turn_of(self.joint)
        return (replace(edge, component=self.name, law=DrivenAbout(axis, self.course("angle"))),)


@dataclass(frozen=True, eq=False)
class TranslationDriver(Component):
    """An ideal actuator: the position of a joint follows a signal, whatever force it takes.

    Its edge lies parallel to the translational edge of the joint.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("cart", 2.0))))
    >>> actuator = model.add(at.TranslationDriver("actuator", way, position="3*t^2"))  # m
    >>> moved = model.formulate().trim(time=2.0)  # s
    >>> moved["actuator.force"], moved["cart.velocity.x"]  # N: 2 kg at 6 m/s^2; m/s
    (12.0, 12.0)
    """

    summary: ClassVar[str] = "prescribes the position of a joint"

    joint: Component = sliding_joint("joint that is driven")
    position: Signal = motion("m", "position of the head in the tail along the joint's axis")

    def edges(self) -> tuple[Edge, ...]:
        edge, axis = slide_of(self.joint)
        law = DrivenAlong(axis, self.course("position"))
        return (replace(edge, component=self.name, law=law),)


@dataclass(frozen=True, eq=False)
class ElasticRotationDriver(OnJoints):
    """A motor that holds one end of a spring and damper; the joint has the other.

    The torque on the head is ``stiffness * (angle - own) + damping * (rate - own rate)``, with the
    joint's own angle and rate. At rest it stays behind by the load over the stiffness.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> servo = at.ElasticRotationDriver("servo", model["pin"], stiffness=10.0, angle=0.2)
    >>> system = model.extended(servo).formulate()
    >>> print(f"{system.trim()['pin.angle']:.3f} rad")
    0.200 rad
    """

    summary: ClassVar[str] = "turns a joint towards an angle through a spring and damper"

    joint: Component = turning_joint("joint that is turned")
    stiffness: float = positive("N*m/rad", "of the spring")
    angle: Signal = motion("rad", "angle of the head in the tail without load")
    damping: float = parameter("N*m*s/rad", "of the damper", default=0.0, lower=0.0)

    def respond(self, now: Instant) -> Response:
        own, wanted = now.travels[0], self.course("angle")
        twist = wanted.value - own.travel
        torque = self.symbol("stiffness") * twist
        torque = torque + self.symbol("damping") * (wanted.rate - own.rate)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], torque),),
            outputs=(
                *self.signal_outputs(),
                NamedOutput("twist", "rad", "by which the joint stays behind", twist),
                NamedOutput("torque", "N*m", "torque on the head about the joint's axis", torque),
                NamedOutput("power", "W", "power of the torque", torque * own.rate),
            ),
        )


@dataclass(frozen=True, eq=False)
class ElasticTranslationDriver(OnJoints):
    """An actuator that holds one end of a spring and damper; the joint has the other.

    The force on the head is ``stiffness * (position - own) + damping * (rate - own rate)``, with
    the joint's own position and rate. A steering column moves a rack so.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("rack", 3.0))))
    >>> servo = at.ElasticTranslationDriver("servo", way, stiffness=1e5, position="12 mm")
    >>> print(f"{model.extended(servo).formulate().trim()['way.position']:.3f} m")
    0.012 m
    """

    summary: ClassVar[str] = "moves a joint towards a position through a spring and damper"

    joint: Component = sliding_joint("joint that is moved")
    stiffness: float = positive("N/m", "of the spring")
    position: Signal = motion("m", "position of the head in the tail without load")
    damping: float = parameter("N*s/m", "of the damper", default=0.0, lower=0.0)

    def respond(self, now: Instant) -> Response:
        own, wanted = now.travels[0], self.course("position")
        lag = wanted.value - own.travel
        force = self.symbol("stiffness") * lag
        force = force + self.symbol("damping") * (wanted.rate - own.rate)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], force),),
            outputs=(
                *self.signal_outputs(),
                NamedOutput("lag", "m", "by which the joint stays behind", lag),
                NamedOutput("force", "N", "force on the head along the joint's axis", force),
                NamedOutput("power", "W", "power of the force", force * own.rate),
            ),
        )


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

    joint: Component = turning_joint("joint whose angle is prescribed")
    leader: RotationDriver = structure("component", "driver that is followed", _checked_driver)
    ratio: float = parameter("1", "angle of the joint over angle of the driver", default=1.0)

    def edges(self) -> tuple[Edge, ...]:
        course = self.leader.course("angle")
        ratio = ONE if self.ratio == 1.0 else self.symbol("ratio")
        motion = (course.value, course.rate, course.acceleration)
        scaled = MotionCourse(*(part * ratio for part in motion))
        edge, axis = turn_of(self.joint)
        return (replace(edge, component=self.name, law=DrivenAbout(axis, scaled)),)


_TURNED = 6.0 * math.pi  # rad: three turns to one side, which is the lock of heavy trucks


def _beyond_lock(steering: Value) -> RangeLimit:
    """Degrees for radians are found by it: 90 of these leave a road wheel anywhere."""
    return RangeLimit(
        absolute(steering) - _TURNED,
        "the steering wheel is turned by more than three turns to one side, beyond any lock, and "
        "road wheels may point anywhere; steering is an angle in rad unless it has a unit",
    )


def bounded_controls(inputs: Iterable[Quantity], name: str) -> tuple[Quantity, ...]:
    """What no driver's hands and feet leave, of the inputs of a driver of this name."""
    bounds = {f"{name}.steering": (-_TURNED, _TURNED)}
    bounds |= {
        f"{name}.{pedal}": (0.0, 1.0) for pedal in ("throttle", "brake", "clutch", "reverse")
    }
    return tuple(
        replace(one, lower=bounds[one.name][0], upper=bounds[one.name][1])
        if one.name in bounds
        else one
        for one in inputs
    )


@dataclass(frozen=True, eq=False)
class DriverControls(Component):
    """Steering wheel and pedals. By itself it does nothing.

    Signals of other components follow it: a brake with ``torque: "900*driver.brake"``, a driven
    kingpin with ``angle: "driver.steering/16"``.

    Example:
    >>> import axletree as at
    >>> [f"{q.name} [{q.unit}]" for q in at.DriverControls("driver").inputs()[3:]]
    ['driver.throttle [1]', 'driver.brake [1]', 'driver.clutch [1]', 'driver.brake_pressure [Pa]']
    """

    summary: ClassVar[str] = "steering wheel and pedals, which signals of other components follow"

    steering: Signal = motion("rad", "angle of the steering wheel, left if positive")
    throttle: Signal = signal("1", "position of the accelerator, from 0 to 1")
    brake: Signal = signal("1", "position of the brake pedal, from 0 to 1")
    clutch: Signal = signal("1", "position of the clutch pedal, from 0 to 1")
    brake_pressure: Signal = signal(
        "Pa", "pressure in the brake lines beside that of the pedal, for brakes by pressure"
    )
    reverse: Signal = signal(
        "1", "lever of the gears, for drives with a reverse gear: 1 in reverse, 0 forward",
        default=Constant(0.0),
    )  # fmt: skip

    def inputs(self) -> tuple[Quantity, ...]:
        """With the turns of the steering wheel and the travel of the pedals."""
        return bounded_controls(super().inputs(), self.name)

    def respond(self, now: Instant) -> Response:
        return replace(super().respond(now), limits=(_beyond_lock(self.course("steering").value),))


_PEDALS = (
    Variable("throttle", "1", "position of the accelerator, from 0 to 1"),
    Variable("brake", "1", "position of the brake pedal, from 0 to 1"),
    Variable("effort", "1", "what keeps the speed: throttle, or brake if negative"),
)


@dataclass(frozen=True, eq=False)
class SpeedDriver(BetweenFrames):
    """Pedals that follow a speed, in place of driver controls; the steering wheel is an input.

    With the error e of the speed along the head's x axis, the pedals go to gain e + effort, limited
    to their travel, with the lag of a foot. The effort is the integral gain / reset e, and goes
    back where a pedal is at its end.

    Example:
    >>> import axletree as at
    >>> driver = at.SpeedDriver("driver", at.Model().ground, at.RigidBody("car", mass=1500.0))
    >>> [q.name for q in driver.followed()][:2], [q.name for q in driver.inputs()][3]
    (['driver.throttle', 'driver.brake'], 'driver.speed')
    """

    summary: ClassVar[str] = "pedals that follow a speed over time; steering is an input"

    ground: Frame = frame("frame of the road, z up")
    head: Frame = frame("frame of the vehicle, x forward")
    steering: Signal = motion("rad", "angle of the steering wheel, left if positive")
    speed: Signal = signal("m/s", "speed to follow")
    gain: float = positive("s/m", "pedal by error of speed", default=0.5)
    reset: float = positive(
        "s", "time in which the integral comes up to the proportional part", default=2.0
    )
    foot: float = positive("s", "lag of the driver's foot", default=0.1)
    clutch: Signal = signal("1", "position of the clutch pedal, from 0 to 1")
    brake_pressure: Signal = signal("Pa", "pressure in the brake lines beside that of the pedal")

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def states(self) -> tuple[Variable, ...]:
        return _PEDALS

    def inputs(self) -> tuple[Quantity, ...]:
        return bounded_controls(super().inputs(), self.name)

    def followed(self) -> tuple[Quantity, ...]:
        pressed = (
            Quantity(f"{self.name}.{v.suffix}", v.unit, v.description, Role.STATE)
            for v in _PEDALS[:2]
        )
        return (*pressed, *self.inputs())

    def respond(self, now: Instant) -> Response:
        throttle, brake, effort = now.states
        error = self.signal("speed") - now.motions[0].velocity_head[0]
        gain, foot = self.symbol("gain"), self.symbol("foot")
        pedal = gain * error + effort
        pressed = maximum(minimum(pedal, 1.0), -1.0)
        rates = (
            (maximum(pressed, 0.0) - throttle) / foot,
            (maximum(-pressed, 0.0) - brake) / foot,
            gain / self.symbol("reset") * error + (pressed - pedal) / foot,
        )
        lacks = NamedOutput("speed_error", "m/s", "what the speed lacks", error)
        return Response(
            rates=rates,
            outputs=(*self.signal_outputs(), lacks),
            limits=(_beyond_lock(self.course("steering").value),),
        )
