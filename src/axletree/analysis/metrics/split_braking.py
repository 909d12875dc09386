"""What braking does where one side is slippery, after ISO 14512."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.low_side import (
    edge_of_low_side,
    leaves_low_side,
    low_side_problems,
    low_side_wheels,
)
from axletree.analysis.metrics.vehicle_signals import (
    BRAKE,
    FORWARD_SPEED,
    HEADING,
    LATERAL_SPEED,
    YAW_RATE,
    X,
    Y,
    at,
    mean_slope,
    over,
    sets_in,
)
from axletree.library.fields import fixed_number
from axletree.library.grid import Rows
from axletree.model.manoeuvres.diagram import Diagram, by_name, moment, over_time, point, span
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.metric import Metric


@dataclass(frozen=True)
class SplitBraking(Metric):
    """Over a time from the beginning of braking on, with the steering wheel held.

    Ways to the side count from the line along which it went when braking began, and are positive
    to the left, as yaw is. With wheels on a ``low_side`` it tells when the first of them leaves it.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 3.0, 3001)  # s
    >>> columns = {name: 0.0 * time for name in at.SplitBraking.needs}
    >>> columns["driver.brake"] = np.where(time > 1.0, 1.0, 0.0)
    >>> columns["vehicle.forward_speed"] = np.clip(20.0 - 5.0 * (time - 1.0), 0.0, 20.0)  # m/s
    >>> columns["vehicle.y"] = 0.4 * np.maximum(time - 1.0, 0.0) ** 2  # m
    >>> found = at.SplitBraking().findings(Trajectory("car", time, columns, {}, ()))
    >>> [f"{one.value:.2f} {one.unit}" for one in (found[0], found[-1])]
    ['5.00 m/s^2', '0.40 m']
    """

    summary: ClassVar[str] = "deceleration, yaw and way to the side of braking on split friction"
    needs: ClassVar[tuple[str, ...]] = (
        BRAKE, FORWARD_SPEED, LATERAL_SPEED, YAW_RATE, HEADING, X, Y,
    )  # fmt: skip

    after: float = fixed_number("s", "time after the beginning of braking", default=1.0, lower=0.0,
                                above=True)  # fmt: skip

    low_side: Rows | None = low_side_wheels()
    edge: float = edge_of_low_side()

    def problems(self) -> list[str]:
        return low_side_problems(self.low_side)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        begin = sets_in(run.time, run[BRAKE])
        if math.isnan(begin):
            return ()
        end, meanwhile = begin + self.after, over(run, begin, begin + self.after)
        speed = np.hypot(run[FORWARD_SPEED], run[LATERAL_SPEED])
        lost = (at(run, speed, begin) - at(run, speed, end)) / self.after
        yaw = run[YAW_RATE]
        peak = float(yaw[meanwhile][np.argmax(np.abs(yaw[meanwhile]))])
        heading = np.unwrap(run[HEADING])
        c, s = math.cos(at(run, heading, begin)), math.sin(at(run, heading, begin))
        aside = c * run[Y] - s * run[X]
        word = f"within {self.after:g} s"
        return (
            Finding("mean_deceleration", lost, "m/s^2", f"mean deceleration {word}"),
            Finding("yaw_rate", math.degrees(at(run, yaw, end)), "deg/s",
                    f"yaw rate after {self.after:g} s"),
            Finding("greatest_yaw_rate", math.degrees(peak), "deg/s", f"greatest yaw rate {word}"),
            Finding("turn", math.degrees(at(run, heading, end) - at(run, heading, begin)), "deg",
                    f"change of the heading {word}"),
            Finding("path_deviation", at(run, aside, end) - at(run, aside, begin), "m",
                    f"way to the side {word}"),
            *self._leaves(run, begin),
        )  # fmt: skip

    def _leaves(self, run: Columns, begin: float) -> tuple[Finding, ...]:
        if self.low_side is None:
            return ()
        left = leaves_low_side(run, self.low_side, self.edge) - begin
        text = "time from braking until a wheel leaves the low side"
        return (Finding("time_on_low_side", left, "s", text),)

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        if not found:
            return ()
        begin = sets_in(run.time, run[BRAKE])
        end, shown = begin + self.after, (begin - 0.3, begin + 1.5 * self.after)
        speed = np.hypot(run[FORWARD_SPEED], run[LATERAL_SPEED])
        chord = mean_slope(run, speed, begin, end, "mean")
        lost = [point(chord.x[1], chord.y[1], found["mean_deceleration"])]
        meanwhile = np.flatnonzero(over(run, begin, end))
        yaw, heading = np.degrees(run[YAW_RATE]), np.unwrap(run[HEADING])
        turned = heading - at(run, heading, begin)
        c, s = math.cos(at(run, heading, begin)), math.sin(at(run, heading, begin))
        aside = c * run[Y] - s * run[X]
        aside = aside - at(run, aside, begin)
        turned = np.degrees(turned)
        top = meanwhile[int(np.argmax(np.abs(yaw[meanwhile])))]
        yaws = [
            moment(begin, 0.0, "braking begins"),
            point(end, at(run, yaw, end), found["yaw_rate"]),
            point(float(run.time[top]), float(yaw[top]), found["greatest_yaw_rate"]),
        ]
        turns = [point(end, at(run, turned, end), found["turn"])]
        ways, way_shown = [point(end, at(run, aside, end), found["path_deviation"])], shown
        if "time_on_low_side" in found:
            left = begin + found["time_on_low_side"].value
            ways.append(span(begin, left, at(run, aside, left), found["time_on_low_side"]))
            way_shown = shown[0], max(shown[1], left)
        return (
            over_time("Speed", "m/s", run.time, {"run": speed}, lost, [chord], shown),
            over_time("Yaw rate", "deg/s", run.time, {"": yaw}, yaws, within=shown),
            over_time("Change of the heading", "deg", run.time, {"": turned}, turns, within=shown),
            over_time("Way to the side", "m", run.time, {"": aside}, ways, within=way_shown),
        )
