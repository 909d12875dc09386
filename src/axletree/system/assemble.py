"""From equations to a system: redundant constraints left out, solved in the chosen form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from axletree.components.signals import TIME
from axletree.core.errors import FormulationError, InitialValueError
from axletree.equations.constraints import Constraint
from axletree.equations.equations import Equations
from axletree.expr import Expr, condensed, topological_order
from axletree.expr.factorisation import choose_pivots
from axletree.expr.quantity import Quantity, Role
from axletree.expr.simplification import regroup
from axletree.expr.traversal import dependent_nodes, replace_parts
from axletree.system.block_solver import regular_matrices, sampled_matrices
from axletree.system.forms.contract import (
    ConstraintSolver,
    DefiniteSolver,
    Form,
    SemidefiniteSolver,
    constrained_matrix,
)
from axletree.system.forms.set_valued import step_rows
from axletree.system.mechanism import Mechanism, start_values
from axletree.system.outputs import mechanical_outputs
from axletree.system.reactions import check_reactions_determined, substitute_reactions
from axletree.system.system import Definition, System, component_output, redefined

TIME_QUANTITY = Quantity(TIME.name, "s", "time", Role.TIME)


def assemble(equations: Equations, form: Form, start: Mapping[str, float]) -> System:
    """The system of these equations; ``start`` holds approximate coordinates by name.

    Example:
    >>> import axletree as at
    >>> from axletree.equations.derivation import derive_equations
    >>> from axletree.system.assemble import assemble
    >>> from axletree.system.forms.projected import Projected
    >>> model = at.read_model("pendulum")
    >>> system = assemble(derive_equations(model), Projected(), model.start)
    >>> [f"{state.name} [{state.unit}]" for state in system.states]
    ['pin.rate [rad/s]', 'pin.angle [rad]']
    """
    mechanism = Mechanism(equations, start_values(equations) | {TIME_QUANTITY.symbol: 0.0})
    q = _assembled(mechanism, start)
    rows = mechanism.independent(q) if equations.constraints else []
    independent = [equations.constraints[i] for i in rows]
    redundant = (c for i, c in enumerate(equations.constraints) if i not in set(rows))
    check_reactions_determined(equations, mechanism.rows(q), rows)
    solver = _solver(mechanism, q, independent)
    solution = form.completed(mechanism, q, rows).solve(equations, solver)
    known, solution = substitute_reactions(equations, solution)
    states = (
        *equations.speeds,
        *equations.coordinates,
        *(state.quantity for state in equations.internal),
    )
    states = tuple(replace(q, default=start.get(q.name, q.default)) for q in states)
    forces = [row.reaction for row in equations.set_valued]
    late = [q.symbol for q in (TIME_QUANTITY, *states, *equations.inputs, *forces)]
    rates = (*solution.speed_rates, *solution.coordinate_rates, *solution.internal_rates)
    intermediates = _intermediates(known)
    derivatives, parts = _condensed(rates, [d.expression for d in intermediates], late)
    outputs = _unique(mechanical_outputs(known, independent, solution), states)
    moved = solution.projection
    return System(
        name=equations.name,
        time=TIME_QUANTITY,
        states=states,
        inputs=equations.inputs,
        parameters=equations.parameters,
        derivatives=derivatives,
        outputs=_with_parts(outputs, parts),
        intermediates=_with_parts(intermediates, parts),
        projection=None if moved is None else tuple(regroup(moved, late)),
        source=replace(known, dynamics=equations.dynamics),  # with symbols, for people to read
        constraints=tuple(independent),
        redundant=tuple(c.reaction.name for c in redundant),
        rows=step_rows(known, solution.speed_rates, late) if known.set_valued else None,
    )


def _condensed(
    rates: Sequence[Expr], named: Sequence[Expr], late: Sequence[Expr]
) -> tuple[tuple[Expr, ...], dict[Expr, Expr]]:
    """The rates, and their parts that outputs tell of, by what these were before.

    Such are the results of calls, and intermediate variables, which stay whole.
    """
    order = topological_order(rates)
    wanted = {e.node for e in named}
    found = [Expr(1.0, n) for n in order if n.operation == "output" or (n in wanted and n.operands)]
    new = condensed([*rates, *found], late)
    return tuple(new[: len(rates)]), dict(zip(found, new[len(rates) :], strict=True))


def _with_parts(
    definitions: Sequence[Definition], parts: Mapping[Expr, Expr]
) -> tuple[Definition, ...]:
    """Outputs that the rates compute, too, are computed once."""
    return redefined(definitions, replace_parts([d.expression for d in definitions], parts))


def _assembled(mechanism: Mechanism, start: Mapping[str, float]) -> np.ndarray:
    equations = mechanism.equations
    guess = np.array([start.get(q.name, q.default) for q in equations.coordinates])
    try:
        return mechanism.assembled(guess)
    except InitialValueError as error:
        raise FormulationError(f"{equations.name} cannot be assembled: {error}") from None


def _solver(
    mechanism: Mechanism, q: np.ndarray, independent: Sequence[Constraint]
) -> ConstraintSolver:
    equations = mechanism.equations
    if mechanism.mass_is_definite(q):
        return DefiniteSolver(equations, independent)
    if not independent:
        raise FormulationError(
            f"the mass matrix of {equations.name} is singular: some of the speeds "
            f"{', '.join(x.name for x in equations.speeds)} move nothing that has inertia; "
            "give the bodies mass and inertia, or weld them"
        )
    return SemidefiniteSolver(equations, independent, _pivots(mechanism, q, independent))


def _pivots(
    mechanism: Mechanism, q: np.ndarray, independent: Sequence[Constraint]
) -> list[tuple[int, int]]:
    """Of the mass matrix with the constraints, which are safe where it starts and elsewhere."""
    equations = mechanism.equations
    entries = constrained_matrix(equations, independent)
    size = len(equations.speeds) + len(independent)
    matrices = sampled_matrices(entries, size, mechanism.samples(q))
    regular = regular_matrices(matrices)
    internal = (state.quantity for state in equations.internal)
    states = (*equations.speeds, *equations.coordinates, *internal, *equations.inputs)
    late = [x.symbol for x in (TIME_QUANTITY, *states)]
    moving = dependent_nodes(topological_order(entries.values()), late)
    varying = {place for place, entry in entries.items() if entry.node in moving}
    return choose_pivots(entries, regular, varying) if len(regular) else []


def _intermediates(equations: Equations) -> tuple[Definition, ...]:
    return tuple(
        component_output(a.component, v, v.expression)
        for a in equations.answers
        for v in a.response.intermediates
    )


def _unique(outputs: Sequence[Definition], states: Sequence[Quantity]) -> list[Definition]:
    """The first of each name: what a component says of itself goes before what is derived."""
    taken = {quantity.name for quantity in states}
    found: dict[str, Definition] = {}
    for one in outputs:
        if one.quantity.name not in taken:
            found.setdefault(one.quantity.name, one)
    return list(found.values())
