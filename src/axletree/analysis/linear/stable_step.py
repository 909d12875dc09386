"""The longest step with which a fixed-step method follows small deviations from a motion.

Near a motion the equations are linear: x' = J x with J = d xdot / d x. One step of a method
turns x into G(h) x, and G comes from the method's own step, taken on the linear equations.
A step is stable where no deviation grows that does not grow in truth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from axletree.analysis.linear.modes import leading_states, participation
from axletree.code.backends.runnable import Runnable, load_for_few_calls
from axletree.code.lowering import Extra, lower
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, ExpressionError
from axletree.core.registry import load, section
from axletree.expr.quantity import Role
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import Problem, state_problem
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System

_GROWTH: Final = 1e-7  # per step: what rounding makes of modes that neither grow nor fade
STEPS_PER_DECADE: Final = 10  # of the search for the first step that is not stable
_SHORTEST, _LONGEST = 1e-3, 1e3  # of that search, over the fastest mode's time
PRECISION: Final = 1e-4  # relative, of the step that is found
_BEYOND: Final = 1.01  # times that step, the mode that bounds it stands out


class StableStepError(AxletreeError):
    """A question that has no answer: no fixed step, or no derivatives."""


@dataclass(frozen=True)
class StableStep:
    """A bound on the step, and the mode that sets it."""

    step: float  # [s]; 0 where no step is stable, infinite where all are
    eigenvalue: complex  # [1/s] of the mode that begins to grow
    states: tuple[str, ...]  # those that take most part in it, the first most


@dataclass
class _Linear:
    """Stands in the place of a run for the step of a method: x' = J x, many x at a time."""

    J: FloatArray
    speeds: int  # how many of the states are speeds, the first ones

    def call(self, routine: str, t: float, x: list[Any], *shared: list[Any]) -> list[Any]:
        rows = {"speed_rates": slice(self.speeds), "other_rates": slice(self.speeds, None)}
        return list(self.J[rows.get(routine, slice(None))] @ np.array(x))


def stable_step(
    system: System,
    method: str | FixedStep = "rk4",
    states: Mapping[str, float | str] | None = None,
    *,
    inputs: Mapping[str, float] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    time: float = 0.0,
) -> StableStep:
    """The bound [s] at one instant; states that are not given have their first values.

    Example:
    >>> import axletree as at
    >>> found = at.read_model("pendulum").formulate().stable_step("rk4")
    >>> print(f"{found.step:.3f} s")  # 2.828 over the frequency in rad/s
    0.754 s
    """
    check_arguments(stable_step, locals())
    chosen = load("method", method, section("INTEGRATORS")) if isinstance(method, str) else method
    if not isinstance(chosen, FixedStep) or chosen.subdivides:
        raise StableStepError(
            f"{chosen.name} chooses its steps itself; a bound is asked for methods of fixed step"
        )
    system = with_smooth_forces(system)
    problem = state_problem(
        system, initial=states, inputs=inputs, parameters=parameters, start=time
    )
    if problem.tables or problem.system is not system:
        raise StableStepError("at one instant an input is a number, not a function of time")
    J = _jacobian(problem)
    linear = _Linear(J, sum(q.role is Role.SPEED for q in system.states))
    step = _first_unstable(linear, chosen)
    if not 0.0 < step < math.inf:
        return StableStep(step, complex(math.nan, math.nan), ())
    return StableStep(step, *_mode(linear, chosen, step, [q.name for q in system.states]))


def _jacobian(problem: Problem) -> FloatArray:
    model = _loaded(problem.system)
    matrix = model.program.jacobian
    assert matrix is not None
    constants = model.constants(problem.parameters)
    full = np.zeros(matrix.shape)
    places = list(matrix.rows), list(matrix.columns)
    full[places] = model.jacobian(problem.start, problem.states, problem.inputs, constants)
    return full


@lru_cache(maxsize=8)
def _loaded(system: System) -> Runnable:
    try:
        return load_for_few_calls(lower(system, outputs=(), extras=(Extra.JACOBIAN,)))
    except ExpressionError as error:
        raise StableStepError(
            f"the equations of {system.name} cannot be made linear: {error}"
        ) from None


def _amplification(linear: _Linear, method: FixedStep, h: float) -> FloatArray:
    """G(h): what a step makes of each unit vector."""
    return np.array(method.python_step(linear, 0.0, h, list(np.eye(len(linear.J)))))  # type: ignore[arg-type]


def _grows(linear: _Linear, method: FixedStep, h: float, truly: float) -> bool:
    largest = np.abs(np.linalg.eigvals(_amplification(linear, method, h))).max()
    return bool(math.log(largest) > h * truly + _GROWTH)


def _first_unstable(linear: _Linear, method: FixedStep) -> float:
    modes = np.linalg.eigvals(linear.J)
    fastest = np.abs(modes).max(initial=0.0)
    if fastest == 0.0:
        return math.inf
    truly = max(float(modes.real.max()), 0.0)
    count = round(STEPS_PER_DECADE * math.log10(_LONGEST / _SHORTEST))
    trials = np.geomspace(_SHORTEST, _LONGEST, count + 1) / fastest
    last = 0.0
    for h in trials:
        if _grows(linear, method, h, truly):
            break
        last = float(h)
    else:
        return math.inf
    while last and h - last > PRECISION * last:
        middle = 0.5 * (last + h)
        if _grows(linear, method, middle, truly):
            h = middle
        else:
            last = middle
    return last


def _mode(
    linear: _Linear, method: FixedStep, step: float, names: list[str]
) -> tuple[complex, tuple[str, ...]]:
    """The mode that grows most just beyond the step: its states, and its eigenvalue.

    A step may mix the modes of the equations; the eigenvalue is that of the mode whose
    states take part most alike.
    """
    growing, parts, _ = participation(_amplification(linear, method, _BEYOND * step))
    part = parts[:, np.abs(growing).argmax()]
    modes, shares, _ = participation(linear.J)
    alike = np.sqrt(shares * part[:, None]).sum(axis=0)
    return complex(modes[alike.argmax()]), leading_states(names, part)
