"""A x' = B in expressions that can be compiled, from equations of first order in SymPy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy

from axletree.core.expr import Expr, from_sympy, jacobian, substitute, symbol
from axletree.core.expr.expression import ZERO
from axletree.core.expr.order import dependent_nodes, topological_order
from axletree.core.quantity import Quantity, Role
from axletree.core.units import unit_of_rate
from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.quantities import (
    Labels,
    drifting,
    name_of,
    parameter_quantities,
)
from axletree.language.symbolic_solution import is_zero_by_itself
from axletree.language.variables import TIME, rate
from axletree.system.assemble import TIME as SYSTEM_TIME
from axletree.system.definition import Definition
from axletree.system.implicit import ImplicitSystem, rate_symbol

INPUT_RATES = ("rate", "acceleration")


def implicit_form(
    name: str,
    equations: Sequence[Equation],
    x: Sequence[sympy.Expr],
    u: Sequence[sympy.Expr],
    velocities: Mapping[sympy.Expr, sympy.Expr],
    parameters: Mapping[Any, Any],
    outputs: Mapping[str, sympy.Expr],
    labels: Labels,
    small: Mapping[str, float],
) -> ImplicitSystem:
    expressions = [*(e.residual for e in equations), *outputs.values()]
    inputs = _input_quantities(u, expressions, labels)
    free = sorted(set().union(*(e.free_symbols for e in expressions)) - {TIME}, key=str)
    constants = parameter_quantities(parameters, free, name)
    read = _read(expressions, x, u)
    residuals, shown = read[: len(equations)], read[len(equations) :]
    rates = [symbol_of_rate(item) for item in x]
    matrix = _linear_in_rates(name, equations, residuals, rates)
    rest = substitute(residuals, dict.fromkeys(rates, ZERO))
    moving = {i for i, _ in matrix}
    return ImplicitSystem(
        name=name,
        time=SYSTEM_TIME,
        variables=tuple(_variables(x, velocities, labels, residuals, matrix)),
        inputs=tuple(inputs),
        parameters=tuple(constants),
        matrix=matrix,
        rates=tuple(
            r if is_zero_by_itself(equations[i], i in moving) else -r for i, r in enumerate(rest)
        ),
        outputs=tuple(
            Definition(labels.quantity(n, Role.OUTPUT, f"output {n}"), e)
            for n, e in zip(outputs, shown, strict=True)
        ),
        equation_names=tuple(equation.name for equation in equations),
        small=small,
    )


def symbol_of_rate(item: sympy.Expr) -> Expr:
    return rate_symbol(Quantity(name_of(item), "1", "", Role.STATE))


def _read(
    expressions: Sequence[sympy.Expr], x: Sequence[sympy.Expr], u: Sequence[sympy.Expr]
) -> list[Expr]:
    known: dict[sympy.Expr, Expr] = {TIME: SYSTEM_TIME.symbol}
    for item in (*x, *u):
        known[item] = symbol(name_of(item))
    known |= {rate(item): symbol_of_rate(item) for item in x}
    for item in u:
        for order, suffix in enumerate(INPUT_RATES, start=1):
            known[rate(item, order)] = symbol(f"{name_of(item)}_{suffix}")
    return from_sympy(expressions, known)


def _input_quantities(
    u: Sequence[sympy.Expr], expressions: Iterable[sympy.Expr], labels: Labels
) -> list[Quantity]:
    """The inputs, each with as many of its derivatives as the equations hold."""
    held = set().union(*(e.atoms(sympy.Derivative) for e in expressions))
    found = []
    for item in u:
        quantity = labels.quantity(name_of(item), Role.INPUT, f"input {name_of(item)}")
        found.append(quantity)
        orders = [int(d.derivative_count) for d in held if d.expr == item]
        if max(orders, default=0) > len(INPUT_RATES):
            raise LanguageError(
                f"the equations hold the derivative of order {max(orders)} of the input {item}; "
                "make it a state, with its rate as the input"
            )
        for suffix in INPUT_RATES[: max(orders, default=0)]:
            rate_name = f"{name_of(item)}_{suffix}"
            text = f"derivative of the input {quantity.name}"
            unit = unit_of_rate(quantity.unit)
            quantity = Quantity(rate_name, unit, text, Role.INPUT, derivative_of=quantity.name)
            found.append(quantity)
    return found


def _linear_in_rates(
    name: str, equations: Sequence[Equation], residuals: Sequence[Expr], rates: Sequence[Expr]
) -> dict[tuple[int, int], Expr]:
    """A; refused where an entry holds a rate."""
    matrix = jacobian(residuals, rates)
    seen = dependent_nodes(topological_order(matrix.values()), rates)
    curved = sorted({i for (i, _), entry in matrix.items() if entry.node in seen})
    if curved:
        names = ", ".join(repr(equations[i].name) for i in curved)
        raise LanguageError(
            f"{name}: {names} cannot be written as A(x) x' = B(x, u): a rate occurs there to "
            "another power than 1, or within a function. Make that rate a variable of its own"
        )
    return matrix


def _variables(
    x: Sequence[sympy.Expr],
    velocities: Mapping[sympy.Expr, sympy.Expr],
    labels: Labels,
    residuals: Sequence[Expr],
    matrix: Mapping[tuple[int, int], Expr],
) -> list[Quantity]:
    """Coordinates, their velocities, what is only integrated, other states, algebraic ones."""
    moving = {j for _, j in matrix}
    coordinate_of = {velocity: coordinate for coordinate, velocity in velocities.items()}
    found = []
    for j, item in enumerate(x):
        name, role, text, unit = name_of(item), Role.STATE, "state", "1"
        if item in velocities:
            role, text = Role.COORDINATE, "coordinate"
        elif item in coordinate_of:
            coordinate = name_of(coordinate_of[item])
            role, text = Role.SPEED, f"rate of {coordinate}:"
            unit = unit_of_rate(labels.units.get(coordinate, "1"))
        elif j not in moving:
            role, text = Role.REACTION, "algebraic variable"
        found.append(labels.quantity(name, role, f"{text} {name}", unit))
    plain = [q for q in found if q.role is Role.STATE]
    carried = drifting(plain, residuals, [q for q in found if q.role is not Role.STATE])
    return [
        labels.quantity(q.name, Role.COORDINATE, f"coordinate {q.name}") if q.name in carried else q
        for q in found
    ]
