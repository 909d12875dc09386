"""Steady cornering after ISO 4138: gradients over many steady states, and one state at the end of
a run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.components.fields import fixed_number
from axletree.metrics.contract import Metric, output_names
from axletree.metrics.findings import (
    Column,
    Columns,
    Diagram,
    Finding,
    Trace,
    first_record,
    first_record_for_good,
    moment,
    over_time,
    peak_point,
    point,
    span,
)
from axletree.metrics.vehicle_signals import (
    FORWARD_SPEED,
    LATERAL,
    ROLL,
    SIDESLIP,
    STEERING,
    YAW_RATE,
    ground_speed,
    lateral_acceleration,
    rolls,
    steering_angle,
)

ONE_SPEED = 0.1  # of its mean, by which speed may change for a sensitivity at one speed
LEAST_STATES = 3
_POINTS = 40  # of gains up to such a speed
SHORT_OF_CRITICAL = 0.85  # of the critical speed, up to which a gain without end is drawn


def _slope(x: Column, y: Column) -> float:
    """Of the straight line through steady states, by least squares."""
    return float(np.polyfit(x, y, 1)[0]) if len(x) >= LEAST_STATES else math.nan


@dataclass(frozen=True)
class SteadyCornering(Metric):
    """Gradients against lateral acceleration over a range of it in which they are straight lines.

    Characteristic speed is sqrt(wheelbase / K) for an understeer gradient K, and critical speed
    sqrt(-wheelbase / K) where it is negative. The records are steady states, or nearly: those of a
    slow ramp, or of a circle on which speed rises slowly. Steering sensitivity is at one speed,
    and nan of such a circle. A model in the plane has no roll gradient.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 100.0, 1001)  # s
    >>> side = 0.03 * time  # m/s^2, at 20 m/s
    >>> columns = {name: 0.0 * time for name in at.SteadyCornering.needs}
    >>> columns |= {"vehicle.forward_speed": 20.0 + 0.0 * time, "vehicle.yaw_rate": side / 20.0}
    >>> columns["vehicle.lateral_acceleration"] = side
    >>> columns["driver.steering"] = 15.0 * (2.5 * side / 400.0 + 0.004 * side)  # rad
    >>> metric = at.SteadyCornering(wheelbase=2.5, ratio=15.0)
    >>> found = metric.findings(Trajectory("car", time, columns, {}, ()))
    >>> [one.in_words for one in found[:2]]  # 0.004 rad/(m/s^2); sqrt(2.5 / 0.004)
    ['0.229183 deg/(m/s^2)', '90 km/h']
    """

    summary: ClassVar[str] = "understeer, roll and sideslip gradients of steady cornering"
    needs: ClassVar[tuple[str, ...]] = (STEERING, SIDESLIP, ROLL, *LATERAL)

    wheelbase: float = fixed_number("m", "from the first axle to the last", lower=0.0, above=True)
    ratio: float = fixed_number("1", "steering wheel angle over road wheel angle")
    least: float = fixed_number(
        "m/s^2", "lateral acceleration from which on records count", default=0.5, lower=0.0
    )
    greatest: float = fixed_number(
        "m/s^2", "lateral acceleration up to which they count", default=2.0, lower=0.0, above=True
    )

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        acceleration = lateral_acceleration(run)
        size, counts = np.abs(acceleration), self._counts(acceleration)
        courses = (self._beyond_ackermann(run), steering_angle(run), run[SIDESLIP], run[ROLL])
        K, steering, sideslip, roll = (
            _slope(acceleration[counts], course[counts]) for course in courses
        )
        speed, per_degree = run[FORWARD_SPEED][counts], math.radians(1.0)
        is_one_speed = speed.size and np.ptp(speed) <= ONE_SPEED * np.mean(speed)
        sensitivity = per_degree / steering if is_one_speed else math.nan
        rolling = Finding("roll_gradient", roll / per_degree, "deg/(m/s^2)", "roll angle gradient")
        return (
            Finding("understeer_gradient", K / per_degree, "deg/(m/s^2)", "understeer gradient"),
            Finding("characteristic_speed", 3.6 * _speed(self.wheelbase, K), "km/h",
                    "characteristic speed"),
            Finding("critical_speed", 3.6 * _speed(self.wheelbase, -K), "km/h", "critical speed"),
            Finding("steering_sensitivity", sensitivity, "(m/s^2)/deg", "steering sensitivity"),
            Finding("sideslip_gradient", sideslip / per_degree, "deg/(m/s^2)",
                    "sideslip angle gradient"),
            *((rolling,) if rolls(run) else ()),
            Finding("maximum_lateral_acceleration", float(np.max(size)), "m/s^2",
                    "maximum lateral acceleration of the run"),
        )  # fmt: skip

    def _beyond_ackermann(self, run: Columns) -> Column:
        """[rad], whose slope does not depend on how speed and radius go together."""
        angle = steering_angle(run) / self.ratio
        return angle - self.wheelbase * run[YAW_RATE] / run[FORWARD_SPEED]

    def _counts(self, acceleration: Column) -> NDArray[np.bool_]:
        size = np.abs(acceleration)
        beyond = first_record(size > self.greatest)
        last = len(size) if beyond is None else beyond
        return np.asarray((size >= self.least) & (np.arange(len(size)) < last))

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        side = lateral_acceleration(run)
        counts = self._counts(side)
        greatest = peak_point(run.time, side, found["maximum_lateral_acceleration"])
        course = over_time("Lateral acceleration", "m/s^2", run.time, {"": side}, [greatest])
        if counts.sum() < LEAST_STATES:
            return (course,)
        beyond = self._beyond_ackermann(run)
        curves = (
            ("Steer angle beyond Ackermann", "understeer_gradient", beyond),
            ("Sideslip angle", "sideslip_gradient", run[SIDESLIP]),
            ("Roll angle", "roll_gradient", run[ROLL]),
            ("Steering wheel", "steering_sensitivity", steering_angle(run)),
        )
        known = {name for name, one in found.items() if math.isfinite(one.value)}
        drawn = [
            _line(title, side, np.degrees(values), counts, found[name])
            for title, name, values in curves
            if name in known
        ]
        return (*drawn, *self._gain(found), course)

    def _gain(self, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        """Yaw rate over the steering wheel's angle, v / (ratio (L + K v^2)), over speed.

        It is greatest at the characteristic speed, half of that without understeer, and has no
        end at the critical one.
        """
        L, K = self.wheelbase, math.radians(found["understeer_gradient"].value)
        speed, critical = found["characteristic_speed"], found["critical_speed"]
        if math.isfinite(speed.value):
            at = speed.value / 3.6  # m/s
            v = np.linspace(0.0, 2.0 * at, 2 * _POINTS + 1)
            mark = point(speed.value, 0.5 * at / (self.ratio * L), speed)
        elif math.isfinite(critical.value):
            at = critical.value / 3.6
            v = np.linspace(0.0, SHORT_OF_CRITICAL * at, _POINTS + 1)
            mark = moment(critical.value, 2.0 * at / (self.ratio * L), critical)
        else:
            return ()
        below = v[: _POINTS + 1]
        neutral = Trace("neutral steer", 3.6 * below, below / (self.ratio * L), is_guide=True)
        gain = v / (self.ratio * (L + K * v * v))
        traces = (Trace("from the understeer gradient", 3.6 * v, gain), neutral)
        label = "yaw rate / steering wheel angle [1/s]"
        return (Diagram("Yaw rate gain", "speed [km/h]", label, traces, (mark,)),)


def _line(
    title: str, side: Column, angle: Column, counts: NDArray[np.bool_], said: Finding
) -> Diagram:
    """Angles [deg] over lateral acceleration, and the straight line that a slope is read from."""
    line = np.polyfit(side[counts], angle[counts], 1)
    first, last = side[counts][[0, -1]]
    ends, middle = np.array([0.0, side[int(np.argmax(np.abs(side)))]]), 0.5 * (first + last)
    marks = (
        span(first, last, float(line[1]), "range of the fit"),
        point(middle, float(np.polyval(line, middle)), said),
    )
    guide = Trace("linear fit", ends, np.polyval(line, ends), is_guide=True)
    traces = (Trace("run", side, angle), guide)
    return Diagram(title, "lateral acceleration [m/s^2]", "[deg]", traces, marks)


def _speed(wheelbase: float, gradient: float) -> float:
    return math.sqrt(wheelbase / gradient) if gradient > 0.0 else math.nan


_GENTLE = 1.0  # m/s^2; shares of less lateral acceleration than this would be of round-off
_WIDEST = 1.5  # of the radius, up to which radii are drawn
NOT_STEADY = " (not steady)"
OFF_THE_PATH = " (off the path)"


@dataclass(frozen=True)
class SteadyTurn(Metric):
    """Mean values over the end of a run, such as one along a circle at one speed.

    They are known where the end is steady: speed, yaw rate and lateral acceleration stay within a
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

    summary: ClassVar[str] = (
        "steering wheel angle, lateral acceleration, sideslip and roll of a steady turn"
    )
    needs: ClassVar[tuple[str, ...]] = (STEERING, SIDESLIP, ROLL, *LATERAL)

    over: float = fixed_number(
        "s", "time before the end over which means are taken", default=2.0, lower=0.0, above=True
    )

    share: float = fixed_number(
        "1", "of their means, from which speed and accelerations may differ", default=0.05,
        lower=0.0, above=True,
    )  # fmt: skip
    offsets: tuple[str, ...] = output_names("m", "distances from a path that is followed")
    farthest: float = fixed_number(
        "m", "distance from the path up to which it is followed", default=1.0, lower=0.0
    )

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        last = self._last(run)
        speed = float(np.mean(ground_speed(run)[last]))
        yaw = float(np.mean(run[YAW_RATE][last]))
        courses = (steering_angle(run), run[SIDESLIP], run[ROLL])
        angles = [math.degrees(float(np.mean(course[last]))) for course in courses]
        side = float(np.mean(lateral_acceleration(run)[last]))
        measured = (
            ("steady_speed", speed, "m/s", "speed"),
            ("steady_radius", speed / abs(yaw) if yaw else math.nan, "m", "radius"),
            ("steady_lateral_acceleration", side, "m/s^2", "lateral acceleration"),
            ("steering_wheel_angle", angles[0], "deg", "steering wheel angle"),
            ("steady_sideslip", angles[1], "deg", "sideslip angle"),
            *((("steady_roll", angles[2], "deg", "roll angle"),) if rolls(run) else ()),
        )
        why = self._fails(run)
        return tuple(
            Finding(name, math.nan if why else value, unit, text + why)
            for name, value, unit, text in measured
        )

    def _last(self, run: Columns) -> NDArray[np.bool_]:
        """The records that count."""
        return np.asarray(run.time >= run.time[-1] - self.over - 1e-9)

    def _fails(self, run: Columns) -> str:
        """Why the end is no steady turn, in words; empty if it is one."""
        last = self._last(run)
        speed = ground_speed(run)[last]
        mean = float(np.mean(speed))
        bounds = (
            (speed, mean),
            (mean * run[YAW_RATE][last], _GENTLE),
            (lateral_acceleration(run)[last], _GENTLE),
        )
        for values, least in bounds:
            middle = float(np.mean(values))
            if np.max(np.abs(values - middle)) > self.share * max(abs(middle), least):
                return NOT_STEADY
        far = any(np.max(np.abs(run[name][last])) > self.farthest for name in self.offsets)
        return OFF_THE_PATH if far else ""

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        speed, end = ground_speed(run), float(run.time[-1])
        courses = (
            ("Speed", "m/s", "steady_speed", speed),
            ("Lateral acceleration", "m/s^2", "steady_lateral_acceleration",
             lateral_acceleration(run)),
            ("Steering wheel", "deg", "steering_wheel_angle", np.degrees(steering_angle(run))),
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
        begin = first_record_for_good(_WIDEST * radius.value * turning > speed)
        if begin is None:
            return ()
        late, end = slice(begin, None), float(run.time[-1])
        mark = span(end - self.over, end, radius.value, radius)
        course = {"": speed[late] / turning[late]}
        return (over_time("Radius (speed / yaw rate)", "m", run.time[late], course, [mark]),)
