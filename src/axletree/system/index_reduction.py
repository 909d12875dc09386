"""From A x' = B to x' = f(x, u): constraints differentiated, and everything solved in order.

The unknowns are the rates of variables and the algebraic variables. What follows from the
equations without constraints is solved first; the rest is solved together with the
constraints, differentiated and stabilised, as Lot and Massaro 2017 do in eq. (44).

An equation among the variables alone, without rates and without algebraic variables, constrains
places or speeds. Its derivative has to hold for it to stay so: the second one for places, the
first one for speeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from axletree.core.errors import FormulationError
from axletree.core.units import unit_of_rate
from axletree.equations.constraints import Constraint
from axletree.equations.loads import LinkLoads
from axletree.expr import Expr, condensed, directional_derivative, jacobian, substitute, symbols_of
from axletree.expr.expression import ONE, ZERO
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.expr.simplification import regroup
from axletree.system.block_solver import BlockSolver, sample_values
from axletree.system.consistent_states import projection_of
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.projected import Projected
from axletree.system.structure import (
    NamedEquation,
    Unknown,
    blocks,
    check_equation_count,
    check_matching,
    match,
    underdetermined_part,
)
from axletree.system.system import Definition, ImplicitSystem, System, rate_symbol, redefined

Stabilisation = Baumgarte | Projected


def explicit_system(implicit: ImplicitSystem, stabilisation: Stabilisation | None = None) -> System:
    """The system of these equations; algebraic variables are among its outputs.

    Constraints are kept by Baumgarte's stabilisation unless another is given.
    """
    chosen = Baumgarte() if stabilisation is None else stabilisation
    equations, unknowns = named_equations(implicit), unknowns_of(implicit)
    found = _solve(implicit, equations, unknowns, chosen)
    states = [q for k, q in enumerate(implicit.variables) if k not in set(implicit.algebraic)]
    late = [q.symbol for q in (implicit.time, *states, *found.inputs)]
    definitions = _definitions(implicit, found.values)
    rates = [found.values[rate_symbol(q)] for q in states]
    new = condensed([*rates, *(d.expression for d in definitions)], late)
    projection = None
    if isinstance(chosen, Projected) and found.rows:
        moved = projection_of(implicit.name, states, found.rows, chosen.newton_steps)
        projection = tuple(regroup(moved, late))
    return System(
        name=implicit.name,
        time=implicit.time,
        states=Quantities(states),
        inputs=Quantities(found.inputs),
        parameters=Quantities(implicit.parameters),
        derivatives=tuple(new[: len(states)]),
        outputs=redefined(definitions, new[len(states) :]),
        intermediates=(),
        projection=projection,
        constraints=tuple(_constraint(row, states) for row in found.rows),
        implicit=implicit,
    )


def named_equations(implicit: ImplicitSystem) -> list[NamedEquation]:
    """A x' - B, with symbols for the rates."""
    residuals = [-rate for rate in implicit.rates]
    for (i, j), entry in implicit.matrix.items():
        residuals[i] = residuals[i] + entry * rate_symbol(implicit.variables[j])
    names = zip(implicit.equation_names, residuals, strict=True)
    return [NamedEquation(name, residual) for name, residual in names]


def unknowns_of(implicit: ImplicitSystem) -> list[Unknown]:
    algebraic = set(implicit.algebraic)
    return [
        Unknown(q.name, q.symbol) if k in algebraic else Unknown(f"{q.name}'", rate_symbol(q))
        for k, q in enumerate(implicit.variables)
    ]


@dataclass(frozen=True)
class _SolvedRates:
    values: Mapping[Expr, Expr]  # of the unknowns
    rows: Sequence[ReducedConstraint]
    inputs: tuple[Quantity, ...]


def _solve(
    implicit: ImplicitSystem,
    equations: Sequence[NamedEquation],
    unknowns: Sequence[Unknown],
    stabilisation: Stabilisation,
) -> _SolvedRates:
    rows = _incidence(equations, unknowns)
    free = [equation for equation, row in zip(equations, rows, strict=True) if row]
    held = [equation for equation, row in zip(equations, rows, strict=True) if not row]
    incidence = [row for row in rows if row]
    matching = match(incidence, range(len(unknowns)))
    check_equation_count(implicit.name, free, held, unknowns, matching)
    open_equations, open_unknowns = underdetermined_part(matching)
    solver = BlockSolver(
        implicit.name,
        unknowns,
        [q.symbol for q in (implicit.time, *implicit.variables, *implicit.inputs)],
        sample_values(implicit),
    )
    settled = {e: u for e, u in matching.unknown_of.items() if e not in open_equations}
    known = solver.solve(free, blocks(incidence, settled), {})
    table = RateTable(implicit, _variable_rates(implicit, known))
    left_open = [unknowns[u] for u in sorted(open_unknowns)]
    held_rows = [reduced_constraint(equation, table, left_open) for equation in held]
    rest = [free[e] for e in sorted(open_equations)]
    rest += [NamedEquation(r.name, r.acceleration - _wanted(r, stabilisation)) for r in held_rows]
    added = {q.symbol: q.default for q in table.inputs}
    solver = replace(solver, samples=[added | dict(values) for values in solver.samples])
    values = _solve_rest(solver, rest, sorted(open_unknowns), known)
    return _SolvedRates(values, held_rows, tuple(table.inputs))


def _variable_rates(implicit: ImplicitSystem, known: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """Rates as they were found, or as symbols where constraints have a say."""
    algebraic = set(implicit.algebraic)
    moving = [q for k, q in enumerate(implicit.variables) if k not in algebraic]
    return {q.symbol: known.get(rate_symbol(q), rate_symbol(q)) for q in moving}


def _solve_rest(
    solver: BlockSolver,
    rest: Sequence[NamedEquation],
    chosen: Sequence[int],
    known: Mapping[Expr, Expr],
) -> dict[Expr, Expr]:
    """The chosen unknowns from equations and derivatives of constraints, beside those known."""
    rows = _incidence(rest, [solver.unknowns[u] for u in chosen])
    incidence = [[chosen[k] for k in row] for row in rows]
    matching = match(incidence, chosen)
    check_matching(solver.system, rest, solver.unknowns, matching)
    return solver.solve(rest, blocks(incidence, matching.unknown_of), known)


def _incidence(equations: Sequence[NamedEquation], unknowns: Sequence[Unknown]) -> list[list[int]]:
    symbols = [unknown.symbol for unknown in unknowns]
    found: list[list[int]] = [[] for _ in equations]
    for i, j in jacobian([equation.residual for equation in equations], symbols):
        found[i].append(j)
    return found


def _wanted(row: ReducedConstraint, stabilisation: Stabilisation) -> Expr:
    """What the last derivative of a constraint is to be: 0 where states are projected."""
    if isinstance(stabilisation, Projected):
        return ZERO
    return row.velocity * (-2.0 * stabilisation.alpha) - row.position * stabilisation.beta**2


def _definitions(implicit: ImplicitSystem, values: Mapping[Expr, Expr]) -> list[Definition]:
    algebraic = [implicit.variables[k] for k in implicit.algebraic]
    found = [Definition(replace(q, role=Role.OUTPUT), values[q.symbol]) for q in algebraic]
    given = substitute([d.expression for d in implicit.outputs], values)
    return [*found, *redefined(implicit.outputs, given)]


def _constraint(row: ReducedConstraint, states: Sequence[Quantity]) -> Constraint:
    speeds = [q for q in states if q.role is Role.SPEED]
    symbols = [rate_symbol(q) for q in states]
    bias = substitute([row.acceleration], dict.fromkeys(symbols, ZERO))[0]
    slopes = jacobian([row.velocity], [q.symbol for q in speeds])
    return Constraint(
        source=row.name,
        reaction=Quantity(row.name, "1", "what holds the constraint", Role.REACTION),
        position=row.position,
        velocity=row.velocity,
        bias=bias,
        jacobian={j: entry for (_, j), entry in slopes.items()},
        loads=LinkLoads([], []),
    )


ORDERS = ("rate", "acceleration")  # suffixes of the derivatives of inputs
MOST_DIFFERENTIATIONS = 2  # derivatives


@dataclass(frozen=True)
class ReducedConstraint:
    """What is zero, its rate, and the derivative that is linear in rates yet to be found."""

    name: str
    position: Expr  # 0 where speeds are held
    velocity: Expr
    acceleration: Expr


class RateTable:
    """The rate of every symbol; derivatives of inputs become inputs where they are needed."""

    def __init__(self, implicit: ImplicitSystem, of_variables: Mapping[Expr, Expr]) -> None:
        self.implicit = implicit
        self.of_variables = of_variables
        self.inputs = list(implicit.inputs)  # and those that are added

    def derivative(self, expression: Expr, equation: str) -> Expr:
        rates = {self.implicit.time.symbol: ONE, **self.of_variables}
        present = set(symbols_of([expression]))
        for quantity in list(self.inputs):
            if quantity.symbol in present:
                rates[quantity.symbol] = self._input_rate(quantity, equation).symbol
        return directional_derivative([expression], rates)[0]

    def _input_rate(self, quantity: Quantity, equation: str) -> Quantity:
        for other in self.inputs:
            if other.derivative_of == quantity.name:
                return other
        order = 1 if quantity.derivative_of else 0
        if order and any(q.name == quantity.derivative_of and q.derivative_of for q in self.inputs):
            raise FormulationError(
                f"{self.implicit.name}: the derivatives of {equation!r} need the third derivative "
                f"of an input, that of {quantity.name}; make that input a state, with its rate as "
                "the input"
            )
        base = quantity.derivative_of or quantity.name
        rate = Quantity(
            f"{base}_{ORDERS[order]}",
            unit_of_rate(quantity.unit),
            f"derivative of the input {quantity.name}",
            Role.INPUT,
            derivative_of=quantity.name,
        )
        self.inputs.append(rate)
        return rate


def reduced_constraint(
    equation: NamedEquation, table: RateTable, open_unknowns: Sequence[Unknown]
) -> ReducedConstraint:
    """The derivative of least order that holds an unknown of the open ones."""
    symbols = [unknown.symbol for unknown in open_unknowns]
    chain = [equation.residual]
    for _ in range(MOST_DIFFERENTIATIONS):
        chain.append(table.derivative(chain[-1], equation.name))
        if jacobian(chain[-1:], symbols):
            position = chain[0] if len(chain) > MOST_DIFFERENTIATIONS else ZERO
            return ReducedConstraint(equation.name, position, chain[-2], chain[-1])
    names = ", ".join(unknown.name for unknown in open_unknowns)
    raise FormulationError(
        f"{table.implicit.name}: nothing sees to the constraint {equation.name!r}: neither it nor "
        f"its first two derivatives hold any of {names}; let the forces of the "
        "constraint act on the variables that it holds, or leave it out"
    )
