"""Vehicles with trailers: rearward amplification (ISO 14791), yaw damping (ISO 9815)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import fixed_number
from axletree.metrics.contract import Metric, model_name
from axletree.metrics.findings import (
    Column,
    Columns,
    Diagram,
    Finding,
    Trace,
    over_time,
    peak_point,
    point_at,
    span,
)
from axletree.metrics.vehicle_signals import (
    LATERAL,
    STEERING,
    YAW_RATE,
    lateral_acceleration,
    lateral_of,
)


@dataclass(frozen=True)
class RearwardAmplification(Metric):
    """The peak lateral acceleration and yaw rate of the last unit over those of the first.

    Of the first unit acceleration is taken ``ahead`` of its centre of mass, at its front axle.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> metric, time = at.RearwardAmplification(last="trailer"), np.linspace(0.0, 4.0, 401)  # s
    >>> columns = {name: 20.0 + 0.0 * time for name in metric.reads}  # m/s
    >>> for unit, share in (("vehicle", 1.0), ("trailer", 1.5)):
    ...     columns[f"{unit}.yaw_rate"] = share * np.sin(time)
    ...     columns[f"{unit}.lateral_acceleration"] = share * 20.0 * np.sin(time)
    >>> [one.in_words for one in metric.findings(Trajectory("train", time, columns, {}, ()))[2:]]
    ['1.5', '1.5']
    """

    summary: ClassVar[str] = "rearward amplification of lateral acceleration and yaw rate"
    needs: ClassVar[tuple[str, ...]] = LATERAL

    last: str = model_name("the last trailer")
    ahead: float = fixed_number(
        "m", "place on the first unit, ahead of its body's centre of mass", default=0.0
    )

    @property
    def reads(self) -> tuple[str, ...]:
        return (*self.needs, *lateral_of(self.last))

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        first = _peak(lateral_acceleration(run, ahead=self.ahead))
        last = _peak(lateral_acceleration(run, self.last))
        turned, follows = _peak(run[YAW_RATE]), _peak(run[f"{self.last}.yaw_rate"])
        return (
            Finding("first_lateral_acceleration", first, "m/s^2",
                    "peak lateral acceleration of the first unit"),
            Finding("last_lateral_acceleration", last, "m/s^2",
                    "peak lateral acceleration of the last unit"),
            Finding("rearward_amplification", _over(last, first), "1",
                    "rearward amplification of lateral acceleration"),
            Finding("yaw_rate_amplification", _over(follows, turned), "1",
                    "rearward amplification of yaw rate"),
        )  # fmt: skip

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        first = lateral_acceleration(run, ahead=self.ahead)
        last = lateral_acceleration(run, self.last)
        turned, follows = np.degrees(run[YAW_RATE]), np.degrees(run[f"{self.last}.yaw_rate"])
        peaks = [peak_point(run.time, first, found["first_lateral_acceleration"]),
                 peak_point(run.time, last, found["last_lateral_acceleration"]),
                 peak_point(run.time, last, found["rearward_amplification"])]  # fmt: skip
        yaws = [peak_point(run.time, turned, "peak of the first unit"),
                peak_point(run.time, follows, found["yaw_rate_amplification"])]  # fmt: skip
        sides = {"first unit": first, self.last: last}
        rates = {"first unit": turned, self.last: follows}
        return (
            over_time("Lateral acceleration", "m/s^2", run.time, sides, peaks),
            over_time("Yaw rate", "deg/s", run.time, rates, yaws),
        )


def _peak(values: Column) -> float:
    return float(np.max(np.abs(values)))


def _over(last: float, first: float) -> float:
    return last / first if first else math.nan


@dataclass(frozen=True)
class Swing:
    """A swing by its extremes."""

    damping: float  # ratio; negative where it grows
    frequency: float  # [Hz], of the damped swing


def swing_of(times: Column, sizes: Column) -> Swing:
    """By the sizes of at least three extremes one after another, and the times [s] of them.

    With r the mean of (A1 + A2) / (A2 + A3) over all of them, in which what the swing is about
    cancels, the damping ratio is ln r / sqrt(pi^2 + ln^2 r).
    """
    if len(sizes) < 3:
        return Swing(math.nan, math.nan)
    pairs = np.abs(np.diff(sizes))
    decrement = math.log(float(np.mean(pairs[:-1] / pairs[1:])))
    half = float(times[-1] - times[0]) / (len(times) - 1)
    return Swing(decrement / math.hypot(math.pi, decrement), 0.5 / half)


def extremes(time: Column, values: Column) -> tuple[Column, Column]:
    """Times and values of the tops and bottoms, by parabolas through records beside them."""
    slope = np.diff(values)
    at = np.flatnonzero(slope[:-1] * slope[1:] < 0.0) + 1
    before, top, after = values[at - 1], values[at], values[at + 1]
    bend = before - 2.0 * top + after
    shift = 0.5 * (before - after) / bend
    step = 0.5 * (time[at + 1] - time[at - 1])
    return time[at] + shift * step, top - 0.125 * (before - after) ** 2 / bend


@dataclass(frozen=True)
class TrailerDamping(Metric):
    """Damping ratio and frequency of the rate of articulation, after the wheel is straight again.

    That rate is the yaw rate of the trailer less that of what tows it. The first extreme is left
    out, as is what is smaller than ``least`` of the greatest one.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 10.0, 10001)  # s
    >>> rate = np.exp(-0.1 * 2 * np.pi * time) * np.sin(2 * np.pi * np.sqrt(0.99) * time)  # rad/s
    >>> columns = {
    ...     "driver.steering": np.where((time > 0.1) & (time < 0.2), 1.0, 0.0),
    ...     "vehicle.yaw_rate": 0.0 * time,
    ...     "caravan.yaw_rate": rate,
    ... }
    >>> metric = at.TrailerDamping(trailer="caravan")
    >>> found = metric.findings(Trajectory("train", time, columns, {}, ()))
    >>> [f"{one.value:.3f} {one.unit}" for one in found[:2]]
    ['0.100 1', '0.995 Hz']
    """

    summary: ClassVar[str] = "damping ratio and frequency of a trailer after a pulse"
    needs: ClassVar[tuple[str, ...]] = (STEERING, YAW_RATE)

    trailer: str = model_name("the trailer")
    towing: str = model_name("what tows it", default="vehicle")
    least: float = fixed_number(
        "1", "share of the largest extreme that still counts", default=0.01, lower=0.0, upper=1.0
    )

    @property
    def reads(self) -> tuple[str, ...]:
        return (*self.needs, f"{self.trailer}.yaw_rate", f"{self.towing}.yaw_rate")

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        rate = self._rate(run)
        if not np.any(np.abs(run[STEERING] - run[STEERING][0]) > 1e-12):
            return ()
        swing = swing_of(*self._swings(run, rate))
        return (
            Finding("damping_ratio", swing.damping, "1",
                    "damping ratio of articulation; negative: unstable"),
            Finding("articulation_frequency", swing.frequency, "Hz", "frequency of articulation"),
            Finding("peak_articulation_rate", math.degrees(float(np.max(np.abs(rate)))),
                    "deg/s", "peak articulation rate"),
        )  # fmt: skip

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        rate = np.degrees(self._rate(run))
        times, values = self._swings(run, rate)
        marks = [peak_point(run.time, rate, found["peak_articulation_rate"])]
        guides = []
        damping, frequency = found["damping_ratio"].value, found["articulation_frequency"].value
        if math.isfinite(damping):
            t = np.linspace(times[0], times[-1], 100)
            decay = 2.0 * math.pi * frequency * damping / math.sqrt(1.0 - damping**2)
            envelope = abs(values[0]) * np.exp(-decay * (t - times[0]))
            guides = [Trace("envelope of this damping ratio", t, envelope, is_guide=True),
                      Trace("", t, -envelope, is_guide=True)]  # fmt: skip
            begin, below = float(times[0]), -1.15 * float(envelope[0])
            whole = span(begin, begin + 1.0 / frequency, below, found["articulation_frequency"])
            marks += [point_at(t, envelope, 20, found["damping_ratio"]), whole]
        return (over_time("Articulation rate", "deg/s", run.time, {"run": rate}, marks, guides),)

    def _rate(self, run: Columns) -> Column:
        """Of articulation [rad/s]."""
        return run[f"{self.trailer}.yaw_rate"] - run[f"{self.towing}.yaw_rate"]

    def _swings(self, run: Columns, rate: Column) -> tuple[Column, Column]:
        """Times [s] and values of the extremes that count."""
        moved = np.flatnonzero(np.abs(run[STEERING] - run[STEERING][0]) > 1e-12)
        free = slice(int(moved[-1]) + 1, None)
        times, values = extremes(run.time[free], rate[free])
        counts = np.abs(values) > self.least * np.max(np.abs(values), initial=0.0)
        counts[:1] = False
        return times[counts], values[counts]
