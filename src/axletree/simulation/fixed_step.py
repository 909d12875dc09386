"""Fixed-step integration: the contract of a method, and the driver of its loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np

from axletree.code.backends.c import Compiler, find_compiler, kept_library, library_key
from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.lowering import Extra, lower
from axletree.code.program import Program
from axletree.code.step_rules import StepLine
from axletree.code.stored_program import program_key, program_of_store, stored_program
from axletree.core.cache import read_entry, write_entry
from axletree.core.progress import Progress
from axletree.expr import OperationCount
from axletree.simulation.checks import (
    euler_angles_of,
    lost_orientation,
    torn_apart,
    unsolved_step,
    with_cause,
)
from axletree.simulation.control.controllers import ControllerError, Controllers
from axletree.simulation.loops import CLoop, PythonLoop, StepFunction, loop_text
from axletree.simulation.problem import USUAL_TOLERANCES, Problem, Tolerances
from axletree.simulation.recording import (
    MOST_VISITS,
    Failure,
    RecordBuffer,
    Recording,
    StepPlan,
    bad_output,
    bad_state,
    plan_steps,
    residual_of,
    visits_of,
)
from axletree.system.forms.set_valued import StepRows
from axletree.system.system import System

SECONDS_PER_CHUNK: Final = 0.1  # between two looks at the keyboard
FIRST_CHUNK: Final = 100  # steps
_ADVICE: Final = (
    "try a smaller step, method='rk4', or for a stiff system a variable-step method such as "
    "'radau'; if it stays, look at the initial values and parameters"
)


@dataclass(frozen=True)
class StepCost:
    """What a step consists of, without its inputs and its projection."""

    operations: OperationCount
    inputs: int  # how often it takes them


@dataclass(frozen=True)
class FixedStep:
    """A method that takes steps of one length at a fixed cost.

    1. ``c_step`` is C99 that defines
       ``static void axl_step(const axl_run *run, double t, double h, double *x)``: it moves
       the NX states x from t to t + h, with ``axl_slope(run, t, x, xdot)`` for derivatives.
    2. ``python_step(loop, t, h, x)`` returns the states at t + h, by the same operations in
       the same order, with ``loop.call("rhs", t, x)`` for derivatives.
    3. ``extras`` names the routines that it needs beside the right-hand side.
    4. A method that ``subdivides`` takes a step in parts of its own choice, by the tolerances
       ``run->relative``, ``run->absolute`` and ``loop.tolerances``, which are its ``tolerances``
       unless a caller gives others.
    5. A method that ``solves`` its steps defines in C ``int axl_step_work(void)``: how many
       numbers at ``run->work`` a step needs. A step that it could not solve leaves a number
       other than 0 in ``run->report`` or ``loop.report``, and after it one for each set-valued
       force that has to do with it.
    6. ``lines`` are what a step consists of, where that is the same for every step; a method
       without such lines whose steps all have the same cost says so by ``fixed_cost``, and by
       ``counted`` what a step consists of, where that can be counted.
    7. ``lane_step`` defines the step for vehicles in lanes (``batch/lanes.c``) where ``c_step`` is
       not written for them.
    8. ``for_rows`` is the method for the rows of a system in the set-valued form; a method that
       has it steps no other form of a system with set-valued forces.
    """

    name: str
    description: str
    order: int  # the global error falls as step**order
    c_step: str
    python_step: StepFunction
    extras: tuple[Extra, ...] = ()
    subdivides: bool = False
    tolerances: Tolerances = USUAL_TOLERANCES
    solves: bool = False
    lines: tuple[StepLine, ...] = field(default=(), compare=False)
    fixed_cost: bool = False
    counted: Callable[[Program], StepCost] | None = None
    lane_step: str = ""
    for_rows: Callable[[StepRows], FixedStep] | None = None

    def integrate(self, problem: Problem, chunk: int | None = None) -> Recording:
        """Run the loop in chunks: of ``chunk`` steps, or of about a tenth of a second."""
        if self.for_rows is not None and problem.system.rows is not None:
            method = self.for_rows(problem.system.rows)
            return method.integrate(with_forces(problem), chunk)
        plan = plan_steps(problem, self.name)
        model = self._model(problem)
        rows = RecordBuffer(plan.records, model.program)
        loop = self._loop(model, problem, plan, rows)
        visits = visits_of(problem) if plan.every > 1 else None
        interrupted, status, failed = False, 0, None
        if problem.controllers is not None:
            problem.controllers.begin(model.program.outputs)
        with Progress(problem.duration) as progress:

            def show() -> None:
                progress.show(loop.step * plan.length)
                if visits is not None:
                    visits.add(problem.start + loop.step * plan.length, loop.x)

            most = plan.count if visits is None else max(plan.count // MOST_VISITS, 1)
            try:
                status = _advance(loop, plan.count, chunk, most, show, problem.controllers)
            except KeyboardInterrupt:
                interrupted = True
            except ControllerError as error:
                failed = Failure(str(error), "the run has its records until then", True)
        failure = _failure(status, loop, problem, plan, rows) if status else failed
        recording = rows.recording(
            loop.records, interrupted=interrupted, failure=failure, visits=visits
        )
        residual = residual_of(loop.report, loop.step) if self.solves else None
        return replace(recording, steps=loop.step, residual=residual)

    def step_operations(
        self, system: System, outputs: tuple[str, ...] | None
    ) -> OperationCount | None:
        """Of one step of a run, with its projection but without its inputs, where the method has
        them ``counted``; known before the run."""
        if self.counted is None:
            return None
        program = _program(self, system, outputs, find_compiler(), equal_laws=True)
        projection = OperationCount() if program.project is None else program.project.operations
        return self.counted(program).operations + projection

    def loop_without_records(self, problem: Problem) -> CLoop | PythonLoop:
        """For steps from states of a run and outputs there: ``steps_from``, ``outputs_at``."""
        if self.for_rows is not None and problem.system.rows is not None:
            return self.for_rows(problem.system.rows).loop_without_records(with_forces(problem))
        model = self._model(problem)
        return self._loop(model, problem, StepPlan(1.0, 1, 1), RecordBuffer(1, model.program))

    def _model(self, problem: Problem) -> Runnable:
        given = self, problem.system, problem.outputs, find_compiler()
        equal_laws = _program(*given, equal_laws=True).holds_for(problem.parameters)
        return _compiled(*given, equal_laws)

    def _loop(
        self, model: Runnable, problem: Problem, plan: StepPlan, rows: RecordBuffer
    ) -> CLoop | PythonLoop:
        if model.library is None:
            return PythonLoop(model, problem, plan, rows, self.python_step, solves=self.solves)
        return CLoop(model, problem, plan, rows, solves=self.solves)


@lru_cache(maxsize=8)
def _compiled(
    method: FixedStep,
    system: System,
    outputs: tuple[str, ...] | None,
    compiler: Compiler | None,
    equal_laws: bool,
) -> Runnable:
    """The program of a system with a loop around it; ``compiler`` is the one at hand."""
    kept = _kept(method, system, outputs, compiler, equal_laws)
    if kept is not None:
        return kept
    program = _lowered(method, system, outputs, equal_laws=equal_laws)
    text = loop_text(program, method.c_step, solves=method.solves)
    model = compile_program(program, more=text)
    if model.library is not None and system.rows is None:
        name = _name(method, system, outputs, compiler, equal_laws)
        write_entry(name, {"library": library_key(model.library), **stored_program(program)})
    return model


def _program(
    method: FixedStep,
    system: System,
    outputs: tuple[str, ...] | None,
    compiler: Compiler | None,
    equal_laws: bool,
) -> Program:
    """As it was kept, or lowered now."""
    kept = _kept(method, system, outputs, compiler, equal_laws)
    if kept is not None:
        return kept.program
    return _lowered(method, system, outputs, equal_laws=equal_laws)


@lru_cache(maxsize=8)
def _kept(
    method: FixedStep,
    system: System,
    outputs: tuple[str, ...] | None,
    compiler: Compiler | None,
    equal_laws: bool,
) -> Runnable | None:
    """The program as another run has compiled it; None if none has."""
    if compiler is None or system.rows is not None:
        return None
    stored = read_entry(_name(method, system, outputs, compiler, equal_laws))
    library = None if stored is None else kept_library(stored["library"])
    return None if library is None else Runnable(program_of_store(stored, system), library, "model")


def _name(
    method: FixedStep,
    system: System,
    outputs: tuple[str, ...] | None,
    compiler: Compiler | None,
    equal_laws: bool,
) -> str:
    extras = [extra.name for extra in method.extras]
    return program_key(system, outputs, method.c_step, extras, method.solves, compiler, equal_laws)


@lru_cache(maxsize=8)
def _lowered(
    method: FixedStep, system: System, outputs: tuple[str, ...] | None, *, equal_laws: bool
) -> Program:
    return lower(system, outputs, method.extras, equal_laws=equal_laws)


def with_forces(problem: Problem) -> Problem:
    """The same with places for the unknown forces after the inputs, which are 0 at first.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.fixed_step import with_forces
    >>> from axletree.simulation.problem import state_problem
    >>> car = at.read_model("sedan").formulate(form=at.SetValuedForm())
    >>> len(with_forces(state_problem(car)).inputs) - len(car.inputs) == len(car.unknown_forces)
    True
    """
    forces = np.zeros(len(problem.system.unknown_forces))
    return replace(problem, inputs=np.concatenate([problem.inputs, forces]))


def _failure(
    status: int, loop: CLoop | PythonLoop, problem: Problem, plan: StepPlan, rows: RecordBuffer
) -> Failure:
    """What the number that a loop stopped with stands for."""
    states, turns = problem.system.states, euler_angles_of(problem.system)
    t, t_next = (problem.start + plan.length * k for k in (loop.step, loop.step + 1))
    if status == 4:
        return unsolved_step(problem.system, loop.report, t)
    if status == 3:
        lost = lost_orientation(turns, states, loop.previous, loop.x, t_next)
        return torn_apart(problem, t_next, loop.x) or lost
    if status == 1:
        failure = bad_state(states, loop.x, loop.previous, t_next, t, _ADVICE)
        return torn_apart(problem, t, loop.previous) or with_cause(failure, turns, loop.previous)
    values = rows.outputs[loop.records]
    failure = bad_output(rows.quantities, values, t, states, loop.x, _ADVICE)
    return with_cause(failure, turns, loop.x)


def _advance(
    loop: CLoop | PythonLoop,
    last: int,
    chunk: int | None,
    most: int,
    show: Callable[[], None],
    controllers: Controllers | None = None,
) -> int:
    """Chunks until the end; their length follows the speed, up to ``most`` steps, or is given.

    None goes beyond the next instant of a controller.
    """
    count = chunk or min(FIRST_CHUNK, most)
    status = loop.advance(0)
    while status == 0 and loop.step < last:
        begin, piece = time.perf_counter(), count
        if controllers is not None:
            controllers.visit(loop)
            piece = min(count, controllers.next(loop.step) - loop.step)
        status = loop.advance(piece)
        if status == 0:
            show()
        if chunk is None and controllers is None:
            elapsed = max(time.perf_counter() - begin, 1e-6)
            count = max(1, min(int(count * SECONDS_PER_CHUNK / elapsed), 10 * count, most))
    return status
