"""Small deviations from a motion: x' = A x + B u, y = C x + D u, with names.

The states are independent: where a system has constraints, the others follow from those that
are kept (``tangent``). Derivatives are exact. About a motion that is not at rest A is that
of the instant; it is constant where the states that change do not appear in the equations,
such as the place of a vehicle that runs straight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from axletree.analysis.linear.jacobians import Slopes, SymbolValues, slopes_of, values_of
from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.tangent import LinearisationError, tangent
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.registry import refuse_unknown
from axletree.expr import evaluate
from axletree.expr.quantity import Role
from axletree.simulation.problem import state_problem
from axletree.simulation.simulate import refuse_laws
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System

Given = Mapping[str, float | str]

UNSEEN = 1e-12  # share of the greatest in its row that rounding makes of a zero


def linearise(
    system: System,
    state: Given | None = None,
    *,
    inputs: Given | None = None,
    parameters: Given | None = None,
    keep: Sequence[str] = (),
    outputs: Sequence[str] = (),
    time: float = 0.0,
) -> Linearisation:
    """The linear system about a state; texts may carry units.

    Parameters
    ----------
    state: values of states; the others are made to satisfy the constraints.
    inputs: levels of inputs, 0 where none is given.
    parameters: values that are not the model's own.
    keep: states that shall be among the independent ones; the rest is chosen.
    outputs: names of outputs, for C and D.
    time: s, where the equations depend on it.

    Example:
    >>> import axletree as at
    >>> linear = at.read_model("pendulum").formulate().linearise({"pin.angle": 0.0})
    >>> linear.states, linear.A.round(3).tolist()  # 1/s, 1/s^2: -m g l / (I + m l^2)
    (('pin.rate', 'pin.angle'), [[0.0, -14.725], [1.0, 0.0]])
    """
    check_arguments(linearise, locals())
    refuse_laws(system)
    system = with_smooth_forces(system)
    problem = state_problem(system, initial=state, inputs=inputs, parameters=parameters, start=time)
    if problem.tables or problem.system is not system:
        raise LinearisationError(
            "a system is linearised where its inputs have values: give numbers, not functions "
            "of time"
        )
    return linearise_at(system, values_of(problem), keep, outputs)


def linearise_at(
    system: System,
    values: SymbolValues,
    keep: Sequence[str] = (),
    outputs: Sequence[str] = (),
    turning: FloatArray | None = None,
) -> Linearisation:
    """At values of all symbols, which satisfy the constraints.

    ``turning`` is added to the slopes of the rates by the states, for axes that move.
    """
    index = {q.name: k for k, q in enumerate(system.states)}
    refuse_unknown("state", keep, index, f"system {system.name!r}")
    free = tangent(system, values, [index[name] for name in keep])
    slopes = _slopes(system, tuple(outputs))(values)
    names, kept, n = list(index), list(free.kept), len(index)
    if turning is not None:
        slopes[:n, :n] += turning
    by_kept, by_inputs = slopes[:, :n] @ free.E, slopes[:, n:] + slopes[:, :n] @ free.F
    rates = evaluate([system.derivatives[k] for k in kept], values)
    chosen, defined = tuple(names[k] for k in kept), (d.quantity for d in system.outputs)
    return Linearisation(
        system=system.name,
        at={q.name: values[q.symbol] for q in system.states},
        rates=dict(zip(chosen, rates, strict=True)),
        states=chosen,
        inputs=tuple(q.name for q in system.inputs),
        outputs=tuple(outputs),
        A=by_kept[kept],
        B=by_inputs[kept],
        C=by_kept[n:],
        D=by_inputs[n:],
        drifting=_drifting(system, chosen, by_kept[kept]),
        units={q.name: q.unit for q in (*defined, *system.inputs, *system.states)},
    )


def _drifting(system: System, kept: Sequence[str], A: FloatArray) -> tuple[str, ...]:
    """The coordinates but for those that speeds, internal states, and these in turn, see."""
    places = {q.name for q in system.states if q.role is Role.COORDINATE}
    if system.source is not None:
        places |= {s.quantity.name for s in system.source.internal if s.start is not None}
    settled = np.array([name not in places for name in kept], dtype=bool)
    sizes = np.abs(A).max(axis=1, initial=0.0, keepdims=True)
    sees = np.abs(A) > UNSEEN * sizes
    while True:
        more = settled | sees[settled].any(axis=0)
        if (more == settled).all():
            return tuple(name for name, stays in zip(kept, settled, strict=True) if not stays)
        settled = more


@lru_cache(maxsize=8)
def _slopes(system: System, outputs: tuple[str, ...]) -> Slopes:
    """Of all derivatives and of outputs; kept, because they are asked for at many states."""
    symbols = [q.symbol for q in (*system.states, *system.inputs)]
    known = {d.quantity.name: d.expression for d in system.outputs}
    known |= {q.name: q.symbol for q in system.states}
    refuse_unknown("output", outputs, known, f"system {system.name!r}")
    return slopes_of([*system.derivatives, *(known[name] for name in outputs)], symbols)
