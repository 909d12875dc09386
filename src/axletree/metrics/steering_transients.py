"""Transient response to a step and to one period of a sine of the steering wheel (ISO 7401).

Sine with dwell: lateral stability and responsiveness by FMVSS 126.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from axletree.components.fields import fixed_number
from axletree.metrics.contract import Metric
from axletree.metrics.findings import (
    Column,
    Columns,
    Diagram,
    Finding,
    Trace,
    level,
    moment,
    over_time,
    point,
    span,
    yes_no,
)
from axletree.metrics.vehicle_signals import (
    HEADING,
    LATERAL,
    SIDESLIP,
    STEERING,
    YAW_RATE,
    X,
    Y,
    at,
    lateral_acceleration,
    over,
    reaches,
    sets_in,
)
from axletree.metrics.verdict import Comparison, Criterion

SHOWN_AFTER_STEP = 2.5  # s after the beginning, of diagrams
NO_PEAK = (math.nan, math.nan)


@dataclass(frozen=True)
class StepFigures:
    """Of one quantity to a step; times [s] are from the middle of the step."""

    steady: float  # in the unit of the quantity
    response_time: float  # to 90 % of the steady value
    peak_time: float  # to the greatest value; nan without overshoot
    overshoot: float  # of the greatest value over the steady one, of 1


def step_figures(time: Column, values: Column, begin: float, settled: float) -> StepFigures:
    """Of values that begin at 0; steady is their mean over the last time ``settled`` [s]."""
    late = time >= time[-1] - settled
    steady = float(np.mean(values[late]))
    if not steady:
        return StepFigures(0.0, math.nan, math.nan, math.nan)
    share = values / steady
    top = int(np.argmax(share))
    peaks = share[top] > 1.0 and not late[top]
    peak_time = parabola_top(time, share, top)[0] - begin if peaks else math.nan
    overshoot = float(share[top]) - 1.0 if peaks else 0.0
    return StepFigures(steady, reaches(time, share, 0.9) - begin, peak_time, overshoot)


def parabola_top(time: Column, values: Column, k: int) -> tuple[float, float]:
    """Time and value of the parabola through an extreme and its neighbours; nan at an end."""
    if not 0 < k < len(values) - 1:
        return NO_PEAK
    bend, slope, value = np.polyfit(time[k - 1 : k + 2] - time[k], values[k - 1 : k + 2], 2)
    if not bend:
        return float(time[k]), float(values[k])
    return float(time[k] - 0.5 * slope / bend), float(value - 0.25 * slope * slope / bend)


@dataclass(frozen=True)
class StepResponse(Metric):
    """Gains, times and overshoot of yaw rate and lateral acceleration, and the TB factor.

    Times begin at half of the steering wheel step. The TB factor is the peak response
    time of yaw rate times the steady sideslip angle. Values are steady over the last ``settled``.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 6.0, 6001)  # s
    >>> turned = np.where(time >= 1.0, 1.0, 0.0)  # rad, of the steering wheel
    >>> columns = {name: 0.0 * time for name in at.StepResponse.needs} | {"driver.steering": turned}
    >>> columns["vehicle.yaw_rate"] = 0.3 * turned * (1.0 - np.exp((1.0 - time) / 0.2))  # rad/s
    >>> found = at.StepResponse().findings(Trajectory("car", time, columns, {}, ()))
    >>> [f"{one.value:.2f} {one.unit}" for one in found if one.name.startswith("yaw_rate")][:2]
    ['0.30 1/s', '0.46 s']
    """

    summary: ClassVar[str] = "gains, response times, overshoot and TB factor of a step steer"
    needs: ClassVar[tuple[str, ...]] = (STEERING, SIDESLIP, *LATERAL)
    key: ClassVar[tuple[str, ...]] = (
        "yaw_rate_gain", "yaw_rate_response_time", "yaw_rate_overshoot",
        "lateral_acceleration_response_time", "tb_factor",
    )  # fmt: skip

    settled: float = fixed_number("s", "time at the end that is steady", default=1.0, lower=0.0)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        steering = run[STEERING] - run[STEERING][0]
        last = float(steering[-1])
        if not last:
            return ()
        begin = reaches(run.time, steering / last, 0.5)
        yaw = step_figures(run.time, run[YAW_RATE], begin, self.settled)
        side = step_figures(run.time, lateral_acceleration(run), begin, self.settled)
        late = over(run, float(run.time[-1]) - self.settled, float(run.time[-1]))
        sideslip = math.degrees(float(np.mean(run[SIDESLIP][late])))
        turned, T_B = math.degrees(last), yaw.peak_time * abs(sideslip)
        return (
            Finding("steady_lateral_acceleration", side.steady, "m/s^2",
                    "steady-state lateral acceleration"),
            Finding("yaw_rate_gain", yaw.steady / last, "1/s", "steady-state yaw rate gain"),
            Finding("lateral_acceleration_gain", side.steady / turned, "(m/s^2)/deg",
                    "steady-state lateral acceleration gain"),
            Finding("steady_sideslip", sideslip, "deg", "steady-state sideslip angle"),
            *_of(yaw, "yaw_rate", "yaw rate"),
            *_of(side, "lateral_acceleration", "lateral acceleration"),
            Finding("tb_factor", T_B, "deg*s", "TB factor"),
        )  # fmt: skip

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        steering = run[STEERING] - run[STEERING][0]
        begin = reaches(run.time, steering / steering[-1], 0.5)
        shown = begin - 0.4, begin + SHOWN_AFTER_STEP
        half = 0.5 * math.degrees(float(steering[-1]))
        wheel = over_time(
            "Steering wheel", "deg", run.time, {"": np.degrees(run[STEERING])},
            [point(begin, half, "50 % steer: time zero")], within=shown,
        )  # fmt: skip
        sides = (
            ("yaw_rate", np.degrees(run[YAW_RATE]), "deg/s"),
            ("lateral_acceleration", lateral_acceleration(run), "m/s^2"),
        )
        drawn = (self._response(run, found, name, y, unit, begin) for name, y, unit in sides)
        return (wheel, *drawn, _beside(run, found, begin))

    def _response(
        self, run: Columns, found: Mapping[str, Finding], name: str, values: Column, unit: str,
        begin: float,
    ) -> Diagram:  # fmt: skip
        """Levels and times of one response."""
        ends = step_figures(run.time, values, begin, self.settled)
        shown = begin - 0.4, begin + SHOWN_AFTER_STEP
        peak_at = begin + ends.peak_time if ends.overshoot else min(shown[1], float(run.time[-1]))
        top = float(np.interp(peak_at, run.time, values))
        steady = (found[key] for key in (f"steady_{name}", f"{name}_gain") if key in found)
        marks = [
            moment(begin, 0.0, "50 % steer"),
            *(level(begin + 0.8 * SHOWN_AFTER_STEP, ends.steady, one) for one in steady),
            span(begin, begin + ends.response_time, 0.9 * ends.steady,
                 found[f"{name}_response_time"]),
            span(begin, begin + ends.peak_time, 1.08 * top, found[f"{name}_peak_time"]),
            point(peak_at, top, found[f"{name}_overshoot"]),
        ]  # fmt: skip
        title = name.replace("_", " ").capitalize()
        return over_time(title, unit, run.time, {"": values}, marks, within=shown)


def _beside(run: Columns, found: Mapping[str, Finding], begin: float) -> Diagram:
    """The sideslip angle, and the area that is the TB factor."""
    side, peak = found["steady_sideslip"].value, found["yaw_rate_peak_time"].value
    marks = [level(begin + 0.8 * SHOWN_AFTER_STEP, side, found["steady_sideslip"]),
             point(begin + peak, 0.5 * side, found["tb_factor"])]  # fmt: skip
    guides = []
    if math.isfinite(peak):
        x = begin + peak * np.array([0.0, 0.0, 1.0, 1.0, 0.0])
        label = "peak response time x steady-state sideslip"
        guides = [Trace(label, x, side * np.array([0.0, 1.0, 1.0, 0.0, 0.0]), is_guide=True)]
    slip, shown = np.degrees(run[SIDESLIP]), (begin - 0.4, begin + SHOWN_AFTER_STEP)
    return over_time("Sideslip angle", "deg", run.time, {"run": slip}, marks, guides, shown)


def _of(found: StepFigures, name: str, word: str) -> tuple[Finding, ...]:
    percent = 100.0 * found.overshoot
    return (
        Finding(f"{name}_response_time", found.response_time, "s", f"{word}: response time"),
        Finding(f"{name}_peak_time", found.peak_time, "s", f"{word}: peak response time"),
        Finding(f"{name}_overshoot", percent, "%", f"{word}: overshoot"),
    )


SHOWN_AROUND_SINE = 1.0  # s before the beginning and after the last peak, of diagrams


@dataclass(frozen=True)
class Peaks:
    """Times [s] and values of the peak in the first half of a swing and of that in the second."""

    first: tuple[float, float]
    second: tuple[float, float]

    @property
    def named(self) -> dict[str, tuple[float, float]]:
        return {"first": self.first, "second": self.second}


def peaks(time: Column, values: Column, reversal: int) -> Peaks:
    """Of values that are positive in the first half and negative in the second, whose peak follows
    the record ``reversal``; nan where there is none."""
    late = reversal + int(np.argmin(values[reversal:]))
    early = int(np.argmax(values[: late + 1]))
    return Peaks(parabola_top(time, values, early), parabola_top(time, values, late))


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

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        sign, courses, reversal = _sign(run), _courses(run), _reversal(run)
        assert reversal is not None
        wheel = peaks(run.time, courses[STEERING], reversal)
        shown = sets_in(run.time, run[STEERING]) - 0.3, wheel.second[0] + SHOWN_AROUND_SINE
        turned = [point(time, sign * math.degrees(angle), f"{word} peak")
                  for word, (time, angle) in wheel.named.items()]  # fmt: skip
        drawn = [over_time("Steering wheel", "deg", run.time, {"": np.degrees(run[STEERING])},
                           turned, within=shown)]  # fmt: skip
        for name, unit in (("yaw_rate", "deg/s"), ("lateral_acceleration", "m/s^2")):
            scale = math.degrees(1.0) if name == "yaw_rate" else 1.0
            values = scale * courses[name]
            tops = peaks(run.time, values, reversal)
            marks = [point(tops.second[0], sign * tops.second[1], found[f"{name}_gain"])]
            for word, end in tops.named.items():
                begin, lag = wheel.named[word][0], found[f"{name}_lag_{word}"]
                marks.append(span(begin, end[0], 1.08 * sign * end[1], lag))
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
    lags = {which: peak[0] - wheel.named[which][0] for which, peak in response.named.items()}
    return tuple(
        Finding(f"{name}_lag_{which}", lag, "s", f"{word}: time lag at the {which} peak")
        for which, lag in lags.items()
    )


RATIOS = ((1.0, 0.35), (1.75, 0.20))  # s after the end of steering, and the limit
DISPLACED = 1.07  # s after the beginning, when lateral displacement is measured


@dataclass(frozen=True)
class DwellStability(Metric):
    """Yaw rates after the end of steering over the peak that follows the reversal, and the
    lateral displacement 1.07 s after its beginning.

    It is stable with ratios of at most 35 % after 1 s and 20 % after 1.75 s, and responsive
    with a displacement of at least ``way``.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 6.0, 601)  # s
    >>> columns = {name: 0.0 * time for name in at.DwellStability.needs}
    >>> turned = np.where((time > 1.0) & (time < 3.0), np.sin(np.pi * (time - 1.0)), 0.0)
    >>> columns |= {"driver.steering": turned, "vehicle.yaw_rate": 0.2 * turned}  # rad, rad/s
    >>> columns["vehicle.y"] = 2.0 * np.maximum(time - 1.0, 0.0)  # m
    >>> found = at.DwellStability().findings(Trajectory("car", time, columns, {}, ()))
    >>> [round(one.value, 2) for one in found[2:]]  # lateral displacement [m]; stable, responsive
    [2.14, 1.0, 1.0]
    """

    summary: ClassVar[str] = "yaw rate ratios and lateral displacement of a sine with dwell"
    needs: ClassVar[tuple[str, ...]] = (STEERING, YAW_RATE, X, Y, HEADING)

    way: float = fixed_number("m", "lateral displacement that is required", default=1.83, lower=0.0)
    begin_angle: float = fixed_number(
        "rad", "angle of the steering wheel at which steering begins; 5 deg in FMVSS 126",
        default=0.0, lower=0.0,
    )  # fmt: skip

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """FMVSS 126, S5.2.1 to S5.2.3; the displacement is that of vehicles up to 3500 kg, above
        which 1.52 m is required."""
        ratios = (
            Criterion(f"yaw_rate_ratio_{k}", f"yaw rate {wait:g} s after the end of steering",
                      Comparison.AT_MOST, 100.0 * most, "%", f"FMVSS 126, S5.2.{k}")
            for k, (wait, most) in enumerate(RATIOS, start=1)
        )  # fmt: skip
        aside = Criterion(
            "lateral_displacement", f"lateral displacement {DISPLACED:g} s after its beginning",
            Comparison.AT_LEAST, self.way, "m", "FMVSS 126, S5.2.3",
        )  # fmt: skip
        return (*ratios, aside)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        yaw, begin = run[YAW_RATE], self._begin(run)
        if math.isnan(begin):
            return ()
        sign, end, top = _sign(run), _end(run), _peak(run)
        peak = math.nan if top is None else float(-sign * yaw[top])
        ratios = [-sign * at(run, yaw, end + wait) / peak for wait, _ in RATIOS]
        way = sign * at(run, _left(run), begin + DISPLACED)
        known = not any(math.isnan(ratio) for ratio in ratios), not math.isnan(way)
        stable = all(ratio <= most for ratio, (_, most) in zip(ratios, RATIOS, strict=True))
        judged = (
            yes_no("stable", stable, "stable: at most 35 % and 20 %"),
            yes_no("responsive", way >= self.way, f"responsive: at least {self.way:g} m"),
        )
        return (
            Finding("yaw_rate_ratio_1", 100.0 * ratios[0], "%", "yaw rate 1 s after the end"),
            Finding("yaw_rate_ratio_2", 100.0 * ratios[1], "%",
                    "yaw rate 1.75 s after the end"),
            Finding("lateral_displacement", way, "m",
                    "lateral displacement 1.07 s after the beginning"),
            *(one if is_known else replace(one, value=math.nan)
              for one, is_known in zip(judged, known, strict=True)),
        )  # fmt: skip

    def _begin(self, run: Columns) -> float:
        """The time [s] at which steering begins; nan if it never does."""
        begin = sets_in(run.time, run[STEERING])
        if math.isnan(begin) or not self.begin_angle:
            return begin
        turned = _sign(run) * (run[STEERING] - run[STEERING][0])
        return reaches(run.time, turned, self.begin_angle)

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        yaw, begin, end = np.degrees(run[YAW_RATE]), self._begin(run), _end(run)
        top = _peak(run)
        peak = math.nan if top is None else float(yaw[top])
        marks = [
            moment(begin, 0.5 * peak, "beginning of steering"),
            moment(end, -0.5 * peak, "end of steering"),
            point(float(run.time[top or 0]), peak, "peak after the reversal"),
        ]
        limits, shares = [], []
        label = f"most that is allowed: {' and '.join(f'{100.0 * most:g} %' for _, most in RATIOS)}"
        for k, (wait, most) in enumerate(RATIOS, start=1):
            then, ratio = end + wait, found[f"yaw_rate_ratio_{k}"]
            marks.append(point(then, at(run, yaw, then), ratio))
            x, y = np.array([then - 0.25, then + 0.25]), np.full(2, most * peak)
            limits.append(Trace(label if k == 1 else "", x, y, is_guide=True))  # they look alike
            shares.append(ratio.value / most)
        wait, most = RATIOS[int(np.argmax(shares))]  # the one that decides
        marks.append(point(end + wait, most * peak, found["stable"]))
        aside, then = _sign(run) * _left(run), begin + DISPLACED
        offsets = [level(then + 0.6, self.way, found["responsive"]),
                point(then, at(run, aside, then), found["lateral_displacement"])]  # fmt: skip
        shown = begin - 0.3, end + 2.3
        return (
            over_time("Yaw rate", "deg/s", run.time, {"run": yaw}, marks, limits, shown),
            over_time("Lateral displacement", "m", run.time, {"": aside}, offsets,
                      within=(begin - 0.3, then + 0.8)),
        )  # fmt: skip


def _end(run: Columns) -> float:
    """The time [s] from which on the steering wheel is straight again."""
    least = 1e-9 * float(np.max(np.abs(run[STEERING])))
    turned = np.flatnonzero(np.abs(run[STEERING]) > least)
    return float(run.time[min(int(turned[-1]) + 1, len(run.time) - 1)])


def _peak(run: Columns) -> int | None:
    """The record of the greatest yaw rate after the reversal; None if there is no reversal."""
    after = _reversal(run)
    return None if after is None else after + int(np.argmax(-_sign(run) * run[YAW_RATE][after:]))


def _left(run: Columns) -> Column:
    """Displacement [m] to the left of the initial heading."""
    c, s = math.cos(run[HEADING][0]), math.sin(run[HEADING][0])
    return np.asarray(c * (run[Y] - run[Y][0]) - s * (run[X] - run[X][0]))
