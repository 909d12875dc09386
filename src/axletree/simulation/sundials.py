"""What the solvers of SUNDIALS have in common; they come with the package scikit-sundae."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import numpy as np

from axletree.code.compile import Vector
from axletree.core.errors import SimulationError
from axletree.simulation.problem import Problem
from axletree.simulation.variable_step import SolverStopped

MOST_STEPS: Final = 20_000  # between two records


def import_solver(module: str, name: str) -> Any:
    try:
        return getattr(import_module(f"sksundae.{module}"), name)
    except ImportError:
        raise SimulationError(
            f"the method {module!r} needs the package scikit-sundae, which is not installed; "
            "install axletree[sundials], or use 'radau', 'bdf' or 'lsoda'"
        ) from None


def options(problem: Problem) -> dict[str, Any]:
    return {
        "rtol": problem.tolerances.relative,
        "atol": problem.tolerances.absolute,
        "max_step": problem.step or 0.0,  # 0 stands for no limit
        "max_num_steps": MOST_STEPS,
    }


def advance(solver: Any, t: float) -> Vector:
    """The states at t, or ``SolverStopped`` with the solver's own words."""
    try:
        # A trial step may leave the domain of the equations; the solver then tries a shorter one.
        with np.errstate(all="ignore"):
            result = solver.step(t)
    except (RuntimeError, ValueError, ArithmeticError) as error:
        raise SolverStopped(str(error)) from None
    if not result.success:
        raise SolverStopped(str(result.message))
    return np.array(result.y, dtype=float).reshape(-1)
