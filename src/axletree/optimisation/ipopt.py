"""Solving a transcription by IPOPT (Wächter and Biegler 2006), which comes with CasADi.

CasADi is the way to the solver alone: cost, constraints and their derivatives are computed here,
from the compiled functions of the system, and written into the solver's own arrays.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.optimisation.transcription import Transcription

DONE: Final = ("Solve_Succeeded", "Solved_To_Acceptable_Level")


@dataclass(frozen=True)
class Ipopt:
    """Settings of the solver.

    Example:
    >>> from axletree.optimisation.ipopt import Ipopt
    >>> Ipopt(tolerance=1e-6).most_iterations
    500
    """

    tolerance: float = 1e-8
    most_iterations: int = 500
    barrier: float | None = None  # the first barrier parameter; 0.1, or 1e-6 where it starts warm
    options: dict[str, Any] = field(default_factory=dict)  # further ones, by IPOPT's names


@dataclass(frozen=True)
class Multipliers:
    """Of rows and of bounds, by the scaled rows and unknowns."""

    rows: FloatArray
    bounds: FloatArray


@dataclass(frozen=True)
class Answer:
    """What the solver came to."""

    unknowns: FloatArray  # v, not scaled
    multipliers: Multipliers
    cost: float
    constraints: FloatArray  # g, not scaled
    status: str
    iterations: int
    processor_time: float  # s

    @property
    def is_solved(self) -> bool:
        return self.status in DONE


def solve(
    made: Transcription, v: FloatArray, settings: Ipopt, before: Multipliers | None = None
) -> Answer:
    """From a guess v, and from multipliers if there are any."""
    casadi = _casadi()
    numbers = _Numbers(made)
    # References are kept until the solver is done: CasADi does not own functions of Python.
    functions = _functions(casadi, made, numbers)
    solver = casadi.nlpsol(
        "solver", "ipopt", functions["nlp"],
        {
            "grad_f": functions["grad_f"], "jac_g": functions["jac_g"],
            "hess_lag": functions["hess_lag"], "no_nlp_grad": True, "print_time": False,
            "error_on_fail": False, "show_eval_warnings": False,
            **_given(settings, before is not None),
        },
    )  # fmt: skip
    scales = made.scales
    start = np.clip(v, made.lower, made.upper) / scales
    warm = {} if before is None else {"lam_g0": before.rows, "lam_x0": before.bounds}
    began = time.process_time()
    found = solver(
        x0=start, lbx=made.lower / scales, ubx=made.upper / scales,
        lbg=made.row_lower / made.row_scales, ubg=made.row_upper / made.row_scales, **warm,
    )  # fmt: skip
    stats = solver.stats()
    if numbers.error is not None:
        raise numbers.error
    w = np.array(found["x"]).ravel()
    return Answer(
        unknowns=w * scales,
        multipliers=Multipliers(np.array(found["lam_g"]).ravel(), np.array(found["lam_x"]).ravel()),
        cost=numbers.cost(w),
        constraints=numbers.constraints(w) * made.row_scales,
        status=str(stats["return_status"]),
        iterations=int(stats["iter_count"]),
        processor_time=time.process_time() - began,
    )


def _given(settings: Ipopt, warm: bool) -> dict[str, Any]:
    """Options as CasADi takes them."""
    own: dict[str, Any] = {
        "tol": settings.tolerance, "max_iter": settings.most_iterations, "print_level": 0,
        "sb": "yes",
        # States without a cost have no curvature there: a looser end is not asked for.
        "acceptable_tol": max(1e-6, settings.tolerance), "acceptable_iter": 15,
    }  # fmt: skip
    if settings.barrier is not None or warm:
        own["mu_init"] = settings.barrier if settings.barrier is not None else 1e-6
    if warm:
        own |= {
            "warm_start_init_point": "yes", "warm_start_bound_push": 1e-8,
            "warm_start_bound_frac": 1e-8, "warm_start_mult_bound_push": 1e-8,
            "warm_start_slack_bound_push": 1e-8, "warm_start_slack_bound_frac": 1e-8,
        }  # fmt: skip
    own |= settings.options
    return {f"ipopt.{key}": value for key, value in own.items()}


def _casadi() -> Any:
    try:
        import casadi
    except ImportError:
        raise AxletreeError(
            "optimal control is solved by IPOPT, which comes with the package casadi; install "
            "axletree with the extra [casadi]"
        ) from None
    return casadi


class _Numbers:
    """Cost, constraints and derivatives at scaled unknowns w; F is computed once for each."""

    def __init__(self, made: Transcription) -> None:
        self.made = made
        self.error: Exception | None = None
        self._key: bytes = b""
        self._rows: list[FloatArray] = []
        self._slopes: FloatArray | None = None

    def _at(self, w: FloatArray) -> FloatArray:
        v: FloatArray = w * self.made.scales
        key = w.tobytes()
        if key != self._key:
            self._rows = [
                block.functions.f(*block.arguments(v)).ravel() for block in self.made.blocks
            ]
            self._key, self._slopes = key, None
        return v

    def _derivatives(self, w: FloatArray) -> FloatArray:
        v = self._at(w)
        if self._slopes is None:
            parts = [
                block.functions.jacobian_values(*block.arguments(v)).ravel()
                for block in self.made.blocks
            ]
            self._slopes = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return self._slopes

    def cost(self, w: FloatArray) -> float:
        v, made = self._at(w), self.made
        curved = sum(float(b.cost @ rows) for b, rows in zip(made.blocks, self._rows, strict=True))
        return float(made.gradient @ v) + curved + 0.5 * float(v @ (made.quadratic @ v))

    def constraints(self, w: FloatArray) -> FloatArray:
        v, made = self._at(w), self.made
        found = made.linear @ v + made.constant
        for block, rows in zip(made.blocks, self._rows, strict=True):
            found = found + block.constraints @ rows
        return np.asarray(found / made.row_scales)

    def gradient(self, w: FloatArray) -> FloatArray:
        slopes, made = self._derivatives(w), self.made
        v = w * made.scales
        linear = (made.gradient + made.quadratic @ v) * made.scales
        return np.asarray(linear + made.gradient_map @ slopes)

    def jacobian(self, w: FloatArray) -> FloatArray:
        return self.made.jacobian_map.values(self._derivatives(w))

    def hessian(self, w: FloatArray, of_cost: float, multipliers: FloatArray) -> FloatArray:
        v, made = self._at(w), self.made
        parts = []
        weights = made.weights(multipliers, of_cost)
        for block, weight in zip(made.blocks, weights, strict=True):
            x, u, p = block.arguments(v)
            parts.append(block.functions.hessian_values(x, u, weight, p).ravel())
        return made.hessian_map.values(np.concatenate(parts)) + of_cost * made.own_hessian


def _functions(casadi: Any, made: Transcription, numbers: _Numbers) -> dict[str, Any]:
    """Cost and constraints, and their derivatives, as functions of CasADi."""
    n, m = made.unknowns, len(made.rows)
    dense, one = casadi.Sparsity.dense, casadi.Sparsity.dense(1)
    x, p = ("x", dense(n)), ("p", casadi.Sparsity(0, 0))
    slopes, second = made.jacobian_map, made.hessian_map

    def placed(height: int, rows: Any, columns: Any) -> Any:
        starts = np.searchsorted(columns, np.arange(n + 1))
        return casadi.Sparsity(height, n, starts.tolist(), rows.tolist())

    def nlp(w: FloatArray, *_: Any) -> tuple[Any, ...]:
        return numbers.cost(w), numbers.constraints(w)

    listed: dict[str, tuple[list[Any], list[Any], Callable[..., tuple[Any, ...]]]] = {
        "nlp": ([x, p], [("f", one), ("g", dense(m))], nlp),
        "grad_f": (
            [x, p], [("f", one), ("grad_f_x", dense(n))],
            lambda w, *_: (numbers.cost(w), numbers.gradient(w)),
        ),
        "jac_g": (
            [x, p], [("g", dense(m)), ("jac_g_x", placed(m, slopes.rows, slopes.columns))],
            lambda w, *_: (numbers.constraints(w), numbers.jacobian(w)),
        ),
        "hess_lag": (
            [x, p, ("lam_f", one), ("lam_g", dense(m))],
            [("hess_gamma_x_x", placed(n, second.rows, second.columns))],
            lambda w, _, weight, lam: (numbers.hessian(w, float(weight[0]), lam),),
        ),
    }  # fmt: skip
    kind = _callback_class(casadi)
    return {name: kind(name, *content, numbers) for name, content in listed.items()}


@lru_cache(maxsize=1)
def _callback_class(casadi: Any) -> Any:
    """A function of CasADi that reads and writes the solver's own arrays."""

    class Callback(casadi.Callback):  # type: ignore[misc]
        def __init__(
            self, name: str, given: Any, results: Any, function: Any, numbers: _Numbers
        ) -> None:
            casadi.Callback.__init__(self)
            self._given, self._results, self._function = given, results, function
            self._numbers = numbers
            self.construct(name, {})

        def get_n_in(self) -> int:
            return len(self._given)

        def get_n_out(self) -> int:
            return len(self._results)

        def get_name_in(self, i: int) -> Any:
            return self._given[i][0]

        def get_name_out(self, i: int) -> Any:
            return self._results[i][0]

        def get_sparsity_in(self, i: int) -> Any:
            return self._given[i][1]

        def get_sparsity_out(self, i: int) -> Any:
            return self._results[i][1]

        def has_eval_buffer(self) -> bool:
            return True

        def eval_buffer(self, given: Any, results: Any) -> int:
            try:
                arrays = [None if one is None else np.frombuffer(one) for one in given]
                values = self._function(*arrays)
            except (AxletreeError, ArithmeticError, ValueError) as error:
                self._numbers.error = error
                return 1
            for place, value in zip(results, values, strict=True):
                if place is not None:
                    np.frombuffer(place)[:] = value
            finite = all(np.all(np.isfinite(value)) for value in values)
            return 0 if finite else 1  # the solver takes a shorter step

    return Callback
