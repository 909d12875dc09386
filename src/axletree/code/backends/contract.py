"""What a back end provides, so that a program runs on a machine or in a language.

A back end is one class that answers the following; ``c_backend`` and ``python_backend`` are the
first two.

1. A number type: every type, literal and function in its text goes through it, so that the
   text has no number that the machine does not have.
2. Constants behind an accessor: where the value k of ``c`` is found is said in one place, so that
   constants may be interleaved over vehicles or common to them. ``lower(equal_laws=True)`` gives
   equal tyre laws one set of constants.
3. The order of statements: ``lower(order=StatementOrder.NEED)`` computes what no call needs after
   the calls, which keeps fewer values waiting.
4. A stepper: reset, values in, so many steps, values out, the projection inside, with inputs that
   go over smoothly into what is given.
5. A layout as data: ``code.layout``, the same for all back ends.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from axletree.code.backends.runnable import Runnable
from axletree.code.program import Program
from axletree.code.step_rules import StepLine
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.registry import unknown_name
from axletree.expr.quantity import Quantity


class NumberType(Protocol):
    """The type of all numbers in a text."""

    @property
    def name(self) -> str:
        """As the language has it."""

    @property
    def largest(self) -> float:
        """The largest number of the type."""

    def literal(self, value: float) -> str:
        """A number as it stands in the text, exact if the type has it."""


class BackEnd(ABC):
    """A machine or a language that programs run on."""

    name: str
    number: NumberType

    @abstractmethod
    def constant(self, place: int) -> str:
        """The text of the value of ``c`` at a place."""

    @abstractmethod
    def text(self, program: Program, lines: Sequence[StepLine] = ()) -> str:
        """The program, and with the lines of a step a stepper around it."""

    @abstractmethod
    def load(self, program: Program, more: Sequence[str] = ()) -> Runnable:
        """The routines of a program, ready to run; ``more`` is further text of the language."""

    @abstractmethod
    def stepper(self, program: Program, lines: Sequence[StepLine], step: float) -> Stepper:
        """A run that is moved on by steps of one length [s], at the program's own values."""


@dataclass(frozen=True)
class StepState:
    """What is known of a stepper at an instant."""

    time: float  # [s]
    states: FloatArray
    outputs: FloatArray


class Stepper(ABC):
    """A run that goes on as it is told: values in by name, steps, values out.

    Example:
    >>> import axletree as at
    >>> from axletree.code.backends.python_backend import PYTHON
    >>> from axletree.code.lowering import lower
    >>> from axletree.code.step_rules import CLASSICAL, runge_kutta
    >>> program = lower(at.read_model("pendulum").formulate(), outputs=[])
    >>> pendulum = PYTHON.stepper(program, runge_kutta(CLASSICAL), step=1e-3)
    >>> pendulum.advance(1000)
    >>> print(f"{pendulum['pin.angle']:.4f} rad after {pendulum.time:g} s")
    -0.2346 rad after 1 s
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._states = _places(program.states)
        self._outputs = _places(program.outputs)
        self._parameters = _places(program.parameters)
        rates = {q.name for q in program.inputs if q.derivative_of}
        inputs = _places(program.inputs)
        self._inputs = {name: k for name, k in inputs.items() if name not in rates}

    @abstractmethod
    def reset(self, start: float = 0.0) -> None:
        """Back to the program's own values, at a time [s]."""

    def set_input(self, name: str, value: float, over: float = 0.0) -> None:
        """An input goes over into a value within some time [s]; its rates follow."""
        self._set_input(self._place("input", name, self._inputs), value, over)

    def set_parameter(self, name: str, value: float) -> None:
        """Constants are computed anew."""
        self._set_parameter(self._place("parameter", name, self._parameters), value)

    def set_state(self, name: str, value: float) -> None:
        self._set_state(self._place("state", name, self._states), value)

    def advance(self, count: int = 1) -> None:
        """So many steps; a state that is not finite any more is an error."""
        if self._advance(count):
            bad = [q.name for q, v in zip(self.program.states, self.now().states, strict=True)
                   if not np.isfinite(v)]  # fmt: skip
            raise SimulationError(
                f"{self.program.name}: at t = {self.time:.9g} s {', '.join(bad)} is not finite any "
                "more; try a smaller step"
            )

    @property
    def time(self) -> float:
        """[s]"""
        return self.now().time

    def __getitem__(self, name: str) -> float:
        """A state or an output, in SI units."""
        now = self.now()
        if name in self._states:
            return float(now.states[self._states[name]])
        known = {**self._states, **self._outputs}
        return float(now.outputs[self._place("state or output", name, known)])

    @abstractmethod
    def now(self) -> StepState:
        """Time, states and outputs as they are."""

    def _place(self, what: str, name: str, known: dict[str, int]) -> int:
        if name not in known:
            raise unknown_name(what, name, known, f"the stepper of {self.program.name!r}")
        return known[name]

    @abstractmethod
    def _set_input(self, index: int, value: float, over: float) -> None: ...

    @abstractmethod
    def _set_parameter(self, index: int, value: float) -> None: ...

    @abstractmethod
    def _set_state(self, index: int, value: float) -> None: ...

    @abstractmethod
    def _advance(self, count: int) -> bool:
        """Whether a state is not finite any more."""


def _places(quantities: Sequence[Quantity]) -> dict[str, int]:
    return {quantity.name: k for k, quantity in enumerate(quantities)}
