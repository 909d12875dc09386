"""The loops that take steps of one length: in C, and in Python for machines without a compiler.

Both do the same, operation by operation, so that results are the same: inputs, steps, projection,
records, and the watch for what is not finite. The C text is ``c/loop.c``.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from axletree.code.backends.python import table_function
from axletree.code.backends.runnable import Runnable
from axletree.code.printers.c import c_definitions, c_number
from axletree.code.printers.dialect import packaged_text
from axletree.code.program import Program
from axletree.core.arrays import FloatArray
from axletree.expr.quantity import Role
from axletree.simulation.checks import (
    MOST_ACROSS,
    MOST_PER_STEP,
    NEAR_SINGULAR,
    angle_places,
    euler_angles_of,
    first_lost,
)
from axletree.simulation.problem import Problem, Tolerances
from axletree.simulation.recording import RecordBuffer, StepPlan, empty_report

EVALUATION: Final = packaged_text(__package__, "c/evaluation.c")
_LOOP: Final = packaged_text(__package__, "c/loop.c")


def loop_text(program: Program, step_text: str, *, solves: bool = False) -> list[str]:
    """The C text of the loop; ``step_text`` defines ``axl_step`` (see ``FixedStep``)."""
    numbers = step_numbers(program, step_text, solves=solves)
    return [c_definitions(numbers), _LOOP.replace("EVALUATION\n", EVALUATION), step_text]


def step_numbers(program: Program, step_text: str, *, solves: bool = False) -> dict[str, object]:
    """The numbers that the texts of steps, and of what takes them, stand on."""
    vectors = 0 if program.solved_stage is None else program.solved_stage.size
    return {
        "NX": len(program.states),
        "NX_ARRAY": max(len(program.states), 1),
        "NY": len(program.outputs),
        "NU": len(program.inputs),
        "NP": sum(q.role is Role.SPEED for q in program.states),
        "NS_ARRAY": 1 if program.speed_rates is None else max(program.speed_rates.size, 1),
        "NFIRST": 0 if program.first_stage is None else program.first_stage.size,
        "NVECTOR": vectors,
        "NVECTOR_ARRAY": max(vectors, 1),  # C has no arrays of nothing
        "SLOPE": int("axl_slope" in step_text),
        "SPLIT": int(program.speed_rates is not None and "axl_speed_rates" in step_text),
        "PROJECTED": int(program.project is not None),
        "SOLVED": int(solves),
        "MOST_ACROSS": c_number(MOST_ACROSS),
        "MOST_PER_STEP": c_number(MOST_PER_STEP),
        "NEAR_SINGULAR": c_number(NEAR_SINGULAR),
        "PI": c_number(math.pi),
        "LOOKS_ALWAYS": 0,
    }


def _run_fields() -> Iterator[tuple[str, type]]:
    """The fields of ``axl_run``, as the text declares them."""
    declared = _LOOP.partition("typedef struct {")[2].partition("} axl_run;")[0]
    for number, names in re.findall(r"(double|int64_t) (.*);", declared):
        kind = ctypes.c_double if number == "double" else ctypes.c_int64
        for name in names.split(", "):
            yield name.lstrip("*"), ctypes.c_void_p if name.startswith("*") else kind


class _Run(ctypes.Structure):
    _fields_ = list(_run_fields())


class CLoop:
    """A run of compiled code: state and records in arrays that C fills."""

    def __init__(
        self,
        model: Runnable,
        problem: Problem,
        plan: StepPlan,
        rows: RecordBuffer,
        *,
        solves: bool = False,
    ) -> None:
        assert model.library is not None
        self._advance = model.library.axl_advance
        self._advance.argtypes = [ctypes.c_void_p, ctypes.c_int64]
        self._advance.restype = ctypes.c_int
        self._repeat = model.library.axl_again
        self._repeat.argtypes = [ctypes.c_void_p, *[ctypes.c_int64] * 2, *[ctypes.c_void_p] * 4]
        self._repeat.restype = None
        self._outputs = len(model.program.outputs)
        self._problem = problem
        data, places = _flat_tables(problem)
        turns = euler_angles_of(problem.system)
        self.x = problem.states.copy()
        self.previous = self.x.copy()
        self.report = empty_report(len(problem.inputs))
        arrays = {
            "x": self.x,
            "previous": self.previous,
            "u": problem.inputs.copy(),
            "time": rows.time,
            "states": rows.states,
            "outputs": rows.outputs,
            "report": self.report,
            "work": np.zeros(model.library.axl_step_work() if solves else 1),
            "c": model.constants(problem.parameters),
            "table_data": data,
            "table_places": places,
            "turn_places": angle_places(turns),
        }
        self._arrays = arrays  # C holds their addresses
        self._model = model
        self._run = _Run(
            start=problem.start,
            h=plan.length,
            relative=problem.tolerances.relative,
            absolute=problem.tolerances.absolute,
            last=plan.count,
            every=plan.every,
            tables=len(problem.tables),
            turns=len(turns),
            **{name: array.ctypes.data for name, array in arrays.items()},
        )

    @property
    def step(self) -> int:
        """Steps done."""
        return int(self._run.step)

    @property
    def records(self) -> int:
        return int(self._run.records)

    @property
    def levels(self) -> FloatArray:
        """The inputs, to be set in place."""
        return self._arrays["u"]

    def present(self) -> tuple[float, FloatArray, FloatArray]:
        """Time [s], states and outputs; inputs that follow tables are brought up to date."""
        t, levels = self._run.start + self._run.h * float(self.step), self.levels
        for signal in self._problem.tables:
            levels[signal.index] = signal.table.evaluate(t)
        return t, self.x, self._model.outputs(t, self.x, levels, self._arrays["c"])

    def advance(self, count: int) -> int:
        """Up to ``count`` steps: 0, or what went wrong, as ``axl_advance`` counts it."""
        return int(self._advance(ctypes.byref(self._run), count))

    def steps_from(self, times: FloatArray, starts: FloatArray, h: float, count: int) -> FloatArray:
        """The states after ``count`` steps of h from each of these, of which nothing is recorded.

        NaN where a step fails.
        """
        return self._again(times, starts, h, count, None)

    def outputs_at(self, times: FloatArray, starts: FloatArray, h: float) -> FloatArray:
        """The outputs at each of these states; forces that are solved for are those of a step h."""
        outputs = np.full((len(starts), self._outputs), np.nan)
        self._again(times, starts, h, 0, outputs)
        return outputs

    def backwards(self, goal: ctypes.Structure) -> int:
        """All steps, and from the last one back what ``goal`` asks for (``c/adjoint_run.c``): 0, or
        the step after which a state is not finite."""
        assert self._model.library is not None
        function = self._model.library.axl_adjoint_run
        function.argtypes, function.restype = [ctypes.c_void_p] * 2, ctypes.c_int64
        return int(function(ctypes.byref(self._run), ctypes.byref(goal)))

    def _again(
        self,
        times: FloatArray,
        starts: FloatArray,
        h: float,
        count: int,
        outputs: FloatArray | None,
    ) -> FloatArray:
        self._run.h, tolerances = h, _tolerances_of_step(self._problem, h)
        self._run.relative, self._run.absolute = tolerances.relative, tolerances.absolute
        given, first = (np.ascontiguousarray(array, dtype=float) for array in (times, starts))
        ends = np.empty_like(first)
        self._repeat(
            ctypes.byref(self._run), len(first), count, given.ctypes.data, first.ctypes.data,
            ends.ctypes.data, None if outputs is None else outputs.ctypes.data,
        )  # fmt: skip
        return ends


def _tolerances_of_step(problem: Problem, h: float) -> Tolerances:
    """Of a step that is not as long as those of the run: by the order 5 of parts.

    With the same, halves of a step would have the parts of the whole, and no difference from it.
    """
    given, share = problem.tolerances, 1.0 if problem.step is None else h / problem.step
    return Tolerances(given.relative * share**5, given.absolute * share**5)


def _flat_tables(problem: Problem) -> tuple[FloatArray, np.ndarray]:
    """All breakpoints and coefficients in one array, and where each table starts in it."""
    data: list[float] = []
    places: list[tuple[int, int, int, int]] = []
    for signal in problem.tables:
        breaks, rows = signal.table.breakpoints, signal.table.coefficients
        places.append((signal.index, len(breaks), len(rows[0]), len(data)))
        data += [*breaks, *(value for row in rows for value in row)]
    return np.array([*data, 0.0]), np.array(places or [(0,) * 4], np.int64)


StepFunction = Callable[["PythonLoop", float, float, list[float]], list[float]]


class PythonLoop:
    """A run of generated Python; the step functions use ``call``, ``levels`` and ``report``."""

    def __init__(
        self,
        model: Runnable,
        problem: Problem,
        plan: StepPlan,
        rows: RecordBuffer,
        take_step: StepFunction,
        *,
        solves: bool = False,
    ) -> None:
        self.x: list[float] = problem.states.tolist()
        self.previous = list(self.x)
        self.step = 0
        self.records = 0
        self.speeds = sum(q.role is Role.SPEED for q in problem.system.states)
        self._model, self._rows, self._take_step = model, rows, take_step
        self._solves = solves
        self.report = empty_report(len(problem.inputs))
        self.tolerances, self._problem = problem.tolerances, problem
        self._start, self._plan = problem.start, plan
        self._turns = euler_angles_of(problem.system)
        self._constants = model.constants(problem.parameters).tolist()
        # Inputs that follow no table keep what is written here.
        self.levels: list[float] = problem.inputs.tolist()
        self._tables = [(signal.index, table_function(signal.table)) for signal in problem.tables]

    def call(self, routine: str, t: float, x: list[float], *more: list[float]) -> list[float]:
        """What a routine computes."""
        return self._model.function(routine)(t, x, self._inputs(t), self._constants, *more)

    def advance(self, count: int) -> int:
        """Up to ``count`` steps: 0, or what went wrong: 1 a bad state, 2 a bad output, 3 a lost
        angle, 4 a step that was not solved."""
        end = min(self.step + count, self._plan.count)
        if self.records == 0 and self._solves and not self._begin():
            return 4
        if self.records == 0 and not self._record():
            return 2
        while self.step < end:
            self.previous = self.x
            self.x = self._take_step(self, self._time(self.step), self._plan.length, list(self.x))
            if self.report[0]:
                return 4
            if self._model.program.project is not None:
                self.x = self.call("project", self._time(self.step + 1), self.x)
            if not all(map(math.isfinite, self.x)):
                return 1
            if first_lost(self._turns, self.previous, self.x) is not None:
                return 3
            self.step += 1
            is_due = self.step % self._plan.every == 0 or self.step == self._plan.count
            if is_due and not self._record():
                return 2
        return 0

    def present(self) -> tuple[float, list[float], list[float]]:
        """Time [s], states and outputs; inputs that follow tables are brought up to date."""
        t = self._time(self.step)
        return t, self.x, self.call("outputs", t, self.x)

    def steps_from(self, times: FloatArray, starts: FloatArray, h: float, count: int) -> FloatArray:
        """The states after ``count`` steps of h from each of these, of which nothing is recorded.

        NaN where a step fails.
        """
        rows = [self._again(float(t), x, h, count, 1) for t, x in zip(times, starts, strict=True)]
        return np.array(rows).reshape(starts.shape)

    def outputs_at(self, times: FloatArray, starts: FloatArray, h: float) -> FloatArray:
        """The outputs at each of these states; forces that are solved for are those of a step h."""
        outputs = np.full((len(starts), self._rows.outputs.shape[1]), np.nan)
        for k, (t, x) in enumerate(zip(times, starts, strict=True)):
            self._rows.outputs[0] = math.nan  # what is left where forces are not found
            self._again(float(t), x, h, 0, 0)
            outputs[k] = self._rows.outputs[0]
        return outputs

    def _again(self, t: float, x: FloatArray, h: float, count: int, records: int) -> list[float]:
        self.x, self.report[0] = x.tolist(), 0.0
        self.tolerances = _tolerances_of_step(self._problem, h)
        self.step, self.records = 0, records
        self._start, self._plan = t, StepPlan(h, count + 1, count + 1)
        return self.x if self.advance(count) == 0 else [math.nan] * len(self.x)

    def _begin(self) -> bool:
        """Solve the first step without taking it, for the record of its beginning."""
        self._take_step(self, self._time(0), self._plan.length, list(self.x))
        return not self.report[0]

    def _time(self, step: int) -> float:
        return self._start + self._plan.length * float(step)

    def _inputs(self, t: float) -> list[float]:
        for index, table in self._tables:
            self.levels[index] = table(t)
        return self.levels

    def _record(self) -> bool:
        t = self._time(self.step)
        row = self.records
        self._rows.time[row] = t
        self._rows.states[row] = self.x
        outputs = self._rows.outputs[row] = self.call("outputs", t, self.x)
        if not all(map(math.isfinite, outputs)):
            return False
        self.records += 1
        return True
