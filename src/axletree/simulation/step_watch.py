"""The watch on steps of one length: how wrong they make a run, and which step holds.

The error of a run is estimated in two stages. The first takes a few steps again from records of
the run: one step, and the same in halves, whose difference is the error of a step (Richardson's
extrapolation; Hairer, Norsett and Wanner 1993, section II.4). The error of the run is the sum of
these, each carried to later times by the tangents of steps (section I.14: the resolvent of the
variational equation), which are steps from moved states. The second stage, for runs whose estimate
is not small, are runs with double and half the step, and then ever shorter ones that show which
step holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.expr import depends_on
from axletree.expr.quantity import Quantity, Role
from axletree.simulation.problem import Problem, Tolerances
from axletree.simulation.recording import Recording, StepError, StepPlan, plan_steps
from axletree.system.system import System

UNTRUSTED: Final = 0.04  # of a signal's range: an error that is told; all above 5 %, none below 1 %
_HOLDS: Final = 0.01  # likewise: a step with this error is proposed
# Likewise, estimated from samples of runs of many and of few states; more asks for further runs.
_DOUBTFUL: Final = (0.02, 0.01)
_NEGLIGIBLE: Final = 1e-5  # likewise, of states: outputs are not looked at
_BALANCES: Final = ("energy.", "momentum.")
# Of the steps of a run, what is taken again: evenly over it, where it is roughest, for growth.
_SPREAD, _ROUGH, _GROWTH = 0.004, 0.01, 0.006
_SHARES: Final = (0.5, 0.25, 0.25)  # of the samples: where all states bend, the worst, evenly
_TINY, _HUGE = 1e-300, 1e300
_FEWEST_STEPS: Final = 20  # where it is roughest, however short a run is
_SAMPLES, _TANGENTS = (8, 20), (2, 6)  # at least and at most
_SLOPES: Final = (2, 6)  # likewise, where outputs bend most
_SHORT: Final = 0.01  # of the steps of a run: if one tangent takes more, there is no other
_FEW_STATES: Final = 16  # of systems whose steps cost so little that these are as many as at most
_MOST_STATES: Final = 48  # of systems whose modes are looked at, for these take time
# A deviation is not always in the direction that grows most: of the exponent, what it grows by.
_ALONG_GROWTH: Final = 0.25
_GROWS: Final = 2.5  # of a tangent's power, by its square: what only growth makes
_ALIKE: Final = 0.7  # of what sums of two have, where they would have all if signs were the same
_MOVING: Final = 1e-3  # of what counts as a state's range: less than that is at rest
_MOVE: Final = 1e-4  # of a state's range: how far it is moved, to see what becomes of it
_MOST_ROWS: Final = 250  # records that are looked through for where to take samples
_MOST_VALUES: Final = 30_000  # of states, that are looked through for the sharpest bend
_MOST_LEVELS: Final = 150_000  # of states, and of outputs, that are looked through for ranges
_BLOCK: Final = 1000  # of these that are compared at once
_STRETCH: Final = 4  # records at most that are taken again from there
_SMALLEST_RANGE: Final = 1e-6  # of the largest value in the same unit: a smaller range is rounding
_SMALLEST_VARIATION: Final = 1e-3  # of a signal's own size: one that varies less is constant
_FADES: Final = 1.5  # range over that in a better run, from which on the latter may be of errors
_NOTHING: Final = 100.0 * Tolerances.absolute  # in any unit: what is at rest but for rounding
_FEWEST_ROWS: Final = 20  # records of a run that is compared with one of twice its step
# Of the longest run in search of a step that holds: times the steps of the run, or this many.
_TIMES_STEPS, _MOST_STEPS = 16, 20_000
_MOSTLY: Final = 0.5  # of a run: what is right for so long is told to be
_NEARLY: Final = 0.3  # of the range: a smaller error falls with the step as the method's order says
_SHARPER: Final = 1.0 / 32.0  # of tolerances with half the step, of a method in parts of order 5


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


def watched_steps(
    method: SteppedMethod, problem: Problem, recording: Recording, *, further_runs: bool = True
) -> StepError | None:
    """Which signal the step makes wrong and by how much; None for runs that did not end.

    What is not to be believed has a remark, with a step that holds. The error of a signal is its
    largest deviation that lasts for two records, over its range. What samples are in doubt of stays
    so without ``further_runs``, and in runs with controllers, to which no other run is the same.
    """
    if recording.failure is not None or recording.interrupted or len(recording.time) < 2:
        return None
    plan = plan_steps(problem, method.name)
    sampled = sampled_error(method, problem, recording, plan)
    if sampled.share <= _DOUBTFUL[len(problem.system.states) <= _FEW_STATES]:
        return sampled
    if problem.controllers is not None:
        return _undecided(sampled, plan, "with controllers no further run is the same")
    if not further_runs:
        return _undecided(sampled, plan, "further runs were left out")
    trials = Trials(method, problem, plan)
    found = _decided(trials, sampled, recording)
    return replace(found, further=sum(trials.steps) / plan.count)


def _undecided(sampled: StepError, plan: StepPlan, reason: str) -> StepError:
    """What samples are in doubt of, where no other run decides; a remark where it is large."""
    found = replace(sampled, undecided=reason)
    if sampled.share <= UNTRUSTED:
        return found
    remark = (
        f"the step of {plan.length:g} s is in doubt: samples of steps estimate that "
        f"{sampled.signal} is off by {sampled.share_in_words} its range, and {reason}; "
        "compare with a run of half of it"
    )
    return replace(found, remark=remark)


def _decided(trials: Trials, sampled: StepError, recording: Recording) -> StepError:
    """By further runs, where samples are in doubt."""
    method, problem, plan = trials.method, trials.problem, trials.plan
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
        f"{found.share_in_words} its range, by a run with half of it"
        f"{_right_until(problem, run, finer, method.order)}; {trials.proposal(finer)}"
    )
    return replace(found, remark=remark)


@dataclass(frozen=True)
class _Trial:
    """A run of a problem with a step and tolerances."""

    step: float
    tolerances: Tolerances
    recording: Recording


@dataclass(frozen=True)
class Trials:
    """Runs of a problem with other steps, recorded at the same times."""

    method: SteppedMethod
    problem: Problem
    plan: StepPlan
    steps: list[int] = field(default_factory=list)  # that each took

    def _run(self, step: float, tolerances: Tolerances, every: int) -> _Trial:
        """Recorded at every so many of the records of the run."""
        interval = self.plan.length * self.plan.every * every
        asked = replace(self.problem, step=step, tolerances=tolerances, record_interval=interval)
        recording = self.method.integrate(asked)
        self.steps.append(recording.steps)
        return _Trial(step, tolerances, recording)

    def finer(self, run: _Trial) -> _Trial:
        """With half the step."""
        return self._run(0.5 * run.step, self._tolerances(run, _SHARPER), 1)

    def _tolerances(self, run: _Trial, share: float) -> Tolerances:
        """With another step, of a method whose steps are of as many parts as these ask for."""
        given = run.tolerances
        if not self.method.subdivides:
            return given
        return Tolerances(given.relative * share, given.absolute * share)

    def against_coarser(self, run: _Trial) -> StepError:
        """The difference from a run with twice the step, at half the cost; infinite without one.

        All of the run: samples that are in doubt do not tell where its errors are.
        """
        unknown = StepError(math.inf, "", confirmed=True)
        if self.plan.count % 2 or len(run.recording.time) < _FEWEST_ROWS:
            return unknown
        every = 1 + self.plan.every % 2
        coarser = self._run(2.0 * run.step, self._tolerances(run, 1.0 / _SHARPER), every)
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
        if self.problem.system.rows is not None:
            return (
                f"no step down to {run.step:.2g} s was found that holds: an instant, such as that "
                "at which wheels stick or a vehicle stalls, comes at another time with every step"
            )
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
    units = {q.name: q.unit for q in _quantities(problem, other.recording)}
    count = 1 + (len(other.recording.time) - 1) // every
    found, given = (
        {name: table[name] for name in judged_signals(problem.system, tuple(units))}
        for table in (
            _columns(problem, run.recording, slice(count)),
            _columns(problem, other.recording, slice(None, None, every)),
        )
    )
    errors = signal_errors(found, given, units)
    worst = max(errors, key=lambda name: errors[name])
    return StepError(errors[worst], worst, confirmed=True)


def _right_until(problem: Problem, run: _Trial, finer: _Trial, order: int) -> str:
    """Since when a run is wrong, where it is right for most of its time; empty otherwise."""
    found, given = (_columns(problem, one.recording, slice(None)) for one in (run, finer))
    names = judged_signals(problem.system, tuple(given))
    first, second = (np.column_stack([table[name] for name in names]) for table in (found, given))
    units = {q.name: q.unit for q in _quantities(problem, run.recording)}
    since, before = len(second), len(second) + 1
    # Over the range up to then: by that of a run which grows without bound all before is right.
    while _MOSTLY * len(second) <= since < before:
        before = since
        with np.errstate(all="ignore"):
            off = np.abs(first - second) / _ranges(second[:since], [units[name] for name in names])
        lasting = np.minimum(off[1:], off[:-1])[: since - 1] / (1.0 - 0.5**order)
        wrong = np.logical_not((lasting <= _HOLDS).all(axis=1))
        since = int(wrong.argmax()) if wrong.any() else since
    if since < _MOSTLY * len(second):
        return ""
    until = run.recording.time[since]
    return f", though all signals are right to {100.0 * _HOLDS:g} % until t = {until:.4g} s"


def _quantities(problem: Problem, recording: Recording) -> tuple[Quantity, ...]:
    """States and outputs."""
    return (*problem.system.states, *recording.output_quantities)


def _values(recording: Recording, rows: slice) -> FloatArray:
    return np.hstack([recording.states[rows], recording.outputs[rows]])


def _columns(problem: Problem, recording: Recording, rows: slice) -> dict[str, FloatArray]:
    names = [q.name for q in _quantities(problem, recording)]
    return dict(zip(names, _values(recording, rows).T, strict=True))


def judged_signals(system: System, names: Sequence[str]) -> list[str]:
    """All but balances of the whole model, and of set-valued systems the states alone.

    Balances are constant in many models, but for errors. Set-valued forces, and accelerations with
    them, jump, and are means over steps that converge as such but not from record to record; so do
    states that follow such a force, as the mount of a brake does.
    """
    if system.rows is not None:
        followers = _follow_forces(system)
        return [quantity.name for quantity in system.states if quantity.name not in followers]
    return [name for name in names if not name.startswith(_BALANCES)]


def _follow_forces(system: System) -> set[str]:
    """Internal states whose rates are of set-valued forces, on which nothing else depends."""
    forces = [quantity.symbol for quantity in system.unknown_forces]
    pairs = zip(system.states, system.derivatives, strict=True)
    return {q.name for q, rate in pairs if q.role is Role.STATE and depends_on(rate, forces)}


def signal_errors(
    run: Mapping[str, FloatArray], exact: Mapping[str, FloatArray], units: Mapping[str, str]
) -> dict[str, float]:
    """Of each column the largest deviation that lasts for two records, over the column's range.

    A jump that comes a little earlier or later is off at one record at most.
    """
    found, given = (np.column_stack([columns[name] for name in run]) for columns in (run, exact))
    ranges = _ranges(given, [units[name] for name in run])
    with np.errstate(all="ignore"):
        # What varies far less in the better run would be constant in one without errors.
        fades = np.ptp(found, axis=0) > _FADES * np.ptp(given, axis=0)
        ranges = np.where(fades, np.maximum(ranges, np.abs(given).max(axis=0)), ranges)
        off = np.abs(found - given)
        lasting = np.minimum(off[1:], off[:-1]).max(axis=0)
        # A range is at most twice the largest value, unless it is the smallest that counts: such a
        # signal is zero in both runs but for rounding, or for constraints that may be violated.
        largest = np.maximum(np.abs(found).max(axis=0), np.abs(given).max(axis=0))
        errors = np.where(largest < 0.5 * ranges, 0.0, lasting / ranges)
    return dict(zip(run, np.where(np.isnan(errors), np.inf, errors).tolist(), strict=True))


def _bounds(recording: Recording) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest values of states and outputs.

    Of all records, if these are not too many: what lasts for a few may be most of a range. Blocks
    of them side by side are compared as such, since columns of few values take ten times as long.
    """
    found: list[list[FloatArray]] = []
    for table in (recording.states, recording.outputs):
        thinned = np.ascontiguousarray(table[:: max(table.size // _MOST_LEVELS, 1)])
        columns = table.shape[1]
        block = max(min(_BLOCK // max(columns, 1), len(thinned)), 1)
        whole = len(thinned) // block * block
        wide = thinned[:whole].reshape(whole // block, block * columns)
        sides = []
        for bound in (np.min, np.max):
            rows = bound(wide, axis=0).reshape(block, columns)
            sides.append(bound(np.concatenate([rows, thinned[whole:]]), axis=0))
        found.append(sides)
    lowest, highest = (np.concatenate(side) for side in zip(*found, strict=True))
    return lowest, highest


def _ranges(values: FloatArray, units: Sequence[str]) -> FloatArray:
    """Of columns."""
    return _ranges_of(values.min(axis=0), values.max(axis=0), units)


def _ranges_of(lowest: FloatArray, highest: FloatArray, units: Sequence[str]) -> FloatArray:
    """At least a part of the largest value in the same unit; of constants, their size.

    A conserved energy varies by nothing but errors.
    """
    sizes, ranges = np.maximum(np.abs(lowest), np.abs(highest)), highest - lowest
    largest: dict[str, float] = {}
    for unit, size in zip(units, sizes.tolist(), strict=True):
        largest[unit] = max(largest.get(unit, 0.0), size)
    of_unit = np.array([largest[unit] for unit in units])
    ranges = np.where(ranges < _SMALLEST_VARIATION * sizes, sizes, ranges)
    return np.asarray(np.maximum(ranges, _SMALLEST_RANGE * of_unit + _NOTHING))


def sampled_error(
    method: SteppedMethod, problem: Problem, recording: Recording, plan: StepPlan
) -> StepError:
    """The largest error of a signal over its range, estimated from samples."""
    stride = max((len(recording.time) - 1) // _MOST_ROWS, 1)
    lowest, highest = _bounds(recording)
    ranges = _ranges_of(lowest, highest, [q.unit for q in _quantities(problem, recording)])
    moves, count = highest - lowest >= _MOVING * ranges, len(problem.system.states)
    names = [q.name for q in _quantities(problem, recording)]
    judged = judged_signals(problem.system, [n for n, m in zip(names, moves, strict=True) if m])
    is_state = [n in judged for n in names[:count]] if problem.system.rows is not None else True
    moving = np.flatnonzero(moves[:count] & is_state)
    if not len(moving):
        return StepError(0.0, "")
    loop = method.loop_without_records(problem)
    if problem.controllers is not None:
        loop = problem.controllers.with_commands(loop)
    # Tangents that project onto constraints or rest are no small changes, and have no mean. Nor
    # have those of a small system that swings widely: a double pendulum's growth would be lost.
    open_system = problem.system.rows is None and not problem.system.constraints
    averages = open_system and count > _FEW_STATES
    samples = _Samples(
        loop, method.order, plan, recording, stride, moving, ranges[moving], ranges[count:],
        averages, problem.controllers is not None,
    )  # fmt: skip
    with np.errstate(all="ignore"):
        return samples.largest(names[:count], judged)


@dataclass(frozen=True)
class _Samples:
    """Steps of a run that are taken again, and what their errors become."""

    loop: LoopFromRecords
    order: int
    plan: StepPlan
    recording: Recording
    stride: int  # of the records that are looked at
    moving: np.ndarray  # which states do
    ranges: FloatArray  # of these
    output_ranges: FloatArray
    averages: bool  # whether deviations are carried on by the mean of all tangents
    controlled: bool = False  # whether controllers answer deviations, which samples do not see

    def largest(self, states: Sequence[str], judged: Sequence[str]) -> StepError:
        sources = self.sources()
        tangents = self.tangents(self._rows_of_tangents())
        if self.averages:
            tangents = tangents.mean(axis=0, keepdims=True)
        if not (np.isfinite(tangents).all() and np.isfinite(sources.errors).all()):
            return StepError(math.inf, states[self.moving[0]])
        if self.controlled:
            tangents = _without_growth(tangents)
        carried = _Carried(tangents, sources, self.plan.count)
        if len(self.moving) <= _FEW_STATES or carried.grows:
            carried = replace(carried, tangents=_tempered(tangents))
        names = [states[k] for k in self.moving]
        found = carried.largest()
        if self.rough is not None:
            found = np.maximum(found, self.rough.lasting)
        if found.max() >= _NEGLIGIBLE:
            slopes, outputs = self._slopes(judged, found)
            if outputs:
                found, names = np.append(found, carried.largest(slopes)), [*names, *outputs]
        worst = int(found.argmax())
        return StepError(float(found[worst]), names[worst])

    # Errors of steps.

    def sources(self) -> _Sources:
        """Steps evenly by how large errors may be, and where the states bend most: a blow."""
        every, stride = self.plan.every, self.stride
        bends = self._bends(self.recording.states[::stride])
        sizes = np.abs(bends)
        sums = np.concatenate([[0.0], np.cumsum(self._weights(sizes))])
        count = min(max(int(_SPREAD * self.plan.count) // 3, self._fewest(_SAMPLES)), _SAMPLES[1])
        parts = np.linspace(0.0, sums[-1], 2 * count + 1)
        places = np.interp(parts, sums, np.arange(len(sums)))
        at, edges = np.minimum(places[1::2].astype(int), len(bends) - 1), places[::2]
        rows = np.minimum((at + 1) * stride, len(self.recording.time) - 2)
        errors = self._errors(rows) * self._likely(sizes, at, edges).T
        edges *= self.plan.count / len(bends)
        begins, ends = edges[:-1], edges[1:]
        if self.rough is not None:
            first, last = self.rough.row, self.rough.row + len(self.rough.errors)
            again = (rows >= first) & (rows < last)  # for all of it is taken again
            ends = np.where(again, begins, ends)
            errors = np.column_stack([errors, self.rough.last])
            begins, ends = np.append(begins, last * every - 1), np.append(ends, last * every)
        alike = _alike(bends)
        return _Sources(begins, ends, errors, alike * stride * every if alike > 1 else 1)

    def _likely(self, bends: FloatArray, at: np.ndarray, edges: FloatArray) -> FloatArray:
        """Of each part of a run, the mean error over that of its sample, by sample and state.

        The records show where in the part the states bend as much as at the sample.
        """
        sharp = bends ** (0.5 * (self.order + 1))
        means = _sums_between(sharp, edges) / (np.diff(edges)[:, None] + _TINY)
        return np.asarray(np.minimum(means / (sharp[at] + _TINY), 1.0))

    def _weights(self, bends: FloatArray) -> FloatArray:
        """Of records: half by how much all states bend, and parts by the worst of them and evenly.

        Errors of a method of order p go with the derivatives p + 1 of states, of which the records
        show the second.
        """
        sharp = 0.5 * (self.order + 1)
        of_states = (bends / (bends.max(axis=0) + _TINY)) ** sharp
        of_states /= of_states.sum(axis=0) + _TINY
        of_worst = bends.max(axis=1) ** sharp + _TINY
        parts = (
            of_states.mean(axis=1),
            of_worst / of_worst.sum(),
            np.full(len(bends), 1 / len(bends)),
        )
        return np.asarray(sum(share * part for share, part in zip(_SHARES, parts, strict=True)))

    def _errors(self, rows: np.ndarray) -> FloatArray:
        """Of a step from records, over the ranges, by state and record."""
        time, states, h = self.recording.time[rows], self.recording.states[rows], self.plan.length
        if self.plan.every == 1:
            whole = self.recording.states[rows + 1]
        else:
            whole = self.loop.steps_from(time, states, h, 1)
        return self._over_ranges(whole - self.loop.steps_from(time, states, 0.5 * h, 2)).T

    def _fewest(self, numbers: tuple[int, int]) -> int:
        """At least so many, and as many as at most where steps cost little."""
        return numbers[len(self.moving) <= _FEW_STATES]

    @cached_property
    def rough(self) -> _RoughStretch | None:
        """Where the states bend most, taken again; None if intervals between records are long."""
        every, intervals = self.plan.every, self.plan.count // self.plan.every
        most = _ROUGH * self.plan.count
        if intervals < 3 or 2 * every > max(most, _FEWEST_STEPS):
            return None
        row = min(self._roughest(), intervals - 1)
        count = min(max(int(most) // (4 * every), 1), _STRETCH, intervals - row)
        states, found = self.recording.states, np.empty((count, len(self.moving)))
        state = states[row : row + 1]
        for k in range(count):
            time = self.recording.time[row + k : row + k + 1]
            state = self.loop.steps_from(time, state, 0.5 * self.plan.length, 2 * every)
            found[k] = self._over_ranges(states[row + k + 1] - state[0])
        return _RoughStretch(row, found)

    def _roughest(self) -> int:
        """The record before the sharpest bend. All are looked at, if these are not too many.

        Of a blow that lasts for two records there is little to be seen in every tenth.
        """
        states = self.recording.states
        stride = max(len(states) * len(self.moving) // _MOST_VALUES, 1)
        about = stride * int(np.abs(self._bends(states[::stride])).max(axis=1).argmax())
        first = max(about - stride, 0)
        if stride > 1:
            near = self._bends(states[first : about + 3 * stride + 1])
            about = first + int(np.abs(near).max(axis=1).argmax())
        return about

    def _over_ranges(self, off: FloatArray) -> FloatArray:
        """The errors of runs of which others with half the step are ``off``, by moving state."""
        return np.asarray(off[..., self.moving] / self.ranges / (1.0 - 0.5**self.order))

    def _bends(self, states: FloatArray) -> FloatArray:
        """Second differences over the ranges."""
        if len(states) < 3:
            return np.ones((1, len(self.moving)))
        return np.asarray(np.diff(states[:, self.moving], 2, axis=0) / self.ranges)

    # What becomes of deviations.

    def _rows_of_tangents(self) -> np.ndarray:
        steps = len(self.moving) + 1  # of a tangent
        few = 1 if self.averages and steps > _SHORT * self.plan.count else self._fewest(_TANGENTS)
        count = min(max(int(_GROWTH * self.plan.count) // steps, few), _TANGENTS[1])
        last = len(self.recording.time) - 1
        return np.array(sorted({int((k + 0.5) / count * last) for k in range(count)}), dtype=int)

    def _rows_of_slopes(self, judged: np.ndarray) -> np.ndarray:
        """Where outputs bend most, as in a contact, and one in the middle."""
        values = self.recording.outputs[:: self.stride, judged]
        if len(values) < 3:
            return np.zeros(1, dtype=int)
        bends = np.abs(np.diff(values, 2, axis=0)) / self.output_ranges[judged]
        roughest = np.argsort(bends.max(axis=1))[-self._fewest(_SLOPES) :]
        return np.unique([*(self.stride * (roughest + 1)), len(self.recording.time) // 2])

    def _moved(self, rows: np.ndarray) -> tuple[FloatArray, FloatArray]:
        """States at records, followed by the same with one state moved, and their times."""
        moved = np.repeat(self.recording.states[rows][:, None, :], len(self.moving) + 1, axis=1)
        moved[:, np.arange(len(self.moving)) + 1, self.moving] += _MOVE * self.ranges
        times = np.repeat(self.recording.time[rows], moved.shape[1])
        return moved.reshape(-1, moved.shape[2]), times

    def tangents(self, rows: np.ndarray) -> FloatArray:
        """What steps make of deviations over the ranges; by record, state and state before."""
        moved, times = self._moved(rows)
        ends = self.loop.steps_from(times, moved, self.plan.length, 1)
        ends = ends.reshape(len(rows), -1, moved.shape[1])[:, :, self.moving] / self.ranges
        return np.asarray((ends[:, 1:] - ends[:, :1]).transpose(0, 2, 1) / _MOVE)

    def _slopes(self, names: Sequence[str], errors: FloatArray) -> tuple[FloatArray, list[str]]:
        """Of outputs over their ranges, by output and state, and names; those that may be worst."""
        quantities = self.recording.output_quantities
        judged = np.flatnonzero([q.name in names for q in quantities])
        if not len(judged):
            return np.zeros((0, len(self.moving))), []
        rows = self._rows_of_slopes(judged)
        moved, times = self._moved(rows)
        outputs = self.loop.outputs_at(times, moved, self.plan.length)[:, judged]
        outputs = outputs.reshape(len(rows), -1, len(judged)) / self.output_ranges[judged]
        slopes = ((outputs[:, 1:] - outputs[:, :1]) / _MOVE).transpose(0, 2, 1)
        slopes = np.where(np.isfinite(slopes), slopes, 0.0).reshape(-1, len(self.moving))
        kept = np.flatnonzero(np.abs(slopes) @ errors > errors.max())
        return slopes[kept], [quantities[judged[k % len(judged)]].name for k in kept]


def _alike(bends: FloatArray) -> int:
    """For how many records, a power of 2, bends of most states keep their signs."""
    count, whole = 1, np.abs(bends).sum(axis=0) + _TINY
    while len(bends) >= 8:
        even = bends[: len(bends) // 2 * 2]
        bends = even[::2] + even[1::2]
        kept = np.abs(bends).sum(axis=0) > _ALIKE * whole
        if 2 * np.count_nonzero(kept) < len(kept):
            break
        count *= 2
    return count


def _sums_between(values: FloatArray, edges: FloatArray) -> FloatArray:
    """Of rows between edges, which are numbers of rows and parts of them."""
    sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    low = np.minimum(edges.astype(int), len(values) - 1)
    return np.diff(sums[low] + (edges - low)[:, None] * values[low], axis=0)


@dataclass(frozen=True)
class _RoughStretch:
    """Intervals between records that are taken again in half steps, one after the other."""

    row: int  # of the record that it begins at
    errors: FloatArray  # at the records that follow, by moving state, over the ranges

    @property
    def last(self) -> FloatArray:
        """At its end, of each state: as far as it lasts for two records, where there are two."""
        before, end = self.errors[-2:][0], self.errors[-1]
        return np.asarray(np.where(np.abs(before) < np.abs(end), before, end))

    @property
    def lasting(self) -> FloatArray:
        """The largest of each state that lasts for two records."""
        sizes = np.abs(self.errors)
        if len(sizes) < 2:
            return np.zeros(sizes.shape[1])
        lasting = np.minimum(sizes[1:], sizes[:-1]).max(axis=0)
        return np.where(np.isnan(lasting), np.inf, lasting)


@dataclass(frozen=True)
class _Sources:
    """Errors of steps, of each for all steps from one to another."""

    begins: FloatArray  # steps
    ends: FloatArray
    errors: FloatArray  # by state and source, over the ranges
    alike: int  # steps, a power of 2 of records, over which errors keep their signs


def _without_growth(tangents: FloatArray) -> FloatArray:
    """As where controllers hold what grows with commands that stay: a car that would spin, say."""
    largest = np.abs(np.linalg.eigvals(tangents)).max(axis=1)
    return np.asarray(tangents / np.maximum(largest, 1.0)[:, None, None])


def _tempered(tangents: FloatArray) -> FloatArray:
    """With less growth: a deviation is not always in the direction that grows most."""
    if tangents.shape[1] > _MOST_STATES:
        return tangents
    exponents = np.log(np.maximum(np.abs(np.linalg.eigvals(tangents)).max(axis=1), 1.0))
    kept = _ALONG_GROWTH * exponents.mean() - exponents
    return np.asarray(tangents * np.exp(kept)[:, None, None])


@dataclass(frozen=True)
class _Carried:
    """What errors of steps add up to, where each is carried on by tangents.

    Errors of as many steps as are ``alike`` add up with their signs, and what comes of these by
    absolute values: an oscillation carries its errors round with itself.
    """

    tangents: FloatArray
    sources: _Sources
    count: int  # steps of the run

    @property
    def grows(self) -> bool:
        """Whether a tangent makes deviations grow, by more than as time does.

        By its powers over two and more times the length of the run: a position that a wrong speed
        carries away doubles with every doubling of the time, and modes that grow do more.
        """
        power = self._sums[2]
        for _ in range(3):
            power = power @ power
        sizes, later = (np.abs(p).max(axis=(1, 2)) for p in (power, power @ power))
        return not (later <= np.minimum(_GROWS * sizes, _HUGE)).all()

    def largest(self, slopes: FloatArray | None = None) -> FloatArray:
        """At the ends of all sources, by signal; of states, unless there are slopes of others."""
        signed, sizes = self._tables(slopes)
        ends, begins = self.sources.ends, self.sources.begins
        after, before = (_Spans(ends[:, None] - k, len(signed) - 2) for k in (begins, ends))
        off, more = (after.between(table) - before.between(table) for table in (signed, sizes))
        found = np.abs(off).mean(axis=2) + more[:, :, 0]
        sums = np.where(before.is_past, found, 0.0).sum(axis=1).max(axis=0)
        return np.where(np.isnan(sums), np.inf, sums)

    def _tables(self, slopes: FloatArray | None) -> tuple[FloatArray, FloatArray]:
        """After 0, 1, 2, 4... steps: sums with signs, and of absolute values.

        By number of steps, source, tangent and signal; the latter as means of all tangents, which
        sums with signs have no sense of before they are carried to the end.
        """
        signed, octaves, _ = self._sums
        if slopes is not None:
            signed, octaves = slopes @ signed, slopes @ octaves
        within = np.abs(octaves).mean(axis=2)
        within *= _weights_of_octaves(len(octaves))[:, :, None, None]
        first, second = (
            np.zeros((1 + len(signed) + len(octaves), *shape))
            for shape in (signed.shape[1:], within.shape[2:])
        )
        first[1 : 1 + len(signed)], first[1 + len(signed) :] = signed, signed[-1]
        within.sum(axis=1).cumsum(axis=0, out=second[1 + len(signed) :])
        return first.transpose(0, 3, 1, 2), second.transpose(0, 2, 1)[:, :, None]

    @cached_property
    def _sums(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Errors of 1, 2, 4... steps that are alike; these carried on; the last power of tangents.

        The first by tangent, state and source. The second by octave, point in it, and as the
        first: the octave of K such sums has its ends and points between, K / 4 apart, and those of
        1 and 2 have no more than their own. The power is that between points of the last octave.
        """
        power = self.tangents
        signed = [np.broadcast_to(self.sources.errors, (len(power), *self.sources.errors.shape))]
        steps = 1
        while steps < min(self.sources.alike, self.count):
            signed.append(signed[-1] + power @ signed[-1])
            power, steps = power @ power, 2 * steps
        number = max(math.ceil(math.log2(self.count / steps)), 0)
        octaves = np.zeros((number, 5, *signed[0].shape))
        begin = power @ signed[-1]
        for k, points in enumerate(octaves):
            points[0], last = begin, min(1 << k, 4)
            for j in range(last):
                np.matmul(power, points[j], out=points[j + 1])
            begin = points[last]
            if k >= 2:
                power = power @ power
        return np.array(signed), octaves, power


def _weights_of_octaves(number: int) -> FloatArray:
    """Of the points of octaves in the sums over them, by the rule of trapezoids."""
    apart = np.ldexp(0.25, np.arange(number))[:, None]
    weights = apart * [0.5, 1.0, 1.0, 1.0, 0.5] + [0.5, 0.0, 0.0, 0.0, -0.5]
    weights[:2] = np.eye(2, 5)[:number]
    weights[1:2, 0] = 1.0
    return weights


class _Spans:
    """Numbers of steps, and where they stand in tables over 0, 1, 2, 4, 8... steps."""

    def __init__(self, steps: FloatArray, last: int) -> None:
        """Of sources in columns; ``last`` is the last row of such a table but one."""
        self.is_past = (steps >= 0.0)[:, :, None]
        steps = np.maximum(steps, 0.0)
        low = np.minimum(np.where(steps >= 1.0, np.frexp(steps)[1], 0), last)
        first = np.where(low > 0, np.ldexp(0.5, low), 0.0)
        self._share = np.minimum((steps - first) / np.maximum(first, 1.0), 1.0)[:, :, None, None]
        self._low, self._sources = low, np.arange(steps.shape[1])

    def between(self, table: FloatArray) -> FloatArray:
        """What a table, by row and source, has for them."""
        below, above = (table[self._low + k, self._sources] for k in (0, 1))
        return np.asarray(below + self._share * (above - below))
