"""A system from rates written as expressions, for problems that are no model of components."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from axletree.core.errors import FormulationError
from axletree.core.registry import few_names
from axletree.core.units import parse_unit
from axletree.expr import Expr, as_expr
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.expr.traversal import dependencies
from axletree.system.start import Start
from axletree.system.system import System, output

_TITLE = re.compile(r"\s*([A-Za-z_][\w.]*)\s*(?:\[(.*)\])?\s*")


def dynamics(
    name: str,
    rates: Mapping[str, Expr | float],
    controls: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    outputs: Mapping[str, Expr | float] | None = None,
) -> System:
    """The system whose states, by name and unit, have these rates.

    Example:
    >>> from axletree.expr import symbol
    >>> from axletree.optimisation.dynamics import dynamics
    >>> cart = dynamics("cart", {"x [m]": symbol("v"), "v [m/s]": symbol("a")}, ["a [m/s^2]"])
    >>> [f"{q.name} [{q.unit}]" for q in cart.states], cart.inputs[0].name
    (['x [m]', 'v [m/s]'], 'a')
    """
    states = [_quantity(title, Role.STATE) for title in rates]
    inputs = [_quantity(title, Role.INPUT) for title in controls]
    given = [_quantity(title, Role.PARAMETER, value) for title, value in (parameters or {}).items()]
    told = [_quantity(title, Role.OUTPUT) for title in outputs or {}]
    defined = tuple(
        output(q.name, q.unit, q.description, as_expr(one))
        for q, one in zip(told, (outputs or {}).values(), strict=True)
    )
    derivatives = tuple(as_expr(rate) for rate in rates.values())
    names = [q.name for q in (*states, *inputs, *given, *told)]
    twice = sorted({one for one in names if names.count(one) > 1})
    known = {q.symbol for q in (*states, *inputs, *given)}
    used = dependencies([*derivatives, *(d.expression for d in defined)])
    strays = sorted({e.name for on in used for e in on - known})
    if twice or strays:
        said = [f"{few_names(twice)} stands for more than one quantity"] if twice else []
        if strays:
            said.append(f"{few_names(strays)} is no state, control or parameter of it")
        raise FormulationError(f"{name}: {'; '.join(said)}")
    return System(
        name=name,
        time=Quantity("time", "s", "time", Role.TIME),
        states=Quantities(states),
        inputs=Quantities(inputs),
        parameters=Quantities(given),
        derivatives=derivatives,
        outputs=defined,
        intermediates=(),
        projection=None,
        start=Start(frozenset(q.name for q in states)),
    )


def with_outputs(system: System, outputs: Mapping[str, Expr | float]) -> System:
    """The system with further outputs, by name and unit, for costs and constraints.

    Example:
    >>> import axletree as at
    >>> from axletree.expr import symbol
    >>> from axletree.optimisation.dynamics import with_outputs
    >>> car = at.read_model("bicycle-car").formulate()
    >>> more = with_outputs(car, {"effort [rad^2/s^2]": symbol("steer.angle_rate") ** 2})
    >>> more.outputs[-1]
    effort [rad^2/s^2]
    """
    told = [_quantity(title, Role.OUTPUT) for title in outputs]
    defined = (
        output(q.name, q.unit, q.description, as_expr(one))
        for q, one in zip(told, outputs.values(), strict=True)
    )
    return replace(system, outputs=(*system.outputs, *defined))


def _quantity(title: str, role: Role, default: float = 0.0) -> Quantity:
    found = _TITLE.fullmatch(title)
    if found is None:
        raise FormulationError(
            f"{title!r} is no name with a unit; write for example 'speed [m/s]', or 'share' for a "
            "number without a unit"
        )
    name, unit = found[1], found[2] or "1"
    parse_unit(unit)
    return Quantity(name, unit, name.replace("_", " "), role, float(default))
