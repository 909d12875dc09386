"""From a program to something that runs: C where there is a compiler, else Python."""

from __future__ import annotations

import ctypes
import functools
import warnings
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from axletree.code.backends.c import find_compiler
from axletree.code.backends.python import PythonFunction, python_functions
from axletree.code.program import Program, Routine
from axletree.core.arrays import FloatArray
from axletree.core.errors import CompilerError

# Up to so many operations generated Python evaluates a routine within a millisecond, and is there
# before a compiler has started.
_QUICK_IN_PYTHON: Final = 8000


class NoCompilerWarning(UserWarning):
    """There is no C compiler, and generated Python runs instead."""


class Runnable:
    """The routines of a program on NumPy arrays; ``library`` is None where Python runs them."""

    def __init__(self, program: Program, library: ctypes.CDLL | None, prefix: str) -> None:
        self.program = program
        self.library = library
        self._functions: dict[str, PythonFunction] = {}
        if library is None:
            self._functions = python_functions(program)
        else:
            for routine in program.routines:
                function = getattr(library, f"{prefix}_{routine.name}")
                function.argtypes = [
                    ctypes.c_double if a == "t" else ctypes.c_void_p for a in routine.arguments
                ] + [ctypes.c_void_p]
                function.restype = None
                self._functions[routine.name] = function

    @property
    def language(self) -> str:
        return "Python" if self.library is None else "C"

    def function(self, name: str) -> PythonFunction:
        """A routine of generated Python, on lists; there is none where C runs."""
        if self.library is not None:
            raise CompilerError("the routines of this program are compiled; use its methods")
        return self._functions[name]

    def constants(self, parameters: ArrayLike) -> FloatArray:
        """What depends on the parameters alone: the array c of the other routines."""
        p = _vector(parameters, len(self.program.parameters), "parameters")
        if not self.program.holds_for(p):
            raise CompilerError(_different(self.program, p))
        return self._run(self.program.constants, None, p)

    def rhs(self, t: float, x: ArrayLike, u: ArrayLike, c: FloatArray) -> FloatArray:
        """The derivatives of the states."""
        return self.evaluate(self.program.rhs, t, x, u, c)

    def outputs(self, t: float, x: ArrayLike, u: ArrayLike, c: FloatArray) -> FloatArray:
        return self.evaluate(self.program.outputs_routine, t, x, u, c)

    def project(self, t: float, x: ArrayLike, u: ArrayLike, c: FloatArray) -> FloatArray:
        """The states moved onto their constraints; as they are where there are none."""
        if self.program.project is None:
            return np.array(x, dtype=float)
        return self.evaluate(self.program.project, t, x, u, c)

    def jacobian(self, t: float, x: ArrayLike, u: ArrayLike, c: FloatArray) -> FloatArray:
        """The nonzeros of d xdot / d x, in the order of ``program.jacobian``."""
        if self.program.jacobian is None:
            raise CompilerError("this program has no such routine; lower it with Extra.JACOBIAN")
        return self.evaluate(self.program.jacobian.routine, t, x, u, c)

    def evaluate(
        self, routine: Routine, t: float, x: ArrayLike, u: ArrayLike, c: FloatArray, *w: FloatArray
    ) -> FloatArray:
        """A routine of the program; ``w`` is what other_rates shares with speed_rates."""
        states = _vector(x, len(self.program.states), "states")
        inputs = _vector(u, len(self.program.inputs), "inputs")
        constants = _vector(c, self.program.constants.size, "constants")
        return self._run(routine, float(t), states, inputs, constants, *w)

    def _run(self, routine: Routine, t: float | None, *arrays: FloatArray) -> FloatArray:
        function = self._functions[routine.name]
        head = [] if t is None else [t]
        if self.library is None:
            return np.array(function(*head, *arrays), dtype=float)
        result = np.empty(routine.size)
        function(*head, *[a.ctypes.data for a in arrays], result.ctypes.data)
        return result


def compile_program(program: Program, *, more: Sequence[str] = ()) -> Runnable:
    """A program on the back end at hand; ``more`` is C text that is compiled in the same unit.

    Example:
    >>> import axletree as at
    >>> from axletree.code.backends.runnable import compile_program
    >>> from axletree.code.lowering import lower
    >>> system = at.read_model("pendulum").formulate()
    >>> runs = compile_program(lower(system, outputs=[]))
    >>> c = runs.constants([q.default for q in system.parameters])
    >>> runs.rhs(0.0, [0.5, 1.0], [], c).round(3).tolist()  # rad/s^2, rad/s at 0.5 rad/s, 1 rad
    [-12.39, 0.5]
    """
    if find_compiler() is None:
        from axletree.code.backends.python_backend import PYTHON

        warn_of_no_compiler()
        return PYTHON.load(program)
    from axletree.code.backends.c_backend import C

    return C.load(program, more)


def load_for_few_calls(program: Program) -> Runnable:
    """A program that is evaluated here and there: in Python, unless it is too large for that."""
    largest = max(routine.operations.total for routine in program.routines)
    if largest > _QUICK_IN_PYTHON:
        return compile_program(program)
    return Runnable(program, None, "model")


@functools.cache
def warn_of_no_compiler() -> None:
    """Once, that generated Python runs."""
    warnings.warn(
        "no C compiler is used, so generated Python runs, some hundred times slower; install "
        "gcc or clang, or the package extra axletree[cc], and see `axletree doctor`",
        NoCompilerWarning,
        stacklevel=3,
    )


def language_in_words() -> str:
    """What stands behind the speed of a run: nothing where it is compiled.

    Example:
    >>> from axletree.code.backends.runnable import language_in_words
    >>> language_in_words()
    ''
    """
    return "" if find_compiler() else ", in generated Python for want of a C compiler"


def _vector(values: ArrayLike, size: int, what: str) -> FloatArray:
    vector = np.ascontiguousarray(values, dtype=float)
    if vector.shape != (size,):
        raise CompilerError(f"expected {size} {what}, got an array of shape {vector.shape}")
    return vector


def _different(program: Program, parameters: FloatArray) -> str:
    a, b = next((a, b) for a, b in program.ties if parameters[a] != parameters[b])
    names = [program.parameters[k].name for k in (a, b)]
    return (
        f"this program has one set of constants for equal laws, but {names[0]} is "
        f"{parameters[a]:g} and {names[1]} is {parameters[b]:g}; lower it without equal_laws"
    )
