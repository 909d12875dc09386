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
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.expr.simplification import regroup
from axletree.expr.traversal import dependent_nodes, replace_parts
from axletree.system.block_solver import regular_matrices, sampled_matrices
from axletree.system.consistent_states import FirstValues
from axletree.system.forms.contract import (
    ConstraintSolver,
    DefiniteSolver,
    Form,
    SemidefiniteSolver,
    constrained_matrix,
)
from axletree.system.forms.set_valued import step_rows
from axletree.system.mechanism import CLOSED, Mechanism, start_values
from axletree.system.outputs import mechanical_outputs, substitute_accelerations
from axletree.system.reactions import (
    check_reactions_determined,
    substitute_reactions,
    undetermined_outputs,
)
from axletree.system.start import Start, start_in_tree
from axletree.system.system import Definition, System, component_output, redefined

# First values are approximate where loops close. They may give way by these shares of the
# mechanism's size, of a radian, or of a speed: those that could be had alone, and those that no
# configuration of a mechanism that can move has.
APPROXIMATE, UNREACHED = 0.5, 0.05

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
    q, given, first = _assembled(mechanism, start)
    rows = mechanism.independent(q) if equations.constraints else []
    independent = [equations.constraints[i] for i in rows]
    redundant = (c for i, c in enumerate(equations.constraints) if i not in set(rows))
    check_reactions_determined(equations, mechanism.rows(q), rows)
    solver = _solver(mechanism, q, independent)
    solution = form.completed(mechanism, q, rows).solve(equations, solver)
    known, solution = substitute_reactions(equations, solution)
    solution = substitute_accelerations(known, solution)
    states = (
        *equations.speeds,
        *equations.coordinates,
        *(state.quantity for state in equations.internal),
    )
    states = tuple(replace(q, default=first.get(q.name, q.default)) for q in states)
    forces = [row.reaction for row in equations.set_valued]
    late = [q.symbol for q in (TIME_QUANTITY, *states, *equations.inputs, *forces)]
    rates = (*solution.speed_rates, *solution.coordinate_rates, *solution.internal_rates)
    intermediates = _intermediates(known)
    derivatives, parts = _condensed(rates, [d.expression for d in intermediates], late)
    outputs = _unique(mechanical_outputs(known, independent, solution), states)
    moved = solution.projection
    told = [one.quantity.name for one in outputs]
    open_ones = undetermined_outputs(mechanism, q, rows)
    return System(
        name=equations.name,
        time=TIME_QUANTITY,
        states=Quantities(states),
        inputs=Quantities(equations.inputs),
        parameters=Quantities(equations.parameters),
        derivatives=derivatives,
        outputs=_with_parts(outputs, parts),
        intermediates=_with_parts(intermediates, parts),
        projection=None if moved is None else tuple(regroup(moved, late)),
        source=replace(known, dynamics=equations.dynamics),  # with symbols, for people to read
        constraints=tuple(independent),
        redundant=tuple(c.reaction.name for c in redundant),
        dependent=solution.dependent,
        pivots=solution.pivots,
        undetermined={name: open_ones[name] for name in told if name in open_ones},
        rows=step_rows(known, solution.speed_rates, late) if known.set_valued else None,
        start=given,
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


def _assembled(
    plain: Mechanism, values: Mapping[str, float]
) -> tuple[np.ndarray, Start, Mapping[str, float]]:
    """Assembled coordinates, the start in the tree's variables, and the first values of these.

    First values of other variables are solved for. Where all are of the tree's, they stay as they
    are, approximate where loops have to close.
    """
    equations = plain.equations
    start, lost = start_in_tree(equations, values)
    if lost:
        raise FormulationError(_lost_text(equations, lost))
    mechanism = plain if start.outside.is_empty else plain.with_outside(start.outside)
    first = FirstValues(mechanism, values, start.given)
    try:
        q = first.assembled()
        moves = start.given.intersection(x.name for x in mechanism.speeds)
        p = first.speeds(q, {}) if moves else first.guess(mechanism.speeds)
    except InitialValueError as error:
        raise FormulationError(f"{equations.name} cannot be assembled: {error}") from None
    _refuse_missed(first, q, p)
    quantities = (*mechanism.coordinates, *mechanism.speeds)
    found = dict(zip((x.name for x in quantities), (*q.tolist(), *p.tolist()), strict=True))
    known = values if plain is mechanism else {**values, **found}
    return q[: len(equations.coordinates)], start, known


def _refuse_missed(first: FirstValues, q: np.ndarray, p: np.ndarray) -> None:
    """First values that the nearest configuration does not have, but for what loops take.

    Values may contradict one another a little, as approximate ones do; one that no configuration
    has is refused in any case.
    """
    mechanism = first.mechanism
    quantities = (*mechanism.coordinates, *mechanism.speeds)
    wanted, found = first.guess(quantities), np.array([*q, *p])
    off = np.abs(found - wanted)
    given = [k for k, x in enumerate(quantities) if x.name in first.wanted and off[k] > CLOSED]
    sizes = {"m": mechanism.size(q)} if given else {}
    for k in given:
        if k >= len(q):
            unit = quantities[k].unit
            sizes[unit] = max(sizes.get(unit, 0.0), abs(wanted[k]), abs(found[k]))
    shares = {k: off[k] / max(sizes.get(quantities[k].unit, 1.0), CLOSED) for k in given}
    least = UNREACHED if given and mechanism.can_move(q) else APPROXIMATE
    missed = [
        k for k in given
        if shares[k] > APPROXIMATE or (shares[k] > least and not first.can_be_alone(k, q))
    ]  # fmt: skip
    if missed:
        raise FormulationError(
            f"{mechanism.equations.name} cannot be assembled as its start says: "
            + ", ".join(
                f"{quantities[k].name} is given as {wanted[k]:.6g} {quantities[k].unit}, and the "
                f"nearest that closes has {round(float(found[k]), 9) + 0.0:.6g}"
                for k in missed
            )
            + "; give fewer first values or others, or check lengths and positions of frames"
        )


def _lost_text(equations: Equations, lost: Sequence[str]) -> str:
    return (
        f"{equations.name}: the start gives {', '.join(lost)}, which no state follows from in the "
        "tree in use; leave it out, or choose another tree with formulate(tree=[...])"
    )


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
