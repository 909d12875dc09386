"""Practice: a driver who drives a course again and again until the vehicle is where it should be.

What the driver knows of the vehicle before is a steady state and two lags (``fit_driver``). What is
left, as tyres near their limit and a body that swings, is learnt from run to run, so that the
vehicle is the limit, not the driver. Two things are learnt, one after the other:

1. To follow the line. The offset of one run from the path gives the curvature that the next one
   adds (iterative learning control: the inverse of a nominal response, applied to the error of the
   run before; Bristow, Tharayil and Alleyne 2006).
2. To pass the cones, where the line leaves too little room. Near its limit no vehicle follows the
   line of least curvature, and another line is better for it: the driver tries what a little
   curvature here and there does to the clearance of every cone (``clearance_search``).

With e the offset to the left, v the speed and the compensation of the driver closed, a curvature
that is added moves the vehicle by

    e'' + (2 / l) e' + (2 / l^2) e = v^2 correction(t - T),    l = look_ahead,

after the lag T of hands and vehicle. Its inverse, T earlier, is the lesson of a run. What is learnt
is kept over time multiplied by the speed at the beginning, so that it serves at the next speed:
from far off the path a driver learns little, and builds up speed instead.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from axletree.analysis.clearance_search import PENALTY, Passage, widest_passage
from axletree.code.backends.c import find_compiler
from axletree.code.backends.runnable import NoCompilerWarning
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.runs.follow_path import FollowPath, time_at
from axletree.simulation.control.controllers import ControllerError, ControlLoop, common_step
from axletree.simulation.simulate import FailedControllerError, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

CORRECTION = "driver.correction"
STEERING_RATE = "driver.steering_rate"
_METHOD, _STEP, _RECORDED = "subdivided-rk45", 5e-3, 1e-2  # s
_SPACING = 0.25  # m, of what is learnt
_LEARNT = 0.6  # of what a run shows
_SMOOTHED = 0.07  # s, width of the bell that offsets are smoothed by before they are derived
_SOFT = 0.05  # s, that tyres near their limit add to the lag
_CLOSE, _FAR = 0.02, 0.12  # m off the path: close enough, and too far to learn from
_SLOWER, _MOST_SLOWER = 0.93, 4  # of the speed, from which speed is built up; how many times
_ENOUGH = 0.05  # m of clearance, with which a driver is content
_APART = 0.2  # s, between curvatures that are tried: what is quicker, hands and vehicle smooth
_BEFORE, _AFTER = 1.0, 0.5  # s before the first cone, where hands begin; s after the finish
_ASIDE = 1.0  # m off the path behind the last cone, for a vehicle that is under control
# Distances that bells are shifted by, in parts of that between them, and lateral accelerations
# [m/s^2] that a curvature is changed by at most at first, of searches one after another.
_SEARCHES = ((0.0, 3.0), (0.5, 1.0), (0.25, 0.3), (0.75, 3.0))
# Drivers turned the wheel by at most 520 deg/s on average where they passed an avoidance course,
# 850 where they did not, and by more than 1000 where they lost control (Rice 1976).
QUICKEST_HANDS = math.radians(1000.0)  # rad/s

_LINE_ALONE = (
    "the driver has practised to follow the line alone, and another one may leave more room "
    "between vehicle and cones: a search for it takes a C compiler; see `axletree doctor`"
)


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
    learnt: FloatArray  # the same over time multiplied by the speed
    deviation: float  # from the path [m]
    worth: float  # clearance, less for hands that are too quick; without cones what is off the path

    @property
    def rank(self) -> tuple[float, float]:
        """By worth [m] up to what is enough, and then by how near the path it is."""
        return min(self.worth, _ENOUGH), -self.deviation


def build_up(
    system: System,
    manoeuvre: FollowPath,
    begin_at: Callable[[float], Course],
    controllers: Sequence[ControlLoop] = (),
) -> Practice:
    """What is learnt at the speed of a manoeuvre, from lower speeds on where that is too fast.

    ``begin_at`` gives the beginning of a run at a speed [m/s]; ``controllers`` are in all runs.
    """
    begun = begin_at(manoeuvre.speed)
    speeds, courses = [manoeuvre.speed], [begun]
    while len(speeds) <= _MOST_SLOWER:
        once = replace(manoeuvre, speed=speeds[-1], practice=0)
        if practise(system, once, courses[-1], None, controllers).deviation < _FAR:
            break
        speeds.append(_SLOWER * speeds[-1])
        courses.append(begin_at(speeds[-1]))
    learnt, train = None, practise
    for speed, course in zip(reversed(speeds), reversed(courses), strict=True):
        found = train(system, replace(manoeuvre, speed=speed), course, learnt, controllers)
        learnt = found.learnt
        if found.worth < 0.0:  # where a slower run fails, there is nothing to search for
            train = follow_line
    return found


def practise(
    system: System,
    manoeuvre: FollowPath,
    course: Course,
    learnt: FloatArray | None = None,
    controllers: Sequence[ControlLoop] = (),
) -> Practice:
    """Runs at one speed, and the best of them.

    ``learnt`` is what was learnt before. Where the lessons of ``follow_line`` leave too little
    clearance of cones, more of it is searched for.
    """
    best = follow_line(system, manoeuvre, course, learnt, controllers)
    is_content = best.worth >= _ENOUGH or not math.isfinite(best.deviation)
    if is_content or not manoeuvre.practice or not manoeuvre.path.cones():
        return best
    if find_compiler() is None:  # some hundred runs, of seconds each
        warnings.warn(_LINE_ALONE, NoCompilerWarning, stacklevel=2)
        return best
    return _search(_Runs(system, manoeuvre, course, controllers), best)


def follow_line(
    system: System,
    manoeuvre: FollowPath,
    course: Course,
    learnt: FloatArray | None = None,
    controllers: Sequence[ControlLoop] = (),
) -> Practice:
    """As many lessons as the manoeuvre says, each of which brings the vehicle closer to the path,
    and the best of these runs."""
    runs = _Runs(system, manoeuvre, course, controllers)
    nothing = 0.0 * runs.times
    best = Practice((runs.times, nothing), runs.kept(nothing), math.inf, -math.inf)
    signal = nothing if learnt is None else runs.recalled(learnt)
    ahead, lag = _preview(manoeuvre, runs.system, runs.course.parameters)
    for lesson in range(1 + int(manoeuvre.practice)):
        run = runs.drive(signal)
        if run is None:  # one that stops on its way teaches nothing
            break
        found = runs.measured(run, signal)
        if lesson == 0 or found.rank > best.rank:
            best = found
        if found.deviation <= _CLOSE:
            break
        runs.end_after(run)
        signal = signal + _LEARNT * _lesson(manoeuvre, run, runs.times, ahead, lag)
    return best


def _search(runs: _Runs, best: Practice) -> Practice:
    """From the best run on, by curvature that is added in bells along the way.

    A search may end where every change of one set of bells does harm. So what still hits a cone is
    searched for again by bells half a distance farther on, which change less at first.
    """
    first = runs.drive(best.signal[1])
    if first is None:
        return best
    runs.end_after(first)
    for shift, trust in _SEARCHES:
        signal, shapes = best.signal[1], runs.bells(first, shift)

        def drive(
            numbers: FloatArray, signal: FloatArray = signal, shapes: FloatArray = shapes
        ) -> Passage | None:
            run = runs.drive(signal + shapes @ numbers)
            return None if run is None else runs.passage(run)

        numbers, passage = widest_passage(drive, shapes.shape[1], trust, _ENOUGH)
        chosen = signal + shapes @ numbers
        run = runs.drive(chosen)
        if passage is None or run is None:
            return best
        best = runs.measured(run, chosen)
        if best.worth >= 0.0:
            return best
    return best


def haste(run: Trajectory) -> float:
    """By how much of the quickest that hands can turn it the steering wheel turns quicker."""
    return max(float(np.abs(run[STEERING_RATE]).max()) / QUICKEST_HANDS - 1.0, 0.0)


class _Runs:
    """Runs through one course at one speed, each with curvature that is added over ``times``."""

    def __init__(
        self,
        system: System,
        manoeuvre: FollowPath,
        course: Course,
        controllers: Sequence[ControlLoop],
    ) -> None:
        self.system, self.manoeuvre, self.course = system, manoeuvre, course
        self.controllers, self._step = tuple(controllers), common_step(controllers, _STEP)
        self.times = np.arange(0.0, manoeuvre.span + 0.5 * _RECORDED, _RECORDED)  # [s]
        self._span = manoeuvre.span
        states = {quantity.name for quantity in system.states}
        needed = dict.fromkeys([*manoeuvre.place, *manoeuvre.needed_outputs])
        self._outputs = [name for name in needed if name not in states]

    def recalled(self, learnt: FloatArray) -> FloatArray:
        """Over times, what was learnt at any speed."""
        ways = _SPACING * np.arange(len(learnt))
        return np.interp(self.manoeuvre.speed * self.times, ways, learnt)

    def kept(self, signal: FloatArray) -> FloatArray:
        """What a signal over times is for any speed."""
        ways = self.manoeuvre.speed * self.times
        return np.interp(np.arange(0.0, ways[-1] + _SPACING, _SPACING), ways, signal)

    def drive(self, signal: FloatArray) -> Trajectory | None:
        """A run, or None if it stops on its way."""
        inputs = {**self.course.inputs, CORRECTION: (self.times, signal)}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run = simulate(
                    self.system, self._span, step=self._step, method=_METHOD,
                    initial=self.course.initial, inputs=inputs,
                    parameters=self.course.parameters, outputs=self._outputs,
                    record_interval=_RECORDED, watch=False, controllers=self.controllers,
                )  # fmt: skip
        except (ControllerError, FailedControllerError):  # which says nothing about the vehicle
            raise
        except SimulationError:
            return None
        if not run.complete:
            raise KeyboardInterrupt
        return run

    def end_after(self, run: Trajectory) -> None:
        """Further runs end soon after one like this has come to the finish."""
        done = time_at(self.manoeuvre.path.finish, run.time, run[self.manoeuvre.place[4]])
        if not math.isnan(done):
            tenths = math.ceil(10.0 * (done + _AFTER))
            self._span = min(self._span, 0.1 * tenths)

    def measured(self, run: Trajectory, signal: FloatArray) -> Practice:
        """A vehicle that has left its lane has no clearance."""
        found = {one.name: one.value for one in self.manoeuvre.own_findings(run)}
        deviation = found["maximum_path_deviation"]
        worth = found.get("clearance", -deviation) - PENALTY * haste(run)
        known = -math.inf if math.isnan(worth) else worth
        return Practice((self.times, signal), self.kept(signal), deviation, known)

    def passage(self, run: Trajectory) -> Passage | None:
        """None where a cone was not passed. Behind the last one the path is what it keeps to."""
        near = self.manoeuvre.cone_clearance(self.manoeuvre.swept(run))
        offset, way = (run[name] for name in self.manoeuvre.place[3:])
        after = np.arange(max(self._beside_cones()), self.manoeuvre.path.finish, 1.0)  # m
        aside = np.abs(np.interp(after, np.maximum.accumulate(way), offset))
        clearances = np.concatenate([*near.values(), _ASIDE - aside])
        if not np.isfinite(clearances).all():
            return None
        return Passage(clearances, run[STEERING_RATE] / QUICKEST_HANDS)

    def _beside_cones(self) -> list[float]:
        """Stations of cones [m]."""
        line = self.manoeuvre.path.line
        return [
            float(line.station[np.argmin(np.hypot(line.x - cone.x, line.y - cone.y))])
            for cone in self.manoeuvre.path.cones()
        ]

    def bells(self, run: Trajectory, shift: float) -> FloatArray:
        """Curvatures [1/m] over times for each 1 m/s^2, in columns: cubic B-splines from before the
        first cone to the last, at the times of a run, and so many of their distances later."""
        from scipy.interpolate import BSpline

        beside = self._beside_cones()
        way = np.maximum.accumulate(run[self.manoeuvre.place[4]])
        first, end = np.interp([min(beside), max(beside)], way, run.time)
        begin = max(first - _BEFORE, 0.0)
        count = max(math.ceil((end - begin) / _APART), 1)
        knots = begin + _APART * (shift + np.arange(-3.0, count + 4.0))
        shapes = BSpline(knots, np.eye(count + 3), 3, extrapolate=False)(self.times)
        return np.asarray(np.nan_to_num(shapes) / self.manoeuvre.speed**2)


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
