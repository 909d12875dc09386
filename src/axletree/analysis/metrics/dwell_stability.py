"""Sine with dwell: lateral stability and responsiveness by FMVSS 126."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.vehicle_signals import HEADING, STEERING, YAW_RATE, X, Y, at, sets_in
from axletree.components.fields import fixed_number
from axletree.model.findings import (
    Column,
    Columns,
    Diagram,
    Finding,
    Trace,
    by_name,
    level,
    moment,
    over_time,
    point,
    yes_no,
)
from axletree.model.metric import Metric

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

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        steering, yaw = run[STEERING], run[YAW_RATE]
        begin = sets_in(run.time, steering)
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

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        if not found:
            return ()
        yaw, begin, end = np.degrees(run[YAW_RATE]), sets_in(run.time, run[STEERING]), _end(run)
        top = _peak(run)
        peak = math.nan if top is None else float(yaw[top])
        marks = [
            moment(begin, 0.5 * peak, "beginning of steering"),
            moment(end, -0.5 * peak, "end of steering"),
            point(float(run.time[top or 0]), peak, "peak after the reversal"),
        ]
        limits, named = [], " and ".join(f"{100.0 * most:g} %" for _, most in RATIOS)
        for k, (wait, most) in enumerate(RATIOS, start=1):
            then = end + wait
            marks.append(point(then, at(run, yaw, then), found[f"yaw_rate_ratio_{k}"]))
            label = f"most that is allowed: {named}" if k == 1 else ""  # they look alike
            limits.append(Trace(label,
                                np.array([then - 0.25, then + 0.25]), np.full(2, most * peak),
                                is_guide=True))  # fmt: skip
        shares = [
            found[f"yaw_rate_ratio_{k}"].value / most for k, (_, most) in enumerate(RATIOS, 1)
        ]
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


def _sign(run: Columns) -> float:
    """Of the first turn of the steering wheel."""
    steering = run[STEERING]
    return float(np.sign(steering[np.flatnonzero(steering != steering[0])[0]]))


def _end(run: Columns) -> float:
    """The time [s] from which on the steering wheel is straight again."""
    turned = np.flatnonzero(np.abs(run[STEERING]) > _least(run))
    return float(run.time[min(int(turned[-1]) + 1, len(run.time) - 1)])


def _peak(run: Columns) -> int | None:
    """The record of the greatest yaw rate after the reversal; None if there is no reversal."""
    after = np.flatnonzero(_sign(run) * run[STEERING] < -_least(run))
    if not after.size:
        return None
    return int(after[0]) + int(np.argmax(-_sign(run) * run[YAW_RATE][after[0] :]))


def _least(run: Columns) -> float:
    """Of the steering wheel [rad], that is not straight."""
    return 1e-9 * float(np.max(np.abs(run[STEERING])))


def _left(run: Columns) -> Column:
    """Displacement [m] to the left of the initial heading."""
    c, s = math.cos(run[HEADING][0]), math.sin(run[HEADING][0])
    return np.asarray(c * (run[Y] - run[Y][0]) - s * (run[X] - run[X][0]))
