"""Equations of second order as twice as many of first order: velocities become variables.

Lot and Massaro 2017, eqs. (36) and (41).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy

from axletree.language.expressions import Equation
from axletree.language.variables import TIME, LanguageError, is_rate, is_variable, rate, variable


def collected(equations: Iterable[Any], kind: str) -> list[Equation]:
    """Equations one after another, whatever they come as; an expression is one that is zero.

    Lists, matrices, and constraints, which have equations of their own, are looked into.
    """
    found: list[Equation] = []
    for item in listed(equations, f"{kind}s"):
        if isinstance(item, Equation):
            found.append(item)
        elif isinstance(item, sympy.Equality):
            found.append(Equation(f"{kind} {len(found) + 1}", item.lhs, item.rhs))
        elif hasattr(item, "equations") and hasattr(item, "multipliers"):
            found += _of_constraint(item, f"{kind} {len(found) + 1}")
        elif isinstance(item, (list, tuple, sympy.MatrixBase)):
            inner = collected(item, kind)
            found += [_renumbered(e, kind, len(found) + k) for k, e in enumerate(inner, start=1)]
        elif isinstance(item, sympy.Expr):
            found.append(Equation(f"{kind} {len(found) + 1}", item, sympy.Integer(0)))
        else:
            raise LanguageError(
                f"{item!r} is no equation: expected sympy.Eq(left, right), an expression that is "
                "zero, or what a body or a constraint returns as its equations"
            )
    return found


def listed(items: Any, kind: str) -> list[Any]:
    """The items of a list, or of a matrix."""
    if not isinstance(items, Iterable | sympy.MatrixBase):
        raise LanguageError(f"{kind} are given as a list, [{items}], even if there is one only")
    return list(items)


def _of_constraint(constraint: Any, name: str) -> list[Equation]:
    name = getattr(constraint, "name", name)
    rows = list(constraint.equations)
    names = [name] if len(rows) == 1 else [f"{name}, row {k}" for k in range(1, len(rows) + 1)]
    return [Equation(n, e, sympy.Integer(0)) for n, e in zip(names, rows, strict=True)]


def _renumbered(equation: Equation, kind: str, number: int) -> Equation:
    """Numbers go on through lists within lists; names stay."""
    own = equation.name.removeprefix(f"{kind} ")
    if own == equation.name or not own.isdigit():
        return equation
    return replace(equation, name=f"{kind} {number}")


def evaluated(equation: Equation) -> Equation:
    """With every derivative that of a variable."""
    sides = []
    for side in (equation.left, equation.right):
        derivatives = side.atoms(sympy.Derivative)
        done = side if all(is_rate(d) for d in derivatives) else side.doit()
        strange = [d for d in done.atoms(sympy.Derivative) if not is_rate(d)]
        if strange:
            raise LanguageError(
                f"{equation.name!r} holds {strange[0]}, which is no derivative of a variable by "
                "time; variables are functions of time alone: variables('x y')"
            )
        sides.append(done)
    return replace(equation, left=sides[0], right=sides[1])


def derivative_orders(equations: Iterable[Equation]) -> dict[sympy.Expr, int]:
    """The highest derivative of every variable that occurs; 0 where there is none."""
    found: dict[sympy.Expr, int] = {}
    for equation in equations:
        residual = equation.residual
        for derivative in residual.atoms(sympy.Derivative):
            order = int(derivative.derivative_count)
            found[derivative.expr] = max(found.get(derivative.expr, 0), order)
        for function in residual.atoms(sympy.Function):
            if is_variable(function):
                found.setdefault(function, 0)
    return found


def velocity_variables(
    orders: Mapping[sympy.Expr, int],
    states: Sequence[sympy.Expr],
    named: Mapping[sympy.Expr, Any],
) -> dict[sympy.Expr, sympy.Expr]:
    """A variable for the velocity of each coordinate, V_z of z unless it is named."""
    for coordinate in named:
        if coordinate not in states:
            raise LanguageError(
                f"velocities names {coordinate}, which is not among the states; give the "
                "velocities of coordinates that are"
            )
    found = {}
    for coordinate in states:
        order = orders.get(coordinate, 0)
        if order > 2:
            raise LanguageError(
                f"the equations hold the derivative of order {order} of {coordinate}; equations of "
                "motion are of order 2 at most, so make its acceleration a variable of its own"
            )
        if order == 2 or coordinate in named:
            name = named.get(coordinate, f"V_{coordinate.func}")
            found[coordinate] = variable(name) if isinstance(name, str) else name
    return found


def reduced(
    equations: Iterable[Equation], velocities: Mapping[sympy.Expr, sympy.Expr]
) -> list[Equation]:
    """The equations with velocities in the place of first derivatives of coordinates."""
    new: dict[sympy.Expr, sympy.Expr] = {}
    for coordinate, velocity in velocities.items():
        new[rate(coordinate)] = velocity
        new[rate(coordinate, 2)] = sympy.Derivative(velocity, TIME)
    return [_exchanged(e, new) for e in equations]


def _exchanged(equation: Equation, new: Mapping[sympy.Expr, sympy.Expr]) -> Equation:
    left, right = equation.left.xreplace(new), equation.right.xreplace(new)
    return replace(equation, left=left, right=right)


def velocity_equations(velocities: Mapping[sympy.Expr, sympy.Expr]) -> list[Equation]:
    """z' = V_z, eqs. (36) and (41)."""
    return [
        Equation(f"velocity of {coordinate.func}", rate(coordinate), velocity)
        for coordinate, velocity in velocities.items()
    ]


def with_known_rates(rows: Iterable[Equation], equations: Iterable[Equation]) -> list[Equation]:
    """Constraints with the rates that other equations state, x' = ..., put in.

    Such are the tracking equations (5); what is left then holds speeds alone.
    """
    known = {
        e.left: e.right
        for e in equations
        if is_rate(e.left, 1) and not e.right.atoms(sympy.Derivative)
    }
    return [_exchanged(e, known) for e in rows]


def switched(equations: Iterable[Equation], off: Mapping[sympy.Expr, Any]) -> list[Equation]:
    """The equations with variables held at constant values."""
    new: dict[sympy.Expr, sympy.Expr] = {}
    for item, value in off.items():
        new[item] = sympy.sympify(value)
        new |= {rate(item, order): sympy.Integer(0) for order in (1, 2)}
    return [_exchanged(e, new) for e in equations]
