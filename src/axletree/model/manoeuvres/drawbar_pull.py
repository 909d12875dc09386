"""A vehicle that pulls a load which rises."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.core.expr import Table
from axletree.library.fields import parameter
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs, forward_state
from axletree.model.manoeuvres.diagram import Diagram, Trace, by_name, moment, over_time, point
from axletree.model.manoeuvres.findings import STILL, Columns, Finding, first_record
from axletree.model.manoeuvres.ramped import ramped
from axletree.model.manoeuvres.told_outputs import told_outputs


@dataclass(frozen=True, kw_only=True)
class DrawbarPull(Manoeuvre):
    """A force that rises in a straight line, until the vehicle no longer advances.

    It goes at a speed that ``driven_by`` keeps, or starts with a drive that comes in a straight
    line. A force that rises slowly passes through steady states; where the vehicle is fast and
    heavy it goes on against more than its wheels can pull, and ``pulls`` tell what they can.

    Example:
    >>> import axletree as at
    >>> pull = at.DrawbarPull(speed=1.0, forward="chassis.vx", loads=["hook.force"], force="-10 kN")
    >>> float(pull.signals["hook.force"].evaluate(pull.begin + 0.5 * pull.rise))  # N
    -5000.0
    """

    summary: ClassVar[str] = "a pull that rises until the vehicle no longer advances"

    forward: str = forward_state()
    loads: tuple[str, ...] = driven_inputs("N", "inputs that follow the force")
    force: float = parameter("N", "force that each comes to, against the travel if negative")
    begin: float = parameter("s", "time at which it sets in", default=5.0, lower=0.0)
    rise: float = parameter("s", "time to the whole force", default=60.0, lower=0.0, above=True)
    drives: tuple[str, ...] = driven_inputs("1", "inputs that drive; none by default", default=())
    drive: float = parameter("1", "what each of them comes to, in its SI unit", default=0.0)
    drive_rise: float = parameter(
        "s", "time to the full drive, from the start", default=2.0, lower=0.0, above=True
    )
    pulls: tuple[str, ...] = told_outputs(
        "N", "drawbar pulls of wheels, of which the greatest sum is told"
    )
    duration: float = parameter("s", "length of the run", default=70.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        loads: dict[str, Signal] = dict.fromkeys(self.loads, self._course)
        driven = ramped(0.0, self.drive_rise, 0.0, self.drive)
        return loads | dict.fromkeys(self.drives, driven)

    @property
    def _course(self) -> Table:
        return ramped(self.begin, self.rise, 0.0, self.force)

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        advances = run[self.forward] >= STILL
        moved = np.logical_or.accumulate(advances) | (not advances.any())
        stands = first_record(~advances & moved & (run.time > self.begin))
        last = len(run.time) - 1 if stands is None else stands
        pull = np.abs(self._course.evaluate(run.time[: last + 1]) * len(self.loads))
        at = math.nan if stands is None else float(run.time[stands])
        found = [
            Finding("greatest_pull", float(np.max(pull)), "N", "force up to which it advances"),
            Finding("immobile", at, "s", "time at which it no longer advances"),
        ]
        if self.pulls:
            pulled = np.sum([run[name][:last] for name in self.pulls], axis=0)[advances[:last]]
            most = float(np.max(pulled)) if pulled.size else math.nan
            found.append(
                Finding("pull_of_wheels", most, "N", "greatest pull of its wheels as it advances")
            )
        return tuple(found)

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, speed = by_name(self.own_findings(run)), run[self.forward]
        force = np.abs(self._course.evaluate(run.time) * len(self.loads))
        stands, most = found["immobile"], found["greatest_pull"]
        until = run.time <= stands.value if math.isfinite(stands.value) else run.time >= 0.0
        top = int(np.argmax(np.where(until, force, -1.0)))
        trace = Trace("", force, speed)
        return (
            over_time("Forward speed", "m/s", run.time, {"": speed},
                      [moment(stands.value, 0.5 * float(speed.max()), stands)]),
            Diagram("Forward speed over the load", "force [N]", "[m/s]", (trace,),
                    (point(float(force[top]), float(speed[top]), most),)),
        )  # fmt: skip
