"""How much the loads of tyres vary, and how far suspensions travel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import fixed_number
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.metric import Metric
from axletree.model.manoeuvres.told_outputs import told_outputs


@dataclass(frozen=True)
class WheelLoads(Metric):
    """The dynamic load coefficient of a tyre is the standard deviation of its load over its mean
    (Cebon 1999, "Handbook of Vehicle-Road Interaction", chapter 8)."""

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
