"""Slopes of compiled rows by central differences, in one call where there is a C compiler."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from axletree.code.compile import Runnable, compile_program
from axletree.code.program import Program

Vector = NDArray[np.float64]

SPACING = 6e-6  # about the cube root of the machine precision, best for central differences

_LOOP = """
/* Column k of the slopes of all rows by x[k], one after another. */
void model_row_slopes(const double *x, const double *u, const double *c, double *slopes)
{{
    double moved[{states}], above[{rows}], below[{rows}];
    int i, k;
    for (i = 0; i < {states}; ++i) {{
        moved[i] = x[i];
    }}
    for (k = 0; k < {states}; ++k) {{
        const double size = fabs(x[k]), width = {spacing!r} * (size > 1.0 ? size : 1.0);
        double span = x[k] + width;
        moved[k] = span;
        model_rhs(0.0, moved, u, c, above);
        moved[k] = x[k] - width;
        span -= moved[k];
        model_rhs(0.0, moved, u, c, below);
        moved[k] = x[k];
        for (i = 0; i < {rows}; ++i) {{
            slopes[k * {rows} + i] = (above[i] - below[i]) / span;
        }}
    }}
}}
"""


class Rows:
    """The right-hand sides of a program without inputs, their slopes, and its outputs."""

    def __init__(self, program: Program, parameters: Vector) -> None:
        self._states, self._count = len(program.states), program.rhs.size
        loop = _LOOP.format(states=self._states, rows=self._count, spacing=SPACING)
        self._program: Runnable = compile_program(program, more=(loop,))
        self._constants = self._program.constants(parameters)
        self._none = np.zeros(1)
        if self._program.library is not None:
            self._loop = self._program.library.model_row_slopes
            self._loop.argtypes = [ctypes.c_void_p] * 4
            self._loop.restype = None

    def __call__(self, y: Vector) -> Vector:
        return self._program.rhs(0.0, y, self._none[:0], self._constants)

    def outputs(self, y: Vector) -> Vector:
        return self._program.outputs(0.0, y, self._none[:0], self._constants)

    def slopes(self, y: Vector) -> Vector:
        """d rows / d y."""
        if self._program.library is None:
            return self._slopes_in_python(y)
        found = np.empty((self._states, self._count))
        x = np.ascontiguousarray(y, dtype=float)
        arrays = (x, self._none, self._constants, found)
        self._loop(*(array.ctypes.data for array in arrays))
        return found.T

    def _slopes_in_python(self, y: Vector) -> Vector:
        columns = []
        for k in range(len(y)):
            width = SPACING * max(1.0, abs(y[k]))
            above, below = y.copy(), y.copy()
            above[k] += width
            below[k] -= width
            columns.append((self(above) - self(below)) / (above[k] - below[k]))
        return np.array(columns).T
