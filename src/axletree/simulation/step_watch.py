"""The watch on steps of one length: runs whose step is too large say so, and which one holds.

The error of a run is estimated in two stages. The first takes a few steps again from records of
the run: one step, and the same in halves, whose difference is the error of a step (Richardson's
extrapolation; Hairer, Norsett and Wanner 1993, section II.4). Their sum over the run, and the
growth of deviations by the modes of single steps, are the estimate. The second stage, for runs
whose estimate is not small, are runs with double and half the step, and then ever shorter ones
that show which step holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.simulation.problem import Problem, Tolerances
from axletree.simulation.recording import Recording, StepPlan, plan_steps

UNTRUSTED: Final = 0.04  # of a state's range: an error that is told; all above 5 %, none below 1 %
_HOLDS: Final = 0.01  # likewise: a step with this error is proposed
_DOUBTFUL: Final = 5e-3  # likewise, estimated from samples; more asks for further runs
_OF_DIFFERENCE: Final = 2.0  # the error of a step over what its halves differ by, of order 1
# Of the steps of a run, what is taken again: evenly over it, where it is roughest, for growth.
_SPREAD, _ROUGH, _GROWTH = 0.004, 0.01, 0.003
_FEWEST_STEPS: Final = 20  # where it is roughest, however short a run is
_SAMPLES, _GROWTH_SAMPLES = (8, 16), (2, 6)  # at least and at most
_MOST_STATES: Final = 32  # of systems whose modes are looked at, for these take time
_SMALL, _SMALLEST = 1e-6, 1e-9  # of the range and of the size of a state: a deviation of it
# A deviation is not always in the direction that grows most: of the exponent, what it grows by.
_ALONG_GROWTH: Final = 0.25
_LARGEST_EXPONENT: Final = 50.0  # of growth; more says no more
_MOST_ROWS: Final = 2000  # records that are looked through for the roughest
_SMALLEST_RANGE: Final = 1e-6  # of the largest value in the same unit: a smaller range is rounding
_SMALLEST_VARIATION: Final = 1e-3  # of a signal's own size, likewise
_NOTHING: Final = 100.0 * Tolerances.absolute  # in any unit: what is at rest but for rounding
_FEWEST_ROWS: Final = 20  # records of a run that is compared with one of twice its step
# Of the longest run in search of a step that holds: times the steps of the run, or this many.
_TIMES_STEPS, _MOST_STEPS = 16, 20_000
_NEARLY: Final = 0.3  # of the range: a smaller error falls with the step as the method's order says
_SHARPER: Final = 1.0 / 32.0  # of the tolerances, with half the step: the error of order 5


class LoopFromRecords(Protocol):
    """Steps from states of a run."""

    def steps_from(self, t: float, x: FloatArray, h: float, count: int) -> FloatArray | None: ...


class SteppedMethod(Protocol):
    """What is asked of a method with steps of one length."""

    @property
    def name(self) -> str: ...

    @property
    def order(self) -> int: ...

    @property
    def subdivides(self) -> bool: ...

    def integrate(self, problem: Problem) -> Recording: ...

    def loop_without_records(self, problem: Problem) -> LoopFromRecords: ...


def step_error(method: SteppedMethod, problem: Problem, recording: Recording) -> str:
    """Which state the step makes wrong, by how much, and a step that holds; empty if none is.

    The error of a state is its largest deviation that lasts for two records, over its range.
    """
    if recording.failure is not None or recording.interrupted or len(recording.time) < 2:
        return ""
    plan = plan_steps(problem, method.name)
    if not sampled_error(method, problem, recording, plan) > _DOUBTFUL:
        return ""
    trials = _Trials(method, problem, plan)
    run = _Trial(plan.length, problem.tolerances, recording)
    coarser = trials.against_coarser(run)
    if coarser <= UNTRUSTED:
        return ""
    finer = trials.finer(run)
    if finer.recording.interrupted:
        return ""
    if finer.recording.failure is not None:
        return (
            f"the step of {plan.length:g} s is in doubt, for with half of it the run stops: "
            f"{finer.recording.failure.message}"
        )
    error, state = trials.error(run, finer, coarser)
    if error <= UNTRUSTED:
        return ""
    return (
        f"the step of {plan.length:g} s is too large: {state} is off by {_of_range(error)}, "
        f"by a run with half of it; {trials.proposal(finer)}"
    )


def _of_range(error: float) -> str:
    if error < 10.0:
        digits = ".2g" if error < 0.1 else ".0f"
        return f"{100.0 * error:{digits}} % of its range"
    return f"{error:.0f} times its range" if error < 1e4 else f"{error:.1e} times its range"


@dataclass(frozen=True)
class _Trial:
    """A run of a problem with a step and tolerances."""

    step: float
    tolerances: Tolerances
    recording: Recording


@dataclass(frozen=True)
class _Trials:
    """Runs of a problem with other steps, recorded at the same times."""

    method: SteppedMethod
    problem: Problem
    plan: StepPlan

    def _run(self, step: float, tolerances: Tolerances, every: int) -> _Trial:
        """Recorded at every so many of the records of the run."""
        interval = self.plan.length * self.plan.every * every
        asked = replace(self.problem, step=step, tolerances=tolerances, record_interval=interval)
        return _Trial(step, tolerances, self.method.integrate(asked))

    def finer(self, run: _Trial) -> _Trial:
        """With half the step."""
        given = run.tolerances
        if self.method.subdivides:
            given = Tolerances(given.relative * _SHARPER, given.absolute * _SHARPER)
        return self._run(0.5 * run.step, given, 1)

    def against_coarser(self, run: _Trial) -> float:
        """The difference from a run with twice the step, at half the cost; infinite without one."""
        if self.method.subdivides or self.plan.count % 2 or len(run.recording.time) < _FEWEST_ROWS:
            return math.inf
        every = 1 + self.plan.every % 2
        coarser = self._run(2.0 * run.step, run.tolerances, every)
        if coarser.recording.failure is not None or coarser.recording.interrupted:
            return math.inf
        return _difference(self.problem, coarser, run, every)[0]

    def error(self, run: _Trial, finer: _Trial, coarser: float = math.inf) -> tuple[float, str]:
        """Of the worst state over its range, and its name.

        Differences of runs that fall by a ratio from step to step add up to the error. The ratio
        is that to the difference from a ``coarser`` run, if any, and at least that of order 1.
        """
        difference, state = _difference(self.problem, run, finer)
        ratio = 2.0
        if difference < coarser < math.inf:
            ratio = min(max(coarser / difference, ratio), 2.0**self.method.order)
        return difference / (1.0 - 1.0 / ratio), state

    def proposal(self, run: _Trial) -> str:
        """A step that holds, by runs with ever shorter ones."""
        most = max(_TIMES_STEPS * self.plan.count, _MOST_STEPS)
        error = math.inf
        while self.problem.duration / run.step < 0.75 * most:
            finer = self.finer(run)
            if finer.recording.interrupted or finer.recording.failure is not None:
                break
            error = self.error(run, finer)[0]
            if error <= _HOLDS:
                shown = f"{run.step:.6g} s{self._sharply(run)}"
                return f"a step of {shown} holds, to {100.0 * _HOLDS:g} %"
            run = finer
        if error < _NEARLY:
            step = 2.0 * run.step * (_HOLDS / error) ** (1.0 / self.method.order)
            return f"a step of about {step:.1g} s{self._sharply(run)} should hold"
        return (
            f"no step down to {run.step:.2g} s was found that holds: take a method with error "
            "control, such as dop853, or radau for a stiff system; if that is no better, the "
            "motion depends on its start so much that nothing computes it for so long"
        )

    def _sharply(self, run: _Trial) -> str:
        if not self.method.subdivides:
            return ""
        return f" with a relative tolerance of {run.tolerances.relative:.2g}"


def _difference(problem: Problem, run: _Trial, other: _Trial, every: int = 1) -> tuple[float, str]:
    """Of the states of two runs, the largest over its range in the second, and its name.

    The first is recorded at every so many of the records of the second.
    """
    units = {q.name: q.unit for q in problem.system.states}
    count = 1 + (len(other.recording.time) - 1) // every
    found, given = run.recording.states[:count], other.recording.states[::every]
    errors = signal_errors(
        dict(zip(units, found.T, strict=True)), dict(zip(units, given.T, strict=True)), units
    )
    worst = max(errors, key=lambda name: errors[name])
    return errors[worst], worst


def signal_errors(
    run: Mapping[str, FloatArray], exact: Mapping[str, FloatArray], units: Mapping[str, str]
) -> dict[str, float]:
    """Of each column the largest deviation that lasts for two records, over the column's range.

    A jump that comes a little earlier or later is off at one record at most.
    """
    found, given = (np.column_stack([columns[name] for name in run]) for columns in (run, exact))
    ranges = _ranges(given, [units[name] for name in run])
    with np.errstate(all="ignore"):
        off = np.abs(found - given)
        lasting = np.minimum(off[1:], off[:-1]).max(axis=0)
        errors = lasting / ranges
    return dict(zip(run, np.where(np.isnan(errors), np.inf, errors).tolist(), strict=True))


def _ranges(values: FloatArray, units: Sequence[str]) -> FloatArray:
    """Of columns, at least a part of their size and of the largest value in the same unit."""
    lowest, highest = values.min(axis=0), values.max(axis=0)
    sizes = np.maximum(np.abs(lowest), np.abs(highest))
    largest: dict[str, float] = {}
    for unit, size in zip(units, sizes.tolist(), strict=True):
        largest[unit] = max(largest.get(unit, 0.0), size)
    of_unit = np.array([largest[unit] for unit in units])
    least = np.maximum(_SMALLEST_VARIATION * sizes, _SMALLEST_RANGE * of_unit)
    return np.asarray(np.maximum(highest - lowest, least + _NOTHING))


def sampled_error(
    method: SteppedMethod, problem: Problem, recording: Recording, plan: StepPlan
) -> float:
    """The largest error of a state over its range, estimated from samples."""
    stride = max(len(recording.time) // _MOST_ROWS, 1)
    states = recording.states[::stride]
    moving = np.ptp(states, axis=0) > 0.0
    if not moving.any():
        return 0.0
    ranges = _ranges(states, [q.unit for q in problem.system.states])
    loop = method.loop_without_records(problem)
    samples = _Samples(loop, plan, recording, np.where(moving, ranges, np.inf))
    with np.errstate(all="ignore"):
        error = max(samples.spread(), samples.roughest(stride))
        return error * samples.growth() if error > 0.0 else 0.0


@dataclass(frozen=True)
class _Samples:
    """Steps of a run that are taken again."""

    loop: LoopFromRecords
    plan: StepPlan
    recording: Recording
    ranges: FloatArray  # of states; infinite of those that do not move

    def _rows(self, share: float, each: int, fewest: int, most: int) -> list[int]:
        """Records evenly over the run, for ``each`` steps of that share at each of them."""
        count = min(max(int(share * self.plan.count) // each, fewest), most)
        last = len(self.recording.time) - 1
        return sorted({int((k + 0.5) / count * last) for k in range(count)})

    def _record(self, row: int) -> tuple[float, FloatArray]:
        return float(self.recording.time[row]), self.recording.states[row]

    def _error(self, row: int, whole: FloatArray | None, steps: int) -> FloatArray:
        """Over the ranges, of states so many steps after a record, by halves of these steps."""
        halves = self.loop.steps_from(*self._record(row), 0.5 * self.plan.length, 2 * steps)
        if whole is None or halves is None:
            return np.full(len(self.ranges), np.inf)
        return np.asarray(_OF_DIFFERENCE * np.abs(whole - halves) / self.ranges)

    def spread(self) -> float:
        """What errors of steps add up to if all are as those of a few, evenly over the run."""
        errors = []
        for row in self._rows(_SPREAD, 3, *_SAMPLES):
            if self.plan.every == 1:
                whole: FloatArray | None = self.recording.states[row + 1]
            else:
                whole = self.loop.steps_from(*self._record(row), self.plan.length, 1)
            errors.append(self._error(row, whole, 1))
        return self.plan.count * float(np.mean(errors, axis=0).max())

    def roughest(self, stride: int) -> float:
        """The error between two records, where a state bends most: a blow or a switch."""
        every, states = self.plan.every, self.recording.states
        rows = len(states) - 1 - (self.plan.count % every > 0)
        allowed = int(max(_ROUGH * self.plan.count, _FEWEST_STEPS)) // (2 * every)
        if rows < 3 or not allowed:
            return 0.0
        about = stride * self._bend(states[: rows + 1 : stride])
        row = about + self._bend(states[about : min(about + 2 * stride, rows) + 1])
        intervals = [k for k in (row, row + 1)[:allowed] if k < rows]
        return max(float(self._error(k, states[k + 1], every).max()) for k in intervals)

    def _bend(self, states: FloatArray) -> int:
        """Before which of the rows the second difference over the ranges is largest."""
        if len(states) < 3:
            return 0
        bends = np.abs(np.diff(states, 2, axis=0)) / self.ranges
        return int(bends.max(axis=1).argmax())

    def growth(self) -> float:
        """What deviations of states grow by in the run, by the modes of steps at a few records."""
        if len(self.ranges) > _MOST_STATES:
            return 1.0
        rows = self._rows(_GROWTH, len(self.ranges) + 1, *_GROWTH_SAMPLES)
        mean = sum(self._exponent(row) for row in rows) / len(rows)
        return math.exp(min(_ALONG_GROWTH * self.plan.count * mean, _LARGEST_EXPONENT))

    def _exponent(self, row: int) -> float:
        """The logarithm of the spectral radius of a step from a record, at least 0.

        Of states that do not move in the run nothing is followed.
        """
        h, (t, x) = self.plan.length, self._record(row)
        moving = np.flatnonzero(np.isfinite(self.ranges))
        moves = np.maximum(_SMALL * self.ranges[moving], _SMALLEST * np.abs(x).max())
        base = self.loop.steps_from(t, x, h, 1)
        slopes = []
        for k, move in zip(moving, moves, strict=True):
            start = x.copy()
            start[k] += move
            end = self.loop.steps_from(t, start, h, 1)
            if end is None or base is None:
                return 0.0
            slopes.append((end[moving] - base[moving]) / move)
        if not np.isfinite(slopes).all():
            return 0.0
        return math.log(max(float(np.abs(np.linalg.eigvals(slopes)).max()), 1.0))
