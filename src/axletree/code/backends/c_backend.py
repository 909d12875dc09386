"""The back end of C99: text by ``printers.c``, compiled by the compiler of this machine."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Final

from axletree.code.backends.c import find_compiler, load_library
from axletree.code.backends.contract import BackEnd
from axletree.code.backends.runnable import Runnable
from axletree.code.printers.c import DOUBLE, CNumber, accessed, print_unit
from axletree.code.program import Program
from axletree.core.errors import CompilerError


class CBackEnd(BackEnd):
    """Programs as C99, in numbers of one type; those that run here are in doubles."""

    name = "C"
    number: CNumber

    def __init__(self, number: CNumber = DOUBLE) -> None:
        self.number = number

    def constant(self, place: int) -> str:
        return accessed(f"c[{place}]")

    def text(self, program: Program) -> str:
        return print_unit(program, number=self.number)

    def load(self, program: Program, more: Sequence[str] = ()) -> Runnable:
        source = print_unit(program, more=more, number=self.number)
        return Runnable(program, self._library(source), "model")

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
