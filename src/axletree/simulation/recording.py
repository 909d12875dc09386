"""What a run records: the steps that are recorded, the rows they leave, and why a run stopped.

1. ``StepPlan``: steps of one length, how many a run takes, and which of them it records;
2. ``RecordBuffer`` and ``Recording``: times, states and outputs, while a run goes on and after
   it; ``Visits``: states between the records of mechanisms with constraints;
3. ``StepResidual``: what solved steps tell beside the states, whether they were solved, and how
   well;
4. ``Failure``: what went wrong, when, to which quantity, and what to try.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from axletree.code.program import Program
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.expr.quantity import Quantity
from axletree.simulation.problem import Problem, SettingsError

_WHOLE_STEP: Final = 1e-6  # of a step: what a whole number of steps may be off by
_MOST_STEPS: Final = 1e15  # so many are counted and timed exactly by floating-point numbers


@dataclass(frozen=True)
class StepPlan:
    """The steps of a run; its start, every so many steps and its end are recorded."""

    length: float  # [s]
    count: int
    every: int  # steps between two records

    @property
    def records(self) -> int:
        return self.count // self.every + 1 + (self.count % self.every > 0)


def plan_steps(problem: Problem, method: str) -> StepPlan:
    """The plan that the settings of a run make; those that make none are an error."""
    if problem.step is None:
        raise SettingsError(f"the method {method!r} needs a step in seconds, such as step=1e-3")
    step = problem.step
    if not problem.duration / step <= _MOST_STEPS:
        raise SettingsError(
            f"duration {problem.duration:g} s takes {problem.duration / step:.3g} steps of "
            f"{step:g} s, and a run takes {_MOST_STEPS:g} at most; "
            f"try a step of {problem.duration / _MOST_STEPS:.3g} s or longer"
        )
    count = round(problem.duration / step)
    if count < 1 or abs(problem.duration / step - count) > _WHOLE_STEP:
        whole = max(count, 1)
        raise SettingsError(
            f"duration {problem.duration:g} s is not a whole number of steps of {step:g} s; "
            f"try duration={whole * step:g} or step={problem.duration / whole:.9g}"
        )
    interval = step if problem.record_interval is None else problem.record_interval
    if not interval / step <= _MOST_STEPS:
        raise SettingsError(
            f"record_interval {interval:g} s is {interval / step:.3g} steps of {step:g} s; "
            f"try record_interval={problem.duration:g}, which records the beginning and the end"
        )
    every = round(interval / step)
    if every < 1 or abs(interval / step - every) > _WHOLE_STEP * every:
        raise SettingsError(
            f"record_interval {interval:g} s is not a whole number of steps of {step:g} s; "
            f"try record_interval={max(every, 1) * step:g}"
        )
    return StepPlan(step, count, every)


MOST_VISITS: Final = 4000  # of a run with steps of one length; twice that of others
FEWEST_VISITS: Final = 400  # likewise, of solvers that know the states within a step


class Visits:
    """States between records, at steps that are a part of the run apart.

    A mechanism passes a dead centre within milliseconds, however seldom it is recorded.
    """

    def __init__(self, duration: float) -> None:
        self._apart, self._farthest = 0.5 * duration / MOST_VISITS, duration / FEWEST_VISITS
        self._last: tuple[float, FloatArray] | None = None
        self._times: list[float] = []
        self._states: list[FloatArray] = []

    def add(self, t: float, x: Sequence[float] | FloatArray) -> None:
        """The state x after a step to t [s]."""
        self._last = t, np.array(x, dtype=float)
        if not self._times or t - self._times[-1] >= self._apart:
            self._keep(*self._last)

    def within(self, begin: float, end: float) -> FloatArray:
        """Times [s] between the ends of a step at which it is worth a visit."""
        return np.linspace(begin, end, 1 + math.ceil((end - begin) / self._farthest))[1:-1]

    def _keep(self, t: float, x: FloatArray) -> None:
        self._times.append(t)
        self._states.append(x)

    def all(self) -> tuple[FloatArray, FloatArray] | None:
        """Times [s] and states in rows, with the last one; None if there are none."""
        if self._last is None:
            return None
        if self._times[-1] < self._last[0]:
            self._keep(*self._last)
        return np.array(self._times), np.array(self._states)


def visits_of(problem: Problem) -> Visits | None:
    """For a problem whose mechanism has constraints; None for others."""
    return Visits(problem.duration) if problem.system.constraints else None


@dataclass(frozen=True)
class Recording:
    """Rows of a run; fewer than asked for where it was interrupted or failed."""

    time: NDArray[np.float64]
    states: FloatArray
    outputs: FloatArray
    output_quantities: tuple[Quantity, ...]
    interrupted: bool = False
    failure: Failure | None = None
    elapsed: float = 0.0  # s that the integration took, compilation not counted
    steps: int = 0  # that were taken; 0: not counted
    residual: StepResidual | None = None  # of steps that were solved for set-valued forces
    visits: tuple[FloatArray, FloatArray] | None = None  # times [s] and states between records


class RecordBuffer:
    """Arrays that are filled row by row while a run goes on; it begins when they are made."""

    def __init__(self, count: int, program: Program) -> None:
        self._begin = time.perf_counter()
        self.quantities = program.outputs
        states, outputs = len(program.states), len(program.outputs)
        try:
            self.time = np.empty(count)
            self.states = np.empty((count, states))
            self.outputs = np.empty((count, outputs))
        except (MemoryError, ValueError):
            raise SimulationError(
                f"{count} records of {states} states and {outputs} outputs do not fit into "
                "memory; record less often (record_interval) or fewer outputs"
            ) from None

    def recording(
        self,
        count: int,
        *,
        interrupted: bool = False,
        failure: Failure | None = None,
        visits: Visits | None = None,
    ) -> Recording:
        """The first ``count`` rows."""
        return Recording(
            self.time[:count].copy(),
            self.states[:count].copy(),
            self.outputs[:count].copy(),
            self.quantities,
            interrupted,
            failure,
            time.perf_counter() - self._begin,
            visits=None if visits is None else visits.all(),
        )


# What solved steps tell beside the states: whether they were solved, and how well.
#
# A report is an array of C: an outcome, a mark for each input, and four numbers more.

# Places from the end.
LEFT: Final = -4  # the residual of this step
WORST: Final = -3  # the greatest of all steps so far
WHEN: Final = -2  # [s], the beginning of that step
POORLY: Final = -1  # how many steps so far have a poor one
FURTHER: Final = 4
POOR: Final = 0.1  # residual above which forces are not those of their laws, as in an impact
TOO_MANY: Final = 0.2  # share of such steps, more than which are no impacts


@dataclass(frozen=True)
class StepResidual:
    """How well the steps of a run were solved for set-valued forces.

    ``greatest`` is the largest velocity that no bound justifies over the terms that it is the sum
    of, after the step for which that is worst: rounding where problems are solved exactly.
    """

    greatest: float
    time: float  # [s], at which that step begins
    poor: int = 0  # steps with more than ``POOR``
    steps: int = 0  # of all

    @property
    def in_words(self) -> str:
        poor = f", above {POOR:g} in {self.poor} of {self.steps} steps" if self.poor else ""
        return f"{self.greatest:.1e} at most, at t = {self.time:.4g} s{poor}"

    @property
    def remark(self) -> str:
        """What is wrong with it; empty if nothing is."""
        if self.poor <= TOO_MANY * self.steps:
            return ""
        return (
            f"the set-valued forces are not solved for: the residual is {self.in_words}; take the "
            "method complementarity or a smaller step, and look for motions that are driven "
            "against rigid contacts"
        )


def empty_report(inputs: int) -> np.ndarray:
    """Before the first step."""
    return np.zeros(1 + inputs + FURTHER)


def residual_of(report: Sequence[float] | np.ndarray, steps: int) -> StepResidual:
    """What is left in a report at the end of a run of so many steps."""
    return StepResidual(float(report[WORST]), float(report[WHEN]), int(report[POORLY]), steps)


_UNSEEN = 1e-6  # of a range: what is less is called so


@dataclass(frozen=True)
class StepError:
    """How wrong steps of one length make a run: the worst of its signals, over its range.

    Example:
    >>> from axletree.simulation.recording import StepError
    >>> StepError(0.0031, "vehicle.yaw_rate").in_words
    '0.31 % of the range of vehicle.yaw_rate, by samples of steps'
    >>> StepError(31.2, "pin.angle", confirmed=True).in_words
    '31 times the range of pin.angle, by runs with other steps'
    >>> StepError(float("nan"), "", undecided="the watch was left out").in_words
    'not judged: the watch was left out'
    """

    share: float  # of the signal's range; 0: nothing moves; nan: not judged
    signal: str
    confirmed: bool = False  # by runs with other steps; from samples of steps, where not
    remark: str = ""  # why the run is not to be believed, and a step that holds; empty if it is
    further: float = 0.0  # steps that those runs took, over those of the run
    undecided: str = ""  # why the steps were not judged, or why no other run decides a doubt

    @property
    def judged(self) -> bool:
        """Whether anything is known of the error: ``share`` is a number then."""
        return not math.isnan(self.share)

    @property
    def in_words(self) -> str:
        if not self.judged:
            return f"not judged: {self.undecided}"
        if not self.signal:
            return "none, for nothing moves"
        source = "runs with other steps" if self.confirmed else "samples of steps"
        found = f"{self.share_in_words} the range of {self.signal}, by {source}"
        if self.undecided:
            return f"{found}, which are in doubt: {self.undecided}"
        if not self.further:
            return found
        return f"{found}; further runs took {100.0 * self.further:.0f} % of its steps"

    @property
    def share_in_words(self) -> str:
        """In per cent, or in multiples where that is more than a thousand: what a range follows."""
        if self.share < _UNSEEN:
            return f"below {100.0 * _UNSEEN:g} % of"
        if self.share < 10.0:
            digits = ".2g" if self.share < 0.1 else ".0f"
            return f"{100.0 * self.share:{digits}} % of"
        if self.share == math.inf:
            return "more than any multiple of"
        return f"{self.share:.0f} times" if self.share < 1e4 else f"{self.share:.1e} times"


RUN_AWAY: Final = 1e30  # in any unit: no state of a machine is so large, but a diverging one is


@dataclass(frozen=True)
class Failure:
    """Why a run stopped before its end."""

    message: str
    advice: str
    of_controller: bool = False

    def __str__(self) -> str:
        return f"{self.message}; {self.advice}"


def bad_state(
    states: Sequence[Quantity],
    values: Sequence[float] | np.ndarray,
    last: Sequence[float] | np.ndarray,
    t: float,
    last_time: float,
    advice: str,
) -> Failure:
    """The first state that is not finite at t, with its value at the last good time."""
    bad = np.flatnonzero(~np.isfinite(np.asarray(values, dtype=float)))
    quantity, value = states[bad[0]], values[bad[0]]
    others = f" (and {len(bad) - 1} more states)" if len(bad) > 1 else ""
    return Failure(
        f"at t = {t:.9g} s the state {quantity.name!r}{others} became {value}; its last good "
        f"value was {float(last[bad[0]]):.9g} {quantity.unit} at t = {last_time:.9g} s",
        advice,
    )


def bad_output(
    outputs: Sequence[Quantity],
    values: np.ndarray,
    t: float,
    states: Sequence[Quantity],
    x: Sequence[float] | np.ndarray,
    advice: str,
) -> Failure:
    """The first output that is not finite at t; if states have run away, the farthest of them."""
    index = int(np.flatnonzero(~np.isfinite(values))[0])
    found = f"at t = {t:.9g} s the output {outputs[index].name!r} is {values[index]}"
    k = int(np.argmax(np.abs(x))) if len(x) else 0
    if len(x) and abs(x[k]) > RUN_AWAY:
        state = states[k]
        return Failure(f"{found}, for {state.name!r} has grown to {x[k]:.3g} {state.unit}", advice)
    return Failure(
        f"{found}, while all states are finite",
        "look for a division by zero, such as by a mass or a length of 0, or a root or logarithm "
        "outside its domain; if nothing but this output is wrong, leave it out by outputs=[...]",
    )
