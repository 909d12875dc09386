"""One instant of a system: states by name, what they change by, and outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.lowering import lower
from axletree.core.errors import SimulationError
from axletree.simulation.problem import Problem, state_problem
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
    problem = state_problem(
        system, initial=values, inputs=inputs, parameters=parameters, start=time
    )
    names = (quantity.name for quantity in system.states)
    return dict(zip(names, problem.states.tolist(), strict=True))


def rhs(
    system: System,
    state: Mapping[str, float | str],
    *,
    inputs: Mapping[str, float | str] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    time: float = 0.0,
) -> dict[str, float]:
    """The derivative of every state by its name; ``state`` holds all states, as they are.

    Constraints need not hold there: what Baumgarte's form makes of their violation is in the
    derivatives, and the projected form has none of it.
    All are in SI units, the time in s; texts may carry units. Set-valued forces are smooth.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> rates = system.rhs({"pin.angle": "30 deg", "pin.rate": 0.0})
    >>> print(f"{rates['pin.rate']:.4f} rad/s^2")  # -m g l sin(angle) / (I + m l^2)
    -7.3623 rad/s^2
    """
    system = with_smooth_forces(system)
    problem = _instant(system, state, inputs, parameters, time)
    model = _compiled(system, ())
    constants = model.constants(problem.parameters)
    rates = model.rhs(problem.start, problem.states, problem.inputs, constants)
    return dict(zip((q.name for q in system.states), rates.tolist(), strict=True))


def outputs_at(
    system: System,
    state: Mapping[str, float | str],
    outputs: Sequence[str] | None = None,
    *,
    inputs: Mapping[str, float | str] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    time: float = 0.0,
) -> dict[str, float]:
    """Outputs by name at a state, which holds all states, as they are; all outputs by default.

    All are in SI units, the time in s; texts may carry units. Set-valued forces are smooth.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> hanging = {"pin.angle": 0.0, "pin.rate": "2 rad/s"}
    >>> found = system.outputs_at(hanging, ["energy.kinetic"], parameters={"rod.mass": 3.0})
    >>> print(f"{found['energy.kinetic']:.3f} J")  # (I + m l^2) rate^2 / 2
    1.666 J
    """
    system = with_smooth_forces(system)
    problem = _instant(system, state, inputs, parameters, time)
    model = _compiled(system, None if outputs is None else tuple(outputs))
    constants = model.constants(problem.parameters)
    values = model.outputs(problem.start, problem.states, problem.inputs, constants)
    names = (quantity.name for quantity in model.program.outputs)
    return dict(zip(names, values.tolist(), strict=True))


def _instant(
    system: System,
    state: Mapping[str, float | str],
    inputs: Mapping[str, float | str] | None,
    parameters: Mapping[str, float | str] | None,
    time: float,
) -> Problem:
    problem = state_problem(
        system, initial=state, inputs=inputs, parameters=parameters, start=time, consistent=False
    )
    if problem.tables or problem.system is not system:
        raise SimulationError("at one instant an input is a number, not a function of time")
    return problem


@lru_cache(maxsize=32)
def _compiled(system: System, outputs: tuple[str, ...] | None) -> Runnable:
    return compile_program(lower(system, outputs=outputs))
