"""Electric drives: a motor by maps, its inverter and its heat, on the shaft of a drive.

With the speed w of the shaft, the pedal a, the torque r of a released pedal, the share B of braking
that the motor has and the command c of a controller, the motor is asked for

    T_asked = a T_max - (1 - a) r s - B s + c,     T_max = peak(|w|) d(h),                     (1)

with s the share to which braking has faded towards rest and d that to which heat reduces torque.
With L(T, w) what motor and inverter lose, and the powers that the battery gives and takes at most,
it has of that

    T >= -min(T_max, (P_charge + L(0, w)) / w) s,
    T <= min(T_max, (P_discharge - L(T_asked, w)) / w).                                        (2)

Losses grow with the torque, so that neither bound asks more of the battery than it allows:
T w + L(T) <= P_discharge - L(T_asked) + L(T) <= P_discharge, and what braking by B charges is
B w - L(B) <= P_charge + L(0) - L(B) <= P_charge. The battery gives

    P = T w + L(T, w),                                                                         (3)

and takes it where P is negative. The heat of the motor is one mass of heat capacity C above its
coolant (a body of even temperature: Incropera and DeWitt 2002, section 5.1):

    C dh/dt = L_motor - G (h - h_coolant),     d(h) = (h_max - h) / (h_max - h_derating).      (4)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from axletree.components.contract import NamedOutput, RangeLimit
from axletree.components.edges import Variable
from axletree.components.engines import torque_at
from axletree.components.fields import (
    Part,
    Rows,
    grid,
    parameter,
    part,
    positive,
    structure,
    within,
)
from axletree.components.power_sources import (
    PowerSource,
    ShaftInstant,
    ShaftResponse,
    throttle_opening,
    within_one,
)
from axletree.components.signals import Curve, Interpolation, curve, numbers_in, table_through
from axletree.core.errors import ModelError
from axletree.expr import (
    ONE,
    ZERO,
    Beyond,
    Expr,
    Value,
    absolute,
    as_expr,
    interpolate,
    maximum,
    minimum,
)


class MotorLosses(Part, ABC):
    """What a motor turns into heat.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.components.electric_drives import MotorLosses
    >>> from axletree.components.fields import parameter
    >>> @dataclass(frozen=True)
    ... class Windings(MotorLosses):
    ...     copper: float = parameter("W/(N*m)^2", "by the square of the torque", lower=0.0)
    ...
    ...     def power(self, torque, speed, p):
    ...         return p["copper"] * torque * torque
    >>> losses = Windings(copper=0.02)
    >>> losses.power(100.0, 300.0, losses.numbers)  # W, at 100 N m and 300 rad/s
    200.0
    """

    @abstractmethod
    def power(self, torque: Value, speed: Value, p: Any) -> Value:
        """[W], of magnitudes of torque [N m] and speed [rad/s], never falling with the torque;
        ``p`` has the parameters by name.

        Example:
        >>> from axletree.components.electric_drives import LossPolynomial
        >>> losses = LossPolynomial(copper=0.01, iron=2.0, windage=1e-6)
        >>> losses.power(100.0, 500.0, losses.numbers)  # W: 100 + 1000 + 125
        1225.0
        """


@dataclass(frozen=True)
class LossPolynomial(MotorLosses):
    """``copper T^2 + iron w + windage w^3 + constant`` (Larminie and Lowry 2003, section 6.1).

    Example:
    >>> from axletree.components.electric_drives import LossPolynomial
    >>> losses = LossPolynomial(copper=0.01, iron=2.0)
    >>> losses.power(200.0, 100.0, losses.numbers)  # W: 400 + 200
    600.0
    """

    summary: ClassVar[str] = "by torque squared, speed, and speed cubed"

    copper: float = parameter("W/(N*m)^2", "in windings, by the square of the torque", lower=0.0)
    iron: float = parameter("W*s/rad", "in iron, by the speed", default=0.0, lower=0.0)
    windage: float = parameter("W*s^3/rad^3", "in air, by its cube", default=0.0, lower=0.0)
    constant: float = parameter("W", "at rest", default=0.0, lower=0.0)

    def power(self, torque: Value, speed: Value, p: Any) -> Value:
        turning = speed * (p["iron"] + p["windage"] * (speed * speed))
        return p["copper"] * (torque * torque) + turning + p["constant"]


def _rising(unit: str, what: str) -> Any:
    """A check of numbers above 0 that rise."""

    def check(value: Any) -> tuple[float, ...]:
        found = numbers_in(value, unit, what)
        rises = all(a < b for a, b in zip(found, found[1:], strict=False))
        if len(found) < 2 or found[0] <= 0.0 or not rises:
            raise ModelError(f"{list(found)}: expected two {what} or more, above 0, that rise")
        return found

    return check


@dataclass(frozen=True)
class EfficiencyMap(MotorLosses):
    """Efficiencies measured at speeds and torques, as makers publish them.

    At a point of the map with the efficiency e the motor loses ``T w (1 / e - 1)`` as it drives,
    and as much as it brakes with that torque. Between points losses are interpolated, linearly over
    the torque and by a smooth curve over the speed. Where speed or torque is below the first of the
    map, losses are those of the first: an efficiency says nothing of a motor at rest or without
    load, and the map should begin low. Beyond the last the loss of the last is held.

    Example:
    >>> from axletree.components.electric_drives import EfficiencyMap
    >>> points = {"speeds": [100.0, 500.0], "torques": [20.0, 200.0]}  # rad/s, N m
    >>> measured = EfficiencyMap(**points, efficiency=[[0.8, 0.8], [0.9, 0.96]])
    >>> print(f"{measured.power(200.0, 500.0, {}):.0f} W")  # 100 kW (1 / 0.96 - 1)
    4167 W
    """

    summary: ClassVar[str] = "by a map of efficiencies over speed and torque"

    speeds: tuple[float, ...] = structure(
        "ratios", "speeds of the map, rising", _rising("rad/s", "speeds"), unit="rad/s"
    )
    torques: tuple[float, ...] = structure(
        "ratios", "torques of the map, rising", _rising("N*m", "torques"), unit="N*m"
    )
    efficiency: Rows = grid("1", "efficiency: a row for each speed, a column for each torque")

    def problems(self) -> list[str]:
        shape = len(self.efficiency), len(self.efficiency[0])
        if shape != (len(self.speeds), len(self.torques)):
            return [
                f"efficiency has {shape[0]} rows of {shape[1]}; expected a row for each of "
                f"{len(self.speeds)} speeds and a column for each of {len(self.torques)} torques"
            ]
        found = []
        values = np.array(self.efficiency)
        if values.min() <= 0.0 or values.max() > 1.0:
            found.append(
                f"efficiency goes from {values.min():g} to {values.max():g}; expected numbers "
                "above 0, up to 1"
            )
        elif falling := np.argwhere(np.diff(self.losses, axis=1) < 0.0).tolist():
            row, column = falling[0]
            found.append(
                f"at {self.speeds[row]:g} rad/s the losses fall from "
                f"{self.losses[row, column]:.4g} W at {self.torques[column]:g} N m to "
                f"{self.losses[row, column + 1]:.4g} W at {self.torques[column + 1]:g} "
                "N m; expected losses that do not fall with the torque"
            )
        return found

    @property
    def losses(self) -> np.ndarray:
        """At the points of the map [W]."""
        power = np.outer(self.speeds, self.torques)
        found: np.ndarray = power * (1.0 / np.array(self.efficiency) - 1.0)
        return found

    def power(self, torque: Value, speed: Value, p: Any) -> Value:
        """The first column, and the steps from column to column as far as the torque takes them."""
        columns = self.losses.T
        total = self._over_speed(columns[0], speed)
        pairs = zip(self.torques, self.torques[1:], strict=False)
        for (low, high), before, after in zip(pairs, columns, columns[1:], strict=False):
            taken = maximum(minimum((torque - low) / (high - low), 1.0), 0.0)
            total = total + taken * self._over_speed(after - before, speed)
        return total if isinstance(torque, Expr) else float(total)

    def _over_speed(self, values: np.ndarray, speed: Value) -> Expr:
        table = table_through(self.speeds, values.tolist(), Interpolation.SMOOTH, Beyond.VALUE_HELD)
        return interpolate(table, as_expr(speed))


class InverterLosses(Part, ABC):
    """What the power electronics before a motor turn into heat.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.components.electric_drives import InverterLosses
    >>> @dataclass(frozen=True)
    ... class Fan(InverterLosses):
    ...     def power(self, torque, p):
    ...         return 40.0
    >>> Fan().power(100.0, {})  # W
    40.0
    """

    @abstractmethod
    def power(self, torque: Value, p: Any) -> Value:
        """[W], of the magnitude of the torque [N m]; ``p`` has the parameters by name.

        Example:
        >>> from axletree.components.electric_drives import Inverter
        >>> inverter = Inverter(torque_per_current=0.5, voltage_drop=2.0, standby=100.0)
        >>> inverter.power(100.0, inverter.numbers)  # W: 100 + 2 V 200 A
        500.0
        """


@dataclass(frozen=True)
class LosslessInverter(InverterLosses):
    """The battery's power is the motor's.

    Example:
    >>> from axletree.components.electric_drives import LosslessInverter
    >>> float(LosslessInverter().power(100.0, {}))  # W
    0.0
    """

    summary: ClassVar[str] = "without losses"

    def power(self, torque: Value, p: Any) -> Value:
        return ZERO


@dataclass(frozen=True)
class Inverter(InverterLosses):
    """``standby + voltage_drop I + resistance I^2`` with the current ``I = T /
    torque_per_current``.

    A switch that conducts takes a voltage of its own and that of a resistance, and what switching
    takes grows with the current (Mohan, Undeland and Robbins 2003, section 2.3; at one voltage).

    Example:
    >>> from axletree.components.electric_drives import Inverter
    >>> inverter = Inverter(torque_per_current=0.5, resistance=0.01)
    >>> inverter.power(100.0, inverter.numbers)  # W: 0.01 Ohm (200 A)^2
    400.0
    """

    summary: ClassVar[str] = "by a current in proportion to the torque"

    torque_per_current: float = positive("N*m/A", "torque of the motor over current")
    voltage_drop: float = parameter("V", "losses by current", default=0.0, lower=0.0)
    resistance: float = parameter("Ohm", "losses by current squared", default=0.0, lower=0.0)
    standby: float = parameter("W", "losses without current", default=0.0, lower=0.0)

    def power(self, torque: Value, p: Any) -> Value:
        current = torque / p["torque_per_current"]
        return p["standby"] + current * (p["voltage_drop"] + p["resistance"] * current)


@dataclass(frozen=True)
class LumpedHeat(Part):
    """The heat of a motor: one mass, cooled by what flows through it; torque falls as it gets hot.

    Example:
    >>> from axletree.components.electric_drives import LumpedHeat
    >>> heat = LumpedHeat(capacity="30 kJ/K", conductance="60 W/K")
    >>> heat.capacity / heat.conductance  # s, its time constant
    500.0
    """

    summary: ClassVar[str] = "a heat capacity, cooled; torque falls near a greatest temperature"

    capacity: float = positive("J/K", "heat capacity")
    conductance: float = positive("W/K", "heat that the coolant takes, by the temperature above it")
    coolant: float = positive("K", "temperature of the coolant", default=338.15)
    derating: float = positive("K", "temperature from which on torque falls", default=413.15)
    greatest: float = positive("K", "temperature at which there is none left", default=453.15)
    initial: float | None = positive(
        "K", "temperature at the beginning; left out: the coolant's", default=None
    )

    def problems(self) -> list[str]:
        found = []
        if not self.coolant < self.derating < self.greatest:
            found.append(
                f"coolant {self.coolant:g} K, derating {self.derating:g} K and greatest "
                f"{self.greatest:g} K do not rise in this order"
            )
        if self.initial is not None and self.initial > self.greatest:
            found.append(f"initial {self.initial:g} K is above greatest, {self.greatest:g} K")
        return found

    @property
    def state(self) -> Variable:
        """The temperature, as it is at the beginning [K]."""
        return replace(_TEMPERATURE, start=self.initial or self.coolant)


_TEMPERATURE = Variable("temperature", "K", "temperature of the motor", is_store=True)
WAKES = 1000.0  # W that a battery gives at most, below which motor and inverter are switched off
_HOT = (
    "the motor is hotter than its derating temperature: its torque is less than its map has; drive "
    "slower, cool it better, or give it a greater heat capacity"
)


@dataclass(frozen=True)
class TractionMotor(PowerSource):
    """A motor with its inverter: torque over speed, losses, heat, and what the battery allows.

    1. ``peak_torque`` over speed is that at full throttle; beyond its last speed there is none,
    with
       a fall over 2 % of that speed.
    2. With the pedal released it brakes by ``regeneration``; by the brake pedal as far as it is
       asked, with a first-order ``lag``. Braking fades below ``slow_rate`` and is none in reverse.
    3. Without a battery that its drive names, power has no bound.

    Example:
    >>> import axletree as at
    >>> from axletree.components.electric_drives import LossPolynomial, TractionMotor
    >>> torque = at.Curve((0.0, 300.0, 900.0), (300.0, 300.0, 100.0))  # rad/s, N m
    >>> motor = TractionMotor(torque, LossPolynomial(copper=0.02))
    >>> [float(motor.torque(0.5, speed, motor.numbers)) for speed in (100.0, 900.0, 1000.0)]  # N m
    [150.0, 50.0, 0.0]
    """

    summary: ClassVar[str] = "a motor by torque over speed and losses, with inverter and heat"

    peak_torque: Curve = curve("rad/s", "N*m", "greatest torque over speed")
    losses: MotorLosses = part("MOTOR_LOSSES", "what the motor turns into heat")
    inverter: InverterLosses = part(
        "INVERTERS", "what the inverter turns into heat", default=LosslessInverter
    )
    heat: LumpedHeat | None = part(
        "MOTOR_HEAT", "heat of the motor; left out: it does not get hot", default=None
    )
    regeneration: float = parameter(
        "N*m", "torque against the turning with the pedal released", default=0.0, lower=0.0
    )
    slow_rate: float = positive(
        "rad/s", "speed below which braking fades, in proportion to it", default=15.0
    )
    lag: float = positive("s", "lag of the torque by the brake pedal", default=0.05)

    def problems(self) -> list[str]:
        found = []
        if min(self.peak_torque.y) < 0.0:
            found.append(f"peak_torque has {min(self.peak_torque.y):g} N m; expected none below 0")
        if self.peak_torque.x[0] < 0.0:
            found.append(
                f"peak_torque begins at {self.peak_torque.x[0]:g} rad/s; expected 0 or more"
            )
        return found

    @property
    def recuperates(self) -> bool:
        return True

    @property
    def peak_power(self) -> float:
        """The greatest of torque times speed at its points [W].

        Example:
        >>> import axletree as at
        >>> from axletree.components.electric_drives import LossPolynomial, TractionMotor
        >>> torque = at.Curve((0.0, 300.0, 900.0), (300.0, 300.0, 110.0))  # rad/s, N m
        >>> print(f"{TractionMotor(torque, LossPolynomial(0.02)).peak_power / 1e3:.0f} kW")
        99 kW
        """
        pairs = zip(self.peak_torque.x, self.peak_torque.y, strict=True)
        return max(speed * torque for speed, torque in pairs)

    def states(self) -> tuple[Variable, ...]:
        return () if self.heat is None else (self.heat.state,)

    def braking_lag(self, p: Any) -> Value:
        return as_expr(p["lag"])

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Value:
        """Cold, and without bounds of a battery."""
        now = ShaftInstant(as_expr(throttle), as_expr(speed))
        return self._bounded(now, p, *self._bounds(now, p, ZERO))

    def braking_bound(self, now: ShaftInstant, p: Any) -> Value:
        """Of what a released pedal leaves."""
        lift = self._lift(now, p)
        return maximum(self._bounds(now, p, ZERO)[0] * self._fades(now, p) - lift, 0.0)

    def turned(self, now: ShaftInstant, p: Any) -> ShaftResponse:
        torque = self._bounded(now, p, *self._bounds(now, p, self._asked(now, p)))
        size, speed = absolute(torque), absolute(now.speed)
        own, idle = within(p, "losses"), self._asleep(now)
        in_motor = self.losses.power(size, speed, own) - idle * self.losses.power(ZERO, speed, own)
        switching = within(p, "inverter")
        in_inverter = self.inverter.power(size, switching)
        in_inverter = in_inverter - idle * self.inverter.power(ZERO, switching)
        mechanical = torque * now.speed
        taken = mechanical + in_motor + in_inverter
        rates: tuple[Expr, ...] = ()
        limits: tuple[RangeLimit, ...] = ()
        if self.heat is not None:
            cooled = p["heat.conductance"] * (now.states[0] - p["heat.coolant"])
            rates = (as_expr((in_motor - cooled) / p["heat.capacity"]),)
            limits = (RangeLimit(as_expr(now.states[0] - p["heat.derating"]), _HOT),)
        told = {
            "motor_torque": ("N*m", "torque on the motor's shaft", torque),
            "mechanical_power": ("W", "power on the motor's shaft", mechanical),
            "electrical_power": (
                "W",
                "power from the battery, negative where it is charged",
                taken,
            ),
            "motor_losses": ("W", "power that becomes heat in the motor", in_motor),
            "inverter_losses": ("W", "power that becomes heat in the inverter", in_inverter),
        }
        outputs = (NamedOutput(name, u, t, as_expr(e)) for name, (u, t, e) in told.items())
        return ShaftResponse(torque, rates, tuple(outputs), limits, taken)

    def _asleep(self, now: ShaftInstant) -> Value:
        """How far motor and inverter are switched off, as an empty battery asks for."""
        return ZERO if now.drawable is None else ONE - within_one(now.drawable / WAKES)

    def _greatest(self, now: ShaftInstant, p: Any) -> Value:
        """(1), with heat."""
        speed, top = absolute(now.speed), self.peak_torque.x[-1]
        found = torque_at(self.peak_torque, speed) * within_one((1.02 * top - speed) / (0.02 * top))
        if self.heat is None or not now.states:
            return found
        above = p["heat.greatest"] - now.states[0]
        return found * within_one(above / (p["heat.greatest"] - p["heat.derating"]))

    def _fades(self, now: ShaftInstant, p: Any) -> Value:
        return within_one(now.speed / p["slow_rate"])

    def _lift(self, now: ShaftInstant, p: Any) -> Value:
        pedal = throttle_opening(now.throttle)
        return (ONE - pedal) * p["regeneration"] * self._fades(now, p)

    def _asked(self, now: ShaftInstant, p: Any) -> Value:
        """(1)"""
        driving = throttle_opening(now.throttle) * self._greatest(now, p)
        return driving - self._lift(now, p) - now.braking * self._fades(now, p) + now.command

    def _bounds(self, now: ShaftInstant, p: Any, asked: Value) -> tuple[Value, Value]:
        """(2): against the turning, without fading; and driving."""
        most = self._greatest(now, p)
        if now.drawable is None or now.chargeable is None:
            return most, most
        turning = maximum(absolute(now.speed), p["slow_rate"])
        size = minimum(absolute(asked), most)
        idle = self._lost(ZERO, now.speed, p) * (ONE - self._asleep(now))
        braking = (now.chargeable + idle) / turning
        driving = maximum(now.drawable - self._lost(size, now.speed, p), 0.0) / turning
        return minimum(most, braking), minimum(most, driving)

    def _lost(self, torque: Value, speed: Expr, p: Any) -> Value:
        in_motor = self.losses.power(torque, absolute(speed), within(p, "losses"))
        return in_motor + self.inverter.power(torque, within(p, "inverter"))

    def _bounded(self, now: ShaftInstant, p: Any, braking: Value, driving: Value) -> Value:
        """What it has of what it is asked for, and what a clutch leaves of that."""
        against = braking * self._fades(now, p)
        return maximum(minimum(self._asked(now, p), driving), -against) * now.engaged


@dataclass(frozen=True)
class HybridShaft(PowerSource):
    """An engine and a motor on one shaft: their torques add up.

    The motor follows ``assist`` times the throttle, alone recovers power by the brake pedal, and
    has what a controller commands; with the pedal released the engine drags, too.

    Example:
    >>> import axletree as at
    >>> from axletree.components.power_sources import ConstantTorque
    >>> from axletree.components.electric_drives import HybridShaft, LossPolynomial, TractionMotor
    >>> torque = at.Curve((0.0, 600.0), (80.0, 80.0))  # rad/s, N m
    >>> motor = TractionMotor(torque, LossPolynomial(copper=0.05))
    >>> both = HybridShaft(ConstantTorque("200 N*m"), motor, assist=0.5)
    >>> float(both.torque(1.0, 300.0, both.numbers))  # N m: 200 + 0.5 80
    240.0
    """

    summary: ClassVar[str] = "an engine and a traction motor on one shaft"

    engine: PowerSource = part("POWER_SOURCES", "engine")
    motor: PowerSource = part("POWER_SOURCES", "motor that recuperates, such as a traction-motor")
    assist: float = parameter(
        "1", "throttle of the motor over that of the engine", default=0.0, lower=0.0, upper=1.0
    )

    def problems(self) -> list[str]:
        found = []
        if self.engine.recuperates:
            found.append("engine: it recuperates; give it as the motor")
        if not self.motor.recuperates:
            found.append("motor: it does not recuperate; expected one such as a traction-motor")
        return found

    @property
    def recuperates(self) -> bool:
        return True

    @property
    def peak_power(self) -> float:
        return self.motor.peak_power

    def states(self) -> tuple[Variable, ...]:
        return self.motor.states()

    def braking_lag(self, p: Any) -> Value:
        return self.motor.braking_lag(within(p, "motor"))

    def braking_bound(self, now: ShaftInstant, p: Any) -> Value:
        return self.motor.braking_bound(self._of_motor(now, p), within(p, "motor"))

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Value:
        assist = as_expr(p["assist"]) * throttle
        by_engine = self.engine.torque(throttle, speed, within(p, "engine"))
        return by_engine + self.motor.torque(assist, speed, within(p, "motor"))

    def turned(self, now: ShaftInstant, p: Any) -> ShaftResponse:
        engine = self.engine.turned(now, within(p, "engine"))
        motor = self.motor.turned(self._of_motor(now, p), within(p, "motor"))
        told = NamedOutput("engine_torque", "N*m", "torque of the engine", as_expr(engine.torque))
        return replace(
            motor,
            torque=engine.torque + motor.torque,
            outputs=(told, *engine.outputs, *motor.outputs),
            limits=(*engine.limits, *motor.limits),
        )

    def _of_motor(self, now: ShaftInstant, p: Any) -> ShaftInstant:
        return replace(now, throttle=as_expr(p["assist"] * now.throttle))
