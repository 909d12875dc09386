"""Practice: a driver who drives a course again and again until the vehicle is where it should be.

What the driver knows of the vehicle before is a steady state and two lags (``fit_driver``). What is
left, as tyres near their limit and a body that swings, is learnt from run to run: the offset of
one run from the path gives the curvature that the next one adds (iterative learning control: the
inverse of a nominal response, applied to the error of the run before; Bristow, Tharayil and
Alleyne 2006). So the vehicle is the limit, not the driver.

With e the offset to the left, v the speed and the compensation of the driver closed, a curvature
that is added moves the vehicle by

    e'' + (2 / l) e' + (2 / l^2) e = v^2 correction(t - T),    l = look_ahead,

after the lag T of hands and vehicle. Its inverse, T earlier, is the lesson of a run. Lessons are
kept over the distance along the path, so that what is learnt at one speed serves at the next one:
from far off the path a driver learns little, and builds up speed instead.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.runs.follow_path import FollowPath
from axletree.simulation.simulate import simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

CORRECTION = "driver.correction"
_STEP, _METHOD, _RECORDED = 2e-3, "subdivided-rk45", 1e-2  # s
_SPACING = 0.25  # m between stations of what is learnt
_LEARNT = 0.6  # of what a run shows
_SMOOTHED = 0.07  # s, width of the bell that offsets are smoothed by before they are derived
_SOFT = 0.05  # s, that tyres near their limit add to the lag
_CLOSE, _FAR = 0.02, 0.12  # m off the path: close enough, and too far to learn from
_SLOWER, _MOST_SLOWER = 0.93, 4  # of the speed, from which speed is built up; how many times


@dataclass(frozen=True, eq=False)
class Course:
    """How a run begins, and what is given: for ``simulate``."""

    initial: Mapping[str, float | str]
    inputs: Mapping[str, Any]
    parameters: Mapping[str, float | str]


@dataclass(frozen=True, eq=False)
class Practice:
    """The best of some runs."""

    signal: tuple[FloatArray, FloatArray]  # times [s] and the curvature added there [1/m]
    learnt: FloatArray  # the same over stations
    deviation: float  # from the path [m]
    clearance: float  # or what is off the path, negative, where nothing bounds the way [m]


def build_up(
    system: System, manoeuvre: FollowPath, begin_at: Callable[[float], Course]
) -> Practice:
    """What is learnt at the speed of a manoeuvre, from lower speeds on where that is too fast.

    ``begin_at`` gives the beginning of a run at a speed [m/s].
    """
    begun = begin_at(manoeuvre.speed)
    speeds, courses = [manoeuvre.speed], [begun]
    while len(speeds) <= _MOST_SLOWER:
        first = practise(system, _at(manoeuvre, speeds[-1]), courses[-1], lessons=0)
        if first.deviation < _FAR:
            break
        speeds.append(_SLOWER * speeds[-1])
        courses.append(begin_at(speeds[-1]))
    learnt = None
    for speed, course in zip(reversed(speeds), reversed(courses), strict=True):
        found = practise(system, _at(manoeuvre, speed), course, learnt)
        learnt = found.learnt
    return found


def _at(manoeuvre: FollowPath, speed: float) -> FollowPath:
    return replace(manoeuvre, speed=speed)


def practise(
    system: System,
    manoeuvre: FollowPath,
    course: Course,
    learnt: FloatArray | None = None,
    lessons: int | None = None,
) -> Practice:
    """Runs at one speed, each with the lesson of the one before, and the best of them.

    ``learnt`` is what was learnt before, over stations; ``lessons`` are as many as the manoeuvre
    says, or until the vehicle is close to the path.
    """
    stations = np.arange(0.0, float(manoeuvre.path.line.station[-1]) + _SPACING, _SPACING)
    known = np.zeros(len(stations)) if learnt is None else learnt
    times = np.arange(0.0, manoeuvre.span + 0.5 * _RECORDED, _RECORDED)
    way, best = manoeuvre.speed * times, None
    ahead, lag = _preview(manoeuvre, system, course.parameters)
    for _ in range(1 + int(manoeuvre.practice if lessons is None else lessons)):
        signal = times, np.interp(way, stations, known)
        run = _driven(system, manoeuvre, course, signal)
        if run is None:  # one that stops on its way teaches nothing
            break
        found = _measured(manoeuvre, run, signal, known)
        if best is None or found.clearance > best.clearance:
            best = found
        if found.deviation <= _CLOSE:
            break
        way = np.maximum.accumulate(np.interp(times, run.time, run[manoeuvre.place[4]]))
        lesson = _lesson(manoeuvre, run, times, ahead, lag)
        known = known + _LEARNT * np.interp(stations, way, lesson)
    if best is None:
        return Practice((times, 0.0 * times), known, math.inf, -math.inf)
    return best


def _driven(
    system: System, manoeuvre: FollowPath, course: Course, signal: tuple[FloatArray, FloatArray]
) -> Trajectory | None:
    states = {quantity.name for quantity in system.states}
    needed = dict.fromkeys([*manoeuvre.place, *manoeuvre.needed_outputs])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = simulate(
                system, manoeuvre.span, step=_STEP, method=_METHOD, initial=course.initial,
                inputs={**course.inputs, CORRECTION: signal}, parameters=course.parameters,
                outputs=[name for name in needed if name not in states],
                record_interval=_RECORDED, watch=False,
            )  # fmt: skip
    except SimulationError:
        return None
    if not run.complete:
        raise KeyboardInterrupt
    return run


def _measured(
    manoeuvre: FollowPath, run: Trajectory, signal: tuple[FloatArray, FloatArray], known: FloatArray
) -> Practice:
    """A vehicle that has left its lane has no clearance."""
    found = {one.name: one.value for one in manoeuvre.own_findings(run)}
    deviation = found["maximum_path_deviation"]
    clearance = found.get("clearance", -deviation)
    return Practice(signal, known, deviation, -math.inf if math.isnan(clearance) else clearance)


def _lesson(
    manoeuvre: FollowPath, run: Trajectory, times: FloatArray, ahead: float, lag: float
) -> FloatArray:
    """Curvature [1/m] at times [s] that takes the offset of a run away."""
    from scipy.ndimage import gaussian_filter1d

    x, y = (np.gradient(run[name], run.time) for name in manoeuvre.place[:2])
    v = np.maximum(np.interp(times, run.time, np.hypot(x, y)), 1.0)
    offset = np.interp(times, run.time, run[manoeuvre.place[3]])
    smooth = gaussian_filter1d(offset, _SMOOTHED / _RECORDED, mode="nearest")
    rate = np.gradient(smooth, times)
    needed = np.gradient(rate, times) + 2.0 / ahead * rate + 2.0 / ahead**2 * smooth
    return np.asarray(-np.interp(times + lag, times, needed / (v * v)))


def _preview(
    manoeuvre: FollowPath, system: System, parameters: Mapping[str, float | str]
) -> tuple[float, float]:
    """l and T [s] at the speed of the manoeuvre, the latter as in ``curvature_ahead``."""
    v, own = manoeuvre.speed, {q.name: q.default for q in system.parameters}

    def known(name: str) -> float:
        full = f"{manoeuvre.driver}.{name}"
        return float(parameters.get(full, own.get(full, 0.0)))

    stiffer = 1.0 + known("understeer") * v * v / known("wheelbase")
    late = known("reaction") + 2.0 * known("hand_damping") / known("hand_rate")
    late += known("response") * v / stiffer + (known("tyre_lag") - known("rear")) / v
    return known("look_ahead"), late + _SOFT
