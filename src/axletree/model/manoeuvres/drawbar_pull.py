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
from axletree.model.manoeuvres.findings import STILL, Column, Columns, Finding, first_record
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
        stands = self._stands(run)
        last = len(run.time) - 1 if stands is None else stands
        pull = np.abs(self._course.evaluate(run.time[: last + 1]) * len(self.loads))
        at = math.nan if stands is None else float(run.time[stands])
        found = [
            Finding("greatest_pull", float(np.max(pull)), "N", "force up to which it advances"),
            Finding("immobile", at, "s", "time at which it no longer advances"),
        ]
        if self.pulls:
            pulled = self._pulled(run, last)
            most = float(np.max(pulled)) if np.isfinite(pulled).any() else math.nan
            found.append(
                Finding("pull_of_wheels", most, "N", "greatest pull of its wheels as it advances")
            )
        return tuple(found)

    def _stands(self, run: Columns) -> int | None:
        """The record at which it no longer advances."""
        advances = run[self.forward] >= STILL
        moved = np.logical_or.accumulate(advances) | (not advances.any())
        return first_record(~advances & moved & (run.time > self.begin))

    def _pulled(self, run: Columns, last: int) -> Column:
        """What wheels pull [N] before a record; -inf where it does not advance."""
        pull = np.sum([run[name][:last] for name in self.pulls], axis=0)
        return np.where(run[self.forward][:last] >= STILL, pull, -np.inf)

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, speed = by_name(self.own_findings(run)), run[self.forward]
        force = np.abs(self._course.evaluate(run.time) * len(self.loads))
        stands, most = found["immobile"], found["greatest_pull"]
        stuck = self._stands(run)
        last = len(run.time) - 1 if stuck is None else stuck
        top = int(np.argmax(force[: last + 1]))
        trace = Trace("", force, speed)
        drawn = [
            over_time("Forward speed", "m/s", run.time, {"": speed},
                      [moment(stands.value, 0.5 * float(speed.max()), stands)]),
            Diagram("Forward speed over the load", "force [N]", "[m/s]", (trace,),
                    (point(float(force[top]), float(speed[top]), most),)),
        ]  # fmt: skip
        if self.pulls:
            pull, wheels = np.sum([run[n] for n in self.pulls], axis=0), found["pull_of_wheels"]
            there = float(run.time[int(np.argmax(self._pulled(run, last)))]) if last else math.nan
            marks = [point(there, wheels.value, wheels)]
            drawn.append(over_time("Pull of the wheels", "N", run.time, {"": pull}, marks))
        return tuple(drawn)
