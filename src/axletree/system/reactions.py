"""Reactions: outputs of what holds a mechanism together and drives it, efforts, and their power.

Loads may depend on reactions, as the friction of a wheel whose height is constrained does.
Equations have symbols for these; what a system computes has their values instead
(``substitute_reactions``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from axletree.components.edges import MECHANICAL, Edge, MotionLaw, TranslationLaw
from axletree.core.errors import FormulationError
from axletree.core.registry import few_names
from axletree.equations.constraints import Constraint, chord_constraints
from axletree.equations.equations import Equations
from axletree.equations.links import Connection
from axletree.equations.loads import BranchThrough, LinkLoads, accumulate
from axletree.equations.responses import ComponentResponse
from axletree.equations.set_valued_forces import with_values
from axletree.expr import Expr, evaluate, substitute, symbol
from axletree.expr.evaluation import evaluate_matrix
from axletree.expr.vectors import NULL, Vector
from axletree.system.forms.contract import Solution
from axletree.system.mechanism import Mechanism, exchangeable_rows
from axletree.system.system import Definition, System, component_output, output, vector_outputs


def branch_reactions(equations: Equations, through: BranchThrough) -> Iterator[Definition]:
    """What each branch holds: the opposite of the loads beyond it, freedoms left out."""
    k = equations.dynamics.kinematics
    turns = {t.connection.edge: t for t in k.turnings}
    slides = {s.connection.edge: s for s in k.slidings}
    for connection in (*k.links.translations, *k.links.rotations):
        edge, child = connection.edge, connection.child
        tail = connection.tail
        if isinstance(edge.law, TranslationLaw):
            in_tail = k.rotation(tail.link, k.linear_axes[child]) @ through.forces[child]
            partials = slides[edge].partials
        else:
            in_tail = k.rotation(tail.link, child) @ through.moments[child]
            partials = turns[edge].partials
        held = tail.R_LF.T @ (-in_tail if connection.forward else in_tail)
        if len(partials) == 3:
            continue
        if _is_driver(connection):
            yield from _driver_reactions(equations, edge, held)
        else:
            yield from _reaction(edge, _without_freedom(connection, held))


def chord_reactions(
    independent: Sequence[Constraint], reactions: Sequence[Expr]
) -> Iterator[Definition]:
    """The reactions of each chord added up to a vector, under the names that branches use."""
    totals: dict[Edge, Vector] = {}
    for constraint, reaction in zip(independent, reactions, strict=True):
        if constraint.edge is not None:
            added = constraint.direction * reaction
            totals[constraint.edge] = totals.get(constraint.edge, NULL) + added
    for edge, total in totals.items():
        yield from _reaction(edge, total)


def efforts(independent: Sequence[Constraint], reactions: Sequence[Expr]) -> Iterator[Definition]:
    """What laws tell of their reactions, where none of them is redundant."""
    known: dict[Edge, dict[str, Expr]] = {}
    for constraint, reaction in zip(independent, reactions, strict=True):
        if constraint.edge is not None:
            suffix = constraint.reaction.name.removeprefix(f"{constraint.edge.component}.")
            known.setdefault(constraint.edge, {})[suffix] = reaction
    for edge, by_suffix in known.items():
        law = edge.law
        assert isinstance(law, MotionLaw)
        if len(by_suffix) == len(law.reactions):
            for variable, value in law.efforts(by_suffix):
                yield component_output(edge.component, variable, value)
            if law.given_rate is not None:
                yield _power(edge, law.given_rate * next(iter(by_suffix.values())))


def _power(driver: Edge, power: Expr) -> Definition:
    return output(f"{driver.component}.power", "W", "power of the driver", power)


def _reaction(edge: Edge, on_head: Vector) -> Iterator[Definition]:
    word, unit = ("force", "N") if isinstance(edge.law, TranslationLaw) else ("moment", "N*m")
    name, text = f"{edge.component}.reaction.{word}", f"the {word} on the head, tail axes"
    yield from vector_outputs(name, unit, text, on_head)


def _without_freedom(connection: Connection, held: Vector) -> Vector:
    """A joint holds nothing along its single freedom; what acts there are other components."""
    law = connection.edge.law
    axis = law.freedom if isinstance(law, MotionLaw) else None
    if axis is None or not connection.speeds:
        return held
    return held - axis * axis.dot(held)


def _is_driver(connection: Connection) -> bool:
    law = connection.edge.law
    assert isinstance(law, MotionLaw)
    return law.given_rate is not None


def _driver_reactions(equations: Equations, edge: Edge, held: Vector) -> Iterator[Definition]:
    """The driver's share is along its axis; the rest is held by the joint beside it."""
    law = edge.law
    assert isinstance(law, MotionLaw)
    assert law.freedom is not None
    assert law.given_rate is not None
    effort = law.freedom.dot(held)
    along = law.freedom * effort
    yield from _reaction(edge, along)
    yield component_output(edge.component, law.reactions[0], effort)
    yield _power(edge, effort * law.given_rate)
    for other in equations.trees[edge.domain].chords:
        beside = (other.tail, other.head) == (edge.tail, edge.head)
        if beside and isinstance(other.law, MotionLaw) and other.law.freedom == law.freedom:
            yield from _reaction(other, held - along)


def check_reactions_determined(
    equations: Equations, matrix: np.ndarray, independent: Sequence[int]
) -> None:
    """No load may depend on a reaction that the equations leave open; ``matrix`` is C."""
    if not equations.needed_reactions:
        return
    for row in exchangeable_rows(matrix, independent):
        reaction = equations.constraints[row].reaction
        if reaction.symbol in equations.needed_reactions:
            raise FormulationError(
                f"loads depend on {reaction.name}, which the equations of {equations.name} do not "
                "determine: something else holds the same motion, as a fourth rigid wheel under a "
                "rigid car does, or a joint that keeps a wheel at its height; give one of them a "
                "stiffness, or leave out what holds the motion beside it"
            )


_OPEN = 1e-9  # of the largest reaction in the same unit: more than rounding leaves
_CLOSED = 1e3  # times what stresses fail to balance by: more than loops that nearly close leave


def undetermined_outputs(
    mechanism: Mechanism, q: np.ndarray, independent: Sequence[int]
) -> dict[str, tuple[str, ...]]:
    """Outputs that reactions may change without any motion, and the constraints left out.

    Every constraint that is left out, as it depends on the ``independent`` ones or holds whatever
    happens, may press with any force which the others take up: C' n = 0. What n leaves in any
    reaction is not determined by the motion. Looked at near the configuration ``q``, too, for in
    one alone a reaction may happen to be at right angles to n.
    """
    equations = mechanism.equations
    constraints = (*equations.constraints, *_idle_constraints(equations))
    left_out = [i for i in range(len(constraints)) if i not in set(independent)]
    if not left_out:
        return {}
    reactions = [symbol(f"stress:{constraint.reaction.name}") for constraint in constraints]
    outputs = _reaction_outputs(equations, constraints, reactions)
    units = np.array([d.quantity.unit for d in outputs])
    feels = np.zeros((len(outputs), len(left_out)), dtype=bool)
    for trial in mechanism.nearby(q):
        values = mechanism.at(trial)
        stresses, unbalanced = _self_stresses(constraints, independent, left_out, values)
        stressed = {**values, **dict(zip(reactions, stresses, strict=True))}
        numbers = evaluate([d.expression for d in outputs], stressed)
        sizes = np.abs([np.broadcast_to(one, len(left_out)) for one in numbers])
        largest = np.array([sizes[units == unit].max(axis=0) for unit in units])
        feels |= sizes > max(_OPEN, _CLOSED * unbalanced) * np.maximum(1.0, largest)
    names = [constraints[i].reaction.name for i in left_out]
    return {
        d.quantity.name: tuple(names[j] for j in np.flatnonzero(row))
        for d, row in zip(outputs, feels, strict=True)
        if row.any()
    }


def _reaction_outputs(
    equations: Equations, constraints: Sequence[Constraint], reactions: Sequence[Expr]
) -> list[Definition]:
    """Of all joints, under reactions of constraints alone."""
    k = equations.dynamics.kinematics
    loads = LinkLoads.none(k)
    for constraint, reaction in zip(constraints, reactions, strict=True):
        loads.add(constraint.loads.scaled(reaction))
    return [
        *(Definition(c.reaction, e) for c, e in zip(constraints, reactions, strict=True)),
        *chord_reactions(constraints, reactions),
        *efforts(constraints, reactions),
        *branch_reactions(equations, accumulate(k, loads)),
    ]


def _self_stresses(
    constraints: Sequence[Constraint],
    independent: Sequence[int],
    left_out: Sequence[int],
    values: Mapping[Expr, float],
) -> tuple[np.ndarray, float]:
    """For each constraint left out, in columns: reactions, its own 1, that move nothing.

    With the largest effort on any speed that they leave all the same.
    """
    entries = {(i, j): e for i, c in enumerate(constraints) for j, e in c.jacobian.items()}
    speeds = 1 + max((j for _, j in entries), default=0)
    C = evaluate_matrix(entries, (len(constraints), speeds), values)
    stresses = np.zeros((len(constraints), len(left_out)))
    stresses[list(left_out), range(len(left_out))] = 1.0
    if len(independent):
        shares, *_ = np.linalg.lstsq(C[list(independent)].T, C[list(left_out)].T, rcond=None)
        stresses[list(independent)] = -shares
    return stresses, float(np.abs(C.T @ stresses).max())


def _idle_constraints(equations: Equations) -> list[Constraint]:
    """What chords hold that the variables of the tree cannot violate.

    A joint that a driver stands for in the tree holds what the driver does not, and no more.
    """
    k, found = equations.dynamics.kinematics, []
    formed = Counter(c.edge for c in equations.constraints)
    for tree in (equations.trees[domain] for domain in MECHANICAL):
        driven = {
            (b.edge.tail, b.edge.head, b.edge.law.freedom)
            for b in tree.branches
            if isinstance(b.edge.law, MotionLaw) and b.edge.law.given_rate is not None
        }
        for edge in tree.chords:
            law = edge.law
            if not isinstance(law, MotionLaw) or len(law.reactions) == formed[edge]:
                continue
            if (edge.tail, edge.head, law.freedom) not in driven:
                found += chord_constraints(k, edge, equations.signal_rates, idle=True)
    return found


def undetermined_reactions(system: System, names: Iterable[str]) -> str:
    """Which of these outputs the motion does not determine, why, and what to do; or nothing."""
    chosen = [name for name in dict.fromkeys(names) if name in system.undetermined]
    if not chosen:
        return ""
    left_out = list(dict.fromkeys(c for name in chosen for c in system.undetermined[name]))
    one = len(left_out) == 1
    return (
        f"reactions of {_by_component(system, chosen)} are not determined by the motion: the "
        f"{'constraint' if one else 'constraints'} {few_names(left_out)} {'is' if one else 'are'} "
        "redundant and left out; give one joint some compliance (a bushing) to share them"
    )


def _by_component(system: System, chosen: Sequence[str]) -> str:
    """Components, with which of their reactions it is where others of them are determined."""
    held: dict[str, list[str]] = {}
    with_vectors = {name.partition(".reaction.")[0] for name in chosen if ".reaction." in name}
    for name in chosen:
        component, vector, what = name.partition(".reaction.")
        if not vector:
            component, _, what = name.rpartition(".")
        if vector or component not in with_vectors:
            held.setdefault(component, []).append(what)
    determined = {
        d.quantity.name.partition(".reaction.")[0]
        for d in system.outputs
        if not d.expression.is_zero
        and d.quantity.name not in system.undetermined
        and ".reaction." in d.quantity.name
    }
    told = [
        f"{component} ({', '.join(what)})" if component in determined else component
        for component, what in sorted(held.items())
    ]
    return few_names(told, _MOST_NAMED)


_MOST_NAMED = 8  # components


def substitute_reactions(equations: Equations, solution: Solution) -> tuple[Equations, Solution]:
    """Loads, what components tell, and the solution, without the symbols of reactions."""
    values = solution.needed_reactions
    if not values:
        return equations, solution

    def known(expressions: Sequence[Expr]) -> tuple[Expr, ...]:
        return tuple(substitute(expressions, values))

    dynamics, following = equations.dynamics, equations.dynamics.following
    loads = following.with_entries(known(following.entries))
    following_equations = replace(
        equations,
        dynamics=replace(dynamics, following=loads),
        answers=tuple(response_with_values(answer, values) for answer in equations.answers),
        set_valued=tuple(row.changed(known) for row in equations.set_valued),
    )
    solved = replace(
        solution,
        speed_rates=known(solution.speed_rates),
        internal_rates=known(solution.internal_rates),
        reactions=known(solution.reactions),
    )
    return following_equations, solved


def response_with_values(
    answer: ComponentResponse, values: Mapping[Expr, Expr]
) -> ComponentResponse:
    """What a component tells, with values in the place of the symbols of forces."""
    power, stored = substitute([answer.power, answer.stored], values)
    response = with_values(answer.response, values)
    return replace(answer, power=power, stored=stored, response=response)


def reaction_residuals(
    independent: Sequence[Constraint], solution: Solution
) -> Iterator[Definition]:
    """By how much a reaction differs from the one that loads were found at."""
    for constraint, reaction in zip(independent, solution.reactions, strict=True):
        quantity = constraint.reaction
        if quantity.symbol in solution.needed_reactions:
            text = f"{quantity.name} less its value that loads were found at"
            left = reaction - solution.needed_reactions[quantity.symbol]
            yield output(f"{quantity.name}_residual", quantity.unit, text, left)
