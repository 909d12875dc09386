"""State space: equations collected, reduced to first order, A(x) x' = B(x, u), x' = f(x, u).

Lot and Massaro 2017, section 4. What equations hold must be declared; a model may be cut off
from some of its variables, such as a car whose trailer is left behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy
from sympy.physics.vector.printing import vlatex

from axletree.language import first_order
from axletree.language.expressions import Equation
from axletree.language.implicit_form import (
    QuantityLabels,
    implicit_form,
    matrices,
    name_of,
    small_bounds,
    solved_rates,
)
from axletree.language.variables import LanguageError, is_variable, rate
from axletree.system.index_reduction import Stabilisation, explicit_system
from axletree.system.system import ImplicitSystem, System


@dataclass(frozen=True, eq=False)
class StateSpace:
    """Equations of first order in x, with u given; row by row in the order of ``equations``.

    Example:
    >>> from axletree.language import parameters, rate, state_space, variable
    >>> m, k, x = *parameters("m k"), variable("x")  # kg, N/m, m
    >>> space = state_space("cart", [m * rate(x, 2) + k * x], [x], [], {m: 2.0, k: 50.0})
    >>> print(space.explicit().T)  # m/s, m/s^2
    Matrix([[V_x(t), -k*x(t)/m]])
    """

    name: str
    equations: tuple[Equation, ...]  # those of velocities, those given, constraints
    x: tuple[sympy.Expr, ...]  # states, then velocities that were not among them, then algebraic
    u: tuple[sympy.Expr, ...]
    parameters: Mapping[Any, Any]  # value, or (value, unit, sentence), by symbol or name
    velocities: Mapping[sympy.Expr, sympy.Expr]  # by coordinate
    outputs: Mapping[str, sympy.Expr] = field(default_factory=dict)
    labels: QuantityLabels = field(default_factory=QuantityLabels)
    small: Mapping[str, float] = field(default_factory=dict)  # bounds, by name of a variable

    @cached_property
    def algebraic(self) -> tuple[sympy.Expr, ...]:
        """Variables whose rates no equation holds."""
        held = set().union(*(e.residual.atoms(sympy.Derivative) for e in self.equations))
        return tuple(x for x in self.x if rate(x) not in held)

    @cached_property
    def A(self) -> sympy.ImmutableMatrix:
        """The matrix of the rates; a constraint has a row of zeros."""
        return self._matrices[0]

    @cached_property
    def B(self) -> sympy.ImmutableMatrix:
        """The right-hand side; of a constraint, phi = 0, it is phi."""
        return self._matrices[1]

    @cached_property
    def _matrices(self) -> tuple[sympy.ImmutableMatrix, sympy.ImmutableMatrix]:
        return matrices(self.equations, self.x)

    @cached_property
    def _implicit(self) -> ImplicitSystem:
        return implicit_form(self)

    def implicit(self) -> ImplicitSystem:
        """A x' = B in expressions that can be compiled.

        Example:
        >>> from axletree.language import parameters, rate, state_space, variables
        >>> c, (x, F) = parameters("c")[0], variables("x F")  # N s/m; m, N
        >>> damper = state_space("damper", [c * rate(x) - F], [x], [F], {c: 200.0}).implicit()
        >>> print(damper.matrix[0, 0], damper.rates[0])  # N s/m, N
        c F
        """
        return self._implicit

    def explicit(self) -> sympy.ImmutableMatrix:
        """A^-1 B (eq. 40), in SymPy; where A is singular ``system`` differentiates constraints.

        Example:
        >>> from axletree.language import parameters, rate, state_space, variables
        >>> c, (x, F) = parameters("c")[0], variables("x F")  # N s/m; m, N
        >>> state_space("damper", [c * rate(x) - F], [x], [F], {c: 200.0}).explicit()  # m/s
        Matrix([[F(t)/c]])
        """
        return solved_rates(self.name, self.A, self.B, self.x)

    def system(self, stabilisation: Stabilisation | None = None) -> System:
        """x' = f(x, u), to be simulated, trimmed, linearised and exported.

        Algebraic variables are outputs. Constraints are differentiated and stabilised:
        ``Baumgarte`` (eq. 44, the default) or ``Projected``, both of ``axletree.system.forms``.

        Example:
        >>> from axletree.language import parameters, rate, state_space, variable
        >>> m, k, x = *parameters("m k"), variable("x")  # kg, N/m, m
        >>> space = state_space("cart", [m * rate(x, 2) + k * x], [x], [], {m: 2.0, k: 50.0})
        >>> print(f"{abs(space.system().linearise().eigenvalues[0]):.3f} rad/s")  # sqrt(50 / 2)
        5.000 rad/s
        """
        return System(**vars(explicit_system(self.implicit(), stabilisation)))

    def without(self, *variables: sympy.Expr) -> StateSpace:
        """The rest of the model when these variables are cut off: forces 0, equations left out.

        Algebraic variables among them are 0. Equations that hold any of the others are left out,
        and so are those that say nothing any more.

        Example:
        >>> from axletree.language import parameters, rate, state_space, variables
        >>> m, (u, w, F) = parameters("m")[0], variables("u w F")  # kg; m/s of car, trailer; N
        >>> rows = [m * rate(u) + F, m * rate(w) - F]
        >>> train = state_space("train", rows, [u, w], constraints=[u - w], algebraic=[F])
        >>> print(*train.without(w, F).equations)
        m*u' = 0
        """
        return cut_off(self, variables)

    def latex(self) -> str:
        r"""x, u, A and B, then A x' = B, as lines of an ``aligned`` environment.

        Example:
        >>> from axletree.language import parameters, rate, state_space, variables
        >>> c, (x, F) = parameters("c")[0], variables("x F")  # N s/m; m, N
        >>> space = state_space("damper", [c * rate(x) - F], [x], [F], {c: 200.0})
        >>> print(space.latex().splitlines()[3])
        \mathbf{A} &= \left[\begin{matrix}c\end{matrix}\right] \\
        """
        rows = [(r"\mathbf{x}", self.x), (r"\mathbf{u}", self.u)]
        lines = [f"{left} &= {vlatex(sympy.Matrix(items).T)}^T" for left, items in rows if items]
        lines += [rf"\mathbf{{A}} &= {vlatex(self.A)}", rf"\mathbf{{B}} &= {vlatex(self.B)}"]
        lines.append(r"\mathbf{A} \, \dot{\mathbf{x}} &= \mathbf{B}")
        body = " \\\\\n".join(lines)
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def _repr_latex_(self) -> str:
        """What a notebook shows."""
        return f"$\\displaystyle {self.latex()}$"


def state_space(
    name: str,
    equations: Iterable[Any],
    states: Sequence[sympy.Expr],
    inputs: Sequence[sympy.Expr] = (),
    parameters: Mapping[Any, Any] | None = None,
    *,
    algebraic: Sequence[sympy.Expr] = (),
    constraints: Iterable[Any] = (),
    velocities: Mapping[sympy.Expr, Any] | None = None,
    switched_off: Mapping[sympy.Expr, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    units: Mapping[Any, str] | None = None,
    descriptions: Mapping[Any, str] | None = None,
    start: Mapping[Any, Any] | None = None,
    small: Mapping[Any, float] | None = None,
) -> StateSpace:
    """Collect equations and reduce them to first order.

    Parameters
    ----------
    equations: ``Equation``, ``sympy.Eq``, or expressions that are zero; lists of these.
    states: variables with rates, in the order in which x shall have them.
    inputs: variables that are given as functions of time; their rates may occur, too.
    parameters: values, or (value, unit, sentence), by symbol; more may be given than occur.
    algebraic: variables without rates; multipliers of constraints are added to them.
    constraints: objects with ``equations`` and ``multipliers``, or expressions that are zero.
    velocities: names or variables for the velocities of coordinates, V_z of z by default. One
        that is listed in ``states`` stands there in x, others after the states.
    switched_off: variables held at constant values, such as the forces of a hitch without a
        trailer.
    outputs: further expressions, by name; they may hold rates.
    units, descriptions, start: by variable, or by the name of an output; values in SI units,
        or texts with units.
    small: the magnitude up to which a variable or a parameter that was taken as small may go,
        in its unit; 1 rad or 1 m of displacements, and 1 of parameters, that the World of the
        equations has as small, if left out.

    Example:
    >>> from axletree.language import parameters, rate, state_space, variables
    >>> m, k, (x, F) = *parameters("m k"), variables("x F")  # kg, N/m, m, N
    >>> space = state_space("cart", [m * rate(x, 2) + k * x - F], [x], [F], {m: 2.0, k: 50.0})
    >>> steady = space.system().trim({"F": 10.0})
    >>> steady["x"]  # m: 10 / 50
    0.2
    """
    off = dict(switched_off or {})
    held = first_order.listed(constraints, "constraints")
    given = [first_order.evaluated(e) for e in first_order.collected(equations, "equation")]
    tied = [first_order.evaluated(e) for e in first_order.collected(held, "constraint")]
    given, tied = (first_order.switched(rows, off) for rows in (given, tied))
    orders = first_order.derivative_orders([*given, *tied])
    own = [q for q in distinct(states, "states") if q not in off]
    speeds = first_order.velocity_variables(orders, own, velocities or {})
    multipliers = [m for c in held for m in getattr(c, "multipliers", ()) if m in orders]
    others = [*distinct(algebraic, "algebraic"), *multipliers]
    x = tuple(dict.fromkeys([*own, *speeds.values(), *(z for z in others if z not in off)]))
    u = tuple(item for item in distinct(inputs, "inputs") if item not in off)
    refuse_undeclared(name, orders, x, u, others)
    given, tied = (first_order.reduced(rows, speeds) for rows in (given, tied))
    shown = [first_order.evaluated(Equation(n, e, 0)) for n, e in (outputs or {}).items()]
    shown = first_order.reduced(first_order.switched(shown, off), speeds)
    rows = [*first_order.velocity_equations(speeds), *given]
    rows += first_order.with_known_rates(tied, given)
    refuse_unknown_rates(name, shown, rows, x, u)
    labels = QuantityLabels.of(units, descriptions, start)
    bounds = small_bounds(small, given, x)
    constants = {str(s) for e in rows for s in (*e.residual.free_symbols, *e.small)}
    known = [*map(name_of, (*x, *u)), *(e.name for e in shown)]
    labels.refuse_strangers(known, small={name_of(key) for key in small or {}} - constants)
    return StateSpace(
        name=name,
        equations=tuple(rows),
        x=x,
        u=u,
        parameters=dict(parameters or {}),
        velocities=speeds,
        outputs={e.name: e.left for e in shown},
        labels=labels,
        small=bounds,
    )


Variables = Sequence[sympy.Expr]


def distinct(items: Variables, kind: str) -> list[sympy.Expr]:
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
    name: str, orders: Mapping[sympy.Expr, int], x: Variables, u: Variables, algebraic: Variables
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
    name: str, outputs: Sequence[Equation], rows: Sequence[Equation], x: Variables, u: Variables
) -> None:
    """An output may hold variables, and rates that are found or given."""
    moving = first_order.derivative_orders(rows)
    for output in outputs:
        for item, order in first_order.derivative_orders([output]).items():
            if item not in (*x, *u) or (item in x and order > min(1, moving.get(item, 0))):
                what = f"the derivative of order {order} of {item}" if order else str(item)
                raise LanguageError(
                    f"{name}: the output {output.name!r} holds {what}, which the equations do not "
                    "determine; outputs hold variables, inputs, and first rates of states"
                )


_KINDS = (sympy.Function, sympy.Derivative)


def cut_off(space: StateSpace, variables: Sequence[sympy.Expr]) -> StateSpace:
    """Forces among the variables are 0, and equations that hold any of the others are left out."""
    gone = set(variables)
    for item in variables:
        if item not in space.x:
            known = ", ".join(str(x.func) for x in space.x)
            raise LanguageError(f"{space.name} has no variable {item}; it has {known}")
    gone |= {space.velocities[q] for q in gone if q in space.velocities}
    forces = gone & set(space.algebraic)
    moving = (gone - forces) | {rate(q) for q in gone - forces}
    kept = [e for e in space.equations if not e.residual.atoms(*_KINDS) & moving]
    off = dict.fromkeys(forces, 0)
    outputs = {n: e for n, e in space.outputs.items() if not e.atoms(*_KINDS) & moving}
    new = first_order.switched([Equation(n, e, 0) for n, e in outputs.items()], off)
    left = [e for e in first_order.switched(kept, off) if e.residual != 0]
    return replace(
        space,
        equations=tuple(left),
        x=tuple(x for x in space.x if x not in gone),
        velocities={q: v for q, v in space.velocities.items() if q not in gone},
        outputs={e.name: e.left for e in new},
    )
