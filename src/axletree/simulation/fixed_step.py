"""Fixed-step integration: the contract of a method, and the driver of its loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.code.compile import Runnable, compile_program
from axletree.code.lower import Extra, lower
from axletree.simulation.c_loop import CLoop, loop_text
from axletree.simulation.failure import bad_output, bad_state
from axletree.simulation.problem import Problem, SettingsError
from axletree.simulation.progress import Progress
from axletree.simulation.python_loop import PythonLoop, Step
from axletree.simulation.recording import Recording, Rows

SECONDS_PER_CHUNK: Final = 0.1  # between two looks at the keyboard
FIRST_CHUNK: Final = 100  # steps
_NEAR: Final = 1e-6  # of a step: what a whole number of steps may be off by
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
    """

    name: str
    description: str
    order: int  # the global error falls as step**order
    c_step: str
    python_step: Step
    extras: tuple[Extra, ...] = ()

    def integrate(self, problem: Problem, chunk: int | None = None) -> Recording:
        """Run the loop in chunks: of ``chunk`` steps, or of about a tenth of a second."""
        step, last, every = _steps(problem, self.name)
        program = lower(problem.system, problem.outputs, self.extras)
        model = compile_program(program, more=loop_text(program, self.c_step))
        records = last // every + 1 + (last % every > 0)
        rows = Rows(records, program)
        loop = _loop(model, problem, step, last, every, rows, self.python_step)
        interrupted, status = False, 0
        with Progress(problem.duration) as progress:
            try:
                status = _advance(loop, last, chunk, lambda k: progress.show(k * step))
            except KeyboardInterrupt:
                interrupted = True
        failure = None
        if status == 1:
            t = problem.start + step * np.array([loop.step, loop.step + 1])
            failure = bad_state(program.states, loop.x, loop.previous, t[1], t[0], _ADVICE)
        elif status == 2:
            t_bad = problem.start + step * loop.step
            failure = bad_output(program.outputs, rows.outputs[loop.records], t_bad)
        return rows.recording(loop.records, interrupted=interrupted, failure=failure)


def _steps(problem: Problem, name: str) -> tuple[float, int, int]:
    """Length and number of steps, and how many of them lie between two records."""
    if problem.step is None:
        raise SettingsError([f"the method {name!r} needs a step in seconds, such as step=1e-3"])
    step = problem.step
    last = round(problem.duration / step)
    if last < 1 or abs(problem.duration / step - last) > _NEAR:
        whole = max(last, 1)
        raise SettingsError(
            [
                f"duration {problem.duration:g} s is not a whole number of steps of {step:g} s; "
                f"try duration={whole * step:g} or step={problem.duration / whole:.9g}"
            ]
        )
    interval = step if problem.record_interval is None else problem.record_interval
    every = round(interval / step)
    if every < 1 or abs(interval / step - every) > _NEAR * every:
        raise SettingsError(
            [
                f"record_interval {interval:g} s is not a whole number of steps of {step:g} s; "
                f"try record_interval={max(every, 1) * step:g}"
            ]
        )
    return step, last, every


def _loop(
    model: Runnable,
    problem: Problem,
    step: float,
    last: int,
    every: int,
    rows: Rows,
    take_step: Step,
) -> CLoop | PythonLoop:
    if model.library is None:
        return PythonLoop(model, problem, step, last, every, rows, take_step)
    return CLoop(model, problem, step, last, every, rows)


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
