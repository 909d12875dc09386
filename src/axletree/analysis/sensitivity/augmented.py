"""A system with the derivatives of its states by a value as states of their own.

The variational equations s' = df/dx s + df/du du + df/dp, formed as expressions: what a method
makes of them is the derivative of what it makes of x' = f.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from axletree.analysis.sensitivity.along import SLOPE
from axletree.analysis.sensitivity.direction import Direction, formed
from axletree.core.expr import Expr, directional_derivative, number
from axletree.core.quantity import Quantity, Role
from axletree.model.model import Model
from axletree.system.definition import Definition
from axletree.system.system import System


def augmented(
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
        other = formed(model)
        told = {d.quantity.name: d.expression for d in other.outputs}
        projected = list(other.projection or ()) if moves else []
        return [*other.derivatives, *(told[name] for name in names), *projected]

    more = direction.of_functions(rows) or []
    return [a + direction.size * b for a, b in zip(slopes, more, strict=True)]
