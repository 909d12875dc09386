"""Torque converters: between two joints, and behind the engine of a drive.

With the speed ratio n = w_t / w_p of turbine over pump (Guzzella and Sciarretta 2013, section
3.3.3; Lechner and Naunheimer 1999, section 4.5):

    T_p = k(n) w_p^2,   T_t = r(n) T_p.                                                          (1)

Where the turbine turns faster it drives the pump as a coupling: T_t = T_p = -k(1 / n) w_t^2. It
loses power if r n <= 1. What makers call the K-factor is w_p / sqrt(T_p), so that k = 1 / K^2.

Behind an engine of the torque T the pump and what turns with it have an inertia J, and a clutch
bridges both with the torque T_l:

    J dw_p/dt = T - T_p - T_l,   the gears have T_t + T_l.                                       (2)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import Component, Instant, JointLoad, NamedOutput, Response
from axletree.components.engines import CombustionEngine
from axletree.components.fields import Part, field_of, fixed_number, parameter, positive
from axletree.components.joints import OnJoints, turning_joint
from axletree.components.power_sources import PowerSource, within_one
from axletree.components.signals import Curve, curve, table_through
from axletree.expr import (
    ZERO,
    Beyond,
    Expr,
    Value,
    absolute,
    as_expr,
    interpolate,
    maximum,
    minimum,
    number,
    where,
)

SPEED_RATIO = "speed of the turbine over the pump's"


@dataclass(frozen=True)
class _PassedTorques:
    """What a converter does at two speeds."""

    on_pump: Expr  # [N m]
    on_turbine: Expr  # [N m]
    speed_ratio: Expr  # held between 0 and 1


def _passed(
    capacity: Curve, torque_ratio: Curve, pump: Expr, turbine: Expr, slow: Value
) -> _PassedTorques:
    """(1) at speeds [rad/s]; below the slow one the speed ratio goes to 0."""
    overruns = absolute(turbine) > absolute(pump)
    ahead, behind = _ratio(turbine, pump, slow), _ratio(pump, turbine, slow)
    driving = _at(capacity, ahead) * pump * absolute(pump)
    back = _at(capacity, behind) * turbine * absolute(turbine)
    on_pump = as_expr(where(overruns, back, -driving))
    on_turbine = as_expr(where(overruns, -back, driving * _at(torque_ratio, ahead)))
    return _PassedTorques(on_pump, on_turbine, ahead)


def _ratio(above: Expr, below: Expr, slow: Value) -> Expr:
    """Of two speeds, held between 0 and 1; it goes to 0 where the second is at rest."""
    return as_expr(within_one(above * below / maximum(below * below, slow * slow)))


def _at(points: Curve, ratio: Expr) -> Expr:
    return interpolate(table_through(points.x, points.y, points.kind, Beyond.VALUE_HELD), ratio)


def _problems_of_curves(capacity: Curve, torque_ratio: Curve) -> list[str]:
    """What keeps both from being the characteristic of a converter."""
    found = []
    for name, points in (("capacity", capacity), ("torque_ratio", torque_ratio)):
        if points.x[0] > 0.0 or points.x[-1] < 1.0:
            found.append(f"{name} goes from {points.x[0]:g} to {points.x[-1]:g}; expected 0 to 1")
        if min(points.y) < 0.0:
            found.append(f"{name} has {min(points.y):g}; expected none below 0")
    if not found and capacity.table.evaluate(1.0) > 1e-9 * max(capacity.y):
        found.append("capacity is not 0 at a speed ratio of 1, where nothing turns in the oil")
    if not found:
        gains = [(n, n * r) for n, r in _points_of_gain(torque_ratio) if n * r > 1.0 + 1e-9]
        found += [
            f"at a speed ratio of {n:g} it would give {g:.4g} times its power" for n, g in gains[:1]
        ]
    return found


def _points_of_gain(torque_ratio: Curve) -> list[tuple[float, float]]:
    grid = sorted({*torque_ratio.x, *(0.02 * k for k in range(51))})
    return [(n, float(torque_ratio.table.evaluate(n))) for n in grid if 0.0 <= n <= 1.0]


@dataclass(frozen=True, eq=False)
class TorqueConverter(OnJoints):
    """Passes torque from a pump to a turbine, more of it the slower the turbine is.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("pump", "turbine")]
    >>> shafts = [model.add(at.Revolute(f"{b.name}_shaft", model.ground, b)) for b in bodies]
    >>> capacity = at.Curve((0.0, 0.8, 1.0), (2e-3, 1.6e-3, 0.0))  # of 1, N m s^2/rad^2
    >>> ratio = at.Curve((0.0, 0.85, 1.0), (2.0, 1.0, 1.0), "linear")
    >>> oil = model.add(at.TorqueConverter("oil", *shafts, capacity=capacity, torque_ratio=ratio))
    >>> rates = model.formulate().rhs(model.formulate().state({"pump_shaft.rate": 200.0}))
    >>> print(f"{rates['turbine_shaft.rate']:.1f} rad/s^2")  # 2 (2e-3 200^2) N m, on 1 kg m^2
    160.0 rad/s^2
    """

    summary: ClassVar[str] = "torque converter by its characteristic over the speed ratio"

    pump: Component = turning_joint("joint of the pump, on the side of the engine")
    turbine: Component = turning_joint("joint of the turbine, of like axis")
    capacity: Curve = curve(
        "1", "N*m*s^2/rad^2", "torque of the pump over its speed squared, over the speed ratio "
        "from 0, stalled, to 1, where it is 0",
    )  # fmt: skip
    torque_ratio: Curve = curve("1", "1", "torque of the turbine over the pump's, likewise")
    slow_rate: float = positive(
        "rad/s", "speed of the pump below which the speed ratio goes to 0", default=1.0
    )

    def problems(self) -> list[str]:
        same = [f"pump and turbine are both {self.pump.name}"] if self.pump is self.turbine else []
        return same + _problems_of_curves(self.capacity, self.torque_ratio)

    def respond(self, now: Instant) -> Response:
        pump, turbine = (travel.rate for travel in now.travels)
        found = _passed(self.capacity, self.torque_ratio, pump, turbine, self.symbol("slow_rate"))
        on_pump, on_turbine = found.on_pump, found.on_turbine
        first, second = self.measured_joints()
        power = on_pump * pump + on_turbine * turbine
        told = (
            NamedOutput(
                "speed_ratio", "1", "speed of the turbine over the pump's", found.speed_ratio
            ),
            NamedOutput("pump_torque", "N*m", "torque that the pump takes", -on_pump),
            NamedOutput("turbine_torque", "N*m", "torque on the turbine", on_turbine),
            NamedOutput("power", "W", "power of the converter, never positive", power),
        )
        loads = JointLoad(first, on_pump), JointLoad(second, on_turbine)
        return Response(joint_loads=loads, outputs=told)


@dataclass(frozen=True)
class ConverterInstant:
    """What holds at a converter of a drive at an instant."""

    engine: Expr  # [rad/s]
    turbine: Expr  # [rad/s]
    torque: Value  # [N m], of the engine
    connected: Value  # share of the gears: 0 in neutral
    lockable: Value  # share of the lock-up clutch that the gear allows


@dataclass(frozen=True)
class ConvertedShaft:
    """What a converter makes of an engine at an instant."""

    to_gears: Value  # [N m]
    rate: Value  # [rad/s^2], of the engine
    losses: Value  # [W], of oil and clutch
    speed_ratio: Expr
    locked: Value  # share of the clutch's capacity that is at hand


@dataclass(frozen=True)
class EngineConverter(Part):
    """A converter between an engine and the gears of a drive, with the inertia of the engine.

    1. Engine and pump turn at a rate of their own, a state of the drive; the turbine turns with
       the gears.
    2. A governor keeps the engine running: it opens the throttle below ``idle_rate + droop``, in
       proportion to the speed and wholly at ``idle_rate``. So a vehicle creeps with the pedal
       released.
    3. From ``lock_up_gear`` on the lock-up clutch closes where the turbine comes to
       ``lock_up_rate``, within ``lock_up_range`` of it to both sides. It is a clutch that slips
       under control: its torque is in proportion to the slip below ``lock_up_slip``.

    Example:
    >>> import axletree as at
    >>> from axletree.components.torque_converters import EngineConverter
    >>> capacity = at.Curve((0.0, 0.8, 1.0), (2e-3, 1.6e-3, 0.0))  # of 1, N m s^2/rad^2
    >>> ratio = at.Curve((0.0, 0.85, 1.0), (2.0, 1.0, 1.0), "linear")
    >>> oil = EngineConverter(capacity, ratio, inertia="0.2 kg*m^2", idle_rate="750 rpm")
    >>> engine = at.read_model("sedan").described["vehicle"].axles["rear"].drive.source
    >>> print(f"{oil.stall_rate(engine):.0f} rad/s")  # (300 / 2e-3)^(1/2)
    387 rad/s
    """

    summary: ClassVar[str] = "by its characteristic over the speed ratio, with a lock-up clutch"

    capacity: Curve = field_of(TorqueConverter, "capacity")
    torque_ratio: Curve = field_of(TorqueConverter, "torque_ratio")
    inertia: float = positive("kg*m^2", "of the engine, the pump and what turns with them")
    idle_rate: float = positive("rad/s", "speed at which the governor gives all fuel")
    droop: float = positive(
        "rad/s", "range of speed above it over which the governor opens", default=10.0
    )
    lock_up_torque: float = parameter(
        "N*m", "that the lock-up clutch carries; 0: there is none", default=0.0, lower=0.0
    )
    lock_up_rate: float | None = positive(
        "rad/s", "speed of the turbine at which it closes", default=None
    )
    lock_up_gear: int = fixed_number(
        "1", "first gear in which it closes", default=2, lower=1, whole=True
    )
    lock_up_range: float = positive("1", "range of that speed over which it closes", default=0.1)
    lock_up_slip: float = positive(
        "rad/s", "slip below which its torque is in proportion to it", default=20.0
    )

    def problems(self) -> list[str]:
        found = _problems_of_curves(self.capacity, self.torque_ratio)
        if (self.lock_up_rate is None) != (self.lock_up_torque == 0.0):
            given, other = "lock_up_torque", "lock_up_rate"
            if self.lock_up_rate is not None:
                given, other = other, given
            found.append(f"{given} needs {other}: what the clutch carries, and when it closes")
        return found

    def problems_with(self, source: PowerSource) -> list[str]:
        """What keeps it from standing behind a source of power.

        Example:
        >>> import axletree as at
        >>> from axletree.components.power_sources import ConstantTorque
        >>> from axletree.components.torque_converters import EngineConverter
        >>> curves = at.Curve((0.0, 1.0), (2e-3, 0.0)), at.Curve((0.0, 1.0), (2.0, 1.0))
        >>> oil = EngineConverter(*curves, inertia=0.2, idle_rate=80.0)  # kg m^2, rad/s
        >>> oil.problems_with(ConstantTorque(100.0))  # N m
        ['converter needs a source of type engine, which idles; ConstantTorque is none']
        """
        if not isinstance(source, CombustionEngine):
            word = type(source).__name__
            return [f"converter needs a source of type engine, which idles; {word} is none"]
        if self.idle_rate + self.droop >= source.cut_off:
            return [
                f"converter: idle_rate {self.idle_rate:g} rad/s with its droop is not below the "
                f"cut_off of the engine, {source.cut_off:g} rad/s"
            ]
        return []

    def throttle(self, pedal: Value, engine: Expr, p: Any) -> Expr:
        """What the governor makes of the pedal, at a speed of the engine [rad/s].

        Example:
        >>> from axletree.components.torque_converters import EngineConverter
        >>> from axletree.expr import as_expr
        >>> numbers = {"idle_rate": as_expr(80.0), "droop": as_expr(10.0)}
        >>> [EngineConverter.throttle(None, 0.2, as_expr(v), numbers) for v in (70.0, 85.0, 95.0)]
        [1, 0.5, 0.2]
        """
        opens = within_one((p["idle_rate"] + p["droop"] - engine) / p["droop"])
        return as_expr(maximum(pedal, opens))

    def shaft(self, now: ConverterInstant, p: Any) -> ConvertedShaft:
        """(2), at what holds on both of its sides.

        Example:
        >>> import axletree as at
        >>> from axletree.components.torque_converters import ConverterInstant, EngineConverter
        >>> from axletree.expr import as_expr
        >>> curves = at.Curve((0.0, 1.0), (3e-3, 0.0)), at.Curve((0.0, 1.0), (2.0, 1.0))
        >>> oil = EngineConverter(*curves, inertia=0.2, idle_rate=80.0)  # kg m^2, rad/s
        >>> stalled = ConverterInstant(as_expr(300.0), as_expr(0.0), 270.0, 1.0, 0.0)
        >>> found = oil.shaft(stalled, {"inertia": as_expr(0.2)})
        >>> print(f"{float(found.to_gears):.0f} N m, {float(found.rate):.0f} rad/s^2")
        540 N m, 0 rad/s^2
        """
        engine, turbine, connected = now.engine, now.turbine, now.connected
        passed = _passed(self.capacity, self.torque_ratio, engine, turbine, number(_SLOW))
        locked: Value = ZERO
        clutch: Value = ZERO
        if self.lock_up_rate is not None:
            above = turbine / p["lock_up_rate"] - 1.0
            locked = now.lockable * within_one(0.5 * above / p["lock_up_range"] + 0.5)
            slips = maximum(minimum((engine - turbine) / p["lock_up_slip"], 1.0), -1.0)
            clutch = p["lock_up_torque"] * locked * slips
        lost = -(passed.on_pump * engine + passed.on_turbine * turbine)
        return ConvertedShaft(
            to_gears=connected * (passed.on_turbine + clutch),
            rate=(now.torque + connected * (passed.on_pump - clutch)) / p["inertia"],
            losses=connected * (lost + clutch * (engine - turbine)),
            speed_ratio=passed.speed_ratio,
            locked=locked,
        )

    def stall_rate(self, source: PowerSource, pedal: float = 1.0) -> float:
        """The speed of the engine against a turbine that stands [rad/s], at full throttle or as it
        idles: k(0) w^2 = T(w), by bisection.

        Example:
        >>> import axletree as at
        >>> from axletree.components.power_sources import ConstantTorque
        >>> from axletree.components.torque_converters import EngineConverter
        >>> curves = at.Curve((0.0, 1.0), (3e-3, 0.0)), at.Curve((0.0, 1.0), (2.0, 1.0))
        >>> oil = EngineConverter(*curves, inertia=0.2, idle_rate=80.0)  # kg m^2, rad/s
        >>> print(f"{oil.stall_rate(ConstantTorque(270.0)):.0f} rad/s")
        300 rad/s
        """
        stalled = float(self.capacity.table.evaluate(0.0))
        low, high = 0.0, _FASTEST
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            opens = (self.idle_rate + self.droop - middle) / self.droop
            throttle = max(pedal, min(max(opens, 0.0), 1.0))
            torque = float(source.torque(number(throttle), number(middle), source.numbers))
            low, high = (middle, high) if torque > stalled * middle**2 else (low, middle)
        return 0.5 * (low + high)

    def stall_torque(self, rate: float) -> float:
        """On a turbine that stands [N m], at a speed of the engine [rad/s].

        Example:
        >>> import axletree as at
        >>> from axletree.components.torque_converters import EngineConverter
        >>> curves = at.Curve((0.0, 1.0), (3e-3, 0.0)), at.Curve((0.0, 1.0), (2.0, 1.0))
        >>> oil = EngineConverter(*curves, inertia=0.2, idle_rate=80.0)  # kg m^2, rad/s
        >>> print(f"{oil.stall_torque(300.0):.0f} N m")
        540 N m
        """
        at_rest = (points.table.evaluate(0.0) for points in (self.capacity, self.torque_ratio))
        capacity, ratio = (float(one) for one in at_rest)
        return ratio * capacity * rate**2


_SLOW = 1.0  # rad/s, of an engine that hardly turns, at which no speed ratio has a meaning
_FASTEST, _HALVINGS = 4096.0, 50  # rad/s, of an engine; to 4e-12 rad/s
