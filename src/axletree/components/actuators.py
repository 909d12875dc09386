"""Actuators of a vehicle that a controller commands, beside the driver: by themselves they do
nothing.

Signals of other components follow the modulators of brakes and drives, as they follow the driver:
with the share s, the torque M and the pressure P of a brake's modulator, the gain G of its calliper
and the torque T that the driver asks for, the brake has s max(T + M + G P, 0). So the valves, s,
come last, whoever asks for the torque.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.components.contract import (
    BetweenFrames,
    Component,
    Instant,
    Load,
    NamedOutput,
    Response,
)
from axletree.components.edges import TRANSLATION, Domain, Variable
from axletree.components.fields import fixed_number, positive
from axletree.components.frames import Frame, frame
from axletree.components.signals import Constant, Input, Signal, signal
from axletree.expr import Value, Vector, maximum, symbol
from axletree.expr.quantity import Quantity, Role

_WHOLE = Input(1.0)


def _bounded(component: Component, **bounds: tuple[float, float]) -> tuple[Quantity, ...]:
    """The inputs of a component, some of them with bounds, by their short names."""
    return tuple(
        replace(one, lower=bounds[short][0], upper=bounds[short][1])
        if (short := one.name.rpartition(".")[2]) in bounds
        else one
        for one in Component.inputs(component)
    )


@dataclass(frozen=True, eq=False)
class BrakeModulator(Component):
    """Valves and pump of a brake: a share that is let through, and what is added to it.

    That is a torque, or of a calliper with a ``gain`` a pressure in it.

    Example:
    >>> import axletree as at
    >>> modulator = at.BrakeModulator("front_left_modulator")
    >>> [f"{q.name} = {q.default:g} {q.unit}" for q in modulator.inputs()]
    ['front_left_modulator.share = 1 1', 'front_left_modulator.torque = 0 N*m']
    """

    summary: ClassVar[str] = "valves and pump of a brake, for a controller beside the driver"

    share: Signal = signal("1", "share of the torque that valves let through", default=_WHOLE)
    torque: Signal = signal(
        "N*m", "torque asked for beside the driver's; less than 0 takes from the driver's"
    )

    pressure: Signal = signal(
        "Pa", "pressure asked for beside the driver's, of a calliper with a gain",
        default=Constant(0.0),
    )  # fmt: skip
    gain: float = fixed_number(
        "N*m/Pa", "torque of the brake by the pressure in its calliper", default=0.0, lower=0.0
    )

    def inputs(self) -> tuple[Quantity, ...]:
        return _bounded(self, share=(0.0, 1.0))

    def torque_at_brake(self, asked: Value) -> Value:
        """Of a brake [N m] with this modulator, where the driver asks for so much.

        Example:
        >>> import axletree as at
        >>> torque = at.BrakeModulator("left").torque_at_brake(900.0)  # N m
        >>> from axletree.expr import evaluate, symbol
        >>> half = {symbol("left.share"): 0.5, symbol("left.torque"): 100.0}
        >>> evaluate([torque], half)  # N m
        [500.0]
        """
        wanted, share = asked + symbol(f"{self.name}.torque"), symbol(f"{self.name}.share")
        if not self.gain:
            return share * maximum(wanted, 0.0)
        pressed = self.gain * symbol(f"{self.name}.pressure")
        return share * (maximum(wanted, -pressed) + pressed)  # max(wanted + pressed, 0)


@dataclass(frozen=True, eq=False)
class DriveModulator(Component):
    """What reduces the torque of a drive: the throttle is that of the driver times a share.

    Example:
    >>> import axletree as at
    >>> [f"{q.name} = {q.default:g}" for q in at.DriveModulator("rear_drive_modulator").inputs()]
    ['rear_drive_modulator.share = 1']
    """

    summary: ClassVar[str] = "reduces the throttle of a drive, for a controller beside the driver"

    share: Signal = signal("1", "share of the driver's throttle that the drive has", default=_WHOLE)

    def inputs(self) -> tuple[Quantity, ...]:
        return _bounded(self, share=(0.0, 1.0))


@dataclass(frozen=True, eq=False)
class MotorCommand(Component):
    """A torque that a controller asks of a motor beside the pedals: its drive follows it, within
    what motor and battery have.

    Example:
    >>> import axletree as at
    >>> [f"{q.name} [{q.unit}]" for q in at.MotorCommand("rear_motor").inputs()]
    ['rear_motor.torque [N*m]']
    """

    summary: ClassVar[str] = "a torque asked of a motor beside the pedals, for a controller"

    torque: Signal = signal("N*m", "torque at the wheels, forward if positive")


_TURNED = (
    Variable("angle", "rad", "angle that is added to that of the steering wheel"),
    Variable("angle_rate", "rad/s", "rate of the angle"),
    Variable("angle_acceleration", "rad/s^2", "second derivative of the angle"),
)


@dataclass(frozen=True, eq=False)
class SteeringActuator(Component):
    """A superposition gear: an angle is added to that of the steering wheel, behind a command.

    With the rate w of its three equal poles, (1 + (1/w) d/dt)^3 angle = command. So a command that
    jumps moves the wheels with a continuous acceleration, and stays behind by 3 / w.

    Example:
    >>> import axletree as at
    >>> [f"{q.name} [{q.unit}]" for q in at.SteeringActuator("steering_actuator").inputs()]
    ['steering_actuator.command [rad]']
    """

    summary: ClassVar[str] = "adds an angle to that of the steering wheel, for a controller"

    command: Signal = signal("rad", "angle to be added to that of the steering wheel")
    rate: float = positive("1/s", "of its three equal poles", default=100.0)

    def states(self) -> tuple[Variable, ...]:
        return _TURNED

    def followed(self) -> tuple[Quantity, ...]:
        leads = {"angle_rate": "angle", "angle_acceleration": "angle_rate"}
        moved = (
            Quantity(
                f"{self.name}.{v.suffix}", v.unit, v.description, Role.STATE,
                derivative_of=f"{self.name}.{leads[v.suffix]}" if v.suffix in leads else "",
            )
            for v in _TURNED
        )  # fmt: skip
        return (*moved, *self.inputs())

    def respond(self, now: Instant) -> Response:
        angle, rate, acceleration = now.states
        w = self.symbol("rate")
        jerk = w * (w * (w * (self.signal("command") - angle) - 3.0 * rate) - 3.0 * acceleration)
        return Response(rates=(rate, acceleration, jerk), outputs=self.signal_outputs())


@dataclass(frozen=True, eq=False)
class AntiRollActuator(Component):
    """An active anti-roll bar: a roll moment on the body, which the wheels of an axle take.

    Example:
    >>> import axletree as at
    >>> [f"{q.name} [{q.unit}]" for q in at.AntiRollActuator("front_anti_roll").inputs()]
    ['front_anti_roll.moment [N*m]']
    """

    summary: ClassVar[str] = "an active anti-roll bar, whose moment forces at the wheels follow"

    moment: Signal = signal("N*m", "moment on the body about its x axis, left side up if positive")


@dataclass(frozen=True, eq=False)
class SuspensionActuator(BetweenFrames):
    """A force and a damping between the body and a wheel, along the z axis of the body.

    They act beside springs and dampers, at the wheel. The force F pushes body and wheel apart; a
    damper of the coefficient c, which is not negative, takes c times the rate at which they come
    closer: with the speed v of the wheel up in the body, the wheel has -(F + share M + c v), where
    M is a moment that is followed.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> wheel = model.add(at.RigidBody("wheel", mass=40.0))
    >>> way = model.add(at.Prismatic("way", model.ground, wheel, axis="z"))
    >>> strut = at.SuspensionActuator("strut", model.ground, wheel, damping="1500 N*s/m")
    >>> rates = model.extended(strut).formulate().rhs({"way.position": 0.0, "way.speed": 0.2})
    >>> print(f"{rates['way.speed'] + 9.80665:.1f} m/s^2")  # -1500 0.2 / 40, beside gravity
    -7.5 m/s^2
    """

    measured_domains: ClassVar[tuple[Domain, ...]] = (TRANSLATION,)

    summary: ClassVar[str] = "a force and a damping between body and wheel, for a controller"

    tail: Frame = frame("frame of the body, z up")
    head: Frame = frame("frame of the wheel")
    force: Signal = signal("N", "force that pushes body and wheel apart")
    damping: Signal = signal("N*s/m", "coefficient of the damper, not negative")
    roll_force: Signal = signal("N", "likewise, of an active anti-roll bar", default=Constant(0.0))

    def inputs(self) -> tuple[Quantity, ...]:
        return _bounded(self, damping=(0.0, float("inf")))

    def respond(self, now: Instant) -> Response:
        speed = now.motions[0].velocity[2]
        taken = self.signal("force") + self.signal("roll_force") + self.signal("damping") * speed
        load = Load(self.tail, self.head, force=Vector((0.0, 0.0, 1.0)) * -taken)
        outputs = (
            *self.signal_outputs(),
            NamedOutput("push", "N", "force that pushes body and wheel apart, damper included",
                        taken),
            NamedOutput("power", "W", "power of the actuator, negative where it damps",
                        load.power(now.motions[0])),
        )  # fmt: skip
        return Response(loads=(load,), outputs=outputs)
