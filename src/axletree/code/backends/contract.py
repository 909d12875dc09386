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
4. A layout as data: ``code.layout``, the same for all back ends.

``simulation.stepper`` has the run that is moved on step by step around such a program.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

from axletree.code.backends.runnable import Runnable
from axletree.code.program import Program


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
    def text(self, program: Program) -> str:
        """The routines of a program."""

    @abstractmethod
    def load(self, program: Program, more: Sequence[str] = ()) -> Runnable:
        """The routines of a program, ready to run; ``more`` is further text of the language."""
