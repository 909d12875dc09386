"""From A x' = B to x' = f(x, u): constraints differentiated, and everything solved in order.

The unknowns are the rates of variables and the algebraic variables. What follows from the
equations without constraints is solved first; the rest is solved together with the
constraints, differentiated and stabilised, as Lot and Massaro 2017 do in eq. (44).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from axletree.core.expr import Expr, condensed, jacobian, substitute
from axletree.core.expr.expression import ZERO
from axletree.core.expr.regroup import regroup
from axletree.core.quantity import Quantity, Role
from axletree.formulation.closure import Constraint
from axletree.formulation.loads import LinkLoads
from axletree.system.block_solve import BlockSolver, NamedEquation, Unknown
from axletree.system.definition import Definition
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.projected import Projected
from axletree.system.held_rows import HeldRow, RateTable, held_row
from axletree.system.implicit import ImplicitSystem, rate_symbol
from axletree.system.least_change import projection_of
from axletree.system.miscount import refuse_miscount, refuse_unmatched
from axletree.system.sample import sample_values
from axletree.system.system import System
from axletree.system.triangular import blocks, left_open, match

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
    pairs = zip(definitions, new[len(states) :], strict=True)
    projection = None
    if isinstance(chosen, Projected) and found.rows:
        moved = projection_of(implicit.name, states, found.rows, chosen.newton_steps)
        projection = tuple(regroup(moved, late))
    return System(
        name=implicit.name,
        time=implicit.time,
        states=tuple(states),
        inputs=found.inputs,
        parameters=implicit.parameters,
        derivatives=tuple(new[: len(states)]),
        outputs=tuple(replace(d, expression=e) for d, e in pairs),
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
class _Found:
    values: Mapping[Expr, Expr]  # of the unknowns
    rows: Sequence[HeldRow]
    inputs: tuple[Quantity, ...]


def _solve(
    implicit: ImplicitSystem,
    equations: Sequence[NamedEquation],
    unknowns: Sequence[Unknown],
    stabilisation: Stabilisation,
) -> _Found:
    rows = _incidence(equations, unknowns)
    free = [equation for equation, row in zip(equations, rows, strict=True) if row]
    held = [equation for equation, row in zip(equations, rows, strict=True) if not row]
    incidence = [row for row in rows if row]
    matching = match(incidence, range(len(unknowns)))
    refuse_miscount(implicit.name, free, held, unknowns, incidence, matching)
    open_equations, open_unknowns = left_open(incidence, matching)
    solver = BlockSolver(
        implicit.name,
        unknowns,
        [q.symbol for q in (implicit.time, *implicit.variables, *implicit.inputs)],
        sample_values(implicit),
    )
    settled = {e: u for e, u in matching.unknown_of.items() if e not in open_equations}
    known = solver.solve(free, blocks(incidence, settled), {})
    table = RateTable(implicit, _variable_rates(implicit, known))
    held_rows = [held_row(e, table, [unknowns[u] for u in sorted(open_unknowns)]) for e in held]
    rest = [free[e] for e in sorted(open_equations)]
    rest += [NamedEquation(r.name, r.acceleration - _wanted(r, stabilisation)) for r in held_rows]
    solver = replace(solver, samples=_with_inputs(solver.samples, table.inputs))
    values = _solve_rest(solver, rest, sorted(open_unknowns), known)
    return _Found(values, held_rows, tuple(table.inputs))


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
    refuse_unmatched(solver.system, rest, solver.unknowns, incidence, matching)
    return solver.solve(rest, blocks(incidence, matching.unknown_of), known)


def _with_inputs(
    samples: Sequence[Mapping[Expr, float]], inputs: Iterable[Quantity]
) -> list[dict[Expr, float]]:
    """The samples with values for inputs that were added."""
    return [{q.symbol: q.default for q in inputs} | dict(values) for values in samples]


def _incidence(equations: Sequence[NamedEquation], unknowns: Sequence[Unknown]) -> list[list[int]]:
    symbols = [unknown.symbol for unknown in unknowns]
    found: list[list[int]] = [[] for _ in equations]
    for i, j in jacobian([equation.residual for equation in equations], symbols):
        found[i].append(j)
    return found


def _wanted(row: HeldRow, stabilisation: Stabilisation) -> Expr:
    """What the last derivative of a constraint is to be: 0 where states are projected."""
    if isinstance(stabilisation, Projected):
        return ZERO
    return row.velocity * (-2.0 * stabilisation.alpha) - row.position * stabilisation.beta**2


def _definitions(implicit: ImplicitSystem, values: Mapping[Expr, Expr]) -> list[Definition]:
    algebraic = [implicit.variables[k] for k in implicit.algebraic]
    found = [Definition(replace(q, role=Role.OUTPUT), values[q.symbol]) for q in algebraic]
    given = substitute([d.expression for d in implicit.outputs], values)
    pairs = zip(implicit.outputs, given, strict=True)
    return [*found, *(replace(d, expression=e) for d, e in pairs)]


def _constraint(row: HeldRow, states: Sequence[Quantity]) -> Constraint:
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
