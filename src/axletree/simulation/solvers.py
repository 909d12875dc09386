"""Methods with error control: the solvers of SciPy and of SUNDIALS on compiled right-hand sides.

SciPy (``scipy.integrate``):

1. ``RK45``: Runge-Kutta of order 5 with an error estimate of order 4 (Dormand and Prince 1980);
2. ``DOP853``: Runge-Kutta of order 8, error estimates of order 5 and 3 (Hairer, Norsett, Wanner
   1993);
3. ``RADAU``: Radau IIA of order 5, implicit (Hairer and Wanner 1996);
4. ``BDF``: backward differentiation formulas of order 1 to 5 (Shampine and Reichelt 1997);
5. ``LSODA``: Adams and backward differentiation formulas, with automatic choice (Petzold 1983).

SUNDIALS (Hindmarsh 2005), which comes with the package scikit-sundae:

6. ``CVODE``: backward differentiation formulas of order 1 to 5;
7. ``IDA``: the same on residuals.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.simulation.problem import Problem
from axletree.simulation.recording import Visits
from axletree.simulation.variable_step import ModelRun, SolverStopped, VariableStep

SHORTEST_STEP: Final = 4.0  # in units of the last digit of the time
_TOO_SHORT: Final = "its steps became too short to get on"


def scipy_method(
    name: str, class_name: str, description: str, *, implicit: bool, sparse: bool = False
) -> VariableStep:
    """A method by the name of its class in ``scipy.integrate``.

    ``implicit`` methods get the Jacobian, as a sparse matrix where that pays and they take it.
    """
    open_solver = partial(ScipySolver, class_name=class_name, implicit=implicit, sparse=sparse)
    return VariableStep(name, description, open_solver, uses_jacobian=implicit)


class ScipySolver:
    """Steps of a SciPy solver, with its interpolant between them."""

    def __init__(
        self, model: ModelRun, problem: Problem, class_name: str, *, implicit: bool, sparse: bool
    ) -> None:
        import scipy.integrate

        self._class: Callable[..., Any] = getattr(scipy.integrate, class_name)
        self._model = model
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

    def restart(self, t: float, x: FloatArray) -> None:
        if t < self._end:
            start = np.array(x)
            self._solver = _guarded(
                lambda: self._class(self._model.rhs, t, start, self._end, **self._options)
            )

    def advance(self, t: float) -> FloatArray:
        solver, visits = self._solver, self._model.visits
        while solver.t < t:
            before = solver.t
            message = _guarded(solver.step)
            if solver.status == "failed":
                raise SolverStopped(str(message))
            # LSODA goes on for ever with steps that no longer change the time.
            if solver.t - before < SHORTEST_STEP * np.spacing(abs(t)):
                raise SolverStopped(_TOO_SHORT)
            if visits is not None:
                self._visit(visits, before, min(solver.t, t))
        return np.array(solver.y if solver.t == t else solver.dense_output()(t))

    def _visit(self, visits: Visits, begin: float, end: float) -> None:
        """What the last step passed, and where it ended, but for a record."""
        inside = visits.within(begin, end)
        if len(inside):
            course = self._solver.dense_output()
            for t in inside:
                visits.add(float(t), course(t))
        if end == self._solver.t:
            visits.add(end, self._solver.y)


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


RK45 = scipy_method(
    "rk45",
    "RK45",
    "Order 5 with error control, explicit; for moderate accuracy.",
    implicit=False,
)

DOP853 = scipy_method(
    "dop853",
    "DOP853",
    "Order 8 with error control, explicit; for high accuracy.",
    implicit=False,
)

RADAU = scipy_method(
    "radau",
    "Radau",
    "Order 5 with error control, implicit; for stiff systems.",
    implicit=True,
    sparse=True,
)

BDF = scipy_method(
    "bdf",
    "BDF",
    "Order 1 to 5 with error control, implicit; for large stiff systems.",
    implicit=True,
    sparse=True,
)

LSODA = scipy_method(
    "lsoda",
    "LSODA",
    "Switches between stiff and non-stiff by itself, with error control.",
    implicit=True,
)

MOST_SUNDIALS_STEPS: Final = 20_000  # between two records


class SundialsSolver:
    """A solver of SUNDIALS, by the name of its module and its class in scikit-sundae.

    It calls ``equations``, which fill their last argument, and ``jacobian`` likewise.
    """

    module: str

    def __init__(self, model: ModelRun, problem: Problem) -> None:
        try:
            package = import_module(f"sksundae.{self.module}")
        except ImportError:
            raise SimulationError(
                f"the method {self.module!r} needs the package scikit-sundae, which is not "
                "installed; install axletree[sundials], or use 'radau', 'bdf' or 'lsoda'"
            ) from None
        self._model = model
        options: dict[str, Any] = {
            "rtol": problem.tolerances.relative,
            "atol": problem.tolerances.absolute,
            "max_step": problem.step or 0.0,  # 0 stands for no limit
            "max_num_steps": MOST_SUNDIALS_STEPS,
        }
        if model.has_jacobian:
            options["jacfn"] = self.jacobian
        self._solver = getattr(package, self.module.upper())(self.equations, **options)
        self.restart(problem.start, problem.states)

    equations: Callable[..., None]
    jacobian: Callable[..., None]

    def restart(self, t: float, x: FloatArray) -> None:
        self._solver.init_step(t, np.array(x))

    def advance(self, t: float) -> FloatArray:
        """The states at t, or ``SolverStopped`` with the solver's own words."""
        if self._model.visits is None:
            return self._step(t)[1]
        now, before = -math.inf, -math.inf
        while now < t:
            now, x = self._step(t, method="onestep", tstop=t)
            if now - before < SHORTEST_STEP * np.spacing(abs(t)):
                raise SolverStopped(_TOO_SHORT)
            self._model.visits.add(now, x)
            before = now
        return x

    def _step(self, t: float, **how: Any) -> tuple[float, FloatArray]:
        """To t, or towards it."""
        try:
            # A trial step may leave the domain of the equations; then a shorter one is tried.
            with np.errstate(all="ignore"):
                result = self._solver.step(t, **how)
        except (RuntimeError, ValueError, ArithmeticError) as error:
            raise SolverStopped(str(error)) from None
        if not result.success:
            raise SolverStopped(str(result.message))
        return float(np.ravel(result.t)[-1]), np.array(result.y, dtype=float).reshape(-1)


class CvodeSolver(SundialsSolver):
    """xdot = f(t, x), with the exact Jacobian."""

    module = "cvode"

    def equations(self, t: float, x: FloatArray, xdot: FloatArray) -> None:
        xdot[:] = self._model.rhs(t, x)

    def jacobian(self, t: float, x: FloatArray, xdot: FloatArray, result: Any) -> None:
        result[:] = self._model.jacobian(t, x)


CVODE = VariableStep(
    "cvode",
    "SUNDIALS: order 1 to 5 with error control, implicit; needs the extra axletree[sundials].",
    CvodeSolver,
    uses_jacobian=True,
)


class IdaSolver(SundialsSolver):
    """0 = xdot - f(t, x), with the exact Jacobian c - df/dx of its corrector."""

    module = "ida"

    def equations(self, t: float, x: FloatArray, xdot: FloatArray, result: FloatArray) -> None:
        result[:] = xdot - self._model.rhs(t, x)

    def jacobian(
        self, t: float, x: FloatArray, xdot: FloatArray, res: FloatArray, factor: float, result: Any
    ) -> None:
        result[:] = factor * np.eye(len(x)) - self._model.jacobian(t, x)

    def restart(self, t: float, x: FloatArray) -> None:
        self._solver.init_step(t, np.array(x), self._model.rhs(t, x))


IDA = VariableStep(
    "ida",
    "SUNDIALS for residuals: order 1 to 5, implicit; needs the extra axletree[sundials].",
    IdaSolver,
    uses_jacobian=True,
)
