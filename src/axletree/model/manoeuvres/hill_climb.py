"""A hill that is climbed until the vehicle no longer advances."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.library.fields import parameter
from axletree.model.manoeuvres.contract import (
    Manoeuvre,
    Signal,
    driven_inputs,
    forward_state,
)
from axletree.model.manoeuvres.diagram import Diagram, Trace, by_name, moment, over_time, point
from axletree.model.manoeuvres.findings import (
    STILL,
    Columns,
    Finding,
    first_record_for_good,
    way_of,
)
from axletree.model.manoeuvres.ramped import ramped
from axletree.model.manoeuvres.told_outputs import told_outputs


@dataclass(frozen=True, kw_only=True)
class HillClimb(Manoeuvre):
    """From the foot of a hill the drive comes in a straight line and stays.

    The ground that gets steeper is in the model: the surface under its wheels.

    Example:
    >>> import axletree as at
    >>> climb = at.HillClimb(speed=2.0, forward="chassis.vx", drives=["driver.throttle"], drive=0.6)
    >>> float(climb.signals["driver.throttle"].evaluate(climb.begin + 0.5 * climb.rise))
    0.3
    """

    summary: ClassVar[str] = "up a hill with constant drive, until it no longer advances"

    forward: str = forward_state()
    drives: tuple[str, ...] = driven_inputs("1", "inputs that drive")
    drive: float = parameter("1", "what each of them comes to, in its SI unit")
    begin: float = parameter("s", "time at which the drive sets in", default=0.0, lower=0.0)
    rise: float = parameter("s", "time to the full drive", default=2.0, lower=0.0, above=True)
    slopes: tuple[str, ...] = told_outputs(
        "rad", "slopes of the ground under the wheels, of which the mean is told"
    )
    duration: float = parameter("s", "length of the run", default=60.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        return dict.fromkeys(self.drives, ramped(self.begin, self.rise, 0.0, self.drive))

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        speed = run[self.forward]
        stuck = first_record_for_good(speed < STILL)
        at = math.nan if stuck is None else float(run.time[stuck])
        told = [run[name] for name in self.slopes] or [np.zeros_like(speed)]
        climbed = np.mean(told, axis=0)[speed >= STILL]
        steepest = self.slope + float(np.max(climbed)) if climbed.size else math.nan
        farthest = float(np.max(way_of(run, self.forward)))
        return (
            Finding("slope", steepest, "rad", "steepest slope on which it advanced"),
            Finding("way", farthest, "m", "farthest way"),
            Finding("immobile", at, "s", "time from which on it does not advance"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, speed = by_name(self.own_findings(run)), run[self.forward]
        way = way_of(run, self.forward)
        told = [run[name] for name in self.slopes] or [np.zeros_like(speed)]
        slope = self.slope + np.mean(told, axis=0)
        last = int(np.argmax(np.where(speed >= STILL, slope, -np.inf)))
        stuck, far = found["immobile"], int(np.argmax(way))
        return (
            over_time("Forward speed", "m/s", run.time, {"": speed},
                      [moment(stuck.value, 0.5 * float(speed.max()), stuck)]),
            Diagram("Slope of the ground", "way [m]", "[rad]", (Trace("", way, slope),),
                    (point(float(way[last]), float(slope[last]), found["slope"]),
                     point(float(way[far]), float(slope[far]), found["way"]))),
        )  # fmt: skip
