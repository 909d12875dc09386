"""Soft ground: a vehicle that pulls a load which rises, a drive over a soft stretch, and a
wheel on a carriage whose slip is swept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from axletree.components.fields import parameter, part
from axletree.components.signals import TIME
from axletree.expr import Table, log, maximum, minimum, where
from axletree.metrics.contract import output_names
from axletree.metrics.findings import (
    STILL,
    Column,
    Columns,
    Diagram,
    Finding,
    Trace,
    by_name,
    first_record,
    first_record_for_good,
    moment,
    over_time,
    point,
    point_at,
    time_of,
)
from axletree.model.manoeuvre import DrivenSignal, Manoeuvre, driven_inputs, forward_state
from axletree.runs.acceleration_and_braking import linear_ramp
from axletree.wheel.soils.contract import SoilLaw


@dataclass(frozen=True, kw_only=True)
class DrawbarPull(Manoeuvre):
    """A force that rises in a straight line, until the vehicle no longer advances.

    It goes at a speed that ``driven_by`` keeps, or starts with a drive that comes in a straight
    line. A force that rises slowly passes through steady states; where the vehicle is fast and
    heavy it goes on against more than its wheels can pull, and ``pulls`` say what they can.

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
    begin: float = parameter("s", "start time", default=5.0, lower=0.0)
    rise: float = parameter("s", "time to the whole force", default=60.0, lower=0.0, above=True)
    drives: tuple[str, ...] = driven_inputs("1", "inputs that drive; none by default", default=())
    drive: float = parameter("1", "what each of them comes to, in its SI unit", default=0.0)
    drive_rise: float = parameter(
        "s", "time to the full drive, from the start", default=2.0, lower=0.0, above=True
    )
    pulls: tuple[str, ...] = output_names(
        "N", "drawbar pulls of wheels, of which the maximum of the sum counts"
    )
    duration: float = parameter("s", "length of the run", default=70.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        loads: dict[str, DrivenSignal] = dict.fromkeys(self.loads, self._course)
        driven = linear_ramp(0.0, self.drive_rise, 0.0, self.drive)
        return loads | dict.fromkeys(self.drives, driven)

    @property
    def _course(self) -> Table:
        return linear_ramp(self.begin, self.rise, 0.0, self.force)

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        stands = self._stands(run)
        last = len(run.time) - 1 if stands is None else stands
        pull = np.abs(self._course.evaluate(run.time[: last + 1]) * len(self.loads))
        at = time_of(run, stands)
        found = [
            Finding("maximum_drawbar_pull", float(np.max(pull)), "N", "maximum drawbar pull"),
            Finding("immobilisation_time", at, "s", "time of immobilisation"),
        ]
        if self.pulls:
            pulled = self._pulled(run, last)
            most = float(np.max(pulled)) if np.isfinite(pulled).any() else math.nan
            said = "maximum sum of wheel pulls while moving"
            found.append(Finding("wheel_pull", most, "N", said))
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
        stands, most = found["immobilisation_time"], found["maximum_drawbar_pull"]
        stuck = self._stands(run)
        last = len(run.time) - 1 if stuck is None else stuck
        top = int(np.argmax(force[: last + 1]))
        trace = Trace("", force, speed)
        drawn = [
            over_time("Forward speed", "m/s", run.time, {"": speed},
                      [moment(stands.value, 0.5 * float(speed.max()), stands)]),
            Diagram("Forward speed over drawbar load", "force [N]", "[m/s]", (trace,),
                    (point_at(force, speed, top, most),)),
        ]  # fmt: skip
        if self.pulls:
            pull, wheels = np.sum([run[n] for n in self.pulls], axis=0), found["wheel_pull"]
            there = float(run.time[int(np.argmax(self._pulled(run, last)))]) if last else math.nan
            marks = [point(there, wheels.value, wheels)]
            drawn.append(over_time("Sum of wheel pulls", "N", run.time, {"": pull}, marks))
        return tuple(drawn)


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
    sinkages: tuple[str, ...] = output_names("m", "sinkages, of which the maximum counts")

    ground: SoilLaw | None = part(
        "SOIL_LAWS", "law under the wheels of a vehicle; left out: that of the model", default=None
    )

    def own_signals(self) -> dict[str, DrivenSignal]:
        return {}

    @property
    def changes(self) -> dict[str, Any]:
        changed = super().changes
        if self.ground is None:
            return changed
        return {"vehicle": {**changed.get("vehicle", {}), "soil": {"law": self.ground}}}

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        speed = run[self.forward]
        at = time_of(run, first_record_for_good(speed < STILL))
        found = [
            Finding("minimum_speed", float(np.min(speed)), "m/s", "minimum speed"),
            Finding("final_speed", float(speed[-1]), "m/s", "final speed"),
            Finding("immobilisation_time", at, "s", "time of immobilisation"),
        ]
        if self.sinkages:
            deepest = max(float(np.max(run[name])) for name in self.sinkages)
            found.append(Finding("sinkage", deepest, "m", "maximum sinkage"))
        return tuple(found)

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, speed = by_name(self.own_findings(run)), run[self.forward]
        low, stuck = int(np.argmin(speed)), found["immobilisation_time"]
        marks = [point_at(run.time, speed, low, found["minimum_speed"]),
                 point_at(run.time, speed, -1, found["final_speed"]),
                 moment(stuck.value, 0.5 * float(speed.max()), stuck)]  # fmt: skip
        drawn = [over_time("Forward speed", "m/s", run.time, {"": speed}, marks)]
        if self.sinkages:
            depths = {name.partition(".")[0].replace("_", " "): run[name] for name in self.sinkages}
            deepest = max(depths.values(), key=np.max)
            there = point_at(run.time, deepest, int(np.argmax(deepest)), found["sinkage"])
            drawn.append(over_time("Sinkage", "m", run.time, depths, [there]))
        return tuple(drawn)


@dataclass(frozen=True, kw_only=True)
class SlipSweep(Manoeuvre):
    """A carriage at the speed, and a wheel on it that turns so that slip changes evenly.

    Slip is 1 - v / (omega r) when driven and omega r / v - 1 when braked (Peiret et al., eqs. 5
    and 6). Both motions are prescribed, whatever forces they take.

    Example:
    >>> import axletree as at
    >>> inputs = {"carriages": ["carriage.position"], "wheels": ["motor.angle"]}
    >>> sweep = at.SlipSweep(speed=0.5, radius=0.4, first=-0.2, last=0.6, **inputs)  # m/s, m
    >>> [round(float(sweep.slip(time)), 3) for time in (0.0, 10.0, 20.0)]  # at times in s
    [-0.2, 0.2, 0.6]
    """

    summary: ClassVar[str] = "a wheel on a carriage, its slip swept from braking to driving"
    prescribes_speed: ClassVar[bool] = True

    carriages: tuple[str, ...] = driven_inputs(
        "m", "inputs that follow the position of the carriage"
    )
    wheels: tuple[str, ...] = driven_inputs("rad", "inputs that follow the angle of the wheel")
    radius: float = parameter("m", "radius of the wheel", lower=0.0, above=True)
    first: float = parameter("1", "slip at the start", default=-0.5, lower=-1.0, upper=0.99)
    last: float = parameter("1", "slip at the end", default=0.8, lower=-1.0, upper=0.99)
    begin: float = parameter("s", "time at which it begins to change", default=0.0, lower=0.0)
    sweep: float = parameter("s", "time from the first to the last", default=20.0, lower=0.0,
                             above=True)  # fmt: skip
    pulls: tuple[str, ...] = output_names("N", "drawbar pulls, of whose sum the maximum counts")
    duration: float = parameter("s", "length of the run", default=20.0, lower=0.0, above=True)

    def problems(self) -> list[str]:
        if self.first == self.last:
            return [f"first and last are both a slip of {self.last:g}; there is nothing to sweep"]
        return super().problems()

    def slip(self, time: Any) -> Any:
        """Slip [1] at a time [s]: floats, arrays and expressions.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> fields = {"carriages": ["carriage.position"], "wheels": ["motor.angle"], "radius": 0.4}
        >>> sweep = at.SlipSweep(speed=0.5, first=0.0, last=0.5, begin=5.0, sweep=10.0, **fields)
        >>> sweep.slip(np.array([0.0, 10.0, 20.0])).tolist()
        [0.0, 0.25, 0.5]
        """
        share = maximum(minimum((time - self.begin) * (1.0 / self.sweep), 1.0), 0.0)
        return self.first + (self.last - self.first) * share

    def own_signals(self) -> dict[str, DrivenSignal]:
        """The angle is the integral of the rate v / r times the ratio of ``_ratio``."""
        per_slip = self.sweep / (self.last - self.first)
        turned = (
            _ratio(self.first) * minimum(TIME, self.begin)
            + per_slip * (_ratio_integral(self.slip(TIME)) - _ratio_integral(self.first))
            + _ratio(self.last) * maximum(TIME - (self.begin + self.sweep), 0.0)
        )
        way = dict.fromkeys(self.carriages, self.speed * TIME)
        return {**way, **dict.fromkeys(self.wheels, self.speed / self.radius * turned)}

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        if not self.pulls:
            return ()
        pull = np.sum([run[name] for name in self.pulls], axis=0)
        swept = np.where(run.time >= self.begin, pull, -np.inf)
        top = int(np.argmax(swept))
        slip = float(self.slip(run.time)[top])
        return (
            Finding("maximum_drawbar_pull", float(pull[top]), "N", "maximum drawbar pull"),
            Finding("slip_at_maximum_pull", slip, "1", "slip at maximum drawbar pull"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.own_findings(run))
        if not found:
            return ()
        pull, swept = np.sum([run[name] for name in self.pulls], axis=0), run.time >= self.begin
        most, slip = found["maximum_drawbar_pull"], found["slip_at_maximum_pull"]
        trace = Trace("", np.asarray(self.slip(run.time))[swept], pull[swept])
        marks = (point(slip.value, most.value, most), point(slip.value, most.value, slip))
        return (Diagram("Drawbar pull", "slip [1]", "[N]", (trace,), marks),)


def _ratio(slip: float) -> float:
    """omega r / v [1]."""
    return 1.0 / (1.0 - slip) if slip > 0.0 else 1.0 + slip


def _ratio_integral(slip: Any) -> Any:
    """The integral of the ratio over slip, from 0."""
    driven, braked = maximum(slip, 0.0), minimum(slip, 0.0)
    return where(slip > 0.0, -log(1.0 - driven), braked + 0.5 * braked * braked)
