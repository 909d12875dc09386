"""Consistent first values: some states are given by name, the rest follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from axletree.core.errors import InitialValueError
from axletree.core.expr import Expr, evaluate
from axletree.core.quantity import Quantity
from axletree.formulation.equations import Equations
from axletree.library.edge import MotionLaw
from axletree.system.assembly import Mechanism
from axletree.system.least_change import nearest_states
from axletree.system.system import System


def consistent_states(
    system: System, given: Mapping[str, float], values: Mapping[Expr, float]
) -> np.ndarray:
    """All states at the start: those given as they are, the others near their defaults.

    ``values`` are those of time, inputs and parameters at the start. Where the given
    values leave the constraints no solution, the error says which constraint is violated
    by how much.
    """
    equations = system.source
    defaults = {q.name: q.default for q in system.states}
    start = np.array([given.get(name, value) for name, value in defaults.items()])
    if equations is None:
        return _written_by_hand(system, start, given, values)
    n_p, n_q = len(equations.speeds), len(equations.coordinates)
    first = {q.symbol: x for q, x in zip(system.states, start.tolist(), strict=True)}
    known = {s.quantity.symbol: first[s.quantity.symbol] for s in equations.internal}
    mechanism = Mechanism(equations, {**known, **values}, given)
    q = _regular(equations, start[n_p : n_p + n_q])
    q = mechanism.assembled(q, _indices(equations.coordinates, given))
    p = mechanism.consistent_speeds(q, start[:n_p], _indices(equations.speeds, given))
    z = _internal(equations, given, dict(values), q, start[n_p + n_q :])
    return np.concatenate([p, q, z])


def _written_by_hand(
    system: System, start: np.ndarray, given: Mapping[str, float], values: Mapping[Expr, float]
) -> np.ndarray:
    states = nearest_states(system, start, given, values) if system.constraints else start
    small = {} if system.implicit is None else system.implicit.small
    for quantity, value in zip(system.states, states.tolist(), strict=True):
        if abs(value) > small.get(quantity.name, np.inf):
            raise InitialValueError(
                f"{system.name}: {quantity.name} was declared small, up to "
                f"{small[quantity.name]:g} {quantity.unit}, and starts at {value:g}: the equations "
                "are of first order in it and say nothing of so large a value; start nearer to "
                "0, form them without declaring it small, or give it another bound"
            )
    return states


def _indices(quantities: Sequence[Quantity], given: Mapping[str, float]) -> list[int]:
    return [j for j, quantity in enumerate(quantities) if quantity.name in given]


def _regular(equations: Equations, q: np.ndarray) -> np.ndarray:
    """Coordinates as the laws of their branches want them."""
    place = {quantity.name: k for k, quantity in enumerate(equations.coordinates)}
    links, result = equations.dynamics.kinematics.links, q.copy()
    for connection in (*links.translations, *links.rotations):
        own = [place[quantity.name] for quantity in connection.coordinates]
        law = connection.edge.law
        if own and isinstance(law, MotionLaw):
            result[own] = law.regular(result[own].tolist())
    return result


def _internal(
    equations: Equations,
    given: Mapping[str, float],
    values: dict[Expr, float],
    q: np.ndarray,
    start: np.ndarray,
) -> np.ndarray:
    """Internal states; those that coordinates fix are computed from these."""
    values |= dict(zip((x.symbol for x in equations.coordinates), q.tolist(), strict=True))
    found = start.copy()
    for k, state in enumerate(equations.internal):
        if state.start is not None and state.quantity.name not in given:
            found[k] = float(evaluate([state.start], values)[0])
    return found
