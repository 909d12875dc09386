"""The back end of Python: generated text that runs without a compiler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.code.backends.contract import BackEnd
from axletree.code.backends.runnable import Runnable
from axletree.code.printers.python import PYTHON_DIALECT, print_python
from axletree.code.program import Program
from axletree.core.errors import CompilerError


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

    def text(self, program: Program) -> str:
        return print_python(program)

    def load(self, program: Program, more: Sequence[str] = ()) -> Runnable:
        if more:
            raise CompilerError("further text is for back ends that compile, not for Python")
        return Runnable(program, None, "model")


PYTHON: Final = PythonBackEnd()
