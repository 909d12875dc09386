"""One instant of a system: states by name, and what they change by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.lowering import lower
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.units import to_si
from axletree.simulation.problem import Problem, Tolerances, state_problem
from axletree.simulation.signals import InputSignal
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System


def state(
    system: System,
    values: Mapping[str, float | str] | None = None,
    *,
    inputs: Mapping[str, InputSignal] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    time: float = 0.0,
) -> dict[str, float]:
    """All states by name: those given as they are, the rest consistent with the constraints.

    All are in SI units, the time in s; texts may carry units.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> system.state({"pin.rate": "60 deg/s"})  # rad/s, rad
    {'pin.rate': 1.0471975511965976, 'pin.angle': 0.3}
    """
    problem = problem_at(system, values or {}, inputs or {}, parameters or {}, time)
    names = (quantity.name for quantity in system.states)
    return dict(zip(names, problem.states.tolist(), strict=True))


def rhs(
    system: System,
    state: Mapping[str, float | str],
    *,
    inputs: Mapping[str, float] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    time: float = 0.0,
) -> dict[str, float]:
    """The derivative of every state by its name; ``state`` holds all states, as they are.

    All are in SI units, the time in s; texts may carry units. Set-valued forces are smooth.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> rates = system.rhs({"pin.angle": "30 deg", "pin.rate": 0.0})
    >>> print(f"{rates['pin.rate']:.4f} rad/s^2")  # -m g l sin(angle) / (I + m l^2)
    -7.3623 rad/s^2
    """
    system = with_smooth_forces(system)
    missing = [q.name for q in system.states if q.name not in state]
    if missing:
        raise SimulationError(
            f"the state lacks {', '.join(missing)}; system.state() completes a partial one"
        )
    problem = problem_at(system, state, inputs or {}, parameters or {}, time)
    if problem.tables or problem.system is not system:
        raise SimulationError("at one instant an input is a number, not a function of time")
    x = np.array([to_si(state[q.name], expected=q.unit) for q in system.states])
    model = _compiled(system)
    rates: FloatArray = model.rhs(time, x, problem.inputs, model.constants(problem.parameters))
    return dict(zip((q.name for q in system.states), rates.tolist(), strict=True))


@lru_cache(maxsize=32)
def _compiled(system: System) -> Runnable:
    return compile_program(lower(system, outputs=()))


def problem_at(
    system: System,
    values: Mapping[str, float | str],
    inputs: Mapping[str, InputSignal],
    parameters: Mapping[str, float | str],
    time: float,
) -> Problem:
    """A run that begins at an instant: states, inputs and parameters as numbers."""
    return state_problem(
        system,
        initial=values,
        inputs=inputs,
        parameters=parameters,
        outputs=None,
        start=time,
        duration=1.0,
        step=None,
        record_interval=None,
        tolerances=Tolerances(),
    )
