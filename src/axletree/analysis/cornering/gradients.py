"""Slopes of steady turns against lateral acceleration, and what follows from them (ISO 4138)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from axletree.model.manoeuvres.findings import Finding

Vector = NDArray[np.float64]
Turns = Mapping[str, Vector]  # columns by name

LEAST_TURNS = 3
DEGREE = math.radians(1.0)


def gradient_findings(turns: Turns, wheelbase: float, speed: float | None) -> tuple[Finding, ...]:
    """Of straight lines through turns; of one speed [m/s] also the gain of the yaw rate there.

    The understeer gradient K is the slope of the understeer angle, that of the road wheels less
    wheelbase over radius. Characteristic speed is sqrt(wheelbase / K), critical speed
    sqrt(-wheelbase / K). A model in the plane has no roll gradient.
    """
    K = _slope(turns, "steer.understeer")
    steering = _slope(turns, "driver.steering")
    found = [
        Finding("understeer_gradient", K / DEGREE, "deg/(m/s^2)", "understeer gradient"),
        Finding("characteristic_speed", _speed(wheelbase, K), "m/s", "characteristic speed"),
        Finding("critical_speed", _speed(wheelbase, -K), "m/s", "critical speed"),
        Finding("sideslip_gradient", _slope(turns, "path.sideslip") / DEGREE, "deg/(m/s^2)",
                "sideslip angle gradient"),
    ]  # fmt: skip
    if np.any(turns.get("vehicle.roll", ())):
        roll = _slope(turns, "vehicle.roll") / DEGREE
        found.append(Finding("roll_gradient", roll, "deg/(m/s^2)", "roll angle gradient"))
    if speed is not None:
        sensitivity = DEGREE / steering if steering else math.nan
        found += [
            Finding("steering_sensitivity", sensitivity, "(m/s^2)/deg", "steering sensitivity"),
            Finding("yaw_rate_gain", 1.0 / (speed * steering) if steering else math.nan, "1/s",
                    "yaw rate gain"),
        ]  # fmt: skip
    return tuple(found)


def _slope(turns: Turns, name: str) -> float:
    if len(turns.get("path.lateral", ())) < LEAST_TURNS:
        return math.nan
    return float(np.polyfit(turns["path.lateral"], turns[name], 1)[0])


def _speed(wheelbase: float, gradient: float) -> float:
    return math.sqrt(wheelbase / gradient) if gradient > 0.0 else math.nan
