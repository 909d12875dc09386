"""A start on a slope."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import parameter
from axletree.model.manoeuvres.braked import Braked
from axletree.model.manoeuvres.contract import Signal, driven_inputs, forward_state
from axletree.model.manoeuvres.diagram import Diagram, by_name, moment, over_time, point
from axletree.model.manoeuvres.findings import STILL, Columns, Finding, first_record, way_of
from axletree.model.manoeuvres.ramped import ramped


@dataclass(frozen=True, kw_only=True)
class SlopeStart(Braked):
    """Standing on its brakes, which are released in a straight line while the drive comes in one.

    Brakes are those of friction, by inputs that are torques or pedals: they hold and never drive.

    Example:
    >>> import axletree as at
    >>> inputs = {"pedals": ["driver.brake"], "drives": ["driver.throttle"]}
    >>> start = at.SlopeStart(forward="chassis.vx", drive=0.5, slope="10 deg", **inputs)
    >>> pressed = start.signals["driver.brake"]
    >>> [float(pressed.evaluate(time)) for time in (1.0, 3.0)]  # s: held, then released
    [1.0, 0.0]
    """

    summary: ClassVar[str] = "from rest on the brakes, which are released while the drive comes"

    speed: float = parameter("m/s", "at the start it stands", default=0.0, lower=0.0, upper=0.0)
    forward: str = forward_state()
    drives: tuple[str, ...] = driven_inputs("1", "inputs that drive")
    drive: float = parameter("1", "what each of them comes to, in its SI unit")
    begin: float = parameter("s", "time at which the drive sets in", default=1.0, lower=0.0)
    rise: float = parameter("s", "time to the full drive", default=2.0, lower=0.0, above=True)
    release: float = parameter("s", "time at which brakes give way", default=2.0, lower=0.0)
    fade: float = parameter("s", "time until they are off", default=0.5, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        driven = ramped(self.begin, self.rise, 0.0, self.drive)
        pressed = self.pressed(lambda level: ramped(self.release, self.fade, level, 0.0))
        return pressed | dict.fromkeys(self.drives, driven)

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        way, starts = way_of(run, self.forward), first_record(run[self.forward] > STILL)
        at = math.nan if starts is None else float(run.time[starts])
        return (
            Finding("start", at, "s", "time at which it advances"),
            Finding("roll_back", abs(float(np.min(way))), "m", "way back before it advances"),
            Finding("way", float(way[-1]), "m", "way at the end"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, way = by_name(self.own_findings(run)), way_of(run, self.forward)
        low, start = int(np.argmin(way)), found["start"]
        marks = [moment(start.value, 0.5 * float(way.max()), start),
                 point(float(run.time[low]), float(way[low]), found["roll_back"]),
                 point(float(run.time[-1]), float(way[-1]), found["way"])]  # fmt: skip
        return (over_time("Way", "m", run.time, {"": way}, marks),)
