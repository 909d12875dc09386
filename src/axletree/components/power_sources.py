"""Sources of power: the torque of a shaft over its speed and a throttle, without inertia.

Here stand the contract, a constant torque, and a motor by its greatest torque and power. Engines
are in ``engines``; sources that take their power from a battery, and that brake, in
``electric_drives``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import NamedOutput, RangeLimit
from axletree.components.edges import Variable
from axletree.components.fields import Part, parameter, positive
from axletree.expr import ONE, ZERO, Expr, Value, maximum, minimum


@dataclass(frozen=True)
class ShaftInstant:
    """What holds at the shaft of a source of power at an instant.

    Example:
    >>> from axletree.components.power_sources import ConstantTorque, ShaftInstant
    >>> from axletree.expr import number
    >>> half = ShaftInstant(throttle=number(0.5), speed=number(80.0))  # 1, rad/s
    >>> source = ConstantTorque("200 N*m")
    >>> print(source.turned(half, source.numbers).torque)  # N m
    100
    """

    throttle: Expr
    speed: Expr  # [rad/s]
    engaged: Value = ONE  # share of its torque that is passed on: 0 with the clutch pedal down
    braking: Value = ZERO  # [N m] against the turning, that it has by the brake pedal
    command: Value = ZERO  # [N m], that a controller asks of it beside the pedals
    drawable: Expr | None = None  # [W], that its battery gives at most; None: without bound
    chargeable: Expr | None = None  # [W], that its battery takes at most
    states: tuple[Expr, ...] = ()  # of the source


@dataclass(frozen=True)
class ShaftResponse:
    """What a source of power answers to what holds at its shaft."""

    torque: Value  # [N m], driving if positive
    rates: tuple[Expr, ...] = ()  # of its states
    outputs: tuple[NamedOutput, ...] = ()
    limits: tuple[RangeLimit, ...] = ()
    electrical_power: Value = ZERO  # [W], that it takes from a battery


class PowerSource(Part, ABC):
    """Engine or motor without inertia: its torque is a function of speed and throttle.

    A throttle above 1 is as one of 1. One below 0 continues the line to 0 and brakes: a search for
    a steady motion that passes there finds its way back.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.components.fields import parameter
    >>> from axletree.components.power_sources import PowerSource, throttle_opening
    >>> @dataclass(frozen=True)
    ... class Series(PowerSource):
    ...     stall_torque: float = parameter("N*m", "torque at rest", lower=0.0)
    ...     half_speed: float = parameter("rad/s", "speed at half of it", lower=0.0, above=True)
    ...
    ...     def torque(self, throttle, speed, p):
    ...         share = throttle_opening(throttle) / (1.0 + speed / p["half_speed"])
    ...         return p["stall_torque"] * share
    >>> motor = Series("400 N*m", half_speed="50 rad/s")
    >>> float(motor.torque(1.0, 150.0, motor.numbers))  # N m
    100.0
    """

    @abstractmethod
    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        """[N m], driving if positive, from a throttle of 0 to 1 and the shaft's speed [rad/s];
        ``p`` has the parameters by name.

        Example:
        >>> from axletree.components.power_sources import ConstantTorque
        >>> motor = ConstantTorque("200 N*m")
        >>> [float(motor.torque(throttle, 80.0, motor.numbers)) for throttle in (0.25, 1.0, 1.2)]
        [50.0, 200.0, 200.0]
        """

    @property
    def recuperates(self) -> bool:
        """Whether it brakes by the brake pedal, and takes power from a battery or gives it some."""
        return False

    def states(self) -> tuple[Variable, ...]:
        """Of its own, such as a temperature.

        Example:
        >>> import axletree as at
        >>> [v.suffix for v in at.read_model("electric-car")["rear_drive"].source.states()]
        ['temperature']
        """
        return ()

    def braking_bound(self, now: ShaftInstant, p: Any) -> Value:
        """The greatest torque against the turning [N m] that it has for the brake pedal.

        Example:
        >>> import axletree as at
        >>> from axletree.components.power_sources import ShaftInstant
        >>> from axletree.expr import number
        >>> motor = at.read_model("electric-car")["rear_drive"].source
        >>> at_rest, turning = (ShaftInstant(number(1.0), number(w)) for w in (0.0, 300.0))  # rad/s
        >>> [float(motor.braking_bound(now, motor.numbers)) for now in (at_rest, turning)]
        [0.0, 310.0]
        """
        return ZERO

    def braking_lag(self, p: Any) -> Value:
        """Of its torque by the brake pedal [s].

        Example:
        >>> import axletree as at
        >>> motor = at.read_model("electric-car")["rear_drive"].source
        >>> float(motor.braking_lag(motor.numbers))  # s
        0.05
        """
        return ONE

    @property
    def peak_power(self) -> float:
        """Of a source that recuperates, by which several share a battery [W]."""
        return 0.0

    def turned(self, now: ShaftInstant, p: Any) -> ShaftResponse:
        """Torque, rates of states and outputs; by default the torque alone.

        Example:
        >>> from axletree.components.power_sources import ConstantTorque, ShaftInstant
        >>> from axletree.expr import number
        >>> motor = ConstantTorque("200 N*m")
        >>> print(motor.turned(ShaftInstant(number(0.25), number(80.0)), motor.numbers).torque)
        50
        """
        return ShaftResponse(self.torque(now.throttle, now.speed, p) * now.engaged)


def throttle_opening(throttle: Expr) -> Value:
    """The throttle, at most 1."""
    return minimum(throttle, 1.0)


def within_one(share: Expr) -> Value:
    """A share, kept between 0 and 1."""
    return maximum(minimum(share, 1.0), 0.0)


@dataclass(frozen=True)
class ConstantTorque(PowerSource):
    """A source without a map.

    Example:
    >>> from axletree.components.power_sources import ConstantTorque
    >>> source = ConstantTorque("200 N*m")
    >>> float(source.torque(0.5, 300.0, source.numbers))  # N m at half throttle and 300 rad/s
    100.0
    """

    summary: ClassVar[str] = "a torque in proportion to the throttle, at any speed"

    full_torque: float = positive("N*m", "torque at full throttle")

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Value:
        return p["full_torque"] * throttle_opening(throttle)


FADING = 0.02  # of the greatest speed: where regeneration fades towards rest


@dataclass(frozen=True)
class ElectricMotor(PowerSource):
    """``full_torque`` up to the speed at which it takes ``full_power``, and that power from there.

    The torque goes to nothing over the last tenth below ``cut_off``. With the pedal released it
    brakes by ``regeneration``, likewise within the power, and less and less towards rest.

    Example:
    >>> from axletree.components.power_sources import ElectricMotor
    >>> motor = ElectricMotor("300 N*m", full_power="90 kW", cut_off=1500.0)
    >>> [float(motor.torque(1.0, speed, motor.numbers)) for speed in (100.0, 600.0)]  # N m
    [300.0, 150.0]
    """

    summary: ClassVar[str] = "an electric motor: maximum torque, power and speed"

    full_torque: float = positive("N*m", "maximum torque")
    full_power: float = positive("W", "maximum power")
    cut_off: float = positive("rad/s", "maximum speed")
    regeneration: float = parameter(
        "N*m", "torque against the turning with the pedal released", default=0.0, lower=0.0
    )

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        pedal = throttle_opening(throttle)
        corner = p["full_power"] / p["full_torque"]
        within_power = corner / maximum(speed, corner)
        driving: Expr = pedal * p["full_torque"] * within_power
        driving = driving * within_one((p["cut_off"] - speed) / (0.1 * p["cut_off"]))
        slow = minimum(maximum(speed / (FADING * p["cut_off"]), 0.0), 1.0)
        braking: Expr = (ONE - pedal) * p["regeneration"] * within_power * slow
        return driving - braking
