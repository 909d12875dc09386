"""A drive over a soft stretch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.model.manoeuvres.contract import Manoeuvre, Signal, forward_state
from axletree.model.manoeuvres.findings import STILL, Columns, Finding, first_record_for_good
from axletree.model.manoeuvres.told_outputs import told_outputs


@dataclass(frozen=True, kw_only=True)
class SoftSpot(Manoeuvre):
    """At a speed, with the drive that keeps it on firm ground, onto soft ground and off again.

    Where the ground is soft is in the model: a law of type border under its wheels.
    """

    summary: ClassVar[str] = "from firm ground over soft ground with constant drive"

    forward: str = forward_state()
    sinkages: tuple[str, ...] = told_outputs("m", "sinkages, of which the greatest is told")

    def own_signals(self) -> dict[str, Signal]:
        return {}

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        speed = run[self.forward]
        stuck = first_record_for_good(speed < STILL)
        at = math.nan if stuck is None else float(run.time[stuck])
        found = [
            Finding("least_speed", float(np.min(speed)), "m/s", "lowest speed"),
            Finding("speed_at_end", float(speed[-1]), "m/s", "speed at the end"),
            Finding("immobile", at, "s", "time from which on it does not advance"),
        ]
        if self.sinkages:
            deepest = max(float(np.max(run[name])) for name in self.sinkages)
            found.append(Finding("sinkage", deepest, "m", "greatest sinkage"))
        return tuple(found)
