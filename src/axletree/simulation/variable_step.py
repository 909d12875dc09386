"""Variable-step integration: the contract of a solver, and the driver between records.

Records are taken at equal intervals, whatever steps the solver chooses. A system with a
projection is integrated from record to record: at each the states are moved onto their
constraints and the solver starts afresh from there, because a multistep method cannot go
on from states that were changed under it. Between records its own error control keeps
the drift within the tolerances.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from axletree.code.compile import Vector
from axletree.core.errors import SimulationError
from axletree.simulation.angle_watch import with_cause
from axletree.simulation.failure import Failure, bad_output, bad_state
from axletree.simulation.model_run import ModelRun
from axletree.simulation.problem import Problem
from axletree.simulation.progress import Progress
from axletree.simulation.recording import Recording, Rows
from axletree.system.singular import turns_of

DEFAULT_RECORDS: Final = 500  # intervals of a run where no interval is given
_ADVICE: Final = (
    "try looser tolerances, another method ('radau' or 'bdf' for stiff systems), or other "
    "initial values and parameters"
)


class SolverStopped(SimulationError):
    """A solver that cannot go on; raised by solvers, turned into a failure by the driver."""


class Solver(Protocol):
    """A solver at work on one problem."""

    def advance(self, t: float) -> Vector:
        """The states at t; times rise from call to call."""
        ...

    def restart(self, t: float, x: Vector) -> None:
        """Go on from these states, with no memory of earlier steps."""
        ...


@dataclass(frozen=True)
class VariableStep:
    """A method with error control.

    1. ``open(model, problem)`` makes the solver, at the start of the problem.
    2. ``uses_jacobian`` says whether it has use for the exact d xdot / d x.
    """

    name: str
    description: str
    open: Callable[[ModelRun, Problem], Solver]
    uses_jacobian: bool

    def integrate(self, problem: Problem) -> Recording:
        model = ModelRun(problem, with_jacobian=self.uses_jacobian)
        times = _record_times(problem)
        rows = Rows(len(times), model.program)
        done, failure, interrupted = 0, None, False
        with Progress(problem.duration) as progress:
            try:
                failure = _record(model, rows, 0, times[0], problem.states)
                done = int(failure is None)
                solver = self._solver(model, problem) if failure is None else None
                while solver is not None and failure is None and done < len(times):
                    failure = _interval(model, solver, rows, done, times)
                    done += failure is None
                    progress.show(times[done - 1] - problem.start)
            except KeyboardInterrupt:
                interrupted = True
        if failure is not None and done:
            failure = with_cause(failure, turns_of(problem.system), rows.states[done - 1])
        return rows.recording(done, interrupted=interrupted, failure=failure)

    def _solver(self, model: ModelRun, problem: Problem) -> Solver:
        return self.open(model, problem) if len(problem.states) else _Nothing()


class _Nothing:
    """The solver of a system without states."""

    def advance(self, t: float) -> Vector:
        return np.empty(0)

    def restart(self, t: float, x: Vector) -> None:
        pass


def _record_times(problem: Problem) -> Vector:
    """Start, start + interval, ... and the end."""
    interval = problem.record_interval or problem.duration / DEFAULT_RECORDS
    count = max(math.ceil(problem.duration / interval - 1e-9), 1)
    times = problem.start + interval * np.arange(count + 1, dtype=np.float64)
    times[-1] = problem.start + problem.duration
    return times


def _interval(
    model: ModelRun, solver: Solver, rows: Rows, row: int, times: Vector
) -> Failure | None:
    """From one record to the next."""
    t, last = float(times[row]), rows.states[row - 1]
    try:
        x = solver.advance(t)
    except SolverStopped as stop:
        return _stopped(model, str(stop), last, float(times[row - 1]))
    if model.program.project is not None:
        x = model.project(t, x)
        solver.restart(t, x)
    if not np.isfinite(x).all():
        return bad_state(model.program.states, x, last, t, float(times[row - 1]), _ADVICE)
    return _record(model, rows, row, t, x)


def _stopped(model: ModelRun, reason: str, last: Vector, last_time: float) -> Failure:
    """The reason of the solver, and the state that moves fastest for its size."""
    slope = np.abs(model.rhs(last_time, last)) / (1.0 + np.abs(last))
    k = int(np.argmax(np.where(np.isfinite(slope), slope, np.inf))) if len(slope) else 0
    state = model.program.states[k]
    return Failure(
        f"after t = {last_time:.9g} s the solver stopped: {reason}; the state that moved "
        f"fastest was {state.name!r}, with {last[k]:.9g} {state.unit}",
        _ADVICE,
    )


def _record(model: ModelRun, rows: Rows, row: int, t: float, x: Vector) -> Failure | None:
    rows.time[row], rows.states[row] = t, x
    rows.outputs[row] = model.outputs(float(t), x)
    if np.isfinite(rows.outputs[row]).all():
        return None
    program = model.program
    return bad_output(program.outputs, rows.outputs[row], float(t), program.states, x, _ADVICE)
