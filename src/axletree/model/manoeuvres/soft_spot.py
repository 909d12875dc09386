"""A drive over a soft stretch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from axletree.library.part import part
from axletree.library.soils.contract import SoilLaw
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, forward_state
from axletree.model.manoeuvres.diagram import Diagram, by_name, moment, over_time, point
from axletree.model.manoeuvres.findings import STILL, Columns, Finding, first_record_for_good
from axletree.model.manoeuvres.told_outputs import told_outputs


@dataclass(frozen=True, kw_only=True)
class SoftSpot(Manoeuvre):
    """At a speed, with the drive that keeps it on firm ground, onto soft ground and off again.

    Where the ground is soft is in the model: a law of type border under its wheels. With a
    ``ground`` it is under those of a vehicle that is read with the manoeuvre's ``changes``.

    Example:
    >>> import axletree as at
    >>> spot = at.Border(at.WismerLuth("2 MPa"), at.WismerLuth("300 kPa"), x=10.0)  # m
    >>> drive = at.SoftSpot(speed="2 m/s", forward="chassis.vx", ground=spot)
    >>> drive.changes["vehicle"]["soil"]["law"].ahead.cone_index  # Pa
    300000.0
    """

    summary: ClassVar[str] = "from firm ground over soft ground with constant drive"

    forward: str = forward_state()
    sinkages: tuple[str, ...] = told_outputs("m", "sinkages, of which the greatest is told")

    ground: SoilLaw | None = part(
        "SOIL_LAWS", "law under the wheels of a vehicle; left out: that of the model", default=None
    )

    def own_signals(self) -> dict[str, Signal]:
        return {}

    @property
    def changes(self) -> dict[str, Any]:
        changed = super().changes
        if self.ground is None:
            return changed
        return {"vehicle": {**changed.get("vehicle", {}), "soil": {"law": self.ground}}}

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

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, speed = by_name(self.own_findings(run)), run[self.forward]
        low, stuck = int(np.argmin(speed)), found["immobile"]
        marks = [point(float(run.time[low]), float(speed[low]), found["least_speed"]),
                 point(float(run.time[-1]), float(speed[-1]), found["speed_at_end"]),
                 moment(stuck.value, 0.5 * float(speed.max()), stuck)]  # fmt: skip
        drawn = [over_time("Forward speed", "m/s", run.time, {"": speed}, marks)]
        if self.sinkages:
            depths = {name.partition(".")[0].replace("_", " "): run[name] for name in self.sinkages}
            deepest = max(depths.values(), key=np.max)
            top = int(np.argmax(deepest))
            there = point(float(run.time[top]), float(deepest[top]), found["sinkage"])
            drawn.append(over_time("Sinkage", "m", run.time, depths, [there]))
        return tuple(drawn)
