"""One steady state of cornering, at the end of a run, after ISO 4138."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

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
from axletree.model.manoeuvres.findings import Column, Columns, Finding, first_record_for_good
from axletree.model.manoeuvres.metric import Metric
from axletree.model.manoeuvres.told_outputs import told_outputs

GENTLE = 1.0  # m/s^2; shares of less lateral acceleration than this would be of round-off
WIDEST = 1.5  # of the radius, up to which radii are drawn
NOT_STEADY = " (not steady)"
OFF_THE_PATH = " (off the path)"


@dataclass(frozen=True)
class SteadyTurn(Metric):
    """Mean values over the end of a run, such as one along a circle at one speed.

    They are told where the end is steady: speed, yaw rate and lateral acceleration stay within a
    ``share`` of their means, and a path that is followed is not farther than ``farthest``.
    Otherwise all are nan and say why. A model in the plane has no angle of roll.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 5.0, 101)  # s
    >>> columns = {name: 0.0 * time for name in at.SteadyTurn.needs}
    >>> columns |= {"vehicle.forward_speed": 0 * time + 20, "vehicle.yaw_rate": 0 * time + 0.2}
    >>> columns["vehicle.lateral_acceleration"] = 0 * time + 4  # m/s^2
    >>> found = at.SteadyTurn().findings(Trajectory("car", time, columns, {}, ()))
    >>> [one.in_words for one in found[:3]]
    ['20 m/s', '100 m', '4 m/s^2']
    """

    summary: ClassVar[str] = "steering wheel, lateral acceleration, sideslip and roll of one turn"
    needs: ClassVar[tuple[str, ...]] = (STEERING, SIDESLIP, ROLL, *LATERAL)

    over: float = fixed_number(
        "s", "time before the end over which means are taken", default=2.0, lower=0.0, above=True
    )

    share: float = fixed_number(
        "1", "of their means, from which speed and accelerations may differ", default=0.05,
        lower=0.0, above=True,
    )  # fmt: skip
    offsets: tuple[str, ...] = told_outputs("m", "distances from a path that is followed")
    farthest: float = fixed_number(
        "m", "distance from the path up to which it is followed", default=1.0, lower=0.0
    )

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        last = self._last(run)
        speed = float(np.mean(np.hypot(run[FORWARD_SPEED], run[LATERAL_SPEED])[last]))
        yaw = float(np.mean(run[YAW_RATE][last]))
        angles = [math.degrees(float(np.mean(run[n][last]))) for n in (STEERING, SIDESLIP, ROLL)]
        side = float(np.mean(lateral_acceleration(run)[last]))
        told = (
            ("steady_speed", speed, "m/s", "speed"),
            ("steady_radius", speed / abs(yaw) if yaw else math.nan, "m", "radius"),
            ("steady_lateral_acceleration", side, "m/s^2", "lateral acceleration"),
            ("steering_wheel_angle", angles[0], "deg", "angle of the steering wheel"),
            ("steady_sideslip", angles[1], "deg", "sideslip angle"),
            *((("steady_roll", angles[2], "deg", "roll angle"),) if rolls(run) else ()),
        )
        why = self._fails(run)
        return tuple(
            Finding(name, math.nan if why else value, unit, text + why)
            for name, value, unit, text in told
        )

    def _last(self, run: Columns) -> NDArray[np.bool_]:
        """The records that count."""
        return np.asarray(run.time >= run.time[-1] - self.over - 1e-9)

    def _fails(self, run: Columns) -> str:
        """Why the end is no steady turn, in words; empty if it is one."""
        last = self._last(run)
        speed = np.hypot(run[FORWARD_SPEED], run[LATERAL_SPEED])[last]
        mean = float(np.mean(speed))
        bounds = (
            (speed, mean),
            (mean * run[YAW_RATE][last], GENTLE),
            (lateral_acceleration(run)[last], GENTLE),
        )
        for values, least in bounds:
            middle = float(np.mean(values))
            if np.max(np.abs(values - middle)) > self.share * max(abs(middle), least):
                return NOT_STEADY
        far = any(np.max(np.abs(run[name][last])) > self.farthest for name in self.offsets)
        return OFF_THE_PATH if far else ""

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, end = by_name(self.findings(run)), float(run.time[-1])
        speed = np.hypot(run[FORWARD_SPEED], run[LATERAL_SPEED])
        courses = (
            ("Speed", "m/s", "steady_speed", speed),
            ("Lateral acceleration", "m/s^2", "steady_lateral_acceleration",
             lateral_acceleration(run)),
            ("Steering wheel", "deg", "steering_wheel_angle", np.degrees(run[STEERING])),
            ("Sideslip angle", "deg", "steady_sideslip", np.degrees(run[SIDESLIP])),
            ("Roll angle", "deg", "steady_roll", np.degrees(run[ROLL])),
        )  # fmt: skip
        drawn = [
            over_time(title, unit, run.time, {"": values},
                      [span(end - self.over, end, found[name].value, found[name])])
            for title, unit, name, values in courses
            if name in found
        ]  # fmt: skip
        return (*drawn, *self._circle(run, speed, found["steady_radius"]))

    def _circle(self, run: Columns, speed: Column, radius: Finding) -> tuple[Diagram, ...]:
        """The radius over the time in which it turns; nothing of what goes straight on."""
        turning = np.abs(run[YAW_RATE])
        begin = first_record_for_good(WIDEST * radius.value * turning > speed)
        if begin is None:
            return ()
        late, end = slice(begin, None), float(run.time[-1])
        mark = span(end - self.over, end, radius.value, radius)
        course = {"": speed[late] / turning[late]}
        return (over_time("Speed over yaw rate", "m", run.time[late], course, [mark]),)
