"""A system with the derivatives of its states by a value as states of their own, and how these
start.

The variational equations s' = df/dx s + df/du du + df/dp, formed as expressions: what a method
makes of them is the derivative of what it makes of x' = f. Their first values follow from the
steady motion in which a drive begins, by the implicit rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from axletree.analysis.steady.conditions import SteadyConditions, conditions_of
from axletree.analysis.steady.result import Trim
from axletree.analysis.steady.yaw_symmetry import yaw_symmetry
from axletree.analysis.studies.sensitivity_direction import Direction, form_system, slopes_along
from axletree.analysis.studies.sensitivity_result import SLOPE
from axletree.core.units import to_si
from axletree.expr import Expr, directional_derivative, evaluate, number
from axletree.expr.quantity import Quantity, Role
from axletree.model.model import Model
from axletree.system.system import Definition, System


def variational_system(
    system: System,
    outputs: Iterable[str],
    parameters: Iterable[str],
    levels: Iterable[str],
    direction: Direction | None = None,
) -> System:
    """With slopes of states, of ``outputs``, of ``parameters`` and inputs (``levels``).

    Slopes of parameters are parameters, and those of inputs are inputs; all are 0 unless they are
    given. Of a direction whose functions change the slopes of these are put in, by the value over
    its own size.
    """
    told = {d.quantity.name: d.expression for d in system.outputs}
    names = [name for name in outputs if name in told]
    chosen = {q.name: q for q in (*system.states, *system.parameters, *system.inputs)}
    opened = [*(q.name for q in system.states), *parameters, *levels]
    rates: Mapping[Expr, Expr] = {chosen[n].symbol: _slope(chosen[n]).symbol for n in opened}
    wanted = [*system.derivatives, *(told[name] for name in names)]
    moved = [] if system.projection is None else list(system.projection)
    slopes = directional_derivative([*wanted, *moved], rates)
    if direction is not None and direction.functions:
        slopes = _with_functions(slopes, direction, names, bool(moved))
    n, m = len(system.states), len(wanted)
    results = tuple(
        Definition(replace(_slope(Quantity(name, "1", name, Role.OUTPUT)), role=Role.OUTPUT), e)
        for name, e in zip(names, slopes[n:m], strict=True)
    )
    return replace(
        system,
        states=(*system.states, *(_slope(q) for q in system.states)),
        inputs=(*system.inputs, *(_slope(chosen[name]) for name in levels)),
        parameters=(*system.parameters, *(_slope(chosen[name]) for name in parameters)),
        derivatives=(*system.derivatives, *slopes[:n]),
        outputs=(*system.outputs, *results, *_unmoved(system, outputs, levels)),
        projection=(*moved, *slopes[m:]) if moved else None,
        source=None,
        constraints=(),
        implicit=None,
        opened=None,
        rows=None,
    )


def _slope(quantity: Quantity) -> Quantity:
    role = Role.STATE if quantity.role in (Role.SPEED, Role.COORDINATE) else quantity.role
    return Quantity(quantity.name + SLOPE, "1", f"derivative of {quantity.name}", role)


def _unmoved(system: System, outputs: Iterable[str], levels: Iterable[str]) -> Iterable[Definition]:
    """Slopes of inputs that are recorded and stay as they are."""
    inputs = {q.name for q in system.inputs} - set(levels)
    for name in outputs:
        if name in inputs:
            quantity = Quantity(name + SLOPE, "1", f"derivative of {name}", Role.OUTPUT)
            yield Definition(quantity, number(0.0))


def _with_functions(
    slopes: list[Expr], direction: Direction, names: Sequence[str], moves: bool
) -> list[Expr]:
    def rows(model: Model) -> list[Expr]:
        other = form_system(model)
        told = {d.quantity.name: d.expression for d in other.outputs}
        projected = list(other.projection or ()) if moves else []
        return [*other.derivatives, *(told[name] for name in names), *projected]

    more = direction.of_functions(rows) or []
    return [a + direction.size * b for a, b in zip(slopes, more, strict=True)]


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
        return _rows(form_system(model), conditions)

    slopes = slopes_along(_rows(system, conditions), direction, rows)
    right = np.array(evaluate(slopes, values), dtype=float)
    sizes = np.maximum(np.abs(columns).max(axis=1, initial=0.0), 1e-9)
    found = np.linalg.lstsq(columns / sizes[:, None], -right / sizes, rcond=None)[0]
    of_states = dict.fromkeys((q.name for q in system.states), 0.0)
    of_states |= dict(zip(states, found.tolist(), strict=False))
    level = dict.fromkeys(start.found, float(found[len(states)]) if start.found else 0.0)
    return of_states, level


def _rows(system: System, conditions: SteadyConditions) -> list[Expr]:
    """The expressions of conditions in a system that differs by numbers alone."""
    same = SteadyConditions(system, _unfelt(conditions))
    return [condition.expression for condition in same.conditions]


def _unfelt(conditions: SteadyConditions) -> list[int]:
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
    system: System, conditions: SteadyConditions, values: dict[Expr, float], start: Trim
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
