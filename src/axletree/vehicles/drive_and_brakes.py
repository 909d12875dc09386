"""What turns the wheels of an axle and what stops them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.brakes import SPRINGBACK, FrictionBrake, SelectLowBrake, SlipLimitedBrake
from axletree.components.driveline import (
    AxleDifferential,
    AxleDrive,
    ConstantTorque,
    HalfShaftDrive,
    OpenDifferential,
    PowerSource,
)
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
from axletree.components.signals import TimeFunction
from axletree.expr import Expr, evaluate, minimum, symbol
from axletree.model.model import Model
from axletree.vehicles.controls import Controls

# 1/s: how fast a brake that sticks slows the wheel by its damping alone. With its springback of
# 5 ms wheel and mount settle at 276/s and 724/s, without a swing, which steps of up to 2 ms follow.
STICKING_RATE = 1000.0
NO_CONTROLS = Controls()
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
        pedal = {symbol("driver.brake"): 1.0, symbol("driver.brake_pressure"): 0.0}
        (greatest,) = evaluate([self.at_wheel()], pedal)
        return max(STICKING_RATE * spin_inertia / SPRINGBACK, float(greatest) / MOST_WIND_UP)

    def add(
        self,
        model: Model,
        axle: str,
        wheels: Mapping[str, Revolute],
        radius: float,
        spin_inertia: float,
        controls: Controls = NO_CONTROLS,
        pressures: Mapping[str, Expr] | None = None,
    ) -> None:
        """Add a brake to each wheel, by the joint that it turns on, its radius [m] and its inertia
        about the axle [kg m^2]; ``controls`` may come between the driver and the brake,
        ``pressures`` by side are those of lines of their own.

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
            torque = TimeFunction(controls.brake_torque(model, f"{axle}_{side}", asked))
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
class Drive(Part):
    """The drive of an axle: a torque by the throttle, or an engine or motor with gears.

    Of an engine that drives two axles each has a ``share``. What of it turns is without inertia;
    that of shafts and gears may be counted to the wheels. The pedal ``driver.clutch`` takes all of
    it off.

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
    final_drive: float = field_of(AxleDrive, "final_drive")
    share: float = field_of(AxleDrive, "share")
    efficiency: float = field_of(AxleDrive, "efficiency")
    differential: AxleDifferential = field_of(AxleDrive, "differential")

    def problems(self) -> list[str]:
        if (self.torque is None) == (self.source is None):
            return ["give either torque, at full throttle, or a source: an engine or a motor"]
        geared = [n for n, plain in _WITHOUT_GEARS.items() if getattr(self, n) != plain]
        if self.torque is not None and geared:
            return [f"{geared[0]} needs a source; torque is at the wheels, behind all gears"]
        if len(self.gears) > 1 and not self.shift_rate:
            return [f"{len(self.gears)} gears need a shift_rate, at which they are changed"]
        if self.cruise_rate is not None and self.cruise_rate > self.shift_rate:
            return ["cruise_rate is above shift_rate; with the pedal released gears change earlier"]
        return []

    def add(
        self,
        model: Model,
        axle: str,
        wheels: Mapping[str, Revolute],
        body: Frame | None = None,
        controls: Controls = NO_CONTROLS,
    ) -> None:
        """Add it to the wheels, by the joints that they turn on; where half shafts come from the
        body, this frame of it takes the reaction in place of the wheels' carriers. ``controls`` may
        come between the driver and the drive.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.drive_and_brakes import Drive
        >>> stand = at.Model("stand")
        >>> pedals = stand.add(at.DriverControls("driver"))
        >>> wheel = stand.add(at.RigidBody("wheel", 20.0, (0.7, 1.2, 0.7))).main_frame  # kg, kg m^2
        >>> hub = stand.add(at.Revolute("hub", stand.ground.main_frame, wheel, axis=(0, 1, 0)))
        >>> Drive(torque="900 N*m").add(stand, "rear", {"left": hub})
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
            return
        source = self.source
        if self.torque is not None:
            source = ConstantTorque(2.0 * self.torque)
        assert source is not None
        name, pedal = f"{axle}_drive", TimeFunction(clutch)
        geared: dict[str, Any] = {k: getattr(self, k) for k in _WITHOUT_GEARS}
        wheels_and_source = wheels["left"], wheels["right"], source, self.differential
        opened = TimeFunction(throttle)
        if body is None:
            model.add(AxleDrive(name, *wheels_and_source, opened, clutch=pedal, **geared))
            return
        model.add(
            HalfShaftDrive(name, *wheels_and_source, opened, clutch=pedal, body=body, **geared)
        )


_WITHOUT_GEARS = {
    "gears": (1.0,), "shift_rate": 0.0, "cruise_rate": None, "final_drive": 1.0, "share": 1.0,
    "efficiency": 1.0,
}  # fmt: skip
