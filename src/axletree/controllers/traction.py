"""Traction control: throttle and brakes follow the slip of driven wheels.

The speed v is that of the fastest wheel that is not driven, and where all are, of the slowest but
one: a single sensor that gives 0 stops nobody.
With the slip s = (r w - v) / max(v, v_low) of a driven wheel and the slip that is aimed for, S,

    q+ = q (1 + h g),  g = gain (1 - s / S), within -release and build,                          (1)
    M+ = M + h rate (s / S - 1), from 0 to a greatest torque:                                    (2)

the throttle's share q follows the wheel of an axle that slips less, the torque M of each brake its
own wheel. So a wheel on ice is braked, and the differential drives the other one; where both spin,
the engine gives less. The law is derived here; it is no manufacturer's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from axletree.components.fields import positive
from axletree.controllers.channels import brake_torques, command, kept, wheel_rates
from axletree.controllers.contract import (
    ControlledVehicle,
    ControlledWheel,
    Law,
    ReferenceController,
    known_vehicle,
    limited,
    proposed_interval,
    second_lowest,
)
from axletree.expr import Expr, Value, maximum, minimum
from axletree.expr.quantity import Quantity

_MOST_SLIPS = 5.0  # times the slip that is aimed for, beyond which brakes are not faster


@dataclass(frozen=True)
class TractionController(ReferenceController):
    """Slip control of driven wheels, from wheel speeds alone.

    Example:
    >>> import axletree as at
    >>> tcs = at.TractionController.of(at.read_model("sedan").described["vehicle"])
    >>> [q.name for q in tcs.commanded][:2]
    ['rear_drive_modulator.share', 'rear_left_modulator.torque']
    """

    word: ClassVar[str] = "tcs"
    summary: ClassVar[str] = "traction control: slip of driven wheels by throttle and brakes"
    controls: ClassVar[Mapping[str, bool]] = {"brakes": True, "drive": True}
    rules: ClassVar[Mapping[str, str]] = {"share": "minimum", "torque": "maximum"}

    interval: float = proposed_interval(0.005)
    slip: float = positive("1", "slip that is aimed for", default=0.1)
    gain: float = positive("1/s", "relative rate of the throttle's share at no slip", default=10.0)
    release: float = positive("1/s", "fastest relative rate down", default=20.0)
    build: float = positive("1/s", "fastest relative rate up", default=5.0)
    least: float = positive("1", "smallest share of the throttle", default=0.02, upper=1.0)
    rate: float = positive("N*m/s", "of a brake at twice the slip", default=2000.0)
    most_torque: float = positive("N*m", "that is asked of a brake", default=1500.0)
    low_speed: float = positive("m/s", "below which slip is as if at this speed", default=2.0)
    vehicle: ControlledVehicle = known_vehicle()

    def problems(self) -> list[str]:
        self.vehicle.need(self.word, braked=True, driven=True)
        return []

    @property
    def _both(self) -> tuple[ControlledWheel, ...]:
        """Wheels that are driven and braked."""
        return tuple(wheel for wheel in self.vehicle.driven if wheel.braked)

    @property
    def _axles(self) -> dict[str, list[ControlledWheel]]:
        names = dict.fromkeys(wheel.axle for wheel in self.vehicle.driven)
        return {name: [w for w in self.vehicle.driven if w.axle == name] for name in names}

    @property
    def measured(self) -> tuple[Quantity, ...]:
        return wheel_rates(self.vehicle.wheels)

    @property
    def commanded(self) -> tuple[Quantity, ...]:
        shares = (
            command(_share(axle), "1", f"share of the throttle of the {axle} axle")
            for axle in self._axles
        )
        return (*shares, *brake_torques(self._both))

    @property
    def memory(self) -> tuple[Quantity, ...]:
        shares = (
            kept(_kept_share(axle), "1", f"share of the throttle of the {axle} axle", 1.0)
            for axle in self._axles
        )
        torques = (
            kept(_kept_torque(wheel), "N*m", f"torque of the brake {wheel.name}")
            for wheel in self._both
        )
        return (*shares, *torques)

    def law(self, seen: Mapping[str, Expr], p: Mapping[str, Value]) -> Law:
        h, v = p["interval"], self._speed(seen)
        slips = {
            w.name: (w.radius * seen[w.rate] - v) / maximum(v, p["low_speed"]) / p["slip"]
            for w in self.vehicle.driven
        }
        commands: dict[str, Value] = {}
        memory: dict[str, Value] = {}
        for axle, wheels in self._axles.items():
            least = reduce(minimum, (slips[wheel.name] for wheel in wheels))
            g = limited(p["gain"] * (1.0 - least), -p["release"], p["build"])
            share = limited(seen[_kept_share(axle)] * (1.0 + h * g), p["least"], 1.0)  # (1)
            commands[_share(axle)] = memory[_kept_share(axle)] = share
        for wheel in self._both:
            beyond = limited(slips[wheel.name] - 1.0, -_MOST_SLIPS, _MOST_SLIPS)
            moved = seen[_kept_torque(wheel)] + h * p["rate"] * beyond  # (2)
            torque = limited(moved, 0.0, p["most_torque"])
            commands[wheel.torque] = memory[_kept_torque(wheel)] = torque
        return Law(commands, memory)

    def _speed(self, seen: Mapping[str, Expr]) -> Value:
        wheels = self.vehicle.wheels
        free = [w.radius * seen[w.rate] for w in wheels if not w.driven]
        if free:
            return reduce(maximum, free)
        every = [w.radius * seen[w.rate] for w in wheels]
        return second_lowest(every)


def _share(axle: str) -> str:
    return f"{axle}_drive_modulator.share"


def _kept_share(axle: str) -> str:
    return f"tcs.{axle}_share"


def _kept_torque(wheel: ControlledWheel) -> str:
    return f"tcs.{wheel.name}_torque"
