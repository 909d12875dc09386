"""Drives: what turns the two wheels of an axle, or one wheel, by a source of power behind gears.

The drive of an axle is a source, gears, final drive and differential; that of a wheel a source and
a gear. The fields of gearboxes are shared with a vehicle's description. With a torque converter the
source has an inertia and a rate of its own; without one it turns with the wheels.

All rates and torques are those about the axis of the wheels, positive forward: in reverse a source
turns forward, its gear has a negative ratio, and the wheels have a negative torque.
"""

from __future__ import annotations

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
    Response,
    SetValued,
    dry_friction,
    reaction_symbol,
)
from axletree.components.differentials import AxleDifferential, OpenDifferential
from axletree.components.edges import Basis, Edge, Variable
from axletree.components.fields import (
    checked_name,
    field_of,
    flag,
    parameter,
    part,
    positive,
    structure,
)
from axletree.components.frames import Frame, frame
from axletree.components.joints import OnJoints, turn_of, turning_joint
from axletree.components.motion_laws import Axis
from axletree.components.power_sources import PowerSource, ShaftInstant, ShaftResponse, within_one
from axletree.components.signals import Constant, Signal, numbers_in, signal
from axletree.components.torque_converters import SPEED_RATIO, ConverterInstant, EngineConverter
from axletree.core.errors import ModelError
from axletree.expr import (
    ONE,
    ZERO,
    Expr,
    Value,
    absolute,
    as_expr,
    maximum,
    minimum,
    number,
    symbol,
    where,
)
from axletree.expr.quantity import Quantity, Role
from axletree.expr.vectors import Vector


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


@dataclass(frozen=True)
class TurnedGears:
    """What the gears of an axle have from the source, or from the turbine of its converter."""

    shaft: TurnedShaft
    speed: Expr  # [rad/s], of the source
    to_gears: Value  # [N m]
    gear_rate: Expr  # [rad/s], of the shaft into the gears
    rates: tuple[Expr, ...] = ()  # of a converter's states
    energy: Expr = ZERO  # [J], of what turns at the source's own rate
    outputs: tuple[NamedOutput, ...] = ()


NO_SHIFT_TIME = (
    "gears behind a converter need a shift_time, such as 0.4 s, with power_shift: true: what the "
    "engine's inertia does to wheels would else change them to and fro"
)
ENGINE_RATE = Variable("engine_rate", "rad/s", "speed of the engine, ahead of its converter")


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
       the speed at which it was left. With a ``power_shift`` the ratio goes over in that time under
       torque, as by two clutches or in an automatic gearbox. While ``selected`` is the number of a
       gear, that gear is held at any speed; at 0 gears change by themselves.
    3. In reverse, where ``backward`` is above a half, the ratio is ``-reverse``, and gears do not
       change.
    4. Behind a ``converter`` the source turns at its own ``engine_rate``; the gears have the torque
       of the turbine, which turns at the speed of 1. In a change of gear neither passes torque, and
       the engine has none; with the clutch pedal down, in neutral, it runs free.
    5. Each wheel gets half. The differential passes more to the slower wheel: as set-valued
       friction, which for methods that do not solve for it is in proportion to the difference of
       the rates below ``slow_rate``; a locked one is a constraint.

    Example:
    >>> import axletree as at
    >>> from axletree.components.power_sources import ConstantTorque
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
    power_shift: bool = flag(
        "whether torque is passed while a gear is changed within shift_time, as by two clutches",
        default=False,
    )
    selected: Signal = signal(
        "1", "number of the gear that is held, the first is 1; 0: gears change by the speed",
        default=Constant(0.0),
    )  # fmt: skip
    battery: str | None = battery_name("battery that gives a motor its power; left out: no bound")
    battery_share: float | None = positive(
        "1", "of what the battery gives and takes, where it has other drives; left out: all of it",
        default=None, upper=1.0,
    )  # fmt: skip
    reverse: float | None = positive(
        "1", "ratio of the reverse gear; left out: there is none", default=None
    )
    backward: Signal = signal(
        "1", "lever of the gears: 1 in reverse, 0 forward", default=Constant(0.0)
    )
    converter: EngineConverter | None = part(
        "CONVERTERS", "torque converter between engine and gears; left out: a clutch", default=None
    )

    def inputs(self) -> tuple[Quantity, ...]:
        """A gear that is selected is one of those that there are."""
        lever = f"{self.name}.selected"
        return tuple(
            replace(one, lower=0.0, upper=float(len(self.gears))) if one.name == lever else one
            for one in super().inputs()
        )

    def problems(self) -> list[str]:
        found = problems_of_reverse(self)
        if self.power_shift and self.shift_time is None:
            found.append("power_shift needs a shift_time, in which the ratio goes over")
        if self.converter is not None:
            found += self.converter.problems_with(self.source)
            if len(self.gears) > 1 and self.shift_time is None:
                found.append(NO_SHIFT_TIME)
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
        if self.converter is not None:
            own = (*own, replace(ENGINE_RATE, start=self.converter.idle_rate))
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
        turned = self._turned(turns, turns * wheels, own, self._engaged(shifted))
        shaft, speed = turned.shaft, turned.speed
        torque = torque_behind_gears(self, turns, turned.to_gears)
        friction = self._friction(torque, left - right)
        both = tuple(JointLoad(joint, 0.5 * torque) for joint in self.measured_joints())
        power = torque * wheels
        if friction:
            power = power + reaction_symbol(self.name, _FRICTION) * (left - right)
        return Response(
            joint_loads=both,
            set_valued=friction,
            rates=(
                *rates_of_drive(self, shaft),
                *turned.rates,
                *self._shift_rates(wheels, shifted),
            ),
            starts=self._starts(wheels, own, shifted),
            internal_energy=turned.energy,
            limits=shaft.response.limits,
            outputs=(
                *self.signal_outputs(),
                NamedOutput("torque", "N*m", "torque on the axle, of both wheels together", torque),
                NamedOutput("speed", "rad/s", "speed of the source; its clutch may slip", speed),
                NamedOutput("gear", "1", "ratio of the gear in use", gear),
                NamedOutput("power", "W", "power on the wheels", power),
                *outputs_of_drive(self, shaft, turned.to_gears, turned.gear_rate, torque * wheels),
                *turned.outputs,
            ),
        )

    def _turned(
        self, turns: Expr, speed: Expr, states: Sequence[Expr], passes: Value
    ) -> TurnedGears:
        """What gears have whose shaft turns at this speed [rad/s], of the source or a turbine."""
        if self.converter is None:
            shaft = turned_shaft(self, turns, speed, states, passes)
            return TurnedGears(shaft, speed, shaft.response.torque, speed)
        engine, p, share = states[-1], self.numbers_of("converter"), self.symbol("share")
        governed = self.converter.throttle(self.signal("throttle"), engine, p)
        at_shaft = ShaftInstant(throttle=governed, speed=engine, engaged=passes)
        shaft = TurnedShaft(self.source.turned(at_shaft, self.numbers_of("source")), ZERO)
        torque = shaft.response.torque
        connected = (ONE - within_one(self.signal("clutch"))) * passes
        lockable = self._lockable(self.converter.lock_up_gear, turns)
        at_converter = ConverterInstant(engine, speed, torque, connected, lockable)
        found = self.converter.shaft(at_converter, p)
        return TurnedGears(
            shaft,
            engine,
            found.to_gears,
            speed,
            rates=(as_expr(found.rate),),
            energy=as_expr(0.5 * share * p["inertia"] * engine * engine),
            outputs=(
                NamedOutput("turbine_rate", "rad/s", "speed of the turbine", speed),
                NamedOutput("speed_ratio", "1", SPEED_RATIO, found.speed_ratio),
                NamedOutput("engine_torque", "N*m", "torque of the engine", as_expr(torque)),
                NamedOutput(
                    "turbine_torque", "N*m", "torque of turbine and clutch", as_expr(found.to_gears)
                ),
                NamedOutput("lock_up", "1", "share of the clutch that bridges the converter",
                            as_expr(found.locked)),
                NamedOutput("engine_power", "W", "power of the engine",
                            as_expr(share * torque * engine)),
                NamedOutput("converter_losses", "W", "power lost in oil and clutch",
                            as_expr(share * found.losses)),
            ),
        )  # fmt: skip

    def _lockable(self, first: int, turns: Expr) -> Value:
        """The share of a lock-up clutch that the gear allows: from a number of a gear on, whose
        ratio takes over from the one below; none in reverse."""
        k = min(first, len(self.gears)) - 1
        if k == 0:
            return within_one(turns)
        above, ratio = self.gears[k - 1], turns / self.symbol("final_drive")
        reached = within_one((above - ratio) / (above - self.gears[k]))
        return as_expr(where(turns > 0.0, reached, 0.0))

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
        own = len(states_of_drive(self)) + (self.converter is not None)
        return states[:own], states[own:]

    def _engaged(self, shifted: Sequence[Expr]) -> Value:
        """The share of torque that is passed on: none in the middle of a change of gear."""
        passes: Value = ONE
        for share in () if self.power_shift else shifted:
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
        forward = self.gear_at(wheels, shifted)
        return forward if self.reverse is None else reversed_ratio(self, forward)

    def gear_at(self, wheels: Expr, shifted: Sequence[Expr] = ()) -> Expr:
        """The ratio of the forward gear in use, by the rate of the wheels [rad/s]; ``shifted`` are
        the states of changes of gear, of a drive where they take time.

        Example:
        >>> import axletree as at
        >>> from dataclasses import replace
        >>> from axletree.expr import evaluate, number
        >>> drive = replace(at.read_model("sedan")["rear_drive"], throttle=1.0, selected=0.0)
        >>> values = {q.symbol: q.default for q in drive.parameters()}
        >>> [float(evaluate([drive.gear_at(number(w))], values)[0]) for w in (20.0, 100.0)]  # rad/s
        [4.1, 1.5]
        """
        used = number(self.gears[0])
        if len(self.gears) == 1:
            return used
        pairs = zip(self.gears, self.gears[1:], strict=False)
        if shifted:
            for share, (ratio, higher) in zip(shifted, pairs, strict=True):
                taken = share if self.power_shift else (share - 0.5) / HOLE + 0.5
                used = used + (higher - ratio) * within_one(taken)
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


@dataclass(frozen=True, eq=False, kw_only=True)
class HalfShaftDrive(AxleDrive):
    """A drive on the body, which half shafts with joints at both ends lead to the wheels.

    What a plain drive takes from the carriers of the wheels comes from the body here: links feel
    the force at the wheels' centres, not a torque beside it. The angles of half shafts are left
    out, and a carrier has what the friction of the differential shifts between the wheels.

    Example:
    >>> import axletree as at
    >>> from axletree.components.power_sources import ConstantTorque
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
    >>> from axletree.components.power_sources import ConstantTorque
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
    reverse: float | None = field_of(AxleDrive, "reverse")
    backward: Signal = field_of(AxleDrive, "backward")

    def problems(self) -> list[str]:
        return [*problems_of_reverse(self), *problems_of_supply(self)]

    def _turns(self) -> Expr:
        """Of the motor per turn of the wheel."""
        turns = self.symbol("final_drive")
        return turns if self.reverse is None else reversed_ratio(self, ONE) * turns

    def states(self) -> tuple[Variable, ...]:
        return states_of_drive(self)

    def followed(self) -> tuple[Quantity, ...]:
        return (*followed_states(self), *self.inputs())

    def respond(self, now: Instant) -> Response:
        wheel, turns = now.travels[0].rate, self._turns()
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
                *outputs_of_drive(self, shaft, shaft.response.torque, speed, torque * wheel),
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
        turns = self._turns()
        speed = turns * now.travels[0].rate
        shaft = turned_shaft(self, turns, speed, now.states)
        return self.symbol("share") * shaft.response.electrical_power


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


def problems_of_reverse(drive: Any) -> list[str]:
    """A lever without a gear that it could engage."""
    if drive.reverse is None and drive.backward != Constant(0.0):
        return ["backward needs reverse, the ratio of the reverse gear"]
    return []


def reversed_ratio(drive: Any, forward: Expr) -> Expr:
    """Of a drive with a reverse gear: the forward ratio, or that of reverse."""
    return as_expr(where(drive.signal("backward") > 0.5, -drive.symbol("reverse"), forward))


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
    # Of a torque that brakes, which is against the turning in reverse, too.
    size = turns if drive.reverse is None else absolute(turns)
    at_shaft = drive.symbol("efficiency") / (drive.symbol("share") * size)
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
    drive: Any, shaft: TurnedShaft, torque: Value, speed: Expr, on_wheels: Value
) -> tuple[NamedOutput, ...]:
    """Those of the source, of powers and fuel this drive's share; and of one that recuperates, or
    has a converter, what gears lose of the power that they have."""
    share = drive.symbol("share")
    told = tuple(
        replace(one, expression=share * one.expression) if one.unit in _SHARED else one
        for one in shaft.response.outputs
    )
    if not drive.source.recuperates and getattr(drive, "converter", None) is None:
        return told
    taken = share * torque * speed - on_wheels
    return (*told, NamedOutput("gear_losses", "W", "power lost in gears", as_expr(taken)))


_SHARED = ("W", "kg/s")  # units of what drives of one source have their shares of
