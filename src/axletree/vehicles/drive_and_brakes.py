"""What turns the wheels of an axle and what stops them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.axle_drives import (
    NO_SHIFT_TIME,
    REGENERATION,
    AxleDrive,
    HalfShaftDrive,
    WheelDrive,
)
from axletree.components.brakes import SPRINGBACK, FrictionBrake, SelectLowBrake, SlipLimitedBrake
from axletree.components.couplings import AxleCoupling
from axletree.components.differentials import AxleDifferential, OpenDifferential
from axletree.components.edges import Basis
from axletree.components.fields import (
    Part,
    field_of,
    flag,
    optional_parameter,
    parameter,
    part,
    positive,
)
from axletree.components.frames import Frame
from axletree.components.joints import Revolute, turn_of
from axletree.components.loads import JointTorque, TorqueDriver
from axletree.components.power_sources import ConstantTorque, PowerSource
from axletree.components.signals import Constant, Input, Signal, TimeFunction
from axletree.components.torque_converters import EngineConverter
from axletree.expr import Expr, as_expr, evaluate, maximum, minimum, symbol
from axletree.model.model import Model
from axletree.vehicles.controls import Controls
from axletree.vehicles.suspensions import SIDES

# 1/s: how fast a brake that sticks slows the wheel by its damping alone. With its springback of
# 5 ms wheel and mount settle at 276/s and 724/s, without a swing, which steps of up to 2 ms follow.
STICKING_RATE = 1000.0
NO_CONTROLS = Controls()
NOTHING_RECUPERATED: Mapping[str, Expr] = {}
MOST_WIND_UP = 0.05  # rad, with the pedal down, however light the wheel


@dataclass(frozen=True)
class Brakes(Part):
    """The brakes of an axle: by the torque with the pedal down, or by hydraulic pressure.

    The pressure is ``pedal_pressure`` times the pedal plus the input ``driver.brake_pressure``.
    Above ``knee_pressure`` a valve lets it rise with ``knee_slope``, as on rear axles. With a
    ``slip_limit`` the brakes give way before a wheel locks, with ``select_low`` both together.

    Example:
    >>> from axletree.vehicles.drive_and_brakes import Brakes
    >>> print(Brakes(torque="1500 N*m").at_wheel())  # N m
    1500*driver.brake
    """

    summary: ClassVar[str] = "brakes of an axle, by torque or by pressure"

    torque: float | None = positive("N*m", "of each wheel with the pedal down", default=None)
    torque_per_pressure: float | None = positive(
        "N*m/Pa", "of each wheel by the pressure at its cylinder", default=None
    )
    pedal_pressure: float = positive("Pa", "pressure with the pedal down", default=1e7)
    knee_pressure: float | None = optional_parameter(
        "Pa", "pressure from which on a valve reduces it", lower=0.0
    )
    knee_slope: float = parameter(
        "1", "rise of the pressure behind that valve over the rise before it", default=0.3,
        lower=0.0, upper=1.0,
    )  # fmt: skip
    slip_limit: float | None = positive(
        "1", "slip from which on an anti-lock system lets the torque fall", default=None
    )
    select_low: bool = flag(
        "whether it goes by the wheel of the axle that slips more, as is usual on rear axles; each "
        "wheel by itself otherwise", default=False,
    )  # fmt: skip

    def problems(self) -> list[str]:
        if (self.torque is None) == (self.torque_per_pressure is None):
            return ["give either torque, with the pedal down, or torque_per_pressure"]
        if self.torque is not None and self.knee_pressure is not None:
            return ["knee_pressure needs brakes by torque_per_pressure"]
        if self.slip_limit is not None and self.slip_limit >= 1.0:
            return [f"slip_limit: {self.slip_limit:g} is never reached; a locked wheel has 1"]
        if self.select_low and self.slip_limit is None:
            return ["select_low needs a slip_limit, from which on both brakes are released"]
        return []

    @property
    def greatest(self) -> float:
        """The torque of each with the pedal down [N m].

        Example:
        >>> from axletree.vehicles.drive_and_brakes import Brakes
        >>> Brakes(torque="1500 N*m").greatest
        1500.0
        """
        pedal = {symbol("driver.brake"): 1.0, symbol("driver.brake_pressure"): 0.0}
        return float(evaluate([self.at_wheel()], pedal)[0])

    def at_wheel(self, pressure: Expr | None = None) -> Expr:
        """The greatest torque of each brake [N m], by the pedal and the pressure, or by the
        ``pressure`` [Pa] that its own line has.

        Example:
        >>> from axletree.expr import evaluate, symbol
        >>> from axletree.vehicles.drive_and_brakes import Brakes
        >>> brakes = Brakes(torque_per_pressure="20 N*m/bar", knee_pressure="30 bar")
        >>> driver = {symbol("driver.brake"): 0.5, symbol("driver.brake_pressure"): 0.0}  # 1, Pa
        >>> print(f"{evaluate([brakes.at_wheel()], driver)[0]:.0f} N m")  # 20 (30 + 0.3 (50 - 30))
        720 N m
        """
        pedal = symbol("driver.brake")
        if self.torque is not None:
            return self.torque * pedal
        assert self.torque_per_pressure is not None
        if pressure is None:
            pressure = self.pedal_pressure * pedal + symbol("driver.brake_pressure")
        if self.knee_pressure is not None:
            reduced = self.knee_pressure + self.knee_slope * (pressure - self.knee_pressure)
            pressure = minimum(pressure, reduced)
        return self.torque_per_pressure * pressure

    def mount_stiffness(self, spin_inertia: float) -> float:
        """Of each brake [N m/rad], by which it holds a wheel of this inertia [kg m^2] without a
        swing.

        Example:
        >>> from axletree.vehicles.drive_and_brakes import Brakes
        >>> k = Brakes(torque="2200 N*m").mount_stiffness(1.2)  # kg m^2
        >>> print(f"{k:.3g} N m/rad, {1e3 * 2200.0 / k:.0f} mrad with the pedal down")
        2.4e+05 N m/rad, 9 mrad with the pedal down
        """
        return max(STICKING_RATE * spin_inertia / SPRINGBACK, self.greatest / MOST_WIND_UP)

    def add(
        self,
        model: Model,
        axle: str,
        wheels: Mapping[str, Revolute],
        radius: float,
        spin_inertia: float,
        controls: Controls = NO_CONTROLS,
        recuperated: Mapping[str, Expr] = NOTHING_RECUPERATED,
        *,
        pressures: Mapping[str, Expr] | None = None,
    ) -> None:
        """Add a brake to each wheel, by the joint that it turns on, its radius [m] and its inertia
        about the axle [kg m^2]; ``controls`` may come between the driver and the brake,
        ``pressures`` by side are those of lines of their own. What a motor has taken of the torque
        of a wheel, friction has not.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.drive_and_brakes import Brakes
        >>> stand = at.Model("stand")
        >>> pedals = stand.add(at.DriverControls("driver"))
        >>> wheel = stand.add(at.RigidBody("wheel", 20.0, (0.7, 1.2, 0.7))).main_frame  # kg, kg m^2
        >>> hub = stand.add(at.Revolute("hub", stand.ground.main_frame, wheel, axis=(0, 1, 0)))
        >>> Brakes(torque="1500 N*m").add(stand, "front", {"left": hub}, 0.32, spin_inertia=1.2)
        >>> print(stand["front_left_brake"].torque.expression)  # N m
        1500*driver.brake
        """
        ground = model.ground.main_frame
        k = self.mount_stiffness(spin_inertia)
        slip_limit = self.slip_limit if controls.anti_lock else None
        for side, turns in wheels.items():
            name = f"{axle}_{side}_brake"
            asked = self.at_wheel(None if pressures is None else pressures[side])
            if side in recuperated:
                asked = as_expr(maximum(asked - recuperated[side], 0.0))
            wheel, gain = f"{axle}_{side}", self.torque_per_pressure
            torque = TimeFunction(controls.brake_torque(model, wheel, asked, gain))
            if slip_limit is None:
                model.add(FrictionBrake(name, turns, torque=torque, stiffness=k))
                continue
            place = (name, turns, ground, turns.tail, radius, slip_limit, torque)
            if self.select_low:
                (other,) = (joint for joint in wheels.values() if joint is not turns)
                model.add(SelectLowBrake(*place, other=other, other_hub=other.tail, stiffness=k))
            else:
                model.add(SlipLimitedBrake(*place, stiffness=k))


@dataclass(frozen=True)
class Stalled:
    """An engine whose torque converter works against wheels that stand, in first gear."""

    rate: float  # [rad/s], of the engine
    torque: float  # [N m], on both wheels together


@dataclass(frozen=True)
class Drive(Part):
    """The drive of an axle: a torque by the throttle, or an engine or motor with gears.

    Of an engine that drives two axles each has a ``share``. What of it turns is without inertia;
    that of shafts and gears may be counted to the wheels. The pedal ``driver.clutch`` takes all of
    it off.

    A motor that recuperates takes of the torque that the brake pedal asks of its axle what it can,
    and friction has the rest, so that the sum and its distribution over the axles are those of
    friction alone. From ``recuperation_until`` to ``friction_from`` of the pedal its part goes to
    nothing: in an emergency brakes have the whole torque in hand.

    Example:
    >>> from axletree.vehicles.drive_and_brakes import Drive
    >>> Drive(torque="900 N*m").torque  # N m, of each wheel at full throttle
    900.0
    """

    summary: ClassVar[str] = "drive of an axle, by torque or by engine or motor"

    torque: float | None = positive("N*m", "of each wheel at full throttle", default=None)
    source: PowerSource | None = part("POWER_SOURCES", "engine or motor", default=None)
    gears: tuple[float, ...] = field_of(AxleDrive, "gears")
    shift_rate: float = field_of(AxleDrive, "shift_rate")
    cruise_rate: float | None = field_of(AxleDrive, "cruise_rate")
    shift_time: float | None = field_of(AxleDrive, "shift_time")
    power_shift: bool = field_of(AxleDrive, "power_shift")
    final_drive: float = field_of(AxleDrive, "final_drive")
    reverse: float | None = field_of(AxleDrive, "reverse")
    converter: EngineConverter | None = field_of(AxleDrive, "converter")
    share: float = field_of(AxleDrive, "share")
    efficiency: float = field_of(AxleDrive, "efficiency")
    differential: AxleDifferential = field_of(AxleDrive, "differential")
    wheel_motors: bool = flag("whether each wheel has a source of its own", default=False)
    recuperation_until: float = parameter(
        "1", "position of the brake pedal up to which a motor takes what it can", default=0.4,
        lower=0.0, upper=1.0,
    )  # fmt: skip
    friction_from: float = parameter(
        "1", "position from which on friction brakes alone", default=0.6, lower=0.0, upper=1.0
    )

    def problems(self) -> list[str]:
        if self.recuperation_until >= self.friction_from:
            return [
                f"recuperation_until {self.recuperation_until:g} is not below friction_from "
                f"{self.friction_from:g}"
            ]
        if self.wheel_motors:
            if self.source is None:
                return ["wheel_motors needs a source, such as a traction-motor"]
            if len(self.gears) > 1 or not isinstance(self.differential, OpenDifferential):
                return ["wheel_motors has neither gears nor a differential; give a final_drive"]
            if self.converter is not None:
                return ["wheel_motors has no converter; engines alone have one"]
        if (self.torque is None) == (self.source is None):
            return ["give either torque, at full throttle, or a source: an engine or a motor"]
        geared = [n for n, plain in _WITHOUT_GEARS.items() if getattr(self, n) != plain]
        if self.torque is not None and geared:
            return [f"{geared[0]} needs a source; torque is at the wheels, behind all gears"]
        if len(self.gears) > 1 and not self.shift_rate:
            return [f"{len(self.gears)} gears need a shift_rate, at which they are changed"]
        if self.cruise_rate is not None and self.cruise_rate > self.shift_rate:
            return ["cruise_rate is above shift_rate; with the pedal released gears change earlier"]
        if self.power_shift and self.shift_time is None:
            return ["power_shift needs a shift_time, in which the ratio goes over"]
        if self.converter is not None and self.source is not None:
            late = len(self.gears) > 1 and self.shift_time is None
            return [*self.converter.problems_with(self.source), *([NO_SHIFT_TIME] if late else [])]
        return []

    def stalled(self, pedal: float = 1.0) -> Stalled | None:
        """What it does against wheels that stand, at full throttle or as it idles; None without a
        torque converter.

        Example:
        >>> import axletree as at
        >>> drive = at.read_model("automatic-sedan").described["vehicle"].axles["rear"].drive
        >>> print(f"{drive.stalled().rate:.0f} rad/s, {drive.stalled(pedal=0.0).rate:.0f} rad/s")
        296 rad/s, 87 rad/s
        """
        if self.converter is None or self.source is None:
            return None
        rate = self.converter.stall_rate(self.source, pedal)
        gears = self.gears[0] * self.final_drive * self.efficiency
        return Stalled(rate, self.share * gears * self.converter.stall_torque(rate))

    def add(
        self,
        model: Model,
        axle: str,
        wheels: Mapping[str, Revolute],
        body: Frame | None = None,
        controls: Controls = NO_CONTROLS,
        brakes: Brakes | None = None,
        battery_share: float | None = None,
    ) -> Mapping[str, Expr]:
        """Add it to the wheels, by the joints that they turn on; where half shafts come from the
        body, this frame of it takes the reaction in place of the wheels' carriers. ``controls`` may
        come between the driver and the drive. A motor that recuperates has a part of the torque of
        ``brakes``, which is returned for each wheel [N m], and ``battery_share`` of the power of
        the vehicle's battery.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.drive_and_brakes import Drive
        >>> stand = at.Model("stand")
        >>> pedals = stand.add(at.DriverControls("driver"))
        >>> wheel = stand.add(at.RigidBody("wheel", 20.0, (0.7, 1.2, 0.7))).main_frame  # kg, kg m^2
        >>> hub = stand.add(at.Revolute("hub", stand.ground.main_frame, wheel, axis=(0, 1, 0)))
        >>> taken = Drive(torque="900 N*m").add(stand, "rear", {"left": hub})
        >>> print(stand["rear_left_drive"].torque.expression)  # N m
        -900*driver.throttle*(driver.clutch - 1)
        """
        throttle, clutch = controls.throttle(model, axle), symbol("driver.clutch")
        if self.torque is not None and isinstance(self.differential, OpenDifferential):
            torque = TimeFunction(self.torque * throttle * (1.0 - clutch))
            for side, turns in wheels.items():
                model.add(JointTorque(f"{axle}_{side}_drive", turns, torque=torque))
                if body is not None:
                    name, (_, axis) = f"{axle}_{side}_half_shaft", turn_of(turns)
                    model.add(TorqueDriver(name, body, turns.tail, axis, torque, Basis.HEAD))
            return NOTHING_RECUPERATED
        source = self.source
        if self.torque is not None:
            source = ConstantTorque(2.0 * self.torque)
        assert source is not None
        name, pedal = f"{axle}_drive", TimeFunction(clutch)
        geared: dict[str, Any] = {k: getattr(self, k) for k in _WITHOUT_GEARS}
        main: Any = {
            "left": wheels["left"], "right": wheels["right"], "source": source,
            "differential": self.differential,
        }  # fmt: skip
        shared: Any = {"throttle": TimeFunction(throttle), "clutch": pedal}
        if self.reverse is not None:
            shared["backward"] = _lever(model)
        if source.recuperates and battery_share is not None:
            shared |= {"battery": BATTERY, "battery_share": battery_share}
        if self.wheel_motors:
            own = ("final_drive", "share", "efficiency", "reverse")
            one = {k: geared[k] for k in own} | shared
            return self._add_to_wheels(model, axle, wheels, controls, brakes, one)
        if source.recuperates:
            shared |= self._beside_throttle(model, axle, controls, brakes, 2.0)
        if controls.gears and len(self.gears) > 1:
            shared["selected"] = Input()
        if body is None:
            model.add(AxleDrive(name, **main, **shared, **geared))
        else:
            model.add(HalfShaftDrive(name, body=body, **main, **shared, **geared))
        return {side: _recuperated(name, 0.5) for side in wheels if "braking" in shared}

    def _add_to_wheels(
        self, model: Model, axle: str, wheels: Mapping[str, Revolute], controls: Controls,
        brakes: Brakes | None, shared: Mapping[str, Any],
    ) -> Mapping[str, Expr]:  # fmt: skip
        """A motor for each."""
        assert self.source is not None
        found = {}
        for side, turns in wheels.items():
            word, more = f"{axle}_{side}", {}
            if self.source.recuperates:
                more = self._beside_throttle(model, word, controls, brakes, 1.0)
            model.add(WheelDrive(f"{word}_drive", turns, self.source, **shared, **more))
            if "braking" in more:
                found[side] = _recuperated(f"{word}_drive", 1.0)
        return found

    def _beside_throttle(
        self, model: Model, word: str, controls: Controls, brakes: Brakes | None, wheels: float
    ) -> dict[str, Any]:
        """What brakes and controllers ask of a motor on so many wheels."""
        found: dict[str, Any] = {}
        if brakes is not None:
            pedal, until = symbol("driver.brake"), self.recuperation_until
            fades = (self.friction_from - pedal) / (self.friction_from - until)
            asked = wheels * brakes.at_wheel() * maximum(minimum(fades, 1.0), 0.0)
            found["braking"] = TimeFunction(as_expr(asked * (1.0 - symbol("driver.clutch"))))
        if controls.motors:
            found["command"] = TimeFunction(controls.motor_torque(model, word))
        return found


@dataclass(frozen=True)
class CentreCoupling(Part):
    """What passes torque between two axles: a fluid, plates, or plates that a controller commands.

    Example:
    >>> from axletree.vehicles.drive_and_brakes import CentreCoupling
    >>> CentreCoupling(viscous="60 N*m*s/rad", exponent=0.7).exponent
    0.7
    """

    summary: ClassVar[str] = "what passes torque between two axles"

    viscous: float = field_of(AxleCoupling, "viscous")
    exponent: float = field_of(AxleCoupling, "exponent")
    preload: float = parameter("N*m", "torque that plates carry at most", default=0.0, lower=0.0)
    commanded: bool = flag(
        "whether that torque is the input coupling.capacity instead", default=False
    )
    ratio: float = field_of(AxleCoupling, "ratio")

    def problems(self) -> list[str]:
        if self.commanded and self.preload:
            return ["preload and commanded both say what plates carry; give one of them"]
        if not (self.viscous or self.preload or self.commanded):
            return ["it passes nothing; give viscous, preload or commanded: true"]
        return []

    def add(self, model: Model, first: str, second: str) -> None:
        """Between two axles by their names, whose wheels are in the model.

        Example:
        >>> import axletree as at
        >>> changes = {"vehicle": {"coupling": {"commanded": True}, "fidelity": "two-track"}}
        >>> [q.name for q in at.read_model("suv", changes)["coupling"].inputs()]
        ['coupling.capacity']
        """
        wheels = [f"{axle}_{side}" for axle in (first, second) for side in SIDES]
        places = "first_left", "first_right", "second_left", "second_right"
        joints: Any = {k: model[f"{w}_axle"] for k, w in zip(places, wheels, strict=True)}
        own: Any = {name: getattr(self, name) for name in ("viscous", "exponent", "ratio")}
        capacity: Any = Input() if self.commanded else self.preload
        model.add(AxleCoupling(COUPLING, capacity=capacity, **joints, **own))


BATTERY, COUPLING = "battery", "coupling"  # names of components
REVERSE = "driver.reverse"  # the lever of drives that have a reverse gear


def _lever(model: Model) -> Signal:
    """That of the driver; one who follows a path or a speed has none, and drives forward."""
    inputs = {q.name for q in model["driver"].inputs()}
    return TimeFunction(symbol(REVERSE)) if REVERSE in inputs else Constant(0.0)


def _recuperated(drive: str, part_of: float) -> Expr:
    """What a wheel has of the torque by which a drive takes part in braking [N m]."""
    engaged = 1.0 - symbol("driver.clutch")
    return as_expr(part_of * symbol(f"{drive}.{REGENERATION.suffix}") * engaged)


_WITHOUT_GEARS = {
    "gears": (1.0,), "shift_rate": 0.0, "cruise_rate": None, "shift_time": None,
    "final_drive": 1.0, "share": 1.0, "efficiency": 1.0, "reverse": None, "converter": None,
    "power_shift": False,
}  # fmt: skip
