"""IDA of SUNDIALS: backward differentiation formulas on residuals (Hindmarsh 2005)."""

from __future__ import annotations

from typing import Any

import numpy as np

from axletree.code.compile import Vector
from axletree.simulation.model_run import ModelRun
from axletree.simulation.problem import Problem
from axletree.simulation.sundials import advance, import_solver, options
from axletree.simulation.variable_step import VariableStep


class IdaSolver:
    """0 = xdot - f(t, x), with the exact Jacobian c - df/dx of its corrector."""

    def __init__(self, model: ModelRun, problem: Problem) -> None:
        solver_class = import_solver("ida", "IDA")
        self._model = model
        identity = np.eye(len(model.program.states))

        def residual(t: float, x: Vector, xdot: Vector, result: Vector) -> None:
            result[:] = xdot - model.rhs(t, x)

        def jacobian(
            t: float, x: Vector, xdot: Vector, res: Vector, factor: float, result: Any
        ) -> None:
            result[:] = factor * identity - model.jacobian(t, x)

        settings = options(problem)
        if model.has_jacobian:
            settings["jacfn"] = jacobian
        self._solver = solver_class(residual, **settings)
        self.restart(problem.start, problem.states)

    def restart(self, t: float, x: Vector) -> None:
        self._solver.init_step(t, np.array(x), self._model.rhs(t, x))

    def advance(self, t: float) -> Vector:
        return advance(self._solver, t)


METHOD = VariableStep(
    "ida",
    "SUNDIALS for residuals: order 1 to 5, implicit; needs the extra axletree[sundials].",
    IdaSolver,
    uses_jacobian=True,
)
