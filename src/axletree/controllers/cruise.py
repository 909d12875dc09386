"""Cruise control: throttle and brake follow a speed, by a proportional and an integral part.

With the error e = speed wanted - speed and the integral i, the pedal is k (e + i), throttle if
positive and brake if negative; the integral i+ = i + h (e + (pedal limited - pedal) / k) / T goes
back where the pedal is at an end, which keeps it from winding up. The speed is the mean of all
wheels but the fastest and the slowest. A vehicle that rolls backwards is left to its driver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import parameter, positive
from axletree.controllers.channels import command, kept, wheel_rates
from axletree.controllers.contract import (
    ControlledVehicle,
    Law,
    ReferenceController,
    known_vehicle,
    limited,
    proposed_interval,
    rolling_speed,
)
from axletree.expr import Expr, Value, maximum, where
from axletree.expr.quantity import Quantity

_INTEGRAL = "cruise.integral"


@dataclass(frozen=True)
class CruiseController(ReferenceController):
    """Keeps a speed by the driver's pedals, from the mean of the wheel speeds.

    Example:
    >>> import axletree as at
    >>> at.CruiseController.of(at.read_model("sedan").described["vehicle"], speed="90 km/h").speed
    25.0
    """

    word: ClassVar[str] = "cruise"
    summary: ClassVar[str] = "cruise control: throttle and brake follow a speed"

    interval: float = proposed_interval(0.02)
    speed: float = parameter("m/s", "that is kept", default=25.0, lower=0.0)
    gain: float = positive("s/m", "pedal by error of the speed", default=0.2)
    reset: float = positive("s", "time of the integral", default=5.0)
    brakes: float = positive("1", "hardest braking, of the pedal", default=0.3, upper=1.0)
    backwards: float = positive("m/s", "rolling back faster than this it is off", default=0.5)
    vehicle: ControlledVehicle = known_vehicle()

    def problems(self) -> list[str]:
        self.vehicle.need(self.word)
        if self.interval >= self.reset:
            return [
                f"reset is {self.reset:g} s; expected more than the interval, {self.interval:g} s"
            ]
        return []

    @property
    def measured(self) -> tuple[Quantity, ...]:
        return wheel_rates(self.vehicle.wheels)

    @property
    def commanded(self) -> tuple[Quantity, ...]:
        return (
            command("driver.throttle", "1", "position of the accelerator"),
            command("driver.brake", "1", "position of the brake pedal"),
        )

    @property
    def memory(self) -> tuple[Quantity, ...]:
        return (kept(_INTEGRAL, "m/s", "integral part of the error"),)

    def law(self, seen: Mapping[str, Expr], p: Mapping[str, Value]) -> Law:
        v = rolling_speed(self.vehicle.wheels, seen)
        error = p["speed"] - v
        pedal = p["gain"] * (error + seen[_INTEGRAL])
        pressed = limited(pedal, -p["brakes"], 1.0)
        excess = (pressed - pedal) / p["gain"]
        forwards = v > -p["backwards"]
        integral = seen[_INTEGRAL] + p["interval"] / p["reset"] * (error + excess)
        return Law(
            commands={
                "driver.throttle": where(forwards, maximum(pressed, 0.0), 0.0),
                "driver.brake": where(forwards, maximum(-pressed, 0.0), 0.0),
            },
            memory={_INTEGRAL: where(forwards, integral, 0.0)},
        )
