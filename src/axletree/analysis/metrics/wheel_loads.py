"""How much the loads of tyres vary, and how far suspensions travel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import fixed_number
from axletree.model.manoeuvres.diagram import Diagram, Trace, by_name, over_time, point
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.metric import Metric
from axletree.model.manoeuvres.told_outputs import told_outputs


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

    summary: ClassVar[str] = "dynamic load coefficients of tyres, and travel of suspensions"

    loads: tuple[str, ...] = told_outputs("N", "vertical loads of the tyres")
    travels: tuple[str, ...] = told_outputs("m", "travels of the suspensions")
    begin: float = fixed_number("s", "time from which on records count", default=0.0, lower=0.0)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        late = run.time >= self.begin
        told = bool(late.any())
        found = []
        for name in self.loads:
            load, tyre = run[name][late], name.partition(".")[0]
            mean = float(np.mean(load)) if told else 0.0
            share = 100.0 * float(np.std(load)) / mean if mean else math.nan
            least = 100.0 * float(np.min(load)) / mean if mean else math.nan
            said = tyre.replace("_", " ")
            found += [
                Finding(
                    f"{tyre}_load_coefficient", share, "%", f"{said}: dynamic load coefficient"
                ),
                Finding(f"{tyre}_least_load", least, "%", f"{said}: least load over the mean"),
            ]
        if self.travels:
            ranges = [float(np.ptp(run[name][late])) for name in self.travels if told]
            swing = max(ranges, default=math.nan)
            found.append(
                Finding("suspension_travel", 1e3 * swing, "mm", "greatest range of suspensions")
            )
        return tuple(found)

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, late = by_name(self.findings(run)), run.time >= self.begin
        if not found or not late.any():
            return ()
        time, drawn = run.time[late], []
        for name in self.loads:
            load, tyre = 1e-3 * run[name][late], name.partition(".")[0]
            mean, spread, low = float(np.mean(load)), float(np.std(load)), int(np.argmin(load))
            sides = (("mean, and standard deviation", 0.0), ("", 1.0), ("", -1.0))
            band = [
                Trace(label, time[[0, -1]], np.full(2, mean + side * spread), is_guide=True)
                for label, side in sides
            ]
            share = point(float(time[3 * len(time) // 4]), mean + spread,
                          found[f"{tyre}_load_coefficient"])  # fmt: skip
            least = point(float(time[low]), float(load[low]), found[f"{tyre}_least_load"])
            title = tyre.replace("_", " ").capitalize()
            drawn.append(over_time(title, "kN", time, {"load": load}, [share, least], band))
        if self.travels:
            ways = {
                name.partition(".")[0].replace("_", " "): 1e3 * run[name][late]
                for name in self.travels
            }
            most = max(ways.values(), key=np.ptp)
            high, low = int(np.argmax(most)), int(np.argmin(most))
            marks = [point(float(time[high]), float(most[high]), found["suspension_travel"]),
                     point(float(time[low]), float(most[low]), "its other end")]  # fmt: skip
            drawn.append(over_time("Travel of suspensions", "mm", time, ways, marks))
        return tuple(drawn)
