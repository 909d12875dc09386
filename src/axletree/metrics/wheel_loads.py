"""Variation of tyre loads, suspension travel, and load transfer up to wheel lift."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import fixed_number
from axletree.metrics.contract import Metric, model_names, output_names
from axletree.metrics.findings import (
    Column,
    Columns,
    Diagram,
    Finding,
    Mark,
    Trace,
    first_record,
    level,
    over_time,
    peak_point,
    point,
    point_at,
)


@dataclass(frozen=True)
class WheelLoads(Metric):
    """The dynamic load coefficient of a tyre is the standard deviation of its load over its mean
    (Cebon 1999, "Handbook of Vehicle-Road Interaction", chapter 8).

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> loads = {"front_tyre.Fz": np.array([3e3, 5e3])}  # N
    >>> metric = at.WheelLoads(loads=["front_tyre.Fz"])
    >>> found = metric.findings(Trajectory("car", np.array([0.0, 1.0]), loads, {}, ()))
    >>> [one.in_words for one in found]  # 1000 and 3000 over 4000 N
    ['25 %', '75 %']
    """

    summary: ClassVar[str] = "dynamic load coefficients of tyres, and suspension travel"

    loads: tuple[str, ...] = output_names("N", "vertical loads of the tyres")
    travels: tuple[str, ...] = output_names("m", "travels of the suspensions")
    begin: float = fixed_number("s", "time from which on records count", default=0.0, lower=0.0)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        late = run.time >= self.begin
        measured = bool(late.any())
        found = []
        for name in self.loads:
            load, tyre = run[name][late], name.partition(".")[0]
            mean = float(np.mean(load)) if measured else 0.0
            share = 100.0 * float(np.std(load)) / mean if mean else math.nan
            least = 100.0 * float(np.min(load)) / mean if mean else math.nan
            said = tyre.replace("_", " ")
            found += [
                Finding(f"{tyre}_load_coefficient", share, "%",
                        f"{said}: dynamic load coefficient"),
                Finding(f"{tyre}_minimum_load", least, "%", f"{said}: minimum load over the mean"),
            ]  # fmt: skip
        if self.travels:
            ranges = [float(np.ptp(run[name][late])) for name in self.travels if measured]
            swing, said = max(ranges, default=math.nan), "maximum suspension travel, peak to peak"
            found.append(Finding("suspension_travel", 1e3 * swing, "mm", said))
        return tuple(found)

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        late = run.time >= self.begin
        if not late.any():
            return ()
        time, drawn = run.time[late], []
        for name in self.loads:
            load, tyre = 1e-3 * run[name][late], name.partition(".")[0]
            mean, spread = float(np.mean(load)), float(np.std(load))
            sides = (("mean and standard deviation", 0.0), ("", 1.0), ("", -1.0))
            band = [
                Trace(label, time[[0, -1]], np.full(2, mean + side * spread), is_guide=True)
                for label, side in sides
            ]
            share = point(float(time[3 * len(time) // 4]), mean + spread,
                          found[f"{tyre}_load_coefficient"])  # fmt: skip
            least = point_at(time, load, int(np.argmin(load)), found[f"{tyre}_minimum_load"])
            title = tyre.replace("_", " ").capitalize()
            drawn.append(over_time(title, "kN", time, {"load": load}, [share, least], band))
        if self.travels:
            travels = {
                name.partition(".")[0].replace("_", " "): 1e3 * run[name][late]
                for name in self.travels
            }
            most = max(travels.values(), key=np.ptp)
            marks = [point_at(time, most, int(np.argmax(most)), found["suspension_travel"]),
                     point_at(time, most, int(np.argmin(most)), "opposite end")]  # fmt: skip
            drawn.append(over_time("Suspension travel", "mm", time, travels, marks))
        return tuple(drawn)


_SIDES = ("left", "right")


@dataclass(frozen=True)
class Rollover(Metric):
    """By the loads of the wheels of axles that roll together.

    The load transfer ratio is |sum of (left - right)| / sum of (left + right); at 1 all wheels of a
    side are off the ground.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> left, right = np.array([4e3, 1e3]), np.array([4e3, 7e3])  # N
    >>> loads = {"rear_left_tyre.Fz": left, "rear_right_tyre.Fz": right}
    >>> run = Trajectory("car", np.array([0.0, 1.0]), loads, {}, ())
    >>> [one.in_words for one in at.Rollover(axles=["rear"]).findings(run)]  # 6000 / 8000, 1/4, 0
    ['0.75', '25 %', '0']
    """

    summary: ClassVar[str] = "load transfer ratio and wheel lift"

    axles: tuple[str, ...] = model_names("axles by their names in the model")

    @property
    def reads(self) -> tuple[str, ...]:
        return tuple(f"{axle}_{side}_tyre.Fz" for axle in self.axles for side in _SIDES)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        loads = np.array([run[name] for name in self.reads])
        moved = _moved(loads)
        standing = np.maximum(loads[:, :1], np.finfo(float).tiny)
        least = float(np.min(loads / standing))
        lifted = int(np.sum(np.any(loads <= 0.0, axis=1)))
        return (
            Finding("load_transfer_ratio", float(np.max(moved)), "1",
                    "maximum load transfer ratio"),
            Finding("minimum_wheel_load", 100.0 * least, "%",
                    "minimum wheel load over its initial value"),
            Finding("wheels_lifted", float(lifted), "1", "number of lifted wheels"),
        )  # fmt: skip

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        loads = np.array([run[name] for name in self.reads])
        moved = _moved(loads)
        share = 100.0 * loads / np.maximum(loads[:, :1], np.finfo(float).tiny)
        wheel, least = np.unravel_index(int(np.argmin(share)), share.shape)
        names = [name.removesuffix("_tyre.Fz").replace("_", " ") for name in self.reads]
        marks = [peak_point(run.time, moved, found["load_transfer_ratio"])]
        if marks[0].y > 0.5:
            marks.append(level(0.7 * float(run.time[-1]), 1.0, "one side off the ground"))
        low = point_at(run.time, share[wheel], int(least), found["minimum_wheel_load"])
        off = level(0.3 * float(run.time[-1]), 0.0, found["wheels_lifted"])
        courses = dict(zip(names, share, strict=True))
        lifts = [low, off, *_lifts(run.time, courses)]
        return (
            over_time("Load transfer ratio", "1", run.time, {"": moved}, marks),
            over_time("Wheel loads over their initial values", "%", run.time, courses, lifts),
        )


def _lifts(time: Column, courses: dict[str, Column]) -> list[Mark]:
    """Where each wheel first leaves the ground."""
    first = {name: first_record(course <= 0.0) for name, course in courses.items()}
    lifted = {name: k for name, k in first.items() if k is not None}
    return [point_at(time, courses[name], k, f"{name} lifts") for name, k in lifted.items()]


def _moved(loads: Column) -> Column:
    """The load transfer ratio [1]."""
    left, right = loads[::2], loads[1::2]
    difference, total = (left - right).sum(axis=0), (left + right).sum(axis=0)
    return np.asarray(np.abs(difference) / np.maximum(total, np.finfo(float).tiny))
