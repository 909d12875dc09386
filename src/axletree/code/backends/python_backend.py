"""The back end of Python: generated text that runs without a compiler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.code.backends.contract import BackEnd, Stepper, StepState
from axletree.code.backends.runnable import Runnable
from axletree.code.printers.c_stepper import input_courses
from axletree.code.printers.python import PYTHON_DIALECT, print_python
from axletree.code.printers.steps import python_step, python_step_text
from axletree.code.program import Program
from axletree.code.step_rules import StepLine
from axletree.core.errors import CompilerError
from axletree.expr.quantity import Role


@dataclass(frozen=True)
class PythonNumber:
    """Floats, which are C's doubles."""

    name: str = "float"
    largest: float = np.finfo(float).max

    def literal(self, value: float) -> str:
        return PYTHON_DIALECT.number(value)


class PythonBackEnd(BackEnd):
    """Programs as Python functions of lists."""

    name = "Python"
    number = PythonNumber()

    def constant(self, place: int) -> str:
        return f"c[{place}]"

    def text(self, program: Program, lines: Sequence[StepLine] = ()) -> str:
        """The routines, and the function that takes a step with them."""
        return print_python(program) + (python_step_text(lines) if lines else "")

    def load(self, program: Program, more: Sequence[str] = ()) -> Runnable:
        if more:
            raise CompilerError("further text is for back ends that compile, not for Python")
        return Runnable(program, None, "model")

    def stepper(self, program: Program, lines: Sequence[StepLine], step: float) -> Stepper:
        return PythonStepper(self.load(program), lines, step)


PYTHON: Final = PythonBackEnd()


class PythonStepper(Stepper):
    """Operation by operation what the stepper in C does."""

    def __init__(self, model: Runnable, lines: Sequence[StepLine], step: float) -> None:
        super().__init__(model.program)
        self._model, self._step, self._take_step = model, step, python_step(lines)
        self.speeds = sum(q.role is Role.SPEED for q in self.program.states)
        self.reset()

    def now(self) -> StepState:
        t = self._time
        outputs = self.call("outputs", t, self._x)
        return StepState(t, np.array(self._x), np.array(outputs))

    @property
    def _time(self) -> float:
        return self._start + self._step * float(self._steps)

    def call(self, routine: str, t: float, x: list[float], *more: list[float]) -> list[float]:
        """What a routine computes; steps call this."""
        return self._model.function(routine)(t, x, self._inputs_at(t), self._c, *more)

    def _inputs_at(self, t: float) -> list[float]:
        for course in self._courses:
            for place, value in zip(course.places, course.at(t), strict=True):
                if place >= 0:
                    self._u[place] = value
        return self._u

    def reset(self, start: float = 0.0) -> None:
        program = self.program
        self._start, self._steps = start, 0
        self._x = [float(q.default) for q in program.states]
        self._u = [float(q.default) for q in program.inputs]
        self._p = [float(q.default) for q in program.parameters]
        self._c: list[float] = self._model.constants(self._p).tolist()
        places = input_courses(program.inputs)
        self._courses = [ShapedInput(each, end=self._u[each[0]]) for each in places]

    def _set_input(self, index: int, value: float, over: float) -> None:
        t = self._time
        self._courses = [
            course.towards(value, t, over) if course.places[0] == index else course
            for course in self._courses
        ]

    def _set_parameter(self, index: int, value: float) -> None:
        self._p[index] = value
        self._c = self._model.constants(self._p).tolist()

    def _set_state(self, index: int, value: float) -> None:
        self._x[index] = value

    def _advance(self, count: int) -> bool:
        for _ in range(count):
            t = self._time
            self._x = self._take_step(self, t, self._step, list(self._x))
            if self.program.project is not None:
                self._x = self.call("project", t + self._step, self._x)
            self._steps += 1
            if not np.isfinite(self._x).all():
                return True
        return False


@dataclass(frozen=True)
class ShapedInput:
    """How an input goes over into a value: a polynomial of degree five, without a jump.

    ``coefficients`` are those of s = (t - begin) / over, from power 0 up (Flash and Hogan 1985).
    """

    places: tuple[int, int, int]  # of the input, its rate and its acceleration; or -1
    end: float
    begin: float = 0.0  # [s]
    over: float = 0.0  # [s]
    coefficients: tuple[float, ...] = (0.0,) * 6

    def at(self, t: float) -> tuple[float, float, float]:
        """Value, rate and acceleration."""
        over, a = self.over, self.coefficients
        s = (t - self.begin) / over if over > 0.0 else 1.0
        if not s < 1.0:
            return self.end, 0.0, 0.0
        return (
            ((((a[5] * s + a[4]) * s + a[3]) * s + a[2]) * s + a[1]) * s + a[0],
            ((((5.0 * a[5] * s + 4.0 * a[4]) * s + 3.0 * a[3]) * s + 2.0 * a[2]) * s + a[1]) / over,
            (((20.0 * a[5] * s + 12.0 * a[4]) * s + 6.0 * a[3]) * s + 2.0 * a[2]) / (over * over),
        )

    def towards(self, value: float, t: float, over: float) -> ShapedInput:
        """From where it is at t, with its rate and acceleration, to rest at a value."""
        at = self.at(t)
        a0, a1, a2 = at[0], at[1] * over, 0.5 * at[2] * over * over
        left = value - a0 - a1 - a2
        rest = (
            10.0 * left + 4.0 * a1 + 7.0 * a2,
            -15.0 * left - 7.0 * a1 - 12.0 * a2,
            6.0 * left + 3.0 * a1 + 5.0 * a2,
        )
        return ShapedInput(self.places, value, t, over, (a0, a1, a2, *rest))
