"""One instant of a system: states by name, and what they change by."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache

from axletree.code.backends.runnable import Runnable, load_for_few_calls
from axletree.code.lowering import lower
from axletree.core.arguments import check_arguments
from axletree.simulation.problem import beside_states, instant_values, state_problem
from axletree.simulation.signals import InputSignal
from axletree.system.edit import with_smooth_forces
from axletree.system.reactions import undetermined_reactions
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
    check_arguments(state, locals())
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
    """The derivative of every state by its name.

    ``state`` holds all states, which are taken as they are. Constraints need not hold there: what
    Baumgarte's form makes of their violation is in the derivatives, and the projected form has
    none of it. All are in SI units, the time in s; texts may carry units. Set-valued forces are
    smooth.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> rates = system.rhs({"pin.angle": "30 deg", "pin.rate": 0.0})
    >>> print(f"{rates['pin.rate']:.4f} rad/s^2")  # -m g l sin(angle) / (I + m l^2)
    -7.3623 rad/s^2
    """
    check_arguments(rhs, locals())
    system = with_smooth_forces(system)
    x, u, p = instant_values(system, state, inputs or {}, parameters or {}, time)
    model = _loaded(system, ())
    rates = model.rhs(time, x, u, model.constants(p))
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
    """The outputs of these names, or all of them, at one state; states may be among the names.

    States, inputs and parameters are given as to ``rhs``. Reactions that are asked for by name and
    that the motion does not determine are warned of.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> at_rest = {"pin.angle": "30 deg", "pin.rate": 0.0}
    >>> print(f"{system.outputs_at(at_rest, ['energy.potential'])['energy.potential']:.4f} J")
    -4.2464 J
    """
    check_arguments(outputs_at, locals())
    system = with_smooth_forces(system)
    x, u, p = instant_values(system, state, inputs or {}, parameters or {}, time)
    if caveat := undetermined_reactions(system, outputs or ()):
        warnings.warn(f"{system.name}: {caveat}", stacklevel=2)
    model = _loaded(system, None if outputs is None else beside_states(system, outputs))
    values = model.outputs(time, x, u, model.constants(p)).tolist()
    found = dict(zip((q.name for q in model.program.outputs), values, strict=True))
    if outputs is None:
        return found
    found |= dict(zip((q.name for q in system.states), x.tolist(), strict=True))
    return {name: found[name] for name in outputs}


@lru_cache(maxsize=32)
def _loaded(system: System, outputs: tuple[str, ...] | None) -> Runnable:
    return load_for_few_calls(lower(system, outputs=outputs))
