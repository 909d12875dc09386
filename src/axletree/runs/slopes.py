"""Slopes: a start and a stop on one, and a hill that is climbed until the vehicle stops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import parameter
from axletree.expr import Table
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
    peak_point,
    point,
    point_at,
    time_of,
    travelled_distance,
)
from axletree.model.manoeuvre import DrivenSignal, Manoeuvre, driven_inputs, forward_state
from axletree.runs.acceleration_and_braking import BrakedManoeuvre, linear_ramp


@dataclass(frozen=True, kw_only=True)
class SlopeStart(BrakedManoeuvre):
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
    begin: float = parameter("s", "time at which the drive starts", default=1.0, lower=0.0)
    rise: float = parameter("s", "time to the full drive", default=2.0, lower=0.0, above=True)
    release: float = parameter("s", "time at which brakes give way", default=2.0, lower=0.0)
    fade: float = parameter("s", "time until they are off", default=0.5, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        driven = linear_ramp(self.begin, self.rise, 0.0, self.drive)
        pressed = self.pressed(lambda level: linear_ramp(self.release, self.fade, level, 0.0))
        return pressed | dict.fromkeys(self.drives, driven)

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        way = travelled_distance(run, self.forward)
        at = time_of(run, first_record(run[self.forward] > STILL))
        return (
            Finding("start_time", at, "s", "time at which it moves off"),
            Finding("roll_back", abs(float(np.min(way))), "m", "roll-back before it moves off"),
            Finding("distance", float(way[-1]), "m", "distance travelled"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, way = by_name(self.own_findings(run)), travelled_distance(run, self.forward)
        low, start = int(np.argmin(way)), found["start_time"]
        marks = [moment(start.value, 0.5 * float(way.max()), start),
                 point_at(run.time, way, low, found["roll_back"]),
                 point_at(run.time, way, -1, found["distance"])]  # fmt: skip
        return (over_time("Distance", "m", run.time, {"": way}, marks),)


@dataclass(frozen=True, kw_only=True)
class SlopeStop(BrakedManoeuvre):
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

    def own_signals(self) -> dict[str, DrivenSignal]:
        return self.pressed(lambda level: linear_ramp(self.begin, self.rise, 0.0, level))

    def drive_share(self) -> Table | None:
        return linear_ramp(self.begin, self.rise, 1.0, 0.0)

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        """Braking distance counts from the onset of braking, drift from the stop."""
        way = travelled_distance(run, self.forward)
        stands = first_record_for_good(np.abs(run[self.forward]) < STILL)
        stop, braked, drift = math.nan, math.nan, math.nan
        if stands is not None:
            stop = float(run.time[stands])
            braked = float(way[stands] - np.interp(self.begin, run.time, way))
            drift = float(np.max(np.abs(way[stands:] - way[stands])))
        return (
            Finding("stop_time", stop, "s", "time at which it stands still"),
            Finding("braking_distance", braked, "m", "braking distance"),
            Finding("drift", drift, "m", "maximum drift after the stop"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, way = by_name(self.own_findings(run)), travelled_distance(run, self.forward)
        since = way - float(np.interp(self.begin, run.time, way))
        stop, braked, drift = (found[name] for name in ("stop_time", "braking_distance", "drift"))
        marks = [moment(stop.value, 0.3 * float(since.max()), stop),
                 point(stop.value, braked.value, braked)]  # fmt: skip
        drawn = [over_time("Distance since braking began", "m", run.time, {"": since}, marks)]
        if math.isfinite(stop.value):
            stands = run.time >= stop.value
            time, moved = run.time[stands], since[stands] - braked.value
            there = [peak_point(time, moved, drift)]
            drawn.append(over_time("Drift after the stop", "m", time, {"": moved}, there))
        return tuple(drawn)


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
    begin: float = parameter("s", "time at which the drive starts", default=0.0, lower=0.0)
    rise: float = parameter("s", "time to the full drive", default=2.0, lower=0.0, above=True)
    slopes: tuple[str, ...] = output_names(
        "rad", "slopes of the ground under the wheels, of which the mean counts"
    )
    duration: float = parameter("s", "length of the run", default=60.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        return dict.fromkeys(self.drives, linear_ramp(self.begin, self.rise, 0.0, self.drive))

    def _climbed(self, run: Columns) -> Column:
        """The slope [rad] under the wheels."""
        slopes = [run[name] for name in self.slopes] or [np.zeros_like(run.time)]
        return np.asarray(self.slope + np.mean(slopes, axis=0))

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        speed = run[self.forward]
        at = time_of(run, first_record_for_good(speed < STILL))
        climbed = self._climbed(run)[speed >= STILL]
        steepest = float(np.max(climbed)) if climbed.size else math.nan
        farthest = float(np.max(travelled_distance(run, self.forward)))
        return (
            Finding("maximum_slope", steepest, "rad", "steepest slope climbed"),
            Finding("distance", farthest, "m", "maximum distance"),
            Finding("immobilisation_time", at, "s", "time of immobilisation"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, speed = by_name(self.own_findings(run)), run[self.forward]
        way = travelled_distance(run, self.forward)
        slope = self._climbed(run)
        last = int(np.argmax(np.where(speed >= STILL, slope, -np.inf)))
        stuck, far = found["immobilisation_time"], int(np.argmax(way))
        return (
            over_time("Forward speed", "m/s", run.time, {"": speed},
                      [moment(stuck.value, 0.5 * float(speed.max()), stuck)]),
            Diagram("Slope of the ground", "distance [m]", "[rad]", (Trace("", way, slope),),
                    (point_at(way, slope, last, found["maximum_slope"]),
                     point_at(way, slope, far, found["distance"]))),
        )  # fmt: skip
