"""A stop on a slope."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.core.expr import Table
from axletree.library.fields import parameter
from axletree.model.manoeuvres.braked import Braked
from axletree.model.manoeuvres.contract import Signal, forward_state
from axletree.model.manoeuvres.diagram import Diagram, by_name, moment, over_time, point
from axletree.model.manoeuvres.findings import (
    STILL,
    Columns,
    Finding,
    first_record_for_good,
    way_of,
)
from axletree.model.manoeuvres.ramped import ramped


@dataclass(frozen=True, kw_only=True)
class SlopeStop(Braked):
    """At a speed until brakes come in a straight line, and stay on; the drive fades meanwhile.

    Brakes are those of friction, by inputs that are torques or pedals: they hold and never drive.

    Example:
    >>> import axletree as at
    >>> stop = at.SlopeStop(speed=5.0, forward="chassis.vx", pedals=["driver.brake"], slope=0.1)
    >>> float(stop.signals["driver.brake"].evaluate(stop.begin + stop.rise))  # of the pedal's way
    1.0
    """

    summary: ClassVar[str] = "brakes to a standstill, and stays"

    forward: str = forward_state()
    begin: float = parameter("s", "time at which it begins to brake", default=1.0, lower=0.0)
    rise: float = parameter("s", "time to the full torque", default=0.5, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=70.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        return self.pressed(lambda level: ramped(self.begin, self.rise, 0.0, level))

    def drive_share(self) -> Table | None:
        return ramped(self.begin, self.rise, 1.0, 0.0)

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        """The way of braking is from its beginning; drift is the farthest from the stop."""
        way = way_of(run, self.forward)
        stands = first_record_for_good(np.abs(run[self.forward]) < STILL)
        stop, braked, drift = math.nan, math.nan, math.nan
        if stands is not None:
            stop = float(run.time[stands])
            braked = float(way[stands] - np.interp(self.begin, run.time, way))
            drift = float(np.max(np.abs(way[stands:] - way[stands])))
        return (
            Finding("stop", stop, "s", "time from which on it stands"),
            Finding("braking_distance", braked, "m", "way from the beginning of braking"),
            Finding("drift", drift, "m", "farthest from there until the end"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, way = by_name(self.own_findings(run)), way_of(run, self.forward)
        since = way - float(np.interp(self.begin, run.time, way))
        stop, braked, drift = (found[name] for name in ("stop", "braking_distance", "drift"))
        marks = [moment(stop.value, 0.3 * float(since.max()), stop),
                 point(stop.value, braked.value, braked)]  # fmt: skip
        drawn = [over_time("Way since braking began", "m", run.time, {"": since}, marks)]
        if math.isfinite(stop.value):
            stands = run.time >= stop.value
            time, moved = run.time[stands], since[stands] - braked.value
            far = int(np.argmax(np.abs(moved)))
            there = point(float(time[far]), float(moved[far]), drift)
            drawn.append(over_time("Way from the stop", "m", time, {"": moved}, [there]))
        return tuple(drawn)
