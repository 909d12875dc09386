"""The back end of C99: text by ``printers.c``, compiled by the compiler of this machine."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from axletree.code.backends.c import find_compiler, load_library
from axletree.code.backends.contract import BackEnd, Stepper, StepState
from axletree.code.backends.runnable import Runnable
from axletree.code.printers.c import (
    DOUBLE,
    CNumber,
    accessed,
    defaults_text,
    print_header,
    print_unit,
)
from axletree.code.printers.c_stepper import stepper_declarations, stepper_text
from axletree.code.program import Program
from axletree.code.step_rules import StepLine
from axletree.core.errors import CompilerError


class CBackEnd(BackEnd):
    """Programs as C99, in numbers of one type; those that run here are in doubles."""

    name = "C"
    number: CNumber

    def __init__(self, number: CNumber = DOUBLE) -> None:
        self.number = number

    def constant(self, place: int) -> str:
        return accessed(f"c[{place}]")

    def text(self, program: Program, lines: Sequence[StepLine] = ()) -> str:
        """One unit; with a stepper its header stands before it."""
        if not lines:
            return print_unit(program, number=self.number)
        header = print_header(program, more=stepper_declarations(program), number=self.number)
        more = [defaults_text(program), *stepper_text(program, lines)]
        return header + print_unit(program, more=more, number=self.number)

    def load(self, program: Program, more: Sequence[str] = ()) -> Runnable:
        source = print_unit(program, more=more, number=self.number)
        return Runnable(program, self._library(source), "model")

    def stepper(self, program: Program, lines: Sequence[StepLine], step: float) -> Stepper:
        return CStepper(program, self._library(self.text(program, lines)), step)

    def _library(self, source: str) -> ctypes.CDLL:
        compiler = find_compiler()
        if compiler is None:
            raise CompilerError("there is no C compiler; see `axletree doctor`")
        if self.number != DOUBLE:
            raise CompilerError(
                f"programs run here in numbers of type {DOUBLE.name}, not {self.number.name}; "
                "take the text and compile it for the machine that it is meant for"
            )
        return load_library(source, compiler)


C: Final = CBackEnd()


class CStepper(Stepper):
    """A structure of C that is moved on by compiled code."""

    def __init__(self, program: Program, library: ctypes.CDLL, step: float) -> None:
        super().__init__(program)
        self._library, self._step = library, step
        number, stepper, index = ctypes.c_double, ctypes.c_void_p, ctypes.c_int
        self._reset_to = self._function("reset", [stepper, number, number], None)
        self._time = self._function("time", [stepper], number)
        self._states_at = self._function("states", [stepper], ctypes.POINTER(number))
        self._input = self._function("set_input", [stepper, index, number, number], index)
        self._parameter = self._function("set_parameter", [stepper, index, number], index)
        self._state = self._function("set_state", [stepper, index, number], index)
        self._move = self._function("advance", [stepper, ctypes.c_long], index)
        self._fill_outputs = self._function("outputs", [stepper, ctypes.c_void_p], None)
        self._room = np.zeros(self._function("bytes", [], ctypes.c_ulong)() // 8 + 1)
        self._stepper = self._room.ctypes.data
        self.reset()

    def _function(self, name: str, arguments: list[Any], result: Any) -> Any:
        function = getattr(self._library, f"model_stepper_{name}")
        function.argtypes, function.restype = arguments, result
        return function

    def now(self) -> StepState:
        outputs = np.empty(len(self.program.outputs))
        self._fill_outputs(self._stepper, outputs.ctypes.data)
        count = len(self.program.states)
        states = np.array(self._states_at(self._stepper)[:count], dtype=float)
        return StepState(float(self._time(self._stepper)), states, outputs)

    def reset(self, start: float = 0.0) -> None:
        self._reset_to(self._stepper, start, self._step)

    def _set_input(self, index: int, value: float, over: float) -> None:
        self._input(self._stepper, index, value, over)

    def _set_parameter(self, index: int, value: float) -> None:
        self._parameter(self._stepper, index, value)

    def _set_state(self, index: int, value: float) -> None:
        self._state(self._stepper, index, value)

    def _advance(self, count: int) -> bool:
        return bool(self._move(self._stepper, count))
