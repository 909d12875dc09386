"""From rest on the brakes: creep behind an idling engine, stall of a converter, reversing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import parameter
from axletree.expr import Beyond, Table
from axletree.metrics.contract import output_names
from axletree.metrics.findings import (
    STILL,
    Columns,
    Diagram,
    Finding,
    by_name,
    first_record_for_good,
    moment,
    over_time,
    point_at,
    travelled_distance,
)
from axletree.model.manoeuvre import DrivenSignal, driven_inputs, forward_state
from axletree.runs.acceleration_and_braking import BrakedManoeuvre, linear_ramp

_KMH = 3.6  # km/h in a m/s
_RPM = 30.0 / math.pi  # rpm in a rad/s


@dataclass(frozen=True, kw_only=True)
class Creep(BrakedManoeuvre):
    """Standing on its brakes, which are released; the idling engine moves it, and nothing else.

    Example:
    >>> import axletree as at
    >>> creeps = at.Creep(forward="chassis.vx", pedals=["driver.brake"], pedal=0.4)
    >>> pressed = creeps.signals["driver.brake"]
    >>> [float(pressed.evaluate(time)) for time in (1.0, 2.0)]  # s: held, then released
    [0.4, 0.0]
    """

    summary: ClassVar[str] = "creep behind a torque converter"

    speed: float = parameter("m/s", "at the start it stands", default=0.0, lower=0.0, upper=0.0)
    forward: str = forward_state()
    release: float = parameter("s", "time at which brakes give way", default=1.0, lower=0.0)
    fade: float = parameter("s", "time until they are off", default=0.3, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=20.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        return self.pressed(lambda level: linear_ramp(self.release, self.fade, level, 0.0))

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        speed = run[self.forward]
        rise = float(np.max(np.gradient(speed, run.time)))
        return (
            Finding("creep_speed", _KMH * float(speed[-1]), "km/h", "final speed of the creep"),
            Finding("creep_acceleration", rise, "m/s^2", "maximum acceleration of the creep"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        speed, found = _KMH * run[self.forward], by_name(self.own_findings(run))
        rise = np.gradient(run[self.forward], run.time)
        ends = [point_at(run.time, speed, -1, found["creep_speed"])]
        peak = [point_at(run.time, rise, int(np.argmax(rise)), found["creep_acceleration"])]
        return (
            over_time("Forward speed", "km/h", run.time, {"": speed}, ends),
            over_time("Forward acceleration", "m/s^2", run.time, {"": rise}, peak),
        )


@dataclass(frozen=True, kw_only=True)
class Stall(BrakedManoeuvre):
    """Standing on its brakes while the drive comes: against a turbine that stands, the engine comes
    to its stall speed.

    Example:
    >>> import axletree as at
    >>> inputs = {"pedals": ["driver.brake"], "drives": ["driver.throttle"]}
    >>> stall = at.Stall(forward="chassis.vx", drive=0.5, engines=["drive.speed"], **inputs)
    >>> float(stall.signals["driver.throttle"].evaluate(stall.begin + stall.rise))
    0.5
    """

    summary: ClassVar[str] = "stall of a torque converter against the brakes"

    speed: float = parameter("m/s", "at the start it stands", default=0.0, lower=0.0, upper=0.0)
    forward: str = forward_state()
    drives: tuple[str, ...] = driven_inputs("1", "inputs that drive")
    drive: float = parameter("1", "what each of them comes to, in its SI unit", default=1.0)
    engines: tuple[str, ...] = output_names("rad/s", "speeds of engines")
    begin: float = parameter("s", "time at which the drive starts", default=1.0, lower=0.0)
    rise: float = parameter("s", "time to the full drive", default=0.5, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=6.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, DrivenSignal]:
        driven = linear_ramp(self.begin, self.rise, 0.0, self.drive)
        return self.pressed(lambda level: linear_ramp(0.0, 1.0, level, level)) | dict.fromkeys(
            self.drives, driven
        )

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        """The last speed counts, unless brakes give way before."""
        way = float(np.max(np.abs(travelled_distance(run, self.forward))))
        speeds = [_RPM * float(run[name][-1]) for name in self.engines]
        stalled = max(speeds, default=math.nan)
        return (
            Finding("stall_speed", stalled, "rpm", "speed of the engine against the brakes"),
            Finding("distance", way, "m", "distance by which the brakes give way"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.own_findings(run))
        speeds = {name.partition(".")[0]: _RPM * run[name] for name in self.engines}
        fastest = max(speeds.values(), key=lambda one: float(one[-1]))
        way = np.abs(travelled_distance(run, self.forward))
        ends = [point_at(run.time, fastest, -1, found["stall_speed"])]
        moved = [point_at(run.time, way, int(np.argmax(way)), found["distance"])]
        return (
            over_time("Speed of the engine", "rpm", run.time, speeds, ends),
            over_time("Distance", "m", run.time, {"": way}, moved),
        )


@dataclass(frozen=True, kw_only=True)
class Reversing(BrakedManoeuvre):
    """From rest on the brakes backward in the reverse gear, until brakes stop the vehicle.

    Example:
    >>> import axletree as at
    >>> inputs = {"pedals": ["driver.brake"], "drives": ["driver.throttle"]}
    >>> back = at.Reversing(forward="chassis.vx", levers=["driver.reverse"], drive=0.3, **inputs)
    >>> [float(back.signals[name].evaluate(4.0)) for name in ("driver.throttle", "driver.brake")]
    [0.3, 0.0]
    """

    summary: ClassVar[str] = "backward in the reverse gear"

    speed: float = parameter("m/s", "at the start it stands", default=0.0, lower=0.0, upper=0.0)
    forward: str = forward_state()
    levers: tuple[str, ...] = driven_inputs("1", "inputs that engage the reverse gear at 1")
    drives: tuple[str, ...] = driven_inputs("1", "inputs that drive")
    drive: float = parameter("1", "what each of them comes to, in its SI unit")
    begin: float = parameter("s", "time at which it drives off", default=1.0, lower=0.0)
    rise: float = parameter("s", "time to the full drive", default=1.0, lower=0.0, above=True)
    stop: float = parameter("s", "time at which it brakes", default=6.0, lower=0.0)
    fade: float = parameter("s", "time of brakes and drive", default=0.3, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=12.0, lower=0.0, above=True)

    def problems(self) -> list[str]:
        driven = self.begin + max(self.rise, self.fade)
        if self.stop < driven:
            return [f"it brakes at {self.stop:g} s, before it is driven at {driven:g} s"]
        return super().problems()

    def own_signals(self) -> dict[str, DrivenSignal]:
        ends = [self.stop, self.stop + self.fade]

        def course(rise: float, levels: list[float]) -> Table:
            return Table.linear([self.begin, self.begin + rise, *ends], levels, Beyond.VALUE_HELD)

        driven = course(self.rise, [0.0, self.drive, self.drive, 0.0])
        pressed = self.pressed(lambda level: course(self.fade, [level, 0.0, 0.0, level]))
        back = linear_ramp(0.0, 1.0, 1.0, 1.0)
        return pressed | dict.fromkeys(self.drives, driven) | dict.fromkeys(self.levers, back)

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        speed, way = run[self.forward], travelled_distance(run, self.forward)
        stands = first_record_for_good(np.abs(speed) < STILL)
        at = math.nan if stands is None else float(run.time[stands])
        return (
            Finding("reverse_speed", -_KMH * float(np.min(speed)), "km/h", "maximum reverse speed"),
            Finding("distance", -float(way[-1]), "m", "distance travelled backward"),
            Finding("stop_time", at, "s", "time at which it stands still"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        speed, found = _KMH * run[self.forward], by_name(self.own_findings(run))
        low = int(np.argmin(speed))
        way, stop = -travelled_distance(run, self.forward), found["stop_time"]
        fast = [
            point_at(run.time, speed, low, found["reverse_speed"]),
            moment(stop.value, 0.5 * float(speed[low]), stop),
        ]
        ends = [point_at(run.time, way, -1, found["distance"])]
        return (
            over_time("Forward speed", "km/h", run.time, {"": speed}, fast),
            over_time("Distance backward", "m", run.time, {"": way}, ends),
        )
