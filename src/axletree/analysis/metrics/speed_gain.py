"""How quickly a vehicle gains speed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.vehicle_signals import (
    FORWARD_SPEED,
    LATERAL_SPEED,
    THROTTLE,
    at,
    reaches,
    sets_in,
    way,
)
from axletree.library.fields import fixed_number
from axletree.model.manoeuvres.diagram import (
    Diagram,
    Trace,
    by_name,
    moment,
    over_time,
    point,
    span,
)
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.metric import Metric


@dataclass(frozen=True)
class SpeedGain(Metric):
    """Time and way from the beginning of the pedal's way to a speed.

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

    summary: ClassVar[str] = "time and way to a speed"
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
            Finding("way_to_speed", at(run, s, end) - at(run, s, begin), "m", f"way {word}"),
            Finding("greatest_acceleration", float(np.max(np.gradient(speed, run.time))), "m/s^2",
                    "greatest acceleration"),
            Finding("speed_at_end", float(speed[-1]), "m/s", "speed at the end"),
        )  # fmt: skip

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        if not found:
            return ()
        begin, speed, s = sets_in(run.time, run[THROTTLE]), 3.6 * run[FORWARD_SPEED], way(run)
        gone, then = s - at(run, s, begin), begin + found["time_to_speed"].value
        steepest = int(np.argmax(np.gradient(run[FORWARD_SPEED], run.time)))
        marks = [
            moment(begin, 0.6 * float(speed.max()), "the pedal sets in"),
            span(begin, then, 3.6 * self.speed, found["time_to_speed"]),
            point(float(run.time[steepest]), float(speed[steepest]),
                  found["greatest_acceleration"]),
            point(float(run.time[-1]), float(speed[-1]), found["speed_at_end"]),
        ]  # fmt: skip
        reached = point(found["way_to_speed"].value, 3.6 * self.speed, found["way_to_speed"])
        return (
            over_time("Forward speed", "km/h", run.time, {"": speed}, marks),
            Diagram("Forward speed over the way", "way [m]", "[km/h]", (Trace("", gone, speed),),
                    (reached,)),
        )  # fmt: skip
