"""One steady state of cornering, at the end of a run, after ISO 4138."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.vehicle_signals import (
    FORWARD_SPEED,
    LATERAL,
    LATERAL_SPEED,
    ROLL,
    SIDESLIP,
    STEERING,
    YAW_RATE,
    lateral_acceleration,
    rolls,
)
from axletree.library.fields import fixed_number
from axletree.model.manoeuvres.diagram import Diagram, by_name, over_time, span
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.metric import Metric


@dataclass(frozen=True)
class SteadyTurn(Metric):
    """Mean values over the end of a run, such as one along a circle at one speed.

    A model in the plane has no angle of roll.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 5.0, 101)  # s
    >>> columns = {name: 0.0 * time for name in at.SteadyTurn.needs}
    >>> columns |= {"vehicle.forward_speed": 0 * time + 20, "vehicle.yaw_rate": 0 * time + 0.2}
    >>> found = at.SteadyTurn().findings(Trajectory("car", time, columns, {}, ()))
    >>> [one.in_words for one in found[:3]]
    ['20 m/s', '100 m', '4 m/s^2']
    """

    summary: ClassVar[str] = "steering wheel, lateral acceleration, sideslip and roll of one turn"
    needs: ClassVar[tuple[str, ...]] = (STEERING, SIDESLIP, ROLL, *LATERAL)

    over: float = fixed_number(
        "s", "time before the end over which means are taken", default=2.0, lower=0.0, above=True
    )

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        last = run.time >= run.time[-1] - self.over - 1e-9
        speed = float(np.mean(np.hypot(run[FORWARD_SPEED], run[LATERAL_SPEED])[last]))
        yaw = float(np.mean(run[YAW_RATE][last]))
        angles = [math.degrees(float(np.mean(run[n][last]))) for n in (STEERING, SIDESLIP, ROLL)]
        return (
            Finding("steady_speed", speed, "m/s", "speed"),
            Finding("steady_radius", speed / abs(yaw) if yaw else math.nan, "m", "radius"),
            Finding("steady_lateral_acceleration", float(np.mean(lateral_acceleration(run)[last])),
                    "m/s^2", "lateral acceleration"),
            Finding("steering_wheel_angle", angles[0], "deg", "angle of the steering wheel"),
            Finding("steady_sideslip", angles[1], "deg", "sideslip angle"),
            *((Finding("steady_roll", angles[2], "deg", "roll angle"),) if rolls(run) else ()),
        )  # fmt: skip

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, end = by_name(self.findings(run)), float(run.time[-1])
        courses = (
            ("Lateral acceleration", "m/s^2", "steady_lateral_acceleration",
             lateral_acceleration(run)),
            ("Steering wheel", "deg", "steering_wheel_angle", np.degrees(run[STEERING])),
            ("Sideslip angle", "deg", "steady_sideslip", np.degrees(run[SIDESLIP])),
            ("Roll angle", "deg", "steady_roll", np.degrees(run[ROLL])),
        )  # fmt: skip
        return tuple(
            over_time(title, unit, run.time, {"": values},
                      [span(end - self.over, end, found[name].value, found[name])])
            for title, unit, name, values in courses
            if name in found
        )  # fmt: skip
