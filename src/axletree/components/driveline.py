"""The driveline: engines and motors, the drive of an axle, and transmissions between joints.

A power source gives the torque of a shaft over its speed and a throttle; maps of engines are torque
over speed with fuel and without. An engine is also a component of its own, on its crankshaft.
Sources that take their power from a battery and that brake are in ``electric_drives``.

The drive of an axle is an engine or motor, gears, final drive and differential.

Every differential gives both half shafts the same torque, and some more to the slower one. The
fields of gearboxes and axles are shared with a vehicle's description. Transmissions are a gear
pair, rack and pinion, an open differential and a dry clutch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.components.contract import (
    Component,
    Coupling,
    Instant,
    JointLoad,
    Load,
    NamedOutput,
    RangeLimit,
    Response,
    SetValued,
    dry_friction,
    reaction_symbol,
)
from axletree.components.edges import Basis, Edge, Variable
from axletree.components.fields import (
    Part,
    checked_name,
    field_of,
    parameter,
    part,
    positive,
    structure,
    within,
)
from axletree.components.frames import Frame, frame
from axletree.components.fuel_maps import FuelMap
from axletree.components.joints import OnJoints, slide_of, sliding_joint, turn_of, turning_joint
from axletree.components.motion_laws import Axis
from axletree.components.signals import (
    Constant,
    Curve,
    Signal,
    curve,
    numbers_in,
    signal,
    table_through,
)
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
    number,
    symbol,
    where,
)
from axletree.expr.quantity import Quantity, Role
from axletree.expr.vectors import Vector


@dataclass(frozen=True)
class ShaftInstant:
    """What holds at the shaft of a source of power at an instant.

    Example:
    >>> from axletree.components.driveline import ConstantTorque, ShaftInstant
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
    >>> from axletree.components.driveline import PowerSource, throttle_opening
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
        >>> from axletree.components.driveline import ConstantTorque
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
        >>> from axletree.components.driveline import ShaftInstant
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
        >>> from axletree.components.driveline import ConstantTorque, ShaftInstant
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
    >>> from axletree.components.driveline import ConstantTorque
    >>> source = ConstantTorque("200 N*m")
    >>> float(source.torque(0.5, 300.0, source.numbers))  # N m at half throttle and 300 rad/s
    100.0
    """

    summary: ClassVar[str] = "a torque in proportion to the throttle, at any speed"

    full_torque: float = positive("N*m", "torque at full throttle")

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Value:
        return p["full_torque"] * throttle_opening(throttle)


@dataclass(frozen=True)
class CombustionEngine(PowerSource):
    """With s the share of the fuel that burns: ``s full_load(w) - (1 - s) drag(w)``.

    Fuel goes from ``cut_off - droop`` to ``cut_off`` from all to none. Below the first speed of
    ``full_load`` the clutch slips: the engine passes on the torque of that speed, and of its drag
    less and less, none at rest. Beyond the last point of a curve its torque is held.

    Example:
    >>> import axletree as at
    >>> from axletree.components.driveline import CombustionEngine
    >>> engine = CombustionEngine(at.Curve((100.0, 600.0), (150.0, 150.0)), cut_off=650.0)
    >>> [float(engine.torque(1.0, speed, engine.numbers)) for speed in (300.0, 640.0)]  # N m
    [150.0, 75.0]
    """

    summary: ClassVar[str] = "a combustion engine by a map over speed; its clutch slips at rest"

    full_load: Curve = curve("rad/s", "N*m", "torque over speed at full throttle")
    cut_off: float = positive("rad/s", "speed at which there is no more fuel")
    droop: float = positive("rad/s", "range of speed over which fuel is cut off", default=20.0)
    drag: Curve | None = curve(
        "rad/s", "N*m", "torque against the turning over speed, without fuel", default=None
    )
    fuel: FuelMap | None = part("FUEL_MAPS", "what it burns; left out: not known", default=None)

    def problems(self) -> list[str]:
        found = map_problems(self.full_load, self.drag, "the clutch slips")
        if self.cut_off <= self.full_load.x[0]:
            found.append(
                f"cut_off {self.cut_off:g} rad/s is not above {self.full_load.x[0]:g} rad/s, the "
                "first speed of full_load"
            )
        return found

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Value:
        lowest = self.full_load.x[0]
        turning = maximum(speed, lowest)
        fuel = self._fuel(throttle, speed, p)
        drag = ZERO
        if self.drag is not None:
            drag = torque_at(self.drag, turning) * within_one(speed / lowest)
        return fuel * torque_at(self.full_load, turning) - (ONE - fuel) * drag

    def _fuel(self, throttle: Expr, speed: Expr, p: Any) -> Value:
        """The share s."""
        return throttle_opening(throttle) * within_one((p["cut_off"] - speed) / p["droop"])

    def turned(self, now: ShaftInstant, p: Any) -> ShaftResponse:
        """With what it burns: below its first speed, and with the clutch pedal down, it idles at
        that speed, against its own drag; with the throttle closed above it burns nothing."""
        found = super().turned(now, p)
        if self.fuel is None:
            return found
        lowest, own = number(self.full_load.x[0]), within(p, "fuel")
        turning = maximum(now.speed, lowest)
        share = within_one(self._fuel(now.throttle, now.speed, p))
        drag = torque_at(self.drag, as_expr(turning)) if self.drag is not None else ZERO
        idling = torque_at(self.drag, lowest) if self.drag is not None else ZERO
        whole = share * (torque_at(self.full_load, as_expr(turning)) + drag)
        least = idling * (ONE - within_one(now.speed / lowest))
        burned = maximum(whole, least)
        driving = self.fuel.rate(burned, burned - drag, turning, own)
        driving = driving * within_one(burned / (0.02 * max(self.full_load.y)))  # none cut off
        idle = self.fuel.rate(idling, ZERO, lowest, own)
        rate = as_expr(now.engaged * driving + (ONE - now.engaged) * idle)
        outputs = (
            NamedOutput("fuel_rate", "kg/s", "fuel that burns", rate),
            NamedOutput("fuel_power", "W", "heat of that fuel", rate * own["heating_value"]),
        )
        return replace(found, outputs=outputs)


FADING = 0.02  # of the greatest speed: where regeneration fades towards rest


@dataclass(frozen=True)
class ElectricMotor(PowerSource):
    """``full_torque`` up to the speed at which it takes ``full_power``, and that power from there.

    The torque goes to nothing over the last tenth below ``cut_off``. With the pedal released it
    brakes by ``regeneration``, likewise within the power, and less and less towards rest.

    Example:
    >>> from axletree.components.driveline import ElectricMotor
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


@dataclass(frozen=True, eq=False)
class Engine(OnJoints):
    """A combustion engine on the joint of its crankshaft, which it drives towards positive angles.

    With s the share of the fuel that burns and w the speed, the torque is
    ``s full_load(w) - (1 - s) drag(w)``.

    1. s is the throttle, between 0 and 1.
    2. The governor opens it below ``idle_rate + droop``, in proportion to the speed and wholly at
       ``idle_rate``; and closes it from ``cut_off - droop`` on, wholly at ``cut_off``. Without an
       ``idle_rate`` nothing keeps the engine from stalling.
    3. Beyond the points of a curve the torque of its end is held. Below the first point of
       ``full_load`` fuel burns in proportion to the speed: none at rest, and none in an engine that
       is turned backward.
    4. Drag is against the turning either way, in proportion to the speed below ``slow_rate``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> crank = model.add(at.RigidBody("crank", mass=10.0, inertia=(0.2, 0.1, 0.1)))
    >>> shaft = model.add(at.Revolute("shaft", model.ground, crank, axis="x"))
    >>> torque = at.Curve((100.0, 600.0), (150.0, 150.0))  # rad/s, N m
    >>> engine = model.add(at.Engine("engine", shaft, torque, 650.0, 20.0, throttle=0.5))
    >>> rates = model.formulate().rhs({"shaft.angle": 0.0, "shaft.rate": 300.0})
    >>> print(f"{rates['shaft.rate']:.1f} rad/s^2")  # 0.5 * 150 / 0.2
    375.0 rad/s^2
    """

    summary: ClassVar[str] = "combustion engine: torque over speed, throttle and governor"

    joint: Component = turning_joint("joint of the crankshaft, from engine block to crankshaft")
    full_load: Curve = curve("rad/s", "N*m", "torque over speed at full throttle")
    cut_off: float = positive("rad/s", "speed at which there is no more fuel")
    droop: float = positive("rad/s", "range of speed over which the governor opens or closes")
    drag: Curve | None = field_of(CombustionEngine, "drag")
    throttle: Signal = signal("1", "throttle from 0, closed, to 1")
    idle_rate: float = parameter(
        "rad/s", "speed at which the governor gives all fuel; 0 for none", default=0.0, lower=0.0
    )
    slow_rate: float = positive(
        "rad/s", "speed below which drag is in proportion to it", default=1.0
    )
    consumption: FuelMap | None = field_of(CombustionEngine, "fuel")

    def problems(self) -> list[str]:
        below = "fuel burns in proportion to the speed"
        found = map_problems(self.full_load, self.drag, below)
        if self.idle_rate > self.cut_off:
            found.append(f"idle_rate {self.idle_rate:g} rad/s is above cut_off {self.cut_off:g}")
        return found

    def respond(self, now: Instant) -> Response:
        speed = now.travels[0].rate
        fuel = self._fuel(speed)
        torque = fuel * torque_at(self.full_load, speed) - (ONE - fuel) * self._dragging(speed)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], torque),),
            outputs=(
                *self.signal_outputs(),
                NamedOutput("torque", "N*m", "torque on the crankshaft", torque),
                NamedOutput("power", "W", "power of the torque", torque * speed),
                NamedOutput("speed", "rad/s", "speed of the crankshaft in the block", speed),
                NamedOutput("fuel", "1", "share of the fuel that burns", fuel),
                *self._burning(fuel, speed),
            ),
        )

    def _burning(self, fuel: Expr, speed: Expr) -> tuple[NamedOutput, ...]:
        """What it burns, if that is known."""
        if self.consumption is None:
            return ()
        p, forward = self.numbers_of("consumption"), maximum(speed, 0.0)
        drag = torque_at(self.drag, as_expr(forward)) if self.drag is not None else ZERO
        burned = fuel * (torque_at(self.full_load, as_expr(forward)) + drag)
        found = self.consumption.rate(burned, burned - drag, forward, p)
        rate = as_expr(found * within_one(burned / (0.02 * max(self.full_load.y))))
        return (
            NamedOutput("fuel_rate", "kg/s", "fuel that burns", rate),
            NamedOutput("fuel_power", "W", "heat of that fuel", rate * p["heating_value"]),
        )

    def _fuel(self, speed: Expr) -> Value:
        droop = self.symbol("droop")
        fuel = within_one(self.signal("throttle"))
        if self.idle_rate:
            short = (self.symbol("idle_rate") + droop - speed) / droop
            fuel = maximum(fuel, within_one(short))
        fuel = minimum(fuel, within_one((self.symbol("cut_off") - speed) / droop))
        return fuel * within_one(speed / self.full_load.x[0])

    def _dragging(self, speed: Expr) -> Value:
        if self.drag is None:
            return ZERO
        size = torque_at(self.drag, absolute(speed))
        return size * maximum(minimum(speed / self.symbol("slow_rate"), 1.0), -1.0)


def torque_at(points: Curve, speed: Expr) -> Expr:
    """The torque [N m] of a curve at a speed [rad/s]; beyond its ends that of the ends."""
    return interpolate(table_through(points.x, points.y, points.kind, Beyond.VALUE_HELD), speed)


def map_problems(full_load: Curve, drag: Curve | None, below: str) -> list[str]:
    """What keeps curves from being those of an engine; ``below`` says what the first speed is."""
    found = []
    for name, points in (("full_load", full_load), ("drag", drag)):
        if points is not None and min(points.y) < 0.0:
            found.append(f"{name} has a torque of {min(points.y):g} N m; expected none below 0")
    if full_load.x[0] <= 0.0:
        found.append(
            f"full_load begins at {full_load.x[0]:g} rad/s; expected a first speed above 0, below "
            f"which {below}"
        )
    return found


class AxleDifferential(Part, ABC):
    """Between the two half shafts of a driven axle.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.expr import absolute
    >>> from axletree.components.driveline import AxleDifferential
    >>> from axletree.components.fields import parameter
    >>> @dataclass(frozen=True)
    ... class TorqueSensing(AxleDifferential):
    ...     bias: float = parameter("1", "torque of the slower wheel over the other's", lower=1.0)
    ...
    ...     def capacity(self, torque, p):
    ...         return 0.5 * absolute(torque) * (p["bias"] - 1.0) / (p["bias"] + 1.0)
    >>> gears = TorqueSensing(bias=3.0)
    >>> float(gears.capacity(800.0, gears.numbers))  # N m: one wheel has 600, the other 200
    200.0
    """

    locked: ClassVar[bool] = False  # whether both half shafts turn as one, a constraint

    @abstractmethod
    def capacity(self, torque: Expr, p: Any) -> Expr:
        """What friction passes at most from the faster half shaft to the slower one [N m], from
        the torque [N m] on the axle; ``p`` has the parameters by name.

        Example:
        >>> from axletree.components.driveline import LimitedSlipDifferential
        >>> plates = LimitedSlipDifferential(coast_locking=0.1)
        >>> [float(plates.capacity(torque, plates.numbers)) for torque in (500.0, -500.0)]
        [0.0, 50.0]
        """


@dataclass(frozen=True)
class OpenDifferential(AxleDifferential):
    """Equal torques, whatever the wheels do.

    Example:
    >>> from axletree.components.driveline import OpenDifferential
    >>> float(OpenDifferential().capacity(1000.0, {}))  # N m, from one half shaft to the other
    0.0
    """

    summary: ClassVar[str] = "equal torques on both half shafts"

    def capacity(self, torque: Expr, p: Any) -> Expr:
        return ZERO


def _checked_gears(value: Any) -> tuple[float, ...]:
    """Ratios, each above 0 and below the one before."""
    ratios = numbers_in(value, "1", "ratios")
    falls = all(a > b for a, b in zip(ratios, ratios[1:], strict=False))
    if not ratios or min(ratios) <= 0.0 or not falls:
        raise ModelError(
            f"{list(ratios)} are no gears: expected ratios above 0 that fall, first gear first"
        )
    return ratios


_FRICTION = Variable("friction", "N*m", "torque that the differential passes on to the left wheel")
REGENERATION = Variable(
    "regeneration", "N*m", "torque against the turning, at the wheels, by the brake pedal"
)
HOLE = 0.2  # of a change of gear, to each side of its middle, in which no torque is passed
TAKEN_AGAIN = 0.8  # of the speed at which a gear is left, below which it is taken again
ENDS = 0.05  # of a change of gear, over which it comes to rest
BATTERY_LIMITS = ("discharge_limit", "charge_limit")  # states of a battery [W]


def battery_name(description: str) -> Any:
    """A field that names the battery which a drive takes its power from."""
    return structure("name", description, _checked_battery, None)


def _checked_battery(value: Any) -> str | None:
    return None if value is None else checked_name(value)


@dataclass(frozen=True)
class TurnedShaft:
    """A source of power behind its gears."""

    response: ShaftResponse
    regeneration_rate: Value  # [N m/s]


LOCK = Variable("lock", "N*m", "torque of the locked differential on the left wheel")


@dataclass(frozen=True, eq=False)
class AxleDrive(OnJoints):
    """Turns two wheels by a source of power, without inertia of its own.

    1. The source turns at ``speed = gear * final_drive * (left + right) / 2``, and the axle gets
       ``share * gear * final_drive`` times its torque; of torque that drives, times
       ``efficiency``.
    2. The highest gear is used of which the one below would turn the source at ``shift_rate`` or
       more; at ``cruise_rate`` with the pedal released, in proportion between. About that rate,
       ``shift_range`` of it wide, the ratio goes over from one gear to the next while the clutch
       slips: torque is continuous over speed and throttle, so that no gear is left and taken again
       and again. A drive with one gear needs no ``shift_rate``. The clutch passes on
       ``1 - clutch`` of the torque. With a ``shift_time`` a change takes that long: torque falls
       to nothing, the ratio changes, and torque comes back; a gear is taken again below 80 % of
       the speed at which it was left. While ``selected`` is the number of a gear, that gear is
       held at any speed; at 0 gears change by themselves.
    3. Each wheel gets half. The differential passes more to the slower wheel: as set-valued
       friction, which for methods that do not solve for it is in proportion to the difference of
       the rates below ``slow_rate``; a locked one is a constraint.

    Example:
    >>> import axletree as at
    >>> from axletree.components.driveline import ConstantTorque
    >>> model = at.Model()
    >>> wheels = [model.add(at.RigidBody(name, 10.0, (1, 1, 1))) for name in ("left", "right")]
    >>> axles = [model.add(at.Revolute(f"{w.name}_axle", model.ground, w)) for w in wheels]
    >>> drive = model.add(at.AxleDrive("drive", *axles, ConstantTorque(100.0), final_drive=3.0))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state(), inputs={"drive.throttle": 1.0})
    >>> print(f"{rates['left_axle.rate']:.1f} rad/s^2")  # half of 3 * 100 N m, on 1 kg m^2
    150.0 rad/s^2
    """

    summary: ClassVar[str] = "engine or motor, gears and differential between two wheels"

    left: Component = turning_joint("joint of the left wheel")
    right: Component = turning_joint("joint of the right wheel")
    source: PowerSource = part("POWER_SOURCES", "engine or motor")
    differential: AxleDifferential = part(
        "DIFFERENTIALS", "between the half shafts", default=OpenDifferential
    )
    throttle: Signal = signal("1", "throttle from 0, closed, to 1")
    gears: tuple[float, ...] = structure(
        "ratios", "ratios of the gears, first gear first", _checked_gears, (1.0,)
    )
    shift_rate: float = parameter(
        "rad/s", "speed of the source at which the next gear is taken", default=0.0, lower=0.0
    )
    final_drive: float = positive(
        "1", "turns of the gearbox's shaft per turn of the wheels", default=1.0
    )
    share: float = positive(
        "1", "of the source's torque, where it drives other axles too", default=1.0, upper=1.0
    )
    efficiency: float = positive(
        "1", "of gears and shafts, for torque that drives", default=1.0, upper=1.0
    )
    cruise_rate: float | None = positive(
        "rad/s", "likewise with the pedal released, in proportion between; left out: the same",
        default=None,
    )  # fmt: skip
    shift_range: float = positive(
        "1", "range of speed, of that at which gears change, over which one takes over from the "
        "other",
        default=0.04,
    )  # fmt: skip
    clutch: Signal = signal("1", "position of the clutch pedal, from 0 to 1: nothing is passed on")
    slow_rate: float = positive(
        "rad/s", "difference of rates below which friction is in proportion to it", default=1.0
    )
    braking: Signal = signal(
        "N*m", "torque on the axle that the brake pedal asks of a motor that recuperates",
        default=Constant(0.0),
    )  # fmt: skip
    command: Signal = signal(
        "N*m", "torque on the axle that a controller asks of such a motor, beside the pedals",
        default=Constant(0.0),
    )  # fmt: skip
    shift_time: float | None = positive(
        "s", "in which a gear is changed, without torque in the middle of it; left out: none, and "
        "the ratio goes over as the clutch slips",
        default=None,
    )  # fmt: skip
    selected: Signal = signal(
        "1", "number of the gear that is held, the first is 1; 0: gears change by the speed",
        default=Constant(0.0),
    )  # fmt: skip
    battery: str | None = battery_name("battery that gives a motor its power; left out: no bound")
    battery_share: float | None = positive(
        "1", "of what the battery gives and takes, where it has other drives; left out: all of it",
        default=None, upper=1.0,
    )  # fmt: skip

    def inputs(self) -> tuple[Quantity, ...]:
        """A gear that is selected is one of those that there are."""
        lever = f"{self.name}.selected"
        return tuple(
            replace(one, lower=0.0, upper=float(len(self.gears))) if one.name == lever else one
            for one in super().inputs()
        )

    def problems(self) -> list[str]:
        found = []
        if self.left is self.right:
            found.append(f"left and right are both {self.left.name}")
        if len(self.gears) > 1 and not self.shift_rate:
            found.append(f"{len(self.gears)} gears need a shift_rate, at which they are changed")
        return [*found, *problems_of_supply(self)]

    def states(self) -> tuple[Variable, ...]:
        """Those of the source, and how far each change of gear has gone, if that takes time.

        Example:
        >>> import axletree as at
        >>> changes = {"axles": {"rear": {"drive": {"shift_time": "0.4 s"}}}}
        >>> sedan = at.read_model("sedan", {"vehicle": changes})
        >>> [v.suffix for v in sedan["rear_drive"].states()][:2]
        ['shifted_1', 'shifted_2']
        """
        shifts = (
            Variable(
                f"shifted_{k}",
                "1",
                f"how far gear {k} has been left for the next, 0 to 1",
                is_store=True,
            )
            for k in range(1, len(self.gears))
        )
        own = states_of_drive(self)
        return own if self.shift_time is None else (*own, *shifts)

    def followed(self) -> tuple[Quantity, ...]:
        return (*followed_states(self), *self.inputs())

    def couplings(self) -> tuple[Coupling, ...]:
        if not self.differential.locked:
            return ()
        left, right = self.measured_joints()
        return (Coupling(((left, ONE), (right, -ONE)), LOCK),)

    def respond(self, now: Instant) -> Response:
        left, right = (travel.rate for travel in now.travels)
        wheels = 0.5 * (left + right)
        own, shifted = self._divided(now.states)
        gear = self._gear(wheels, shifted)
        turns = gear * self.symbol("final_drive")
        speed = turns * wheels
        shaft = turned_shaft(self, turns, speed, own, self._engaged(shifted))
        torque = torque_behind_gears(self, turns, shaft.response.torque)
        friction = self._friction(torque, left - right)
        both = tuple(JointLoad(joint, 0.5 * torque) for joint in self.measured_joints())
        power = torque * wheels
        if friction:
            power = power + reaction_symbol(self.name, _FRICTION) * (left - right)
        return Response(
            joint_loads=both,
            set_valued=friction,
            rates=(*rates_of_drive(self, shaft), *self._shift_rates(wheels, shifted)),
            starts=self._starts(wheels, own, shifted),
            limits=shaft.response.limits,
            outputs=(
                *self.signal_outputs(),
                NamedOutput("torque", "N*m", "torque on the axle, of both wheels together", torque),
                NamedOutput("speed", "rad/s", "speed of the source; its clutch may slip", speed),
                NamedOutput("gear", "1", "ratio of the gear in use", gear),
                NamedOutput("power", "W", "power on the wheels", power),
                *outputs_of_drive(self, shaft, speed, torque * wheels),
            ),
        )

    def electrical_power(self, now: Instant) -> Value:
        """That it takes from its battery [W], from rates of its wheels and its states.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("electric-car")
        >>> car["rear_drive"].battery
        'battery'
        """
        wheels = 0.5 * (now.travels[0].rate + now.travels[1].rate)
        own, shifted = self._divided(now.states)
        turns = self._gear(wheels, shifted) * self.symbol("final_drive")
        shaft = turned_shaft(self, turns, turns * wheels, own, self._engaged(shifted))
        return self.symbol("share") * shaft.response.electrical_power

    def _divided(self, states: Sequence[Expr]) -> tuple[Sequence[Expr], Sequence[Expr]]:
        """Those of the source and of braking, and those of changes of gear."""
        own = len(states_of_drive(self))
        return states[:own], states[own:]

    def _engaged(self, shifted: Sequence[Expr]) -> Value:
        """The share of torque that is passed on: none in the middle of a change of gear."""
        passes: Value = ONE
        for share in shifted:
            passes = passes * within_one(absolute(share - 0.5) / HOLE - 1.0)
        return passes

    def _starts(
        self, wheels: Expr, own: Sequence[Expr], shifted: Sequence[Expr]
    ) -> tuple[Expr | None, ...]:
        """Of changes of gear by the speed, with the pedal released if that matters."""
        if not shifted:
            return ()
        rate = self.symbol("shift_rate" if self.cruise_rate is None else "cruise_rate")
        turns = self.symbol("final_drive") * wheels / rate
        begun = (within_one((gear * turns - 1.0) * 1e6) for gear in self.gears[:-1])
        return (*(None for _ in own), *(as_expr(one) for one in begun))

    def _shift_rates(self, wheels: Expr, shifted: Sequence[Expr]) -> tuple[Expr, ...]:
        """The further a change has gone, the lower the speed that would turn it back: no speed
        holds one in its middle, without torque."""
        found = []
        for k, share in enumerate(shifted):
            turns = self.gears[k] * self._turns(wheels)
            least = 1.0 - (1.0 - TAKEN_AGAIN) * share
            wanted = self._left(
                k + 1, within_one((turns - least) / self.symbol("shift_range") + 0.5)
            )
            pace = 1.0 / self.symbol("shift_time")
            asked = (wanted - share) * (pace / ENDS)
            found.append(as_expr(maximum(minimum(asked, pace), -pace)))
        return tuple(found)

    def _gear(self, wheels: Expr, shifted: Sequence[Expr]) -> Expr:
        used = number(self.gears[0])
        if len(self.gears) == 1:
            return used
        pairs = zip(self.gears, self.gears[1:], strict=False)
        if shifted:
            for share, (ratio, higher) in zip(shifted, pairs, strict=True):
                used = used + (higher - ratio) * within_one((share - 0.5) / HOLE + 0.5)
            return used
        turns = self._turns(wheels)
        for k, (ratio, higher) in enumerate(pairs, start=1):
            taken = within_one((ratio * turns - 1.0) / self.symbol("shift_range") + 0.5)
            used = used + (higher - ratio) * self._left(k, taken)
        return used

    def _left(self, k: int, by_speed: Value) -> Value:
        """How far gear k is left for the next: by the gear that is selected, or by the speed."""
        if self.selected == Constant(0.0):
            return by_speed
        lever = self.signal("selected")
        return where(lever < 0.5, by_speed, where(lever > k + 0.5, ONE, ZERO))

    def _turns(self, wheels: Expr) -> Expr:
        """Of the source in a gear of ratio 1, over the speed at which gears change."""
        rate = self.symbol("shift_rate")
        if self.cruise_rate is not None:
            pedal = within_one(self.signal("throttle"))
            rate = self.symbol("cruise_rate") * (ONE - pedal) + rate * pedal
        return self.symbol("final_drive") * wheels / rate

    def _friction(self, torque: Expr, apart: Expr) -> tuple[SetValued, ...]:
        capacity = self.differential.capacity(torque, self.numbers_of("differential"))
        if capacity == ZERO:
            return ()
        left, right = self.measured_joints()
        on_shafts = JointLoad(left, ONE), JointLoad(right, -ONE)
        return (dry_friction(_FRICTION, apart, capacity, self.symbol("slow_rate"), *on_shafts),)


# What drives of an axle and of a wheel have in common.


def problems_of_supply(drive: Any) -> list[str]:
    """What does not go together: a source that burns fuel, and what a motor alone has."""
    if drive.source.recuperates:
        alone = drive.battery is None and drive.battery_share is not None
        return ["battery_share needs a battery"] if alone else []
    word = type(drive.source).__name__
    found = [
        f"{name} is of a motor that recuperates, such as a traction-motor; {word} is none"
        for name in ("braking", "command")
        if getattr(drive, name) != Constant(0.0)
    ]
    if drive.battery is not None:
        found.append(f"battery: {word} takes no power from one; leave it out")
    if drive.battery_share is not None:
        found.append(f"battery_share: {word} takes no power from one; leave it out")
    return found


def states_of_drive(drive: Any) -> tuple[Variable, ...]:
    """Those of the source, and the torque by which it takes part in braking."""
    regenerates = (REGENERATION,) if drive.braking != Constant(0.0) else ()
    return (*drive.source.states(), *regenerates)


def followed_states(drive: Any) -> tuple[Quantity, ...]:
    """Which signals of other components may follow, as brakes follow what a motor takes."""
    return tuple(
        Quantity(f"{drive.name}.{v.suffix}", v.unit, v.description, Role.STATE)
        for v in states_of_drive(drive)
    )


def turned_shaft(
    drive: Any, turns: Value, speed: Expr, states: Sequence[Expr], passes: Value = ONE
) -> TurnedShaft:
    """The source of a drive behind so many turns per turn of the wheels, at its speed [rad/s]."""
    own = len(drive.source.states())
    p = drive.numbers_of("source")
    at_shaft = drive.symbol("efficiency") / (
        drive.symbol("share") * turns
    )  # of a torque that brakes
    regenerates = len(states) > own
    limits: list[Any] = [None, None]
    if drive.battery is not None:
        own_share = ONE if drive.battery_share is None else drive.symbol("battery_share")
        limits = [symbol(f"{drive.battery}.{name}") * own_share for name in BATTERY_LIMITS]
    now = ShaftInstant(
        throttle=drive.signal("throttle"),
        speed=speed,
        engaged=(ONE - within_one(drive.signal("clutch"))) * passes,
        braking=states[own] * at_shaft if regenerates else ZERO,
        command=drive.signal("command") / (drive.symbol("share") * turns),
        drawable=limits[0],
        chargeable=limits[1],
        states=tuple(states[:own]),
    )
    rate: Value = ZERO
    if regenerates:
        bound = drive.source.braking_bound(now, p) / at_shaft
        asked = minimum(maximum(drive.signal("braking"), 0.0), bound) * passes
        rate = (asked - states[own]) / drive.source.braking_lag(p)
    return TurnedShaft(drive.source.turned(now, p), rate)


def torque_behind_gears(drive: Any, turns: Value, source: Value) -> Value:
    """At the wheels [N m]. Gears take their share of torque that drives, and of torque that brakes
    where it recuperates; the drag of an engine passes whole."""
    efficiency = drive.symbol("efficiency")
    braking = minimum(source, 0.0)
    if drive.source.recuperates:
        braking = braking / efficiency
    return drive.symbol("share") * turns * (efficiency * maximum(source, 0.0) + braking)


def rates_of_drive(drive: Any, shaft: TurnedShaft) -> tuple[Expr, ...]:
    """Of its states."""
    regenerates = (as_expr(shaft.regeneration_rate),) if drive.braking != Constant(0.0) else ()
    return (*shaft.response.rates, *regenerates)


def outputs_of_drive(
    drive: Any, shaft: TurnedShaft, speed: Expr, on_wheels: Value
) -> tuple[NamedOutput, ...]:
    """Those of the source, of powers and fuel this drive's share; and of one that recuperates what
    gears make of its power [W]."""
    share = drive.symbol("share")
    told = tuple(
        replace(one, expression=share * one.expression) if one.unit in _SHARED else one
        for one in shaft.response.outputs
    )
    if not drive.source.recuperates:
        return told
    taken = share * shaft.response.torque * speed - on_wheels
    return (*told, NamedOutput("gear_losses", "W", "power lost in gears", as_expr(taken)))


_SHARED = ("W", "kg/s")  # units of what drives of one source have their shares of


@dataclass(frozen=True)
class LockedDifferential(AxleDifferential):
    """Both half shafts turn as one, as on the rear axle of a kart.

    Example:
    >>> from axletree.components.driveline import LockedDifferential
    >>> LockedDifferential().locked  # both half shafts turn as one
    True
    """

    summary: ClassVar[str] = "both half shafts turn as one"
    locked: ClassVar[bool] = True

    def capacity(self, torque: Expr, p: Any) -> Expr:
        return ZERO


@dataclass(frozen=True)
class LimitedSlipDifferential(AxleDifferential):
    """Plates pass up to ``preload + locking |torque|`` from the faster half shaft to the slower.

    The slower wheel then has twice that more than the faster one. ``locking`` is ``drive_locking``
    or ``coast_locking``, by the direction of the torque on the axle: half of what is called the
    locking value, which compares the torques of both wheels with their sum.

    Example:
    >>> from axletree.components.driveline import LimitedSlipDifferential
    >>> plates = LimitedSlipDifferential("50 N*m", drive_locking=0.2)
    >>> float(plates.capacity(1000.0, plates.numbers))  # N m: 50 + 0.2 * 1000
    250.0
    """

    summary: ClassVar[str] = "plates pass torque from the faster half shaft to the slower"

    preload: float = parameter("N*m", "passed without torque on the axle", default=0.0, lower=0.0)
    drive_locking: float = parameter(
        "1", "passed by torque that drives", default=0.0, lower=0.0, upper=0.5
    )
    coast_locking: float = parameter(
        "1", "passed by torque that brakes", default=0.0, lower=0.0, upper=0.5
    )

    def problems(self) -> list[str]:
        if self.preload or self.drive_locking or self.coast_locking:
            return []
        return [
            "without preload, drive_locking and coast_locking it is open; give one of them, or "
            "the differential as open"
        ]

    def capacity(self, torque: Expr, p: Any) -> Value:
        by_torque = p["drive_locking"] * maximum(torque, 0.0)
        return p["preload"] + by_torque + p["coast_locking"] * maximum(-torque, 0.0)


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


_CLUTCH_FRICTION = Variable(
    "friction", "N*m", "torque on the head of the driven joint about its axis"
)


@dataclass(frozen=True, eq=False)
class DryClutch(OnJoints):
    """Carries up to ``capacity`` from one joint to another: it slips above it and locks below.

    The torque is set-valued: a method that solves for such forces ("complementarity") turns both
    joints at exactly one rate where the clutch is locked. For all other methods it is in
    proportion to the slip below ``slow_rate``: a locked clutch that carries a part of its
    capacity creeps at that part of it, and does not say so.

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

    driving: Component = turning_joint("joint of the driving side")
    driven: Component = turning_joint("joint of the driven side, of like axis")
    capacity: Signal = signal("N*m", "maximum torque of the clutch, not negative")
    slow_rate: float = positive(
        "rad/s", "slip below which the torque is in proportion to it", default=0.5
    )

    def respond(self, now: Instant) -> Response:
        ahead = now.travels[1].rate - now.travels[0].rate  # of the driven side
        capacity = self.signal("capacity")
        driving, driven = self.measured_joints()
        on_joints = JointLoad(driven, ONE), JointLoad(driving, -ONE)
        slow = self.symbol("slow_rate")
        friction = dry_friction(_CLUTCH_FRICTION, ahead, capacity, slow, *on_joints)
        carried = reaction_symbol(self.name, _CLUTCH_FRICTION)
        slip = NamedOutput(
            "slip", "rad/s", "rate of the driving joint less that of the driven", -ahead
        )
        power = NamedOutput("power", "W", "power of the clutch, never positive", carried * ahead)
        return Response(set_valued=(friction,), outputs=(*self.signal_outputs(), slip, power))


@dataclass(frozen=True, eq=False, kw_only=True)
class HalfShaftDrive(AxleDrive):
    """A drive on the body, which half shafts with joints at both ends lead to the wheels.

    What a plain drive takes from the carriers of the wheels comes from the body here: links feel
    the force at the wheels' centres, not a torque beside it. The angles of half shafts are left
    out, and a carrier has what the friction of the differential shifts between the wheels.

    Example:
    >>> import axletree as at
    >>> from axletree.components.driveline import ConstantTorque
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> names = ("left_hub", "right_hub", "left_wheel", "right_wheel")
    >>> hubs, wheels = (names[:2], names[2:])
    >>> bodies = {name: model.add(at.RigidBody(name, 10.0, (1, 1, 1))) for name in names}
    >>> for hub in hubs:
    ...     arm = model.add(at.Revolute(f"{hub}_arm", model.ground, bodies[hub]))
    >>> pairs = zip(hubs, wheels)
    >>> axles = [model.add(at.Revolute(f"{w}_axle", bodies[h], bodies[w])) for h, w in pairs]
    >>> source = ConstantTorque(100.0)  # N m
    >>> drive = model.add(at.HalfShaftDrive("drive", *axles, source, body=model.ground))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state(), inputs={"drive.throttle": 1.0})
    >>> print(f"{rates['left_hub_arm.rate']:.1f} rad/s^2")  # the ground has the reaction
    0.0 rad/s^2
    """

    summary: ClassVar[str] = "the same on the body, with half shafts to wheels on links"

    body: Frame = frame("frame of the body that the drive stands on")

    def respond(self, now: Instant) -> Response:
        found = super().respond(now)
        loads = tuple(
            Load(self.body, joint.tail, moment=Vector(axis) * own.effort, basis=Basis.HEAD)
            for (joint, axis), own in zip(self._hubs(), found.joint_loads, strict=True)
        )
        on_hubs = [load.power(motion) for load, motion in zip(loads, now.motions, strict=True)]
        outputs = (
            replace(one, expression=one.expression + on_hubs[0] + on_hubs[1])
            if one.suffix == "power"
            else one
            for one in found.outputs
        )
        return replace(found, loads=loads, outputs=tuple(outputs))

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return tuple((self.body, joint.tail) for joint, _ in self._hubs())

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def _hubs(self) -> list[tuple[Any, Axis]]:
        """Joints of the wheels with their axes on the hubs."""
        return [(joint, turn_of(joint)[1]) for joint in (self.left, self.right)]


@dataclass(frozen=True, eq=False)
class WheelDrive(OnJoints):
    """A motor at a wheel: what carries the wheel has the reaction, as of a motor in its hub.

    As a drive of an axle with one gear, but for one wheel: the motor turns ``final_drive`` times as
    fast, and the wheel has its torque times that, and times ``efficiency`` where it drives.

    Example:
    >>> import axletree as at
    >>> from axletree.components.driveline import ConstantTorque
    >>> model = at.Model()
    >>> wheel = model.add(at.RigidBody("wheel", 10.0, (1, 1, 1)))
    >>> axle = model.add(at.Revolute("axle", model.ground, wheel, axis="y"))
    >>> hub = model.add(at.WheelDrive("hub", axle, ConstantTorque("60 N*m"), final_drive=5.0))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state(), inputs={"hub.throttle": 0.5})
    >>> print(f"{rates['axle.rate']:.1f} rad/s^2")  # 5 * 30 N m, on 1 kg m^2
    150.0 rad/s^2
    """

    summary: ClassVar[str] = "motor and gear at one wheel"

    joint: Component = turning_joint("joint of the wheel")
    source: PowerSource = part("POWER_SOURCES", "engine or motor")
    throttle: Signal = field_of(AxleDrive, "throttle")
    final_drive: float = positive("1", "turns of the motor per turn of the wheel", default=1.0)
    share: float = field_of(AxleDrive, "share")
    efficiency: float = field_of(AxleDrive, "efficiency")
    clutch: Signal = field_of(AxleDrive, "clutch")
    braking: Signal = signal(
        "N*m", "torque that the brake pedal asks of a motor that recuperates", default=Constant(0.0)
    )
    command: Signal = signal(
        "N*m", "torque that a controller asks of such a motor, beside the pedals",
        default=Constant(0.0),
    )  # fmt: skip
    battery: str | None = field_of(AxleDrive, "battery")
    battery_share: float | None = field_of(AxleDrive, "battery_share")

    def problems(self) -> list[str]:
        return problems_of_supply(self)

    def states(self) -> tuple[Variable, ...]:
        return states_of_drive(self)

    def followed(self) -> tuple[Quantity, ...]:
        return (*followed_states(self), *self.inputs())

    def respond(self, now: Instant) -> Response:
        wheel, turns = now.travels[0].rate, self.symbol("final_drive")
        speed = turns * wheel
        shaft = turned_shaft(self, turns, speed, now.states)
        torque = torque_behind_gears(self, turns, shaft.response.torque)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], as_expr(torque)),),
            rates=rates_of_drive(self, shaft),
            limits=shaft.response.limits,
            outputs=(
                *self.signal_outputs(),
                NamedOutput("wheel_torque", "N*m", "torque on the wheel", as_expr(torque)),
                NamedOutput("speed", "rad/s", "speed of the motor", speed),
                NamedOutput("power", "W", "power on the wheel", torque * wheel),
                *outputs_of_drive(self, shaft, speed, torque * wheel),
            ),
        )

    def electrical_power(self, now: Instant) -> Value:
        """That it takes from its battery [W], from the rate of its wheel and its states.

        Example:
        >>> import axletree as at
        >>> from axletree.components.contract import Instant, Travel
        >>> from axletree.components.electric_drives import LossPolynomial, TractionMotor
        >>> from axletree.expr import number
        >>> axle = at.Revolute("axle", at.Model().ground, at.RigidBody("wheel", 10.0, (1, 1, 1)))
        >>> motor = TractionMotor(at.Curve((0.0, 900.0), (60.0, 60.0)), LossPolynomial(0.0))
        >>> hub = at.WheelDrive("hub", axle, motor, throttle=1.0, clutch=0.0)
        >>> turning = Instant(travels=[Travel(number(0.0), number(50.0))])  # rad, rad/s
        >>> from axletree.expr import evaluate
        >>> values = {q.symbol: q.default for q in hub.parameters()}
        >>> print(f"{evaluate([hub.electrical_power(turning)], values)[0]:.0f} W")  # 60 N m at 50
        3000 W
        """
        turns = self.symbol("final_drive")
        speed = turns * now.travels[0].rate
        shaft = turned_shaft(self, turns, speed, now.states)
        return self.symbol("share") * shaft.response.electrical_power
