"""The solvers of SciPy on compiled right-hand sides and exact Jacobians."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from axletree.code.compile import Vector
from axletree.simulation.model_run import ModelRun
from axletree.simulation.problem import Problem
from axletree.simulation.variable_step import Solver, SolverStopped, VariableStep

SHORTEST_STEP: Final = 4.0  # in units of the last digit of the time


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
        self.restart(problem.start, problem.states)

    def restart(self, t: float, x: Vector) -> None:
        if t < self._end:
            start = np.array(x)
            self._solver = _guarded(
                lambda: self._class(self._rhs, t, start, self._end, **self._options)
            )

    def advance(self, t: float) -> Vector:
        solver = self._solver
        while solver.t < t:
            before = solver.t
            message = _guarded(solver.step)
            if solver.status == "failed":
                raise SolverStopped(str(message))
            # LSODA goes on for ever with steps that no longer change the time.
            if solver.t - before < SHORTEST_STEP * np.spacing(abs(t)):
                raise SolverStopped("its steps became too short to get on")
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
