"""Variable-step integration: the contract of a solver, and the driver between records.

Records are taken at equal intervals, whatever steps the solver chooses. A system with a
projection is integrated from record to record: at each the states are moved onto their
constraints and the solver starts afresh from there, because a multistep method cannot go
on from states that were changed under it. Between records its own error control keeps
the drift within the tolerances.

What a solver calls is a ``ModelRun``: a compiled system with its parameters and inputs filled
in.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np

from axletree.code.backends.c import Compiler, find_compiler
from axletree.code.backends.python import table_function
from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.lowering import Extra, lower
from axletree.core.arrays import FloatArray
from axletree.core.errors import ExpressionError, SimulationError
from axletree.core.progress import Progress
from axletree.simulation.checks import euler_angles_of, with_cause
from axletree.simulation.problem import Problem
from axletree.simulation.recording import (
    Failure,
    RecordBuffer,
    Recording,
    bad_output,
    bad_state,
    visits_of,
)
from axletree.system.system import System

DEFAULT_RECORDS: Final = 500  # intervals of a run where no interval is given
_ADVICE: Final = (
    "try looser tolerances, another method ('radau' or 'bdf' for stiff systems), or other "
    "initial values and parameters"
)


class SolverStopped(SimulationError):
    """A solver that cannot go on; raised by solvers, turned into a failure by the driver."""


class Solver(Protocol):
    """A solver at work on one problem.

    It adds the states after each of its steps to the visits of the model, where that has any.
    """

    def advance(self, t: float) -> FloatArray:
        """The states at t; times rise from call to call."""
        ...

    def restart(self, t: float, x: FloatArray) -> None:
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
        rows = RecordBuffer(len(times), model.program)
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
            failure = with_cause(failure, euler_angles_of(problem.system), rows.states[done - 1])
        return rows.recording(done, interrupted=interrupted, failure=failure, visits=model.visits)

    def _solver(self, model: ModelRun, problem: Problem) -> Solver:
        return self.open(model, problem) if len(problem.states) else _StatelessSolver()


class _StatelessSolver:
    """The solver of a system without states."""

    def advance(self, t: float) -> FloatArray:
        return np.empty(0)

    def restart(self, t: float, x: FloatArray) -> None:
        pass


def _record_times(problem: Problem) -> FloatArray:
    """Start, start + interval, ... and the end."""
    interval = problem.record_interval or problem.duration / DEFAULT_RECORDS
    count = max(math.ceil(problem.duration / interval - 1e-9), 1)
    times = problem.start + interval * np.arange(count + 1, dtype=np.float64)
    times[-1] = problem.start + problem.duration
    return times


def _interval(
    model: ModelRun, solver: Solver, rows: RecordBuffer, row: int, times: FloatArray
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


def _stopped(model: ModelRun, reason: str, last: FloatArray, last_time: float) -> Failure:
    """The reason of the solver, and the state that moves fastest for its size."""
    slope = np.abs(model.rhs(last_time, last)) / (1.0 + np.abs(last))
    k = int(np.argmax(np.where(np.isfinite(slope), slope, np.inf))) if len(slope) else 0
    state = model.program.states[k]
    return Failure(
        f"after t = {last_time:.9g} s the solver stopped: {reason}; the state that moved "
        f"fastest was {state.name!r}, with {last[k]:.9g} {state.unit}",
        _ADVICE,
    )


def _record(
    model: ModelRun, rows: RecordBuffer, row: int, t: float, x: FloatArray
) -> Failure | None:
    rows.time[row], rows.states[row] = t, x
    rows.outputs[row] = model.outputs(float(t), x)
    if np.isfinite(rows.outputs[row]).all():
        return None
    program = model.program
    return bad_output(program.outputs, rows.outputs[row], float(t), program.states, x, _ADVICE)


SMALLEST_SPARSE = 64  # states from which on a sparse factorisation is worth its overhead
LARGEST_DENSITY = 0.25


class ModelRun:
    """What variable-step solvers call."""

    def __init__(self, problem: Problem, *, with_jacobian: bool) -> None:
        self.model = _compiled(problem.system, problem.outputs, with_jacobian, find_compiler())
        self.program = self.model.program
        self._c = self.model.constants(problem.parameters)
        self._u = problem.inputs.copy()
        self._tables = [(signal.index, table_function(signal.table)) for signal in problem.tables]
        self.visits = visits_of(problem)

    def inputs(self, t: float) -> FloatArray:
        for index, table in self._tables:
            self._u[index] = table(float(t))
        return self._u

    def rhs(self, t: float, x: FloatArray) -> FloatArray:
        return self.model.rhs(t, x, self.inputs(t), self._c)

    def outputs(self, t: float, x: FloatArray) -> FloatArray:
        return self.model.outputs(t, x, self.inputs(t), self._c)

    def project(self, t: float, x: FloatArray) -> FloatArray:
        return self.model.project(t, x, self.inputs(t), self._c)

    @property
    def has_jacobian(self) -> bool:
        return self.program.jacobian is not None

    @property
    def is_sparse(self) -> bool:
        matrix = self.program.jacobian
        size = len(self.program.states)
        return (
            matrix is not None
            and size >= SMALLEST_SPARSE
            and len(matrix.rows) <= LARGEST_DENSITY * size * size
        )

    def jacobian(self, t: float, x: FloatArray) -> np.ndarray:
        """d xdot / d x as a dense matrix."""
        matrix = self.program.jacobian
        assert matrix is not None
        full = np.zeros(matrix.shape)
        full[list(matrix.rows), list(matrix.columns)] = self._entries(t, x)
        return full

    def sparse_jacobian(self, t: float, x: FloatArray) -> Any:
        """d xdot / d x as a SciPy matrix in compressed columns."""
        from scipy.sparse import csc_matrix

        matrix = self.program.jacobian
        assert matrix is not None
        places = (np.array(matrix.rows), np.array(matrix.columns))
        return csc_matrix((self._entries(t, x), places), shape=matrix.shape)

    def _entries(self, t: float, x: FloatArray) -> FloatArray:
        return self.model.jacobian(t, x, self.inputs(t), self._c)


@lru_cache(maxsize=8)
def _compiled(
    system: System,
    outputs: tuple[str, ...] | None,
    with_jacobian: bool,
    compiler: Compiler | None,
) -> Runnable:
    """With the exact Jacobian if asked for, unless a call in the equations has no derivative."""
    extras = (Extra.JACOBIAN,) if with_jacobian else ()
    try:
        program = lower(system, outputs, extras)
    except ExpressionError:
        if not with_jacobian:
            raise
        program = lower(system, outputs)
    return compile_program(program)
