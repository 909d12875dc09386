"""The fixed-step loop in Python, for machines without a C compiler.

It does what the loop in C does, operation by operation, so that results are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from axletree.code.backends.python import table_function
from axletree.code.backends.runnable import Runnable
from axletree.expr.quantity import Role
from axletree.simulation.euler_angles import euler_angles_of, first_lost
from axletree.simulation.problem import Problem
from axletree.simulation.recording import RecordBuffer, StepPlan, empty_report

StepFunction = Callable[["PythonLoop", float, float, list[float]], list[float]]


class PythonLoop:
    """A run of generated Python; methods such as ``slope`` serve the step functions."""

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
        self.tolerances = problem.tolerances
        self._start, self._plan = problem.start, plan
        self._turns = euler_angles_of(problem.system)
        self._constants = model.constants(problem.parameters).tolist()
        self._levels: list[float] = problem.inputs.tolist()
        self._tables = [(signal.index, table_function(signal.table)) for signal in problem.tables]

    def slope(self, t: float, x: list[float]) -> list[float]:
        """The derivatives of the states."""
        return self._model.function("rhs")(t, x, self._inputs(t), self._constants)

    def rates(self, t: float, x: list[float]) -> list[float]:
        """The derivatives of all states but the speeds."""
        return self.called("later_rates", t, x)

    def speed_rates(self, t: float, x: list[float]) -> list[float]:
        """The derivatives of the speeds, and what those of the other states share with them."""
        return self.called("speed_rates", t, x)

    def other_rates(self, t: float, x: list[float], shared: list[float]) -> list[float]:
        """The derivatives of all states but the speeds, which may have changed."""
        return self.called("other_rates", t, x, shared)

    def called(self, routine: str, t: float, x: list[float], *more: list[float]) -> list[float]:
        """What a routine computes."""
        return self._model.function(routine)(t, x, self._inputs(t), self._constants, *more)

    @property
    def levels(self) -> list[float]:
        """The inputs; those that follow no table keep what is written here."""
        return self._levels

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
                t = self._time(self.step + 1)
                project = self._model.function("project")
                self.x = project(t, self.x, self._inputs(t), self._constants)
            if not all(map(math.isfinite, self.x)):
                return 1
            if first_lost(self._turns, self.previous, self.x) is not None:
                return 3
            self.step += 1
            is_due = self.step % self._plan.every == 0 or self.step == self._plan.count
            if is_due and not self._record():
                return 2
        return 0

    def _begin(self) -> bool:
        """Solve the first step without taking it, for the record of its beginning."""
        self._take_step(self, self._time(0), self._plan.length, list(self.x))
        return not self.report[0]

    def _time(self, step: int) -> float:
        return self._start + self._plan.length * float(step)

    def _inputs(self, t: float) -> list[float]:
        for index, table in self._tables:
            self._levels[index] = table(t)
        return self._levels

    def _record(self) -> bool:
        t = self._time(self.step)
        row = self.records
        self._rows.time[row] = t
        self._rows.states[row] = self.x
        outputs = self._model.function("outputs")(t, self.x, self._inputs(t), self._constants)
        self._rows.outputs[row] = outputs
        if not all(map(math.isfinite, outputs)):
            return False
        self.records += 1
        return True
