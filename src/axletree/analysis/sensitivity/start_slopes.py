"""How the steady motion in which a drive begins changes with a value: the implicit rule."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from axletree.analysis.sensitivity.direction import Direction, formed, slopes_along
from axletree.analysis.trim import Trim
from axletree.analysis.trim_conditions import TrimConditions, conditions_of
from axletree.analysis.yaw_symmetry import yaw_symmetry
from axletree.core.expr import Expr, evaluate
from axletree.core.quantity import Role
from axletree.core.units import to_si
from axletree.model.model import Model
from axletree.system.system import System


def start_slopes(
    system: System,
    start: Trim,
    parameters: Mapping[str, float | str],
    direction: Direction,
) -> tuple[dict[str, float], dict[str, float]]:
    """Derivatives of states and of inputs that were found, by the value of the direction.

    F(y, p) = 0 gives dF/dy dy = -dF/dp, with all slopes exact but for functions that change. What
    the conditions leave open stays.
    """
    values = _values(system, start, parameters)
    plain = conditions_of(system)
    conditions = conditions_of(system, tuple(plain.unfelt(values)))
    columns, states = _columns(system, conditions, values, start)

    def rows(model: Model) -> list[Expr]:
        return _rows(formed(model), conditions)

    slopes = slopes_along(_rows(system, conditions), direction, rows)
    right = np.array(evaluate(slopes, values), dtype=float)
    sizes = np.maximum(np.abs(columns).max(axis=1, initial=0.0), 1e-9)
    found = np.linalg.lstsq(columns / sizes[:, None], -right / sizes, rcond=None)[0]
    of_states = dict.fromkeys((q.name for q in system.states), 0.0)
    of_states |= dict(zip(states, found.tolist(), strict=False))
    level = dict.fromkeys(start.found, float(found[len(states)]) if start.found else 0.0)
    return of_states, level


def _rows(system: System, conditions: TrimConditions) -> list[Expr]:
    """The expressions of conditions in a system that differs by numbers alone."""
    same = TrimConditions(system, _unfelt(conditions))
    return [condition.expression for condition in same.conditions]


def _unfelt(conditions: TrimConditions) -> list[int]:
    plain = set(conditions_of(conditions.system).settled)
    return sorted(plain - set(conditions.settled))


def _values(
    system: System, start: Trim, parameters: Mapping[str, float | str]
) -> dict[Expr, float]:
    given = {
        q.name: to_si(parameters[q.name], expected=q.unit)
        for q in system.parameters
        if q.name in parameters
    }
    values = {q.symbol: start.states[q.name] for q in system.states}
    values |= {q.symbol: start.inputs.get(q.name, 0.0) for q in system.inputs}
    values |= {q.symbol: given.get(q.name, q.default) for q in system.parameters}
    return {system.time.symbol: 0.0, **values}


def _columns(
    system: System, conditions: TrimConditions, values: dict[Expr, float], start: Trim
) -> tuple[np.ndarray, list[str]]:
    """d conditions / d unknowns: states that are named, the level, the decay, the yaw rate."""
    count = len(system.states)
    full = conditions.slopes(values)
    full[:, :count] -= start.decay * conditions.speeds
    held = {k for k, q in enumerate(system.states) if q.name in start.held}
    more: list[np.ndarray] = []
    if start.found:
        index = {q.name: count + k for k, q in enumerate(system.inputs)}
        more.append(full[:, [index[name] for name in start.found]].sum(axis=1))
    if start.decay:
        speeds = np.array([start.states[q.name] for q in system.states])
        more.append(-(conditions.speeds @ speeds))
    symmetry = yaw_symmetry(system, values, conditions.settled)
    if symmetry is not None:
        turned = symmetry.generator(values)
        coordinates = [k for k in conditions.settled if system.states[k].role is Role.COORDINATE]
        heading = max(coordinates, key=lambda k: abs(turned.field[k]))
        rate = start.rates[system.states[heading].name] / turned.field[heading]
        full[:, :count] -= rate * conditions.by_rows(turned.slopes)
        held.add(heading)
        more.append(-conditions.by_rows(turned.field))
    free = [k for k in conditions.adjustable if k not in held]
    return np.column_stack([full[:, free], *more]), [system.states[k].name for k in free]
