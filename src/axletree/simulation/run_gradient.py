"""``run_gradient``: what a run comes to, and its derivatives by everything that it starts from.

The derivatives are those of the run as it is computed: the adjoint of each step of the integrator,
from the last step to the first (Hager 2000; Sandu 2006), with exact derivatives of the equations.
One run back finds derivatives by all parameters, first states and inputs, however many they are.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any, Final

import numpy as np

from axletree.code.backends.c import find_compiler
from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import c_definitions
from axletree.code.printers.dialect import packaged_text
from axletree.code.program import Program
from axletree.code.step_rules import CLASSICAL, FORWARD_EULER, Tableau
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import CompilerError, SimulationError
from axletree.core.registry import refuse_unknown
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.loops import CLoop, loop_text
from axletree.simulation.problem import Problem, SettingsError, state_problem
from axletree.simulation.recording import RecordBuffer, StepPlan, plan_steps
from axletree.simulation.simulate import load_integrator, refuse_laws
from axletree.system.system import System

_TABLEAUS: Final = {"explicit-euler": FORWARD_EULER, "rk4": CLASSICAL}
_SPLIT: Final = "semi-implicit-euler"
_TEXT: Final = packaged_text(__package__, "c/adjoint_run.c")
_KEPT_SLOPES: Final = packaged_text(__package__, "c/kept_slopes.c")

_MOST_KEPT: Final = 1 << 24  # numbers of a run whose states, or slopes, are all kept; else few are

Goal = str | Mapping[str, float]  # a name, or weights by name


@dataclass(frozen=True)
class RunGradient:
    """A number that a run comes to, and its derivatives by name, each in SI units.

    By an input it is the derivative by a level that is added to it over the whole run.

    Example:
    >>> import axletree as at
    >>> swing = at.read_model("pendulum").formulate()
    >>> found = swing.run_gradient("1 s", end="pin.angle", step="1 ms")
    >>> print(f"{found.value:.4f} rad, {found.by_states['pin.angle']:.4f} rad/rad")
    -0.2346 rad, -0.8099 rad/rad
    """

    value: float
    by_parameters: Mapping[str, float]
    by_states: Mapping[str, float]
    by_inputs: Mapping[str, float]


def run_gradient(
    system: System,
    duration: float | str,
    *,
    step: float | str,
    end: Goal | None = None,
    integral: Goal | None = None,
    method: str = "rk4",
    initial: Mapping[str, float | str] | None = None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    by_parameters: Sequence[str] | None = None,
    start: float | str = 0.0,
) -> RunGradient:
    """What a run of equal steps comes to, and its derivatives by parameters, states and inputs.

    Parameters
    ----------
    duration, step, method, initial, inputs, parameters, start: as for ``simulate``; methods are
        explicit-euler, semi-implicit-euler and rk4.
    end: the name of a state or output whose last value is found, or weights of several by name.
    integral: likewise of what is integrated over the run by the trapezoidal rule; both are added.
    by_parameters: names of the parameters by which derivatives are found; all by default.

    First states stand by themselves: what follows from them or from parameters at the start, as in
    mechanisms with closed loops, is not differentiated, and such systems are refused.

    Example:
    >>> import axletree as at
    >>> swing = at.read_model("pendulum").formulate()
    >>> found = swing.run_gradient("1 s", integral={"energy.total": 1.0}, step="1 ms")
    >>> print(f"{found.by_parameters['rod.mass']:.4f} J*s/kg")  # energy is in proportion to mass
    -4.6843 J*s/kg
    """
    check_arguments(run_gradient, locals())
    settings = gradient_settings(system, method, end, integral, by_parameters)
    problem = state_problem(
        system, initial=initial, inputs=inputs, parameters=parameters, outputs=settings.outputs,
        duration=duration, step=step, start=start,
    )  # fmt: skip
    return gradient_of(problem, settings)


class NotFiniteError(SimulationError):
    """A run has a state that is not finite, at a time [s]."""

    def __init__(self, system: str, time: float) -> None:
        self.time = time
        super().__init__(f"{system}: a state is not finite after {time:g} s; try a smaller step")


@dataclass(frozen=True)
class GradientSettings:
    """What is found of runs, and by what."""

    method: FixedStep
    end: Mapping[str, float]  # weights by name
    integral: Mapping[str, float]
    outputs: tuple[str, ...]
    by_parameters: tuple[str, ...] | None

    def goal_unit(self, system: System) -> str:
        """Of one quantity; of several it is that of their weights, which is 1 here."""
        units = {q.name: q.unit for q in system.states}
        units |= {one.quantity.name: one.quantity.unit for one in system.outputs}
        found = {units.get(n, "1") for n in self.end}
        found |= {f"{units.get(n, '1')}*s" for n in self.integral}
        return found.pop() if len(found) == 1 else "1"


def gradient_settings(
    system: System,
    method: str,
    end: Goal | None,
    integral: Goal | None,
    by_parameters: Sequence[str] | None,
) -> GradientSettings:
    """Checked."""
    refuse_laws(system)
    chosen = _checked_method(system, method)
    weights = _weights("end", end), _weights("integral", integral)
    states = {q.name for q in system.states}
    names = tuple(dict.fromkeys(n for one in weights for n in one if n not in states))
    if not any(weights):
        raise SettingsError('name what is found: end="chassis.vx", or integral={"energy": 1.0}')
    by = None if by_parameters is None else tuple(by_parameters)
    return GradientSettings(chosen, *weights, names, by)


def gradient_of(problem: Problem, settings: GradientSettings) -> RunGradient:
    """Of one run; several may be computed at once in threads."""
    model = _compiled(problem.system, settings.method, settings.outputs, settings.by_parameters)
    return _computed(model, problem, settings.method, (settings.end, settings.integral))


def _weights(word: str, goal: Goal | None) -> dict[str, float]:
    if isinstance(goal, str):
        return {goal: 1.0}
    wrong = [
        f"{word}: the weight of {name!r} is {weight!r}; expected a finite number"
        for name, weight in (goal or {}).items()
        if not (isinstance(weight, Real) and math.isfinite(weight))
    ]
    if wrong:
        raise SettingsError(*wrong)
    return {name: float(weight) for name, weight in (goal or {}).items()}


def _checked_method(system: System, method: str) -> FixedStep:
    chosen = load_integrator(method)
    known = [*_TABLEAUS, _SPLIT]
    if not isinstance(chosen, FixedStep) or method not in known:
        raise SimulationError(f"{method!r} has no adjoint here; take {', '.join(known)}")
    if system.projection is not None or system.rows is not None:
        raise SimulationError(
            f"{system.name} has constraints or unknown forces, and steps that are moved back or "
            "solved; gradients are of systems without, such as vehicles with suspensions by curves"
        )
    return chosen


@lru_cache(maxsize=8)
def _compiled(
    system: System, method: FixedStep, outputs: tuple[str, ...], by: tuple[str, ...] | None
) -> Runnable:
    if find_compiler() is None:
        raise CompilerError(
            "gradients of runs are computed in C, and there is no C compiler; see `axletree doctor`"
        )
    extras = {*method.extras, Extra.ADJOINT}
    program = lower(system, outputs, extras, by_parameters=by)
    *loop, step = loop_text(program, method.c_step)
    numbers = c_definitions(_method_numbers(program, method))
    return compile_program(program, more=[*loop, numbers, _KEPT_SLOPES, step, _TEXT])


def _method_numbers(program: Program, method: FixedStep) -> dict[str, object]:
    tableau = _TABLEAUS.get(method.name, FORWARD_EULER)
    assert program.adjoint is not None
    return {
        "NG": program.adjoint.size,
        "NSTAGES": tableau.stages,
        "AXL_NODES": _listed([float(c) for c in tableau.nodes]),
        "AXL_WEIGHTS": _listed([float(b) for b in tableau.weights]),
        "AXL_ROWS": _listed([_row(tableau, k) for k in range(tableau.stages)]),
    }


def _row(tableau: Tableau, stage: int) -> str:
    return _listed([float(a) for a in tableau.row(stage, tableau.stages)])


def _listed(values: Sequence[object]) -> str:
    return f"{{{', '.join(map(str, values))}}}"


class _Goal(ctypes.Structure):
    _fields_ = (
        ("end", ctypes.c_void_p),
        ("within", ctypes.c_void_p),
        ("kept", ctypes.c_void_p),
        ("stretch", ctypes.c_void_p),
        ("slopes", ctypes.c_void_p),
        ("gradient", ctypes.c_void_p),
        ("value", ctypes.c_void_p),
        ("apart", ctypes.c_int64),
        ("has_slopes", ctypes.c_int64),
    )


def _computed(
    model: Runnable,
    problem: Problem,
    method: FixedStep,
    weights: tuple[Mapping[str, float], Mapping[str, float]],
) -> RunGradient:
    program, plan = model.program, plan_steps(problem, method.name)
    loop = CLoop(model, problem, StepPlan(plan.length, plan.count, 1), RecordBuffer(1, program))
    quantities = (*program.states, *program.outputs)
    names = [q.name for q in quantities]
    for one in weights:
        refuse_unknown("quantity", one, names, f"the run of {problem.system.name!r}")
    end, within = (np.array([one.get(n, 0.0) for n in names]) for one in weights)
    is_whole = plan.count * len(program.states) <= _MOST_KEPT
    apart = plan.count if is_whole else max(1, math.isqrt(plan.count))
    count, width = len(program.states), max(len(program.states), 1)
    kept = np.zeros((plan.count // apart + 1, width))
    stretch = np.zeros((apart + 1, width))
    stages = _TABLEAUS[method.name].stages if method.name in _TABLEAUS else 1
    has_slopes = stages > 1 and plan.count * stages * width <= _MOST_KEPT
    slopes = np.zeros((plan.count if has_slopes else 1, stages, width))
    assert program.adjoint is not None
    gradient, value = np.zeros(program.adjoint.size), np.zeros(1)
    arrays = (end, within, kept, stretch, slopes, gradient, value)
    goal = _Goal(*(array.ctypes.data for array in arrays), apart, has_slopes)
    failed = loop.backwards(goal)
    if failed:
        raise NotFiniteError(problem.system.name, problem.start + plan.length * failed)
    inputs = [q.name for q in program.inputs]
    by_inputs = gradient[count : count + len(inputs)]
    by = [q.name for q in program.by_parameters]
    return RunGradient(
        float(value[0]),
        _by_name(by, gradient[count + len(inputs) :]),
        _by_name([q.name for q in program.states], gradient[:count]),
        _by_name(inputs, by_inputs),
    )


def _by_name(names: Sequence[str], values: FloatArray) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))
