"""The solvers of SciPy on compiled right-hand sides and exact Jacobians."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from axletree.code.compile import Vector
from axletree.simulation.model_run import ModelRun
from axletree.simulation.problem import Problem
from axletree.simulation.variable_step import Solver, SolverStopped, VariableStep


def scipy_method(
    name: str, class_name: str, description: str, *, implicit: bool, sparse: bool = False
) -> VariableStep:
    """A method by the name of its class in ``scipy.integrate``.

    ``implicit`` methods get the Jacobian, as a sparse matrix where that pays and they take it.
    """

    def open_solver(model: ModelRun, problem: Problem) -> Solver:
        return ScipySolver(model, problem, class_name, implicit=implicit, sparse=sparse)

    return VariableStep(name, description, open_solver, uses_jacobian=implicit)


class ScipySolver:
    """Steps of a SciPy solver, with its interpolant between them."""

    def __init__(
        self, model: ModelRun, problem: Problem, class_name: str, *, implicit: bool, sparse: bool
    ) -> None:
        import scipy.integrate

        self._class: Callable[..., Any] = getattr(scipy.integrate, class_name)
        self._rhs = model.rhs
        self._end = problem.start + problem.duration
        self._options: dict[str, Any] = {
            "rtol": problem.tolerances.relative,
            "atol": problem.tolerances.absolute,
            "max_step": np.inf if problem.step is None else problem.step,
        }
        if implicit and model.has_jacobian:
            use_sparse = sparse and model.is_sparse
            self._options["jac"] = model.sparse_jacobian if use_sparse else model.jacobian
        self._size = len(model.program.states)
        self.restart(problem.start, problem.states)

    def restart(self, t: float, x: Vector) -> None:
        self._x = np.array(x)
        if t < self._end and self._size:
            self._solver = _guarded(
                lambda: self._class(self._rhs, t, self._x.copy(), self._end, **self._options)
            )

    def advance(self, t: float) -> Vector:
        if not self._size:
            return self._x
        solver = self._solver
        while solver.t < t:
            message = _guarded(solver.step)
            if solver.status == "failed":
                raise SolverStopped(str(message))
        return np.array(solver.y if solver.t == t else solver.dense_output()(t))


def _guarded(work: Callable[[], Any]) -> Any:
    """What a solver complains of, as an exception of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        try:
            return work()
        except (ValueError, ArithmeticError, RuntimeError, np.linalg.LinAlgError) as error:
            raise SolverStopped(str(error)) from None
        except UserWarning as warning:
            raise SolverStopped(str(warning)) from None
