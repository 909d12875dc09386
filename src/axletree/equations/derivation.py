"""From model and trees to equations.

Bodies of revolution that spin about their own axis are found first (``spinning_links``): their
angle leaves the equations.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from axletree.components.edges import MECHANICAL, ROTATION, TRANSLATION, Domain, MotionLaw
from axletree.components.signals import TIME
from axletree.core.errors import ModelWarning
from axletree.equations.constraints import (
    Constraint,
    SignalRates,
    chord_constraints,
    closing_branches,
    coupling_constraint,
    motion_constraint,
    set_valued_row,
)
from axletree.equations.dynamics import Dynamics
from axletree.equations.equations import Equations
from axletree.equations.graph import LinearGraph, build_graph
from axletree.equations.inertia import link_inertias
from axletree.equations.kinematics import Kinematics
from axletree.equations.links import build_links
from axletree.equations.relative_motion import rotation_of
from axletree.equations.responses import ComponentResponse, ResponseCollector
from axletree.equations.spinning_links import spinning_links
from axletree.equations.travels import InternalState, Travels
from axletree.equations.tree import Tree, TreeChoice, select_trees
from axletree.expr import Expr, symbol, symbols_of, topological_order
from axletree.expr.expression import ONE
from axletree.expr.quantity import Quantity
from axletree.model.model import Model


def derive_equations(
    model: Model, tree: TreeChoice = None, *, set_valued: bool = False
) -> Equations:
    """The equations of a model in the variables that the trees bring; ``tree`` is as that of
    ``select_trees``.

    Set-valued forces are smooth functions of the state, or, if the equations are to be
    ``set_valued``, unknowns with a row each.

    Example:
    >>> import axletree as at
    >>> from axletree.equations.derivation import derive_equations
    >>> equations = derive_equations(at.read_model("pendulum"))
    >>> [f"{x.name} [{x.unit}]" for x in (*equations.coordinates, *equations.speeds)]
    ['pin.angle [rad]', 'pin.rate [rad/s]']
    """
    for caution in dict.fromkeys(text for part in model for text in part.cautions()):
        warnings.warn(f"{model.name}: {caution}", ModelWarning, stacklevel=2)
    graph = build_graph(model)
    # A circuit without bodies has no mechanical graph; its trees are empty.
    trees = {d: Tree(d, (), ()) for d in MECHANICAL} | select_trees(graph, tree)
    names = [component.name for component in model]
    links = build_links(trees[TRANSLATION], trees[ROTATION], names)
    k = Kinematics(links, model.gravity_vector, spinning_links(model, links, trees))
    inputs = tuple(q for component in model for q in component.inputs())
    signal_rates: dict[Expr, Expr] = {TIME: ONE}
    followed = (q for component in model for q in component.followed())
    signal_rates |= {symbol(q.derivative_of): q.symbol for q in followed if q.derivative_of}
    frame = _Formulation(model, graph, trees, k, inputs, signal_rates, Travels(k, graph))
    answers = ResponseCollector(model, k, trees, frame.travels, set_valued=set_valued)
    equations = _equations(frame, answers)
    return _with_set_valued_rows(frame, answers, equations) if set_valued else equations


@dataclass(frozen=True)
class _Formulation:
    """What the equations are written in."""

    model: Model
    graph: LinearGraph
    trees: Mapping[Domain, Tree]
    kinematics: Kinematics
    inputs: tuple[Quantity, ...]
    signal_rates: SignalRates
    travels: Travels


def _equations(frame: _Formulation, answers: ResponseCollector) -> Equations:
    model, k, travels = frame.model, frame.kinematics, frame.travels
    coordinate_rates = _coordinate_rates(k)
    constraints = _constraints(frame)
    constraints += _component_constraints(frame, answers, coordinate_rates)
    needed = _needed(answers, constraints)
    aware = k.knowing(frozenset(topological_order(needed)))
    inertias = link_inertias(k.links, [i for component in model for i in component.inertias()])
    return Equations(
        name=model.name,
        graph=frame.graph,
        trees=frame.trees,
        speeds=k.links.speeds,
        coordinates=k.links.coordinates,
        internal=(*answers.internal, *_used(travels.internal, needed, answers.answers)),
        inputs=frame.inputs,
        parameters=model.parameters,
        signal_rates=frame.signal_rates,
        coordinate_rates=coordinate_rates,
        constraints=tuple(constraints),
        dynamics=Dynamics(aware, inertias, answers.applied, answers.following),
        answers=tuple(answers.answers),
        needed_reactions=tuple(answers.needed_reactions),
        components=model.components,
    )


def _with_set_valued_rows(
    frame: _Formulation, answers: ResponseCollector, equations: Equations
) -> Equations:
    """With the rows of set-valued forces."""
    rates = equations.rates
    rows = tuple(
        set_valued_row(frame.kinematics, answer.component, force, frame.travels, rates)
        for answer in equations.answers
        for force in answer.response.set_valued
    )
    return replace(equations, set_valued=rows, loads_follow=answers.loads_follow)


def _constraints(frame: _Formulation) -> list[Constraint]:
    """Of chords in both mechanical trees, of branches that keep a closure, of gears."""
    k, found = frame.kinematics, []
    for tree in (frame.trees[domain] for domain in MECHANICAL):
        for edge in (*closing_branches(tree), *tree.chords):
            found += chord_constraints(k, edge, frame.signal_rates)
    for component in frame.model:
        for coupling in component.couplings():
            found.append(coupling_constraint(k, component.name, coupling, frame.travels))
    return found


def _component_constraints(
    frame: _Formulation, answers: ResponseCollector, coordinate_rates: Sequence[Expr]
) -> list[Constraint]:
    """What components hold themselves."""
    k, travels = frame.kinematics, frame.travels
    coordinates = (q.symbol for q in k.links.coordinates)
    rates = {**frame.signal_rates, **dict(zip(coordinates, coordinate_rates, strict=True))}
    rates |= {s.quantity.symbol: s.rate for s in (*answers.internal, *travels.internal)}
    return [
        motion_constraint(k, answer.component, constraint, travels, rates)
        for answer in answers.answers
        for constraint in answer.response.constraints
    ]


def _needed(answers: ResponseCollector, constraints: Sequence[Constraint]) -> list[Expr]:
    """What is computed for loads, internal states and constraints, before accelerations."""
    needed = [*answers.applied.entries, *answers.following.entries]
    needed += [state.rate for state in answers.internal]
    return needed + [e for c in constraints for e in (c.position, c.velocity, *c.jacobian.values())]


def _used(
    angles: Sequence[InternalState], needed: Sequence[Expr], answers: Sequence[ComponentResponse]
) -> list[InternalState]:
    """Of the measured angles those that something depends on: most loads need the rate alone."""
    outputs = [
        value
        for answer in answers
        for value in (
            answer.response.potential_energy,
            *(c.expression for c in answer.response.intermediates),
            *(c.expression for c in answer.response.outputs),
            *(e for c in answer.response.accelerated for term in c.terms for e in term),
            *(e for force in answer.response.set_valued for e in force.seen),
        )
    ]
    seen = set(symbols_of([*needed, *outputs]))
    return [angle for angle in angles if angle.quantity.symbol in seen]


def _coordinate_rates(k: Kinematics) -> tuple[Expr, ...]:
    """h: the kinematic transforms of all branches, in the order of the coordinates."""
    found: list[Expr] = []
    for c in k.links.with_variables:
        law = c.edge.law
        assert isinstance(law, MotionLaw)
        R_tail_head = rotation_of(k, c.tail, c.head)
        q, p = [x.symbol for x in c.coordinates], [x.symbol for x in c.speeds]
        found += law.rates(q, p, R_tail_head)
    return tuple(found)
