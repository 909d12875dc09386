"""Whether what equations hold is declared, and as what it is declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import sympy

from axletree.language import first_order
from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.variables import is_variable


def distinct(items: Sequence[sympy.Expr], kind: str) -> list[sympy.Expr]:
    for item in first_order.listed(items, kind):
        if not is_variable(item):
            raise LanguageError(
                f"{item} stands under {kind}, and is no variable: these are functions of time, "
                "made by variables('x y'); a rate or a parameter is none"
            )
    twice = sorted({str(item) for item in items if list(items).count(item) > 1})
    if twice:
        raise LanguageError(f"{', '.join(twice)} stands more than once under {kind}")
    return list(items)


def refuse_undeclared(
    name: str,
    orders: Mapping[sympy.Expr, int],
    x: Sequence[sympy.Expr],
    u: Sequence[sympy.Expr],
    algebraic: Sequence[sympy.Expr],
) -> None:
    both = [str(item) for item in u if item in x]
    if both:
        raise LanguageError(f"{name}: {', '.join(both)} is a state and an input; choose one")
    strays = sorted(str(item) for item in orders if item not in x and item not in u)
    doubles = [item for item in strays if item in map(str, (*x, *u))]
    if doubles:
        raise LanguageError(
            f"{name}: {', '.join(doubles)} in the equations is another variable than that of the "
            "same name in the lists, which is real; make it once, by variables('x y')"
        )
    if strays:
        raise LanguageError(
            f"{name}: the equations hold {', '.join(strays)}, which is neither a state nor "
            "algebraic nor an input; add each to one of these lists, or switch it off"
        )
    moving = sorted(str(item) for item in algebraic if orders.get(item, 0) > 0)
    if moving:
        raise LanguageError(
            f"{name}: the equations hold rates of {', '.join(moving)}, declared algebraic; "
            "what has a rate goes under states"
        )


def refuse_unknown_rates(
    name: str,
    outputs: Sequence[Equation],
    equations: Sequence[Equation],
    x: Sequence[sympy.Expr],
    u: Sequence[sympy.Expr],
) -> None:
    """An output may hold variables, and rates that are found or given."""
    moving = first_order.derivative_orders(equations)
    for output in outputs:
        for item, order in first_order.derivative_orders([output]).items():
            if item not in (*x, *u) or (item in x and order > min(1, moving.get(item, 0))):
                what = f"the derivative of order {order} of {item}" if order else str(item)
                raise LanguageError(
                    f"{name}: the output {output.name!r} holds {what}, which the equations do not "
                    "determine; outputs hold variables, inputs, and first rates of states"
                )


def known_variables(
    variables: Iterable[sympy.Expr], known: Sequence[sympy.Expr], name: str
) -> list[sympy.Expr]:
    found = list(variables)
    for item in found:
        if item not in known:
            raise LanguageError(
                f"{name} has no variable {item}; it has {', '.join(str(x.func) for x in known)}"
            )
    return found
