"""How quickly a vehicle gains speed, and what holds it back when it coasts (road load, ISO
10521-1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import fixed_number
from axletree.metrics.contract import Metric
from axletree.metrics.findings import (
    Columns,
    Diagram,
    Finding,
    Trace,
    by_name,
    first_record,
    level,
    moment,
    over_time,
    point,
    span,
)
from axletree.metrics.vehicle_signals import (
    FORWARD_SPEED,
    LATERAL_SPEED,
    THROTTLE,
    at,
    reaches,
    sets_in,
    way,
)


@dataclass(frozen=True)
class SpeedGain(Metric):
    """Time and distance from the application of the throttle to a speed.

    They count from the speed at that moment, which their descriptions have.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 10.0, 1001)  # s
    >>> columns = {name: 0.0 * time for name in at.SpeedGain.needs}
    >>> columns |= {"driver.throttle": np.sign(time), "vehicle.forward_speed": 4.0 * time}  # m/s
    >>> found = at.SpeedGain(speed="20 m/s").findings(Trajectory("car", time, columns, {}, ()))
    >>> [f"{one.value:.2f} {one.unit}" for one in found[:2]]
    ['5.00 s', '50.00 m']
    """

    summary: ClassVar[str] = "time and distance to a speed"
    needs: ClassVar[tuple[str, ...]] = (THROTTLE, FORWARD_SPEED, LATERAL_SPEED)

    speed: float = fixed_number("m/s", "that is reached", default=100.0 / 3.6, lower=0.0,
                                above=True)  # fmt: skip

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        begin = sets_in(run.time, run[THROTTLE])
        if math.isnan(begin):
            return ()
        speed, s = run[FORWARD_SPEED], way(run)
        end = reaches(run.time, speed, self.speed)
        first = at(run, speed, begin)
        word = f"from {3.6 * first:.0f} km/h to {3.6 * self.speed:g} km/h"
        return (
            Finding("time_to_speed", end - begin, "s", f"time {word}"),
            Finding("distance_to_speed", at(run, s, end) - at(run, s, begin), "m",
                    f"distance {word}"),
            Finding("maximum_acceleration", float(np.max(np.gradient(speed, run.time))), "m/s^2",
                    "maximum acceleration"),
            Finding("final_speed", float(speed[-1]), "m/s", "final speed"),
        )  # fmt: skip

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        if not found:
            return ()
        begin, speed, s = sets_in(run.time, run[THROTTLE]), 3.6 * run[FORWARD_SPEED], way(run)
        gone, then = s - at(run, s, begin), begin + found["time_to_speed"].value
        steepest = int(np.argmax(np.gradient(run[FORWARD_SPEED], run.time)))
        marks = [
            moment(begin, 0.6 * float(speed.max()), "throttle applied"),
            span(begin, then, 3.6 * self.speed, found["time_to_speed"]),
            point(float(run.time[steepest]), float(speed[steepest]),
                  found["maximum_acceleration"]),
            point(float(run.time[-1]), float(speed[-1]), found["final_speed"]),
        ]  # fmt: skip
        reached = point(
            found["distance_to_speed"].value, 3.6 * self.speed, found["distance_to_speed"]
        )
        return (
            over_time("Forward speed", "km/h", run.time, {"": speed}, marks),
            Diagram("Forward speed over distance", "distance [m]", "[km/h]",
                    (Trace("", gone, speed),), (reached,)),
        )  # fmt: skip


LEAST_SPAN = 1.0  # m/s, of speeds that a curve is laid through


@dataclass(frozen=True)
class RoadLoad(Metric):
    """The force f0 + f1 v + f2 v^2 that decelerates a mass as the run does, by least squares.

    Records count until the speed first falls below ``slowest``.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 100.0, 1001)  # s
    >>> speed = {"vehicle.forward_speed": 30.0 - 0.2 * time}  # m/s: one deceleration
    >>> found = at.RoadLoad(mass=1500.0).findings(Trajectory("car", time, speed, {}, ()))
    >>> print(f"{found[1].value:.1f} {found[1].unit}")
    300.0 N
    """

    summary: ClassVar[str] = "road load of a coast-down, over speed"
    needs: ClassVar[tuple[str, ...]] = (FORWARD_SPEED,)

    mass: float = fixed_number("kg", "effective mass, with the rotating inertia of the wheels",
                               lower=0.0, above=True)  # fmt: skip
    slowest: float = fixed_number("m/s", "down to which records count", default=5.0, lower=0.0)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        speed = run[FORWARD_SPEED]
        f0 = f1 = f2 = math.nan
        slow = first_record(speed < self.slowest)
        used = speed[:slow]
        if used.size and np.ptp(used) >= LEAST_SPAN:
            force = -self.mass * np.gradient(used, run.time[:slow])
            f2, f1, f0 = (float(value) for value in np.polyfit(used, force, 2))
        return (
            Finding("final_speed", float(speed[-1]), "m/s", "final speed"),
            Finding("road_load_f0", f0, "N", "road load: constant term"),
            Finding("road_load_f1", f1, "N/(m/s)", "road load: linear term"),
            Finding("road_load_f2", f2, "N/(m/s)^2", "road load: quadratic term"),
        )

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        f0, f1, f2 = (found[f"road_load_f{k}"] for k in range(3))
        end = point(float(run.time[-1]), found["final_speed"].value, found["final_speed"])
        course = over_time("Forward speed", "m/s", run.time, {"": run[FORWARD_SPEED]}, [end])
        if math.isnan(f0.value):
            return (course,)
        slow = first_record(run[FORWARD_SPEED] < self.slowest)
        used = run[FORWARD_SPEED][:slow]
        force = -self.mass * np.gradient(used, run.time[:slow])
        v = np.linspace(0.0, float(used.max()), 50)
        fitted = f0.value + v * (f1.value + v * f2.value)
        marks = (
            level(0.5 * float(v[-1]), f0.value, f0),
            point(float(v[25]), float(fitted[25]), f1),
            point(float(v[40]), float(fitted[40]), f2),
        )
        traces = (Trace("run", used, force), Trace("f0 + f1 v + f2 v^2", v, fitted, is_guide=True))
        return (course, Diagram("Road load", "speed [m/s]", "[N]", traces, marks))
