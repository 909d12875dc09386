"""A compiled system with its parameters and inputs filled in: functions of t and x alone."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from axletree.code.compile import Runnable, Vector, compile_program
from axletree.code.compiler import Compiler, find_compiler
from axletree.code.lower import Extra, lower
from axletree.code.python import table_function
from axletree.core.errors import ExpressionError
from axletree.simulation.problem import Problem
from axletree.system.system import System

SMALLEST_SPARSE = 64  # states from which on a sparse factorisation is worth its overhead
LARGEST_DENSITY = 0.25


class ModelRun:
    """What variable-step solvers call."""

    def __init__(self, problem: Problem, *, with_jacobian: bool) -> None:
        self.model = _compiled(problem, with_jacobian)
        self.program = self.model.program
        self._c = self.model.constants(problem.parameters)
        self._u = problem.inputs.copy()
        self._tables = [(signal.index, table_function(signal.table)) for signal in problem.tables]

    def inputs(self, t: float) -> Vector:
        for index, table in self._tables:
            self._u[index] = table(float(t))
        return self._u

    def rhs(self, t: float, x: Vector) -> Vector:
        return self.model.rhs(t, x, self.inputs(t), self._c)

    def outputs(self, t: float, x: Vector) -> Vector:
        return self.model.outputs(t, x, self.inputs(t), self._c)

    def project(self, t: float, x: Vector) -> Vector:
        return self.model.project(t, x, self.inputs(t), self._c)

    @property
    def has_jacobian(self) -> bool:
        return self.program.jacobian is not None

    @property
    def is_sparse(self) -> bool:
        matrix = self.program.jacobian
        size = len(self.program.states)
        return (
            matrix is not None
            and size >= SMALLEST_SPARSE
            and len(matrix.rows) <= LARGEST_DENSITY * size * size
        )

    def jacobian(self, t: float, x: Vector) -> np.ndarray:
        """d xdot / d x as a dense matrix."""
        matrix = self.program.jacobian
        assert matrix is not None
        full = np.zeros(matrix.shape)
        full[list(matrix.rows), list(matrix.columns)] = self._entries(t, x)
        return full

    def sparse_jacobian(self, t: float, x: Vector) -> Any:
        """d xdot / d x as a SciPy matrix in compressed columns."""
        from scipy.sparse import csc_matrix

        matrix = self.program.jacobian
        assert matrix is not None
        places = (np.array(matrix.rows), np.array(matrix.columns))
        return csc_matrix((self._entries(t, x), places), shape=matrix.shape)

    def _entries(self, t: float, x: Vector) -> Vector:
        return self.model.jacobian(t, x, self.inputs(t), self._c)


def _compiled(problem: Problem, with_jacobian: bool) -> Runnable:
    outputs = None if problem.outputs is None else tuple(problem.outputs)
    return _of_system(problem.system, outputs, with_jacobian, find_compiler())


@lru_cache(maxsize=8)
def _of_system(
    system: System,
    outputs: tuple[str, ...] | None,
    with_jacobian: bool,
    compiler: Compiler | None,
) -> Runnable:
    """With the exact Jacobian if asked for, unless a call in the equations has no derivative."""
    extras = (Extra.JACOBIAN,) if with_jacobian else ()
    try:
        program = lower(system, outputs, extras)
    except ExpressionError:
        if not with_jacobian:
            raise
        program = lower(system, outputs)
    return compile_program(program)
