"""Jacobians in numbers: exact where every call can be differentiated, else by central differences.

``slopes_of`` is for expressions; ``CompiledRows`` for the right-hand sides of a compiled
program, with all its differences in one call where there is a C compiler.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.program import Program
from axletree.core.arrays import FloatArray
from axletree.core.errors import ExpressionError
from axletree.expr import Expr, directional_derivative, evaluate, symbol
from axletree.expr.calls import filled_c_text
from axletree.expr.evaluation import Evaluator
from axletree.simulation.problem import Problem

SymbolValues = Mapping[Expr, float]
Slopes = Callable[[SymbolValues], np.ndarray]

_SPACING = 6e-6  # about the cube root of the machine precision, best for central differences


def values_of(problem: Problem) -> dict[Expr, float]:
    """Numbers for every symbol of a system, at the start of a run."""
    system = problem.system
    quantities = (system.time, *system.states, *system.inputs, *system.parameters)
    arrays = (problem.states, problem.inputs, problem.parameters)
    numbers = (problem.start, *(x for array in arrays for x in array.tolist()))
    return {q.symbol: x for q, x in zip(quantities, numbers, strict=True)}


def slopes_of(expressions: Sequence[Expr], symbols: Sequence[Expr]) -> Slopes:
    """A function from values of all symbols to d expressions / d symbols, dense.

    One derivative along a direction is formed, and evaluated along all axes at once: an
    array stands for each component of the direction. So the work to form it grows with the
    expressions alone, however many symbols there are.
    """
    along = [symbol(f"slope along {variable.name}") for variable in symbols]
    try:
        formed = directional_derivative(expressions, dict(zip(symbols, along, strict=True)))
    except ExpressionError:  # a call without a derivative rule, such as a user's C function

        def by_differences(values: SymbolValues) -> np.ndarray:
            def rows(y: FloatArray) -> FloatArray:
                moved = dict(zip(symbols, y.tolist(), strict=True))
                return np.array(evaluate(expressions, {**values, **moved}), dtype=float)

            return _differences(rows, np.array([values[s] for s in symbols]))

        return by_differences
    axes = dict(zip(along, np.eye(len(symbols)), strict=True))
    evaluated = Evaluator(formed)

    def exact(values: SymbolValues) -> np.ndarray:
        rows = evaluated({**values, **axes})
        shape = len(expressions), len(symbols)
        return np.array([np.broadcast_to(row, shape[1]) for row in rows]).reshape(shape)

    return exact


def _differences(rows: Callable[[FloatArray], FloatArray], y: FloatArray) -> FloatArray:
    """d rows / d y, by central differences."""
    columns = []
    for k in range(len(y)):
        width = _SPACING * max(1.0, abs(y[k]))
        above, below = y.copy(), y.copy()
        above[k] += width
        below[k] -= width
        columns.append((rows(above) - rows(below)) / (above[k] - below[k]))
    return np.array(columns).T


class CompiledRows:
    """The right-hand sides of a program without inputs, their slopes, and its outputs."""

    def __init__(self, program: Program, parameters: FloatArray) -> None:
        self._states, self._count = len(program.states), program.rhs.size
        words = {"STATES": self._states, "ROWS": self._count, "SPACING": _SPACING}
        loop = filled_c_text("axletree.analysis.linear", "row_slopes.c", words)
        self._program: Runnable = compile_program(program, more=(loop,))
        self._constants = self._program.constants(parameters)
        self._none = np.zeros(1)
        if self._program.library is not None:
            self._loop = self._program.library.model_row_slopes
            self._loop.argtypes = [ctypes.c_void_p] * 4
            self._loop.restype = None

    def __call__(self, y: FloatArray) -> FloatArray:
        return self._program.rhs(0.0, y, self._none[:0], self._constants)

    def outputs(self, y: FloatArray) -> FloatArray:
        return self._program.outputs(0.0, y, self._none[:0], self._constants)

    def slopes(self, y: FloatArray) -> FloatArray:
        """d rows / d y."""
        if self._program.library is None:
            return _differences(self, y)
        found = np.empty((self._states, self._count))
        x = np.ascontiguousarray(y, dtype=float)
        arrays = (x, self._none, self._constants, found)
        self._loop(*(array.ctypes.data for array in arrays))
        return found.T
