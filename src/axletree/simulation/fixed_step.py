"""Fixed-step integration: the contract of a method, and the driver of its loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from axletree.code.compile import Runnable, compile_program
from axletree.code.compiler import Compiler, find_compiler
from axletree.code.lower import Extra, lower
from axletree.simulation.angle_watch import lost_orientation, with_cause
from axletree.simulation.c_loop import CLoop, loop_text
from axletree.simulation.failure import Failure, bad_output, bad_state
from axletree.simulation.problem import Problem
from axletree.simulation.progress import Progress
from axletree.simulation.python_loop import PythonLoop, Step
from axletree.simulation.recording import Recording, Rows
from axletree.simulation.step_plan import StepPlan, plan_steps
from axletree.system.singular import turns_of
from axletree.system.system import System

SECONDS_PER_CHUNK: Final = 0.1  # between two looks at the keyboard
FIRST_CHUNK: Final = 100  # steps
_ADVICE: Final = (
    "try a smaller step, method='rk4', or for a stiff system a variable-step method such as "
    "'radau'; if it stays, look at the initial values and parameters"
)


@dataclass(frozen=True)
class FixedStep:
    """A method that takes steps of one length at a fixed cost.

    1. ``c_step`` is C99 that defines
       ``static void axl_step(const axl_run *run, double t, double h, double *x)``: it moves
       the NX states x from t to t + h, with ``axl_slope(run, t, x, xdot)`` for derivatives.
    2. ``python_step(loop, t, h, x)`` returns the states at t + h, by the same operations in
       the same order, with ``loop.slope(t, x)`` for derivatives.
    3. ``extras`` names the routines that it needs beside the right-hand side.
    4. A method that ``subdivides`` takes a step in parts of its own choice, by the tolerances
       ``run->relative``, ``run->absolute`` and ``loop.tolerances``.
    """

    name: str
    description: str
    order: int  # the global error falls as step**order
    c_step: str
    python_step: Step
    extras: tuple[Extra, ...] = ()
    subdivides: bool = False

    def integrate(self, problem: Problem, chunk: int | None = None) -> Recording:
        """Run the loop in chunks: of ``chunk`` steps, or of about a tenth of a second."""
        plan = plan_steps(problem, self.name)
        outputs = None if problem.outputs is None else tuple(problem.outputs)
        model = _compiled(problem.system, outputs, self.extras, self.c_step, find_compiler())
        rows = Rows(plan.records, model.program)
        loop = _loop(model, problem, plan, rows, self.python_step)
        interrupted, status = False, 0
        with Progress(problem.duration) as progress:
            try:
                status = _advance(loop, plan.count, chunk, lambda k: progress.show(k * plan.length))
            except KeyboardInterrupt:
                interrupted = True
        failure = _failure(status, loop, problem, plan, rows) if status else None
        return rows.recording(loop.records, interrupted=interrupted, failure=failure)


@lru_cache(maxsize=8)
def _compiled(
    system: System,
    outputs: tuple[str, ...] | None,
    extras: tuple[Extra, ...],
    c_step: str,
    compiler: Compiler | None,
) -> Runnable:
    """The program of a system with a loop around it; ``compiler`` is the one at hand."""
    program = lower(system, outputs, extras)
    return compile_program(program, more=loop_text(program, c_step))


def _failure(
    status: int, loop: CLoop | PythonLoop, problem: Problem, plan: StepPlan, rows: Rows
) -> Failure:
    """What the number that a loop stopped with stands for."""
    states, turns = problem.system.states, turns_of(problem.system)
    t, t_next = (problem.start + plan.length * k for k in (loop.step, loop.step + 1))
    if status == 3:
        return lost_orientation(turns, states, loop.previous, loop.x, t_next)
    if status == 1:
        failure = bad_state(states, loop.x, loop.previous, t_next, t, _ADVICE)
        return with_cause(failure, turns, loop.previous)
    values = rows.outputs[loop.records]
    failure = bad_output(rows.quantities, values, t, states, loop.x, _ADVICE)
    return with_cause(failure, turns, loop.x)


def _loop(
    model: Runnable, problem: Problem, plan: StepPlan, rows: Rows, take_step: Step
) -> CLoop | PythonLoop:
    if model.library is None:
        return PythonLoop(model, problem, plan, rows, take_step)
    return CLoop(model, problem, plan, rows)


def _advance(
    loop: CLoop | PythonLoop, last: int, chunk: int | None, show: Callable[[int], None]
) -> int:
    """Chunks until the end; their length follows the speed, or is as given."""
    count = chunk or FIRST_CHUNK
    status = loop.advance(0)
    while status == 0 and loop.step < last:
        begin = time.perf_counter()
        status = loop.advance(count)
        show(loop.step)
        if chunk is None:
            elapsed = max(time.perf_counter() - begin, 1e-6)
            count = max(1, min(int(count * SECONDS_PER_CHUNK / elapsed), 10 * count))
    return status
