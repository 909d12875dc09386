"""CVODE of SUNDIALS: backward differentiation formulas of order 1 to 5 (Hindmarsh 2005)."""

from __future__ import annotations

from typing import Any

import numpy as np

from axletree.code.compile import Vector
from axletree.simulation.model_run import ModelRun
from axletree.simulation.problem import Problem
from axletree.simulation.sundials import advance, import_solver, options
from axletree.simulation.variable_step import VariableStep


class CvodeSolver:
    """xdot = f(t, x), with the exact Jacobian."""

    def __init__(self, model: ModelRun, problem: Problem) -> None:
        solver_class = import_solver("cvode", "CVODE")

        def rhs(t: float, x: Vector, xdot: Vector) -> None:
            xdot[:] = model.rhs(t, x)

        def jacobian(t: float, x: Vector, xdot: Vector, result: Any) -> None:
            result[:] = model.jacobian(t, x)

        settings = options(problem)
        if model.has_jacobian:
            settings["jacfn"] = jacobian
        self._solver = solver_class(rhs, **settings)
        self.restart(problem.start, problem.states)

    def restart(self, t: float, x: Vector) -> None:
        self._solver.init_step(t, np.array(x))

    def advance(self, t: float) -> Vector:
        return advance(self._solver, t)


METHOD = VariableStep(
    "cvode",
    "SUNDIALS: order 1 to 5 with error control, implicit; needs the extra axletree[sundials].",
    CvodeSolver,
    uses_jacobian=True,
)
