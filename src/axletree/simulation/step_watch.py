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
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.simulation.problem import Problem, Tolerances
from axletree.simulation.recording import Recording, StepError, StepPlan, plan_steps

UNTRUSTED: Final = 0.04  # of a signal's range: an error that is told; all above 5 %, none below 1 %
_HOLDS: Final = 0.01  # likewise: a step with this error is proposed
_DOUBTFUL: Final = 0.02  # likewise, estimated from samples; more asks for further runs
_NEGLIGIBLE: Final = 1e-5  # likewise, of states: outputs are not looked at
_BALANCES: Final = ("energy.", "momentum.")
# Of the steps of a run, what is taken again: evenly over it, where it is roughest, for growth.
_SPREAD, _ROUGH, _GROWTH = 0.004, 0.01, 0.006
_FEWEST_STEPS: Final = 20  # where it is roughest, however short a run is
_FEWEST, _MOST = 8, 16  # samples
_FEWEST_TANGENTS, _MOST_TANGENTS = 1, 6
_MOVE: Final = 1e-4  # of a state's range: how far it is moved, to see what becomes of it
_MOST_ROWS: Final = 500  # records that are looked through for the roughest
_SMALLEST_RANGE: Final = 1e-6  # of the largest value in the same unit: a smaller range is rounding
_SMALLEST_VARIATION: Final = 1e-3  # of a signal's own size, likewise
_NOTHING: Final = 100.0 * Tolerances.absolute  # in any unit: what is at rest but for rounding
_FEWEST_ROWS: Final = 20  # records of a run that is compared with one of twice its step
# Of the longest run in search of a step that holds: times the steps of the run, or this many.
_TIMES_STEPS, _MOST_STEPS = 16, 20_000
_NEARLY: Final = 0.3  # of the range: a smaller error falls with the step as the method's order says
_SHARPER: Final = 1.0 / 32.0  # of the tolerances, with half the step: the error of order 5


class LoopFromRecords(Protocol):
    """Steps from states of a run, and outputs there."""

    def steps_from(
        self, times: FloatArray, starts: FloatArray, h: float, count: int
    ) -> FloatArray: ...

    def outputs_at(self, times: FloatArray, starts: FloatArray, h: float) -> FloatArray: ...


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


def watched_steps(method: SteppedMethod, problem: Problem, recording: Recording) -> StepError | None:
    """Which signal the step makes wrong and by how much; None for runs that did not end.

    What is not to be believed has a remark, with a step that holds. The error of a signal is its
    largest deviation that lasts for two records, over its range.
    """
    if recording.failure is not None or recording.interrupted or len(recording.time) < 2:
        return None
    plan = plan_steps(problem, method.name)
    sampled = sampled_error(method, problem, recording, plan)
    if sampled.share <= _DOUBTFUL:
        return sampled
    trials = _Trials(method, problem, plan)
    run = _Trial(plan.length, problem.tolerances, recording)
    coarser = trials.against_coarser(run)
    if coarser.share <= UNTRUSTED:
        return coarser
    finer = trials.finer(run)
    if finer.recording.interrupted:
        return sampled
    if finer.recording.failure is not None:
        remark = (
            f"the step of {plan.length:g} s is in doubt, for with half of it the run stops: "
            f"{finer.recording.failure.message}"
        )
        return replace(sampled, remark=remark)
    found = trials.error(run, finer, coarser.share)
    if found.share <= UNTRUSTED:
        return found
    remark = (
        f"the step of {plan.length:g} s is too large: {found.signal} is off by "
        f"{found.share_in_words} of its range, by a run with half of it; {trials.proposal(finer)}"
    )
    return replace(found, remark=remark)


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

    def against_coarser(self, run: _Trial) -> StepError:
        """The difference from a run with twice the step, at half the cost; infinite without one."""
        unknown = StepError(math.inf, "", confirmed=True)
        if self.method.subdivides or self.plan.count % 2 or len(run.recording.time) < _FEWEST_ROWS:
            return unknown
        every = 1 + self.plan.every % 2
        coarser = self._run(2.0 * run.step, run.tolerances, every)
        if coarser.recording.failure is not None or coarser.recording.interrupted:
            return unknown
        return _difference(self.problem, coarser, run, every)

    def error(self, run: _Trial, finer: _Trial, coarser: float = math.inf) -> StepError:
        """Of the worst signal.

        Differences of runs that fall by a ratio from step to step add up to the error. The ratio
        is that to the difference from a ``coarser`` run, if any, and at least that of order 1.
        """
        found = _difference(self.problem, run, finer)
        ratio = 2.0
        if found.share < coarser < math.inf:
            ratio = min(max(coarser / found.share, ratio), 2.0**self.method.order)
        return replace(found, share=found.share / (1.0 - 1.0 / ratio))

    def proposal(self, run: _Trial) -> str:
        """A step that holds, by runs with ever shorter ones."""
        most = max(_TIMES_STEPS * self.plan.count, _MOST_STEPS)
        error = math.inf
        while self.problem.duration / run.step < 0.75 * most:
            finer = self.finer(run)
            if finer.recording.interrupted or finer.recording.failure is not None:
                break
            error = self.error(run, finer).share
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


def _difference(problem: Problem, run: _Trial, other: _Trial, every: int = 1) -> StepError:
    """Of the signals of two runs, the largest over its range in the second.

    The first is recorded at every so many of the records of the second.
    """
    quantities = (*problem.system.states, *other.recording.output_quantities)
    units = {q.name: q.unit for q in quantities}
    judged = judged_signals(tuple(units))
    count = 1 + (len(other.recording.time) - 1) // every
    found, given = _columns(run)[:count], _columns(other)[::every]
    errors = signal_errors(
        *({q.name: values for q, values in zip(quantities, table.T, strict=True) if q.name in judged} for table in (found, given)),
        units,
    )
    worst = max(errors, key=lambda name: errors[name])
    return StepError(errors[worst], worst, confirmed=True)


def _columns(run: _Trial) -> FloatArray:
    return np.hstack([run.recording.states, run.recording.outputs])


def judged_signals(names: Sequence[str]) -> list[str]:
    """All but balances of the whole model: constant in many, but for errors."""
    return [name for name in names if not name.startswith(_BALANCES)]


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
) -> StepError:
    """The largest error of a signal over its range, estimated from samples."""
    ranges = _ranges(recording.states, [q.unit for q in problem.system.states])
    moving = np.flatnonzero(np.ptp(recording.states, axis=0) >= ranges)
    if not len(moving):
        return StepError(0.0, "")
    loop = method.loop_without_records(problem)
    samples = _Samples(loop, method.order, plan, recording, moving, ranges[moving])
    with np.errstate(all="ignore"):
        return samples.largest([q.name for q in problem.system.states])


@dataclass(frozen=True)
class _Samples:
    """Steps of a run that are taken again, and what their errors become by its end."""

    loop: LoopFromRecords
    order: int
    plan: StepPlan
    recording: Recording
    moving: np.ndarray  # which states do
    ranges: FloatArray  # of these

    def largest(self, names: Sequence[str]) -> StepError:
        sources = self._sources()
        rows = self._rows_of_tangents()
        starts = self._moved(rows)
        tangent = self._tangent(rows, starts)
        if tangent is None or not np.isfinite(sources.errors).all():
            return StepError(math.inf, names[self.moving[0]])
        carried = _Carried(tangent, sources.errors, self.plan.count)
        errors = sources.added(carried.sums())
        worst = int(errors.argmax())
        found = StepError(float(errors[worst]), names[self.moving[worst]])
        if found.share < _NEGLIGIBLE or not self.recording.outputs.size:
            return found
        return max(found, self._of_outputs(rows, starts, sources, carried, errors), key=lambda one: one.share)

    # Errors of steps.

    def _sources(self) -> _Sources:
        """Evenly by how much the states bend, and where they bend most: a blow or a switch."""
        time, states = self.recording.time, self.recording.states
        last = len(time) - 1
        stride = max(last // _MOST_ROWS, 1)
        bends = self._bends(states[::stride])
        share = np.cumsum(bends / max(bends.sum(), 1e-300) + 1.0 / len(bends))
        count = min(max(int(_SPREAD * self.plan.count) // 3, _FEWEST), _MOST)
        places = np.linspace(0.0, share[-1], 2 * count + 1)
        at = np.minimum(np.searchsorted(share, places), len(bends) - 1) * stride
        rows, edges = np.minimum(at[1::2], last - 1), at[::2] * self.plan.every
        edges[0], edges[-1] = 0, self.plan.count
        h = self.plan.length
        if self.plan.every == 1:
            whole = states[rows + 1]
        else:
            whole = self.loop.steps_from(time[rows], states[rows], h, 1)
        halves = self.loop.steps_from(time[rows], states[rows], 0.5 * h, 2)
        errors, begins, ends = whole - halves, edges[:-1], edges[1:]
        row = self._roughest(stride * int(bends.argmax()), stride)
        if row is not None:
            every = self.plan.every
            ends_of = self.loop.steps_from(time[[row]], states[[row]], 0.5 * h, 2 * every)
            errors = np.vstack([errors, states[[row + 1]] - ends_of])
            begins, ends = np.append(begins, (row + 1) * every - 1), np.append(ends, (row + 1) * every)
        of_step = errors[:, self.moving] / self.ranges / (1.0 - 0.5**self.order)
        return _Sources(begins, np.maximum(ends, begins), of_step.T)

    def _roughest(self, about: int, stride: int) -> int | None:
        """Before which record, unless intervals between records are long."""
        whole = self.plan.count // self.plan.every
        if whole < 3 or 2 * self.plan.every > max(_ROUGH * self.plan.count, _FEWEST_STEPS):
            return None
        near = self.recording.states[max(about - stride, 0) : about + 3 * stride + 1]
        return int(min(max(about - stride, 0) + int(self._bends(near).argmax()) + 1, whole - 1))

    def _bends(self, states: FloatArray) -> FloatArray:
        """Second differences over the ranges, of the state that bends most."""
        if len(states) < 3:
            return np.ones(1)
        bends = np.abs(np.diff(states[:, self.moving], 2, axis=0)) / self.ranges
        return np.asarray(bends.max(axis=1))

    # What they become.

    def _rows_of_tangents(self) -> np.ndarray:
        count = int(_GROWTH * self.plan.count) // (len(self.moving) + 1)
        count = min(max(count, _FEWEST_TANGENTS), _MOST_TANGENTS)
        last = len(self.recording.time) - 1
        return np.unique(((np.arange(count) + 0.5) / count * last).astype(int))

    def _moved(self, rows: np.ndarray) -> FloatArray:
        """States at records, and each with one state moved, by record."""
        starts = np.repeat(self.recording.states[rows][:, None, :], len(self.moving) + 1, axis=1)
        places = np.arange(len(self.moving))
        starts[:, places + 1, self.moving] += _MOVE * self.ranges
        return starts

    def _tangent(self, rows: np.ndarray, starts: FloatArray) -> FloatArray | None:
        """What a step makes of deviations over the ranges, on the average; None if a step fails."""
        times = np.repeat(self.recording.time[rows], starts.shape[1])
        flat = starts.reshape(-1, starts.shape[2])
        ends = self.loop.steps_from(times, flat, self.plan.length, 1).reshape(starts.shape)
        ends = ends[:, :, self.moving] / self.ranges
        steps = (ends[:, 1:] - ends[:, :1]) / _MOVE
        return steps.mean(axis=0).T if np.isfinite(steps).all() else None

    def _of_outputs(self, rows, starts, sources, carried, errors) -> StepError:
        times = np.repeat(self.recording.time[rows], starts.shape[1])
        flat = starts.reshape(-1, starts.shape[2])
        quantities = self.recording.output_quantities
        outputs = self.loop.outputs_at(times, flat, self.plan.length)
        outputs = outputs.reshape(*starts.shape[:2], -1)
        ranges = _ranges(self.recording.outputs, [q.unit for q in quantities])
        judged = (np.ptp(self.recording.outputs, axis=0) >= ranges) & ~np.array([q.name.startswith(_BALANCES) for q in quantities])
        slopes = (outputs[:, 1:] - outputs[:, :1]) / _MOVE / ranges  # (rows, n, ny)
        slopes = np.where(np.isfinite(slopes), slopes, 0.0) * judged
        bound = np.einsum("rny,n->ry", np.abs(slopes), errors)
        r, y = np.nonzero(bound > errors.max())
        if not len(r):
            return StepError(0.0, "")
        found = sources.added(carried.sums(slopes[r, :, y]))
        worst = int(found.argmax())
        return StepError(float(found[worst]), quantities[y[worst]].name)


@dataclass(frozen=True)
class _Sources:
    """Errors of steps, each for all steps from one to another."""

    begins: np.ndarray
    ends: np.ndarray
    errors: FloatArray  # by state and source, over the ranges

    def added(self, carried: FloatArray) -> FloatArray:
        """The largest of each signal at the end of any source, over what is ``carried`` there.

        ``carried`` has by power of 2 (after 0) of steps, signal and source the sum of all
        errors of so many steps.
        """
        now = self.ends[:, None]
        source = np.arange(len(self.ends))[None, :]
        table = carried.transpose(0, 2, 1)
        found = _between(table, source, now - self.begins) - _between(table, source, now - self.ends)
        errors = np.where((now >= self.ends)[:, :, None], found, 0.0).sum(axis=1).max(axis=0)
        return np.where(np.isnan(errors), np.inf, errors)


def _between(table: FloatArray, source: np.ndarray, steps: np.ndarray) -> FloatArray:
    """What a table over 0, 1, 2, 4, 8... steps gives for other numbers of steps."""
    steps = np.maximum(steps, 0)
    power = np.frexp(np.maximum(steps, 1))[1]  # 1 for 1, 2 for 2 and 3, 3 for 4 to 7
    power = np.where(steps > 0, power, 0)
    low = np.where(steps > 0, np.exp2(power - 1.0), 0.0)
    share = np.where(steps > 0, (steps - low) / np.maximum(low, 1.0), 0.0)[:, :, None]
    upper = np.minimum(power + 1, len(table) - 1)
    source = np.broadcast_to(source, steps.shape)
    return (1.0 - share) * table[power, source] + share * table[upper, source]


@dataclass(frozen=True)
class _Carried:
    """Errors of steps, carried by 0, 1, 2... further steps that are all alike."""

    step: FloatArray
    errors: FloatArray
    count: int

    @cached_property
    def _octaves(self) -> list[FloatArray]:
        """Carried by K, 5/4 K, 6/4 K, 7/4 K and 2 K steps, for K = 4, 8, 16... side by side."""
        begin, power = self.step @ self.step @ self.step @ self.step @ self.errors, self.step
        found = []
        for _ in range(2, max(math.ceil(math.log2(max(self.count, 1))), 2)):
            twice = power @ power
            first = np.hstack([begin, power @ begin])
            second = twice @ first
            begin, power = twice @ second[:, : begin.shape[1]], twice
            found.append(np.hstack([first, second, begin]))
        return found

    def sums(self, signals: FloatArray | None = None) -> FloatArray:
        """Over 0, 1, 2, 4, 8... steps, of absolute values; by number of steps, signal, source.

        Signals are combinations of states; each state by default.
        """
        sizes = [self._size(signals, self.errors)]
        carried = self.errors
        for _ in range(3):
            carried = self.step @ carried
            sizes.append(self._size(signals, carried))
        one, two, four = sizes[0], sizes[0] + sizes[1], sizes[0] + sizes[1] + sizes[2] + sizes[3]
        sums = [np.zeros_like(one), one, two, four]
        for k, octave in enumerate(self._octaves):
            quarter = float(1 << k)
            f = self._size(signals, octave).reshape(len(one), 5, -1)
            ends = 0.5 * (f[:, 0] + f[:, 4])
            within = quarter * (ends + f[:, 1] + f[:, 2] + f[:, 3]) + f[:, 0] - ends
            sums.append(sums[-1] + within)
        return np.array(sums)

    @staticmethod
    def _size(signals: FloatArray | None, states: FloatArray) -> FloatArray:
        return np.abs(states if signals is None else signals @ states)
