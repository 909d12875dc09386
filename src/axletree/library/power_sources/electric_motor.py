"""An electric motor: torque up to a power and a speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, maximum, minimum
from axletree.core.expr.expression import ONE
from axletree.library.fields import parameter
from axletree.library.power_sources.contract import PowerSource, opened, within_one

FADING = 0.02  # of the greatest speed: where regeneration fades towards rest


@dataclass(frozen=True)
class ElectricMotor(PowerSource):
    """``full_torque`` up to the speed at which it takes ``full_power``, and that power from there.

    The torque goes to nothing over the last tenth below ``cut_off``. With the pedal released it
    brakes by ``regeneration``, likewise within the power, and less and less towards rest.

    Example:
    >>> from axletree.library.power_sources.electric_motor import ElectricMotor
    >>> motor = ElectricMotor("300 N*m", full_power="90 kW", cut_off=1500.0)
    >>> [float(motor.torque(1.0, speed, motor.numbers)) for speed in (100.0, 600.0)]  # N m
    [300.0, 150.0]
    """

    summary: ClassVar[str] = "an electric motor: greatest torque, power and speed"

    full_torque: float = parameter("N*m", "greatest torque", lower=0.0, above=True)
    full_power: float = parameter("W", "greatest power", lower=0.0, above=True)
    cut_off: float = parameter("rad/s", "greatest speed", lower=0.0, above=True)
    regeneration: float = parameter(
        "N*m", "torque against the turning with the pedal released", default=0.0, lower=0.0
    )

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        pedal = opened(throttle)
        corner = p["full_power"] / p["full_torque"]
        within_power = corner / maximum(speed, corner)
        driving: Expr = pedal * p["full_torque"] * within_power
        driving = driving * within_one((p["cut_off"] - speed) / (0.1 * p["cut_off"]))
        slow = minimum(maximum(speed / (FADING * p["cut_off"]), 0.0), 1.0)
        braking: Expr = (ONE - pedal) * p["regeneration"] * within_power * slow
        return driving - braking
