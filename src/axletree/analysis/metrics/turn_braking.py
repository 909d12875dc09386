"""What braking does to a turn, after ISO 7975."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.vehicle_signals import (
    BRAKE,
    FORWARD_SPEED,
    SIDESLIP,
    YAW_RATE,
    at,
    mean_slope,
    over,
    sets_in,
)
from axletree.library.fields import fixed_number
from axletree.model.manoeuvres.diagram import (
    Diagram,
    Trace,
    by_name,
    moment,
    over_time,
    point,
    span,
)
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.metric import Metric

BEFORE = 0.5  # s before braking, over which the turn is steady
SLOWEST = 0.25  # of the first speed; below it sideslip says little
WIDEST = 1.5  # of the first radius, up to which radii are drawn


@dataclass(frozen=True)
class TurnBraking(Metric):
    """At a time after the beginning of braking, against a turn of the first radius at that speed.

    A ratio of yaw rates above 1 turns in, below 1 it runs wide.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 4.0, 4001)  # s
    >>> columns = {name: 0.0 * time for name in at.TurnBraking.needs}
    >>> columns["driver.brake"] = np.where(time > 2.0, 1.0, 0.0)
    >>> columns["vehicle.forward_speed"] = np.clip(20.0 - 5.0 * (time - 2.0), 0.0, 20.0)  # m/s
    >>> columns["vehicle.yaw_rate"] = columns["vehicle.forward_speed"] / 100.0  # stays on a circle
    >>> found = at.TurnBraking().findings(Trajectory("car", time, columns, {}, ()))
    >>> [f"{one.value:.2f} {one.unit}" for one in found[:4]]
    ['4.00 m/s^2', '100.00 m', '5.00 m/s^2', '1.00 1']
    """

    summary: ClassVar[str] = "yaw rate and sideslip after braking in a turn"
    needs: ClassVar[tuple[str, ...]] = (BRAKE, FORWARD_SPEED, YAW_RATE, SIDESLIP)

    after: float = fixed_number("s", "time after the beginning of braking", default=1.0, lower=0.0,
                                above=True)  # fmt: skip

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        begin = sets_in(run.time, run[BRAKE])
        if math.isnan(begin):
            return ()
        steady = over(run, begin - BEFORE, begin)
        speed, yaw, slip = run[FORWARD_SPEED], run[YAW_RATE], run[SIDESLIP]
        v, r, beta = (float(np.mean(values[steady])) for values in (speed, yaw, slip))
        if not r:
            return ()
        then = at(run, speed, begin + self.after)
        ratio = at(run, yaw, begin + self.after) * v / (r * then) if then else math.nan
        braked = (run.time >= begin) & (speed > SLOWEST * v)
        change = float(np.max(np.abs(slip[braked] - beta)))
        lost = (at(run, speed, begin) - then) / self.after
        return (
            Finding("first_lateral_acceleration", r * v, "m/s^2",
                    "lateral acceleration of the turn"),
            Finding("first_radius", v / r, "m", "radius of the turn"),
            Finding("mean_deceleration", lost, "m/s^2",
                    f"mean deceleration over the first {self.after:g} s"),
            Finding("yaw_rate_ratio", ratio, "1",
                    f"yaw rate after {self.after:g} s over that of the first radius"),
            Finding("sideslip_change", math.degrees(change), "deg",
                    "greatest change of the sideslip angle"),
        )  # fmt: skip

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        if not found:
            return ()
        begin = sets_in(run.time, run[BRAKE])
        steady, then = over(run, begin - BEFORE, begin), begin + self.after
        speed, yaw, slip = run[FORWARD_SPEED], np.degrees(run[YAW_RATE]), np.degrees(run[SIDESLIP])
        v, r, beta = (float(np.mean(values[steady])) for values in (speed, yaw, slip))
        braked = (run.time >= begin) & (speed > SLOWEST * v)
        change = slip - beta
        most = int(np.argmax(np.where(braked, np.abs(change), -1.0)))
        still = Trace("turn of the first radius", run.time, r * speed / v, is_guide=True)
        marks = [moment(begin, 0.3 * r, "braking begins"),
                 point(then, at(run, yaw, then), found["yaw_rate_ratio"])]  # fmt: skip
        chord = mean_slope(run, speed, begin, then, "mean")
        lost = [point(chord.x[1], chord.y[1], found["mean_deceleration"])]
        slips = [point(float(run.time[most]), float(change[most]), found["sideslip_change"])]
        return (
            *_first_turn(run, found, begin),
            over_time("Yaw rate", "deg/s", run.time, {"run": yaw}, marks, [still]),
            over_time(
                "Forward speed",
                "m/s",
                run.time,
                {"run": speed},
                lost,
                [chord],
                (begin - self.after, then + self.after),
            ),
            over_time(
                "Change of the sideslip angle",
                "deg",
                run.time,
                {"": change},
                slips,
                within=(-math.inf, float(run.time[braked][-1])),
            ),
        )


def _first_turn(run: Columns, found: dict[str, Finding], begin: float) -> tuple[Diagram, Diagram]:
    """Lateral acceleration and radius of the motion, until its speed is small."""
    speed, yaw = run[FORWARD_SPEED], run[YAW_RATE]
    side, radius = found["first_lateral_acceleration"], found["first_radius"]
    turns = (np.abs(yaw) * WIDEST * abs(radius.value) > speed) & (speed > SLOWEST * speed[0])
    straight = np.cumsum(~turns)  # records without a radius that is told, so far
    kept = turns & (straight == straight[run.time <= begin][-1])
    sides = [span(begin - BEFORE, begin, side.value, side), moment(begin, 0.0, "braking begins")]
    radii = [span(begin - BEFORE, begin, radius.value, radius)]
    return (
        over_time("Yaw rate times speed", "m/s^2", run.time, {"": yaw * speed}, sides),
        over_time("Speed over yaw rate", "m", run.time[kept], {"": speed[kept] / yaw[kept]}, radii),
    )
