"""A x' = B in expressions that can be compiled, from equations of first order in SymPy.

With variables, inputs and parameters as quantities (units, values, sentences), and A, B and
A^-1 B in SymPy for people to read.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import sympy

from axletree.core.units import parse_unit, to_si, unit_of_rate
from axletree.expr import Expr, from_sympy, jacobian, substitute, symbol, symbols_of
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity, Role
from axletree.expr.traversal import dependent_nodes, topological_order
from axletree.language.expressions import Equation
from axletree.language.variables import TIME, LanguageError, is_variable, rate
from axletree.system.assemble import TIME_QUANTITY as SYSTEM_TIME
from axletree.system.structure import blocks, match
from axletree.system.system import Definition, ImplicitSystem, rate_symbol

if TYPE_CHECKING:
    from axletree.language.state_space import StateSpace

INPUT_RATES = ("rate", "acceleration")


def implicit_form(space: StateSpace) -> ImplicitSystem:
    """Of equations of first order."""
    name, equations, labels = space.name, space.equations, space.labels
    expressions = [*(e.residual for e in equations), *space.outputs.values()]
    inputs = _input_quantities(space.u, expressions, labels)
    free = sorted(set().union(*(e.free_symbols for e in expressions)) - {TIME}, key=str)
    constants = parameter_quantities(space.parameters, free, name, space.small)
    read = _read(expressions, space.x, space.u)
    residuals, shown = read[: len(equations)], read[len(equations) :]
    rates = [symbol_of_rate(item) for item in space.x]
    matrix = _linear_in_rates(name, equations, residuals, rates)
    rest = substitute(residuals, dict.fromkeys(rates, ZERO))
    moving = {i for i, _ in matrix}
    return ImplicitSystem(
        name=name,
        time=SYSTEM_TIME,
        variables=tuple(_variables(space, residuals, matrix)),
        inputs=tuple(inputs),
        parameters=tuple(constants),
        matrix=matrix,
        rates=tuple(
            r if is_zero_by_itself(equations[i], i in moving) else -r for i, r in enumerate(rest)
        ),
        outputs=tuple(
            Definition(labels.quantity(n, Role.OUTPUT, f"output {n}"), e)
            for n, e in zip(space.outputs, shown, strict=True)
        ),
        equation_names=tuple(equation.name for equation in equations),
        small={n: space.small[n] for n in map(name_of, space.x) if n in space.small},
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
    u: Sequence[sympy.Expr], expressions: Iterable[sympy.Expr], labels: QuantityLabels
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
    space: StateSpace, residuals: Sequence[Expr], matrix: Mapping[tuple[int, int], Expr]
) -> list[Quantity]:
    """Coordinates, their velocities, what is only integrated, other states, algebraic ones."""
    moving, labels = {j for _, j in matrix}, space.labels
    coordinate_of = {velocity: coordinate for coordinate, velocity in space.velocities.items()}
    found = []
    for j, item in enumerate(space.x):
        name, role, text, unit = name_of(item), Role.STATE, "state", "1"
        if item in space.velocities:
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


NOT_SMALL: Final = 1.0  # rad or m: no small displacement goes beyond, unless its bound is given


def name_of(item: Any) -> str:
    """The name of a variable, a parameter, or the name itself."""
    if isinstance(item, str):
        return item
    return str(item.func) if isinstance(item, sympy.Function) else str(item)


@dataclass(frozen=True)
class QuantityLabels:
    """What is known of variables beside the equations, by name."""

    units: Mapping[str, str] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)
    start: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        units: Mapping[Any, str] | None,
        descriptions: Mapping[Any, str] | None,
        start: Mapping[Any, Any] | None,
    ) -> QuantityLabels:
        by_name = {name_of(key): unit for key, unit in (units or {}).items()}
        for unit in by_name.values():
            parse_unit(unit)
        texts = {name_of(key): text for key, text in (descriptions or {}).items()}
        values = {
            name_of(key): to_si(value, expected=by_name.get(name_of(key), "1"))
            for key, value in (start or {}).items()
        }
        return cls(by_name, texts, values)

    def refuse_strangers(self, known: Sequence[str], small: Collection[str]) -> None:
        """What is said of names that the model does not have, ``small`` bounds among it."""
        said = {"units": self.units, "descriptions": self.descriptions, "start": self.start}
        for kind, names in {**said, "small": small}.items():
            strange = sorted(set(names) - set(known))
            if strange:
                raise LanguageError(
                    f"{kind} names {', '.join(strange)}, which is no variable, input, output "
                    f"or small parameter of the model; it has {', '.join(known)}"
                )

    def quantity(self, name: str, role: Role, text: str, unit: str = "1") -> Quantity:
        return Quantity(
            name,
            self.units.get(name, unit),
            self.descriptions.get(name, text),
            role,
            self.start.get(name, 0.0),
        )


def small_bounds(
    given: Mapping[Any, float] | None, equations: Sequence[Equation], x: Sequence[sympy.Expr]
) -> dict[str, float]:
    """By name: those given, and ``NOT_SMALL`` of others that the equations take as small."""
    small = frozenset().union(*(equation.small for equation in equations))
    constants = sorted((item for item in small if isinstance(item, sympy.Symbol)), key=str)
    bounds = {name_of(item): NOT_SMALL for item in (*x, *constants) if item in small}
    return bounds | {name_of(key): float(bound) for key, bound in (given or {}).items()}


def parameter_quantities(
    values: Mapping[Any, Any],
    used: Sequence[sympy.Symbol],
    model: str,
    small: Mapping[str, float],
) -> list[Quantity]:
    """The parameters that equations hold, in the order in which their values are given.

    Those that are small have their bounds, within which a run may change them.
    """
    given = {name_of(key): value for key, value in values.items()}
    names = {str(symbol) for symbol in used}
    missing = sorted(names - set(given))
    if missing:
        raise LanguageError(
            f"{model}: no value is given for {', '.join(missing)}; parameters={{symbol: value}} "
            "takes them, or (value, unit, sentence). What changes in time is a function of t, "
            "and goes under states, algebraic or inputs"
        )
    found = [_parameter(name, value) for name, value in given.items() if name in names]
    for q in found:
        if abs(q.default) > small.get(q.name, math.inf):
            raise LanguageError(
                f"{model}: parameter {q.name} was declared small, up to {small[q.name]:g} "
                f"{q.unit}, and is {q.default:g}: the equations are of first order in it and say "
                "nothing of so large a value; form them without declaring it small, or give it "
                "another bound"
            )
    return [
        replace(q, lower=-small[q.name], upper=small[q.name]) if q.name in small else q
        for q in found
    ]


def _parameter(name: str, given: Any) -> Quantity:
    parts = given if isinstance(given, tuple) else (given,)
    if not 1 <= len(parts) <= 3:
        raise LanguageError(
            f"parameter {name} is given as {given!r}; expected a value, or (value, unit, sentence)"
        )
    try:
        value = parts[0] if isinstance(parts[0], str) else float(parts[0])
    except TypeError:
        raise LanguageError(f"parameter {name} is {parts[0]!r}; expected a number") from None
    unit = parts[1] if len(parts) > 1 else "1"
    text = parts[2] if len(parts) > 2 else f"parameter {name}"
    return Quantity(name, unit, text, Role.PARAMETER, to_si(value, expected=unit))


def drifting(
    candidates: Sequence[Quantity], residuals: Sequence[Expr], outside: Sequence[Quantity]
) -> set[str]:
    """Of these variables, those that are only integrated: places on the ground, a heading.

    No equation holds such a variable, but for rates of others of its kind that come before.
    """
    holds = [set(symbols_of([residual])) for residual in residuals]
    rates = {rate_symbol(q): q.name for q in (*candidates, *outside)}
    moved = [{rates[s] for s in row if s in rates} for row in holds]
    found: set[str] = set()
    while True:
        more = {
            q.name
            for q in candidates
            if q.name not in found
            and all(
                q.symbol not in row or (own and own <= found)
                for row, own in zip(holds, moved, strict=True)
            )
        }
        if not more:
            return found
        found |= more


def matrices(
    equations: Sequence[Equation], x: Sequence[sympy.Expr]
) -> tuple[sympy.ImmutableMatrix, sympy.ImmutableMatrix]:
    """A and B of A x' = B."""
    plain = {rate(item): sympy.Dummy(f"rate_{k}") for k, item in enumerate(x)}
    column = {dummy: j for j, dummy in enumerate(plain.values())}
    A, B = sympy.zeros(len(equations), len(x)), sympy.zeros(len(equations), 1)
    for i, equation in enumerate(equations):
        residual = equation.residual.xreplace(plain)
        present = residual.atoms(sympy.Dummy) & set(column)
        for dummy in present:
            A[i, column[dummy]] = residual.diff(dummy)
        rest = residual.xreplace(dict.fromkeys(present, sympy.Integer(0)))
        B[i] = rest if is_zero_by_itself(equation, bool(present)) else -rest
    return sympy.ImmutableMatrix(A), sympy.ImmutableMatrix(B)


def is_zero_by_itself(equation: Equation, has_rates: bool) -> bool:
    """Whether a row of B is what stands on the left, as of a constraint, phi = 0.

    Of other equations B has what stands on the right, less what is left of the left.
    """
    return not has_rates and equation.right == 0


def solved_rates(
    name: str, A: sympy.ImmutableMatrix, B: sympy.ImmutableMatrix, x: Sequence[sympy.Expr]
) -> sympy.ImmutableMatrix:
    """x' = A^-1 B (Lot and Massaro 2017, eq. 40), block by block."""
    incidence = [[j for j in range(A.cols) if A[i, j] != 0] for i in range(A.rows)]
    matching = match(incidence, range(A.cols))
    if matching.unmatched_unknowns or matching.unmatched_equations:
        lacking = ", ".join(str(x[j].func) for j in matching.unmatched_unknowns)
        raise LanguageError(
            f"{name}: A is singular, so that it has no inverse: {lacking or 'no variable'} has no "
            "equation with its rate. Algebraic variables and constraints are solved by "
            "system(), which differentiates the constraints"
        )
    found: dict[int, sympy.Expr] = {}
    for block in blocks(incidence, matching.unknown_of):
        rows, columns = list(block.equations), list(block.unknowns)
        known = [j for j in found if any(A[i, j] != 0 for i in rows)]
        right = B.extract(rows, [0])
        if known:
            values = sympy.Matrix([found[j] for j in known])
            right = right - A.extract(rows, known) * values
        inner = A.extract(rows, columns)
        if _vanishes(inner):
            names = ", ".join(str(x[j].func) for j in columns)
            raise LanguageError(
                f"{name}: A is singular: its rows for the rates of {names} depend on one another"
            )
        solution = inner.LUsolve(right) if len(rows) > 1 else right / inner[0, 0]
        found |= dict(zip(columns, solution, strict=True))
    return sympy.ImmutableMatrix([found[j] for j in range(A.cols)])


def _vanishes(matrix: sympy.Matrix) -> bool:
    """Whether the determinant is 0 where all that occurs has arbitrary values."""
    items = sorted(matrix.atoms(sympy.Symbol, sympy.Function), key=str)
    outer = [item for item in items if isinstance(item, sympy.Symbol) or is_variable(item)]
    values = {item: sympy.Rational(k * k + 7, 11) for k, item in enumerate(outer, start=1)}
    return bool(abs(sympy.N(matrix.xreplace(values).det(), 30)) < 1e-20)
