"""How a vehicle follows a step of its steering wheel, after ISO 7401."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.vehicle_signals import (
    LATERAL,
    SIDESLIP,
    STEERING,
    YAW_RATE,
    lateral_acceleration,
    over,
    reaches,
)
from axletree.library.fields import fixed_number
from axletree.model.manoeuvres.diagram import (
    Diagram,
    Trace,
    by_name,
    level,
    moment,
    over_time,
    point,
    span,
)
from axletree.model.manoeuvres.findings import Column, Columns, Finding
from axletree.model.manoeuvres.metric import Metric

SHOWN = 2.5  # s after the beginning, of diagrams


@dataclass(frozen=True)
class Response:
    """Of one quantity to a step; times [s] are from the middle of the step."""

    steady: float  # in the unit of the quantity
    response_time: float  # to 90 % of the steady value
    peak_time: float  # to the greatest value; nan without overshoot
    overshoot: float  # of the greatest value over the steady one, of 1


def response(time: Column, values: Column, begin: float, settled: float) -> Response:
    """Of values that begin at 0; steady is their mean over the last time ``settled`` [s]."""
    late = time >= time[-1] - settled
    steady = float(np.mean(values[late]))
    if not steady:
        return Response(0.0, math.nan, math.nan, math.nan)
    share = values / steady
    top = int(np.argmax(share))
    peaks = share[top] > 1.0 and not late[top]
    peak_time = _summit(time, share, top) - begin if peaks else math.nan
    overshoot = float(share[top]) - 1.0 if peaks else 0.0
    return Response(steady, reaches(time, share, 0.9) - begin, peak_time, overshoot)


def _summit(time: Column, values: Column, k: int) -> float:
    """The time of the parabola's top through the greatest value and its neighbours."""
    if not 0 < k < len(values) - 1:
        return float(time[k])
    a, b, c = values[k - 1 : k + 2]
    bend = float(a - 2.0 * b + c)
    shift = 0.5 * float(a - c) / bend if bend else 0.0
    return float(time[k] + shift * 0.5 * (time[k + 1] - time[k - 1]))


@dataclass(frozen=True)
class StepResponse(Metric):
    """Gains, times and overshoot of yaw rate and lateral acceleration, and the TB factor.

    Times begin when the steering wheel has made half of its way. The TB factor is the peak response
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

    settled: float = fixed_number("s", "time at the end that is steady", default=1.0, lower=0.0)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        steering = run[STEERING] - run[STEERING][0]
        last = float(steering[-1])
        if not last:
            return ()
        begin = reaches(run.time, steering / last, 0.5)
        yaw = response(run.time, run[YAW_RATE], begin, self.settled)
        side = response(run.time, lateral_acceleration(run), begin, self.settled)
        late = over(run, float(run.time[-1]) - self.settled, float(run.time[-1]))
        sideslip = math.degrees(float(np.mean(run[SIDESLIP][late])))
        turned, T_B = math.degrees(last), yaw.peak_time * abs(sideslip)
        return (
            Finding("steady_lateral_acceleration", side.steady, "m/s^2",
                    "steady lateral acceleration"),
            Finding("yaw_rate_gain", yaw.steady / last, "1/s", "steady yaw rate gain"),
            Finding("lateral_acceleration_gain", side.steady / turned, "(m/s^2)/deg",
                    "steady lateral acceleration gain"),
            Finding("steady_sideslip", sideslip, "deg", "steady sideslip angle"),
            *_of(yaw, "yaw_rate", "yaw rate"),
            *_of(side, "lateral_acceleration", "lateral acceleration"),
            Finding("tb_factor", T_B, "deg*s", "TB factor"),
        )  # fmt: skip

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        if not found:
            return ()
        steering = run[STEERING] - run[STEERING][0]
        begin = reaches(run.time, steering / steering[-1], 0.5)
        shown = begin - 0.4, begin + SHOWN
        half = 0.5 * math.degrees(float(steering[-1]))
        wheel = over_time(
            "Steering wheel", "deg", run.time, {"": np.degrees(run[STEERING])},
            [point(begin, half, "half of the way: times begin")], within=shown,
        )  # fmt: skip
        sides = (
            ("yaw_rate", np.degrees(run[YAW_RATE]), "deg/s"),
            ("lateral_acceleration", lateral_acceleration(run), "m/s^2"),
        )
        drawn = [self._drawn(run, found, name, values, unit, begin) for name, values, unit in sides]
        return (wheel, *drawn, _beside(run, found, begin))

    def _drawn(
        self, run: Columns, found: dict[str, Finding], name: str, values: Column, unit: str,
        begin: float,
    ) -> Diagram:  # fmt: skip
        """Levels and times of one response."""
        ends = response(run.time, values, begin, self.settled)
        shown = begin - 0.4, begin + SHOWN
        summit = begin + ends.peak_time if ends.overshoot else min(shown[1], float(run.time[-1]))
        top = float(np.interp(summit, run.time, values))
        steady = (found[key] for key in (f"steady_{name}", f"{name}_gain") if key in found)
        marks = [
            moment(begin, 0.0, "half of the steering way"),
            *(level(begin + 0.8 * SHOWN, ends.steady, one) for one in steady),
            span(begin, begin + ends.response_time, 0.9 * ends.steady,
                 found[f"{name}_response_time"]),
            span(begin, begin + ends.peak_time, 1.08 * top, found[f"{name}_peak_time"]),
            point(summit, top, found[f"{name}_overshoot"]),
        ]  # fmt: skip
        title = name.replace("_", " ").capitalize()
        return over_time(title, unit, run.time, {"": values}, marks, within=shown)


def _beside(run: Columns, found: dict[str, Finding], begin: float) -> Diagram:
    """The sideslip angle, and the area that is the TB factor."""
    side, peak = found["steady_sideslip"].value, found["yaw_rate_peak_time"].value
    marks = [level(begin + 0.8 * SHOWN, side, found["steady_sideslip"]),
             point(begin + peak, 0.5 * side, found["tb_factor"])]  # fmt: skip
    guides = []
    if math.isfinite(peak):
        x = begin + peak * np.array([0.0, 0.0, 1.0, 1.0, 0.0])
        label = "peak response time by steady angle"
        guides = [Trace(label, x, side * np.array([0.0, 1.0, 1.0, 0.0, 0.0]), is_guide=True)]
    slip, shown = np.degrees(run[SIDESLIP]), (begin - 0.4, begin + SHOWN)
    return over_time("Sideslip angle", "deg", run.time, {"run": slip}, marks, guides, shown)


def _of(found: Response, name: str, word: str) -> tuple[Finding, ...]:
    percent = 100.0 * found.overshoot
    return (
        Finding(f"{name}_response_time", found.response_time, "s", f"{word}: response time"),
        Finding(f"{name}_peak_time", found.peak_time, "s", f"{word}: peak response time"),
        Finding(f"{name}_overshoot", percent, "%", f"{word}: overshoot"),
    )
