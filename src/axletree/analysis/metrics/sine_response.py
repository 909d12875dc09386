"""How a vehicle follows one period of a sine of its steering wheel, after ISO 7401."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.vehicle_signals import (
    LATERAL,
    STEERING,
    YAW_RATE,
    lateral_acceleration,
    sets_in,
)
from axletree.model.manoeuvres.diagram import Diagram, by_name, over_time, point, span
from axletree.model.manoeuvres.findings import Column, Columns, Finding
from axletree.model.manoeuvres.metric import Metric

NONE = (math.nan, math.nan)
PEAKS = ("first", "second")
SHOWN = 1.0  # s before the beginning and after the last peak, of diagrams


@dataclass(frozen=True)
class Peaks:
    """Times [s] and values of the peak in the first half of a swing and of that in the second."""

    first: tuple[float, float]
    second: tuple[float, float]


def peaks(time: Column, values: Column, reversal: int) -> Peaks:
    """Of values that are positive in the first half and negative in the second, whose peak follows
    the record ``reversal``; nan where there is none."""
    late = reversal + int(np.argmin(values[reversal:]))
    early = int(np.argmax(values[: late + 1]))
    return Peaks(_summit(time, values, early), _summit(time, values, late))


def _summit(time: Column, values: Column, k: int) -> tuple[float, float]:
    """Of the parabola through an extreme and its neighbours."""
    if not 0 < k < len(values) - 1:
        return NONE
    bend, slope, value = np.polyfit(time[k - 1 : k + 2] - time[k], values[k - 1 : k + 2], 2)
    if not bend:
        return float(time[k]), float(values[k])
    return float(time[k] - 0.5 * slope / bend), float(value - 0.25 * slope * slope / bend)


@dataclass(frozen=True)
class SineResponse(Metric):
    """Gains of yaw rate and lateral acceleration, and their time lags at the peaks.

    Gains are those of the peaks in the second half of the sine over the peak of the steering wheel
    there. Lags count from a peak of the steering wheel to the peak of the response that follows.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 4.0, 4001)  # s
    >>> def swing(t):
    ...     return np.where((t > 0.0) & (t < 2.0), np.sin(np.pi * t), 0.0)
    >>> columns = {name: 0.0 * time for name in at.SineResponse.needs}
    >>> columns |= {"driver.steering": 0.5 * swing(time - 1.0)}  # rad
    >>> columns |= {"vehicle.yaw_rate": 0.2 * swing(time - 1.1)}  # rad/s, 0.1 s later
    >>> found = at.SineResponse().findings(Trajectory("car", time, columns, {}, ()))
    >>> [f"{one.value:.2f} {one.unit}" for one in found[:3]]
    ['0.40 1/s', '0.10 s', '0.10 s']
    """

    summary: ClassVar[str] = "gains and time lags of a sine steer"
    needs: ClassVar[tuple[str, ...]] = (STEERING, *LATERAL)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        reversal = _reversal(run)
        if reversal is None:
            return ()
        wheel, yaw, side = (peaks(run.time, y, reversal) for y in _courses(run).values())
        per_degree = math.radians(1.0)
        return (
            Finding("yaw_rate_gain", yaw.second[1] / wheel.second[1], "1/s",
                    "yaw rate: gain in the second half"),
            *_lags(wheel, yaw, "yaw_rate"),
            Finding("lateral_acceleration_gain", per_degree * side.second[1] / wheel.second[1],
                    "(m/s^2)/deg", "lateral acceleration: gain in the second half"),
            *_lags(wheel, side, "lateral_acceleration"),
        )  # fmt: skip

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, reversal = by_name(self.findings(run)), _reversal(run)
        if reversal is None:
            return ()
        sign, courses = _sign(run), _courses(run)
        wheel = peaks(run.time, courses[STEERING], reversal)
        shown = sets_in(run.time, run[STEERING]) - 0.3, wheel.second[0] + SHOWN
        turned = [
            point(peak[0], sign * math.degrees(peak[1]), f"{word} peak")
            for word, peak in zip(PEAKS, (wheel.first, wheel.second), strict=True)
        ]
        drawn = [over_time("Steering wheel", "deg", run.time, {"": np.degrees(run[STEERING])},
                           turned, within=shown)]  # fmt: skip
        for name, unit in (("yaw_rate", "deg/s"), ("lateral_acceleration", "m/s^2")):
            scale = math.degrees(1.0) if name == "yaw_rate" else 1.0
            values = scale * courses[name]
            tops = peaks(run.time, values, reversal)
            marks = [point(tops.second[0], sign * tops.second[1], found[f"{name}_gain"])]
            for word, begin, end in zip(PEAKS, (wheel.first, wheel.second),
                                        (tops.first, tops.second), strict=True):  # fmt: skip
                lag = found[f"{name}_lag_{word}"]
                marks.append(span(begin[0], end[0], 1.08 * sign * end[1], lag))
            title = name.replace("_", " ").capitalize()
            drawn.append(over_time(title, unit, run.time, {"": sign * values}, marks, within=shown))
        return tuple(drawn)


def _sign(run: Columns) -> float:
    """Of the first turn of the steering wheel, from where it begins."""
    turned = run[STEERING] - run[STEERING][0]
    return float(np.sign(turned[np.flatnonzero(turned)[0]]))


def _reversal(run: Columns) -> int | None:
    """The first record at which the steering wheel is turned to the other side; None if never."""
    turned = run[STEERING] - run[STEERING][0]
    if not np.any(turned):
        return None
    least = 1e-9 * float(np.max(np.abs(turned)))
    other = np.flatnonzero(_sign(run) * turned < -least)
    return int(other[0]) if other.size else None


def _courses(run: Columns) -> dict[str, Column]:
    """Angle of the steering wheel [rad], yaw rate [rad/s] and lateral acceleration [m/s^2], first
    positive."""
    sign = _sign(run)
    return {
        STEERING: sign * (run[STEERING] - run[STEERING][0]),
        "yaw_rate": sign * run[YAW_RATE],
        "lateral_acceleration": sign * lateral_acceleration(run),
    }


def _lags(wheel: Peaks, response: Peaks, name: str) -> tuple[Finding, ...]:
    word = name.replace("_", " ")
    lags = (response.first[0] - wheel.first[0], response.second[0] - wheel.second[0])
    return tuple(
        Finding(f"{name}_lag_{which}", lag, "s", f"{word}: time lag at the {which} peak")
        for which, lag in zip(PEAKS, lags, strict=True)
    )
