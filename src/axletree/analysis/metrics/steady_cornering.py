"""What steady cornering tells of a vehicle, after ISO 4138."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.metrics.vehicle_signals import (
    FORWARD_SPEED,
    LATERAL,
    ROLL,
    SIDESLIP,
    STEERING,
    YAW_RATE,
    lateral_acceleration,
    rolls,
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
from axletree.model.manoeuvres.findings import Column, Columns, Finding
from axletree.model.manoeuvres.metric import Metric


@dataclass(frozen=True)
class Gradients:
    """Slopes against lateral acceleration, in SI."""

    understeer: float  # [rad/(m/s^2)] of the road wheels
    steering: float  # [rad/(m/s^2)] of the steering wheel, at the speed of the test
    sideslip: float  # [rad/(m/s^2)]
    roll: float  # [rad/(m/s^2)]


def gradients(states: Columns, acceleration: Column, wheelbase: float, ratio: float) -> Gradients:
    """Straight lines through steady states, by least squares.

    The understeer gradient is the slope of steering / ratio - wheelbase * yaw rate / speed, which
    does not depend on how speed and radius go together.
    """
    geometric = wheelbase * states[YAW_RATE] / states[FORWARD_SPEED]
    beyond = states[STEERING] / ratio - geometric
    found = (_slope(acceleration, y) for y in (beyond, *(states[name] for name in _SLOPES)))
    return Gradients(*found)


ONE_SPEED = 0.1  # of its mean, by which speed may change where sensitivity at a speed is told
_SLOPES = (STEERING, SIDESLIP, ROLL)
LEAST_STATES = 3
POINTS = 40  # of gains up to such a speed
SHORT_OF_CRITICAL = 0.85  # of the critical speed, up to which a gain without end is drawn


def _slope(x: Column, y: Column) -> float:
    if len(x) < LEAST_STATES:
        return math.nan
    return float(np.polyfit(x, y, 1)[0])


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
    ['0.229183 deg/(m/s^2)', '25 m/s']
    """

    summary: ClassVar[str] = "understeer, roll and sideslip gradients of steady cornering"
    needs: ClassVar[tuple[str, ...]] = (STEERING, SIDESLIP, ROLL, *LATERAL)

    wheelbase: float = fixed_number("m", "from the first axle to the last", lower=0.0, above=True)
    ratio: float = fixed_number("1", "angle of the steering wheel over that of road wheels")
    least: float = fixed_number(
        "m/s^2", "lateral acceleration from which on records count", default=0.5, lower=0.0
    )
    greatest: float = fixed_number(
        "m/s^2", "lateral acceleration up to which they count", default=2.0, lower=0.0, above=True
    )

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        acceleration = lateral_acceleration(run)
        size, counts = np.abs(acceleration), self._counts(acceleration)
        states = _Chosen(run, counts)
        found = gradients(states, acceleration[counts], self.wheelbase, self.ratio)
        K, per_degree = found.understeer, math.radians(1.0)
        sensitivity = per_degree / found.steering if _is_one_speed(states) else math.nan
        roll = Finding(
            "roll_gradient", found.roll / per_degree, "deg/(m/s^2)", "roll angle gradient"
        )
        return (
            Finding("understeer_gradient", K / per_degree, "deg/(m/s^2)", "understeer gradient"),
            Finding("characteristic_speed", _speed(self.wheelbase, K), "m/s",
                    "characteristic speed"),
            Finding("critical_speed", _speed(self.wheelbase, -K), "m/s", "critical speed"),
            Finding("steering_sensitivity", sensitivity, "(m/s^2)/deg", "steering sensitivity"),
            Finding("sideslip_gradient", found.sideslip / per_degree, "deg/(m/s^2)",
                    "sideslip angle gradient"),
            *((roll,) if rolls(run) else ()),
            Finding("greatest_lateral_acceleration", float(np.max(size)), "m/s^2",
                    "greatest lateral acceleration of the run"),
        )  # fmt: skip

    def _counts(self, acceleration: Column) -> NDArray[np.bool_]:
        size = np.abs(acceleration)
        beyond = np.flatnonzero(size > self.greatest)
        last = int(beyond[0]) if beyond.size else len(size)
        return np.asarray((size >= self.least) & (np.arange(len(size)) < last))

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found, side = by_name(self.findings(run)), lateral_acceleration(run)
        counts, top = self._counts(side), int(np.argmax(np.abs(side)))
        greatest = point(float(run.time[top]), float(side[top]),
                         found["greatest_lateral_acceleration"])  # fmt: skip
        course = over_time("Lateral acceleration", "m/s^2", run.time, {"": side}, [greatest])
        if counts.sum() < LEAST_STATES:
            return (course,)
        beyond = run[STEERING] / self.ratio - self.wheelbase * run[YAW_RATE] / run[FORWARD_SPEED]
        curves = (
            ("Road wheels beyond wheelbase / radius", "understeer_gradient", beyond),
            ("Sideslip angle", "sideslip_gradient", run[SIDESLIP]),
            ("Roll angle", "roll_gradient", run[ROLL]),
            ("Steering wheel", "steering_sensitivity", run[STEERING]),
        )
        told = {name for name, one in found.items() if math.isfinite(one.value)}
        drawn = [
            _line(title, side, np.degrees(values), counts, found[name])
            for title, name, values in curves
            if name in told
        ]
        return (*drawn, *self._gain(found), course)

    def _gain(self, found: dict[str, Finding]) -> tuple[Diagram, ...]:
        """Yaw rate over the steering wheel's angle, v / (ratio (L + K v^2)), over speed.

        It is greatest at the characteristic speed, half of that without understeer, and has no
        end at the critical one.
        """
        L, K = self.wheelbase, math.radians(found["understeer_gradient"].value)
        speed, critical = found["characteristic_speed"], found["critical_speed"]
        if math.isfinite(speed.value):
            v = np.linspace(0.0, 2.0 * speed.value, 2 * POINTS + 1)
            mark = point(speed.value, 0.5 * speed.value / (self.ratio * L), speed)
        elif math.isfinite(critical.value):
            v = np.linspace(0.0, SHORT_OF_CRITICAL * critical.value, POINTS + 1)
            mark = moment(critical.value, 2.0 * critical.value / (self.ratio * L), critical)
        else:
            return ()
        below = v[: POINTS + 1]
        neutral = Trace("without understeer", below, below / (self.ratio * L), is_guide=True)
        gain = v / (self.ratio * (L + K * v * v))
        traces = (Trace("by the understeer gradient", v, gain), neutral)
        label = "over the steering wheel [1/s]"
        return (Diagram("Yaw rate gain", "speed [m/s]", label, traces, (mark,)),)


def _line(
    title: str, side: Column, angle: Column, counts: NDArray[np.bool_], said: Finding
) -> Diagram:
    """Angles [deg] over lateral acceleration, and the straight line that a slope is read from."""
    line = np.polyfit(side[counts], angle[counts], 1)
    first, last = side[counts][[0, -1]]
    ends, middle = np.array([0.0, side[int(np.argmax(np.abs(side)))]]), 0.5 * (first + last)
    marks = (
        span(first, last, float(line[1]), "records that count"),
        point(middle, float(np.polyval(line, middle)), said),
    )
    guide = Trace("straight line", ends, np.polyval(line, ends), is_guide=True)
    traces = (Trace("run", side, angle), guide)
    return Diagram(title, "lateral acceleration [m/s^2]", "[deg]", traces, marks)


def _is_one_speed(states: Columns) -> bool:
    speed = states[FORWARD_SPEED]
    return bool(speed.size and np.ptp(speed) <= ONE_SPEED * np.mean(speed))


def _speed(wheelbase: float, gradient: float) -> float:
    return math.sqrt(wheelbase / gradient) if gradient > 0.0 else math.nan


@dataclass(frozen=True)
class _Chosen:
    """Some of the records of a run."""

    run: Columns
    which: np.ndarray

    @property
    def time(self) -> Column:
        return np.asarray(self.run.time[self.which])

    def __getitem__(self, name: str) -> Column:
        return np.asarray(self.run[name][self.which])

    def __contains__(self, name: object) -> bool:
        return name in self.run
