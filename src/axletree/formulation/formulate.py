"""From model and trees to equations."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from axletree.core.errors import ModelWarning
from axletree.core.expr import Expr, symbol, symbols_of, topological_order
from axletree.core.expr.expression import ONE
from axletree.core.quantity import Quantity
from axletree.formulation.answers import Answers
from axletree.formulation.closure import Constraint, Rates, close, closing_branches
from axletree.formulation.coupling import couple
from axletree.formulation.dynamics import Dynamics
from axletree.formulation.equations import Answer, Equations, InternalState
from axletree.formulation.held import bound_row, hold
from axletree.formulation.inertia import combine
from axletree.formulation.kinematics import Kinematics
from axletree.formulation.links import build_links
from axletree.formulation.relative import rotation_of
from axletree.formulation.spin import spinning_links
from axletree.formulation.travel import Travels
from axletree.graph.linear_graph import LinearGraph, build_graph
from axletree.graph.tree import Tree, TreeChoice, select_trees
from axletree.library.edge import MECHANICAL, ROTATION, TRANSLATION, Domain, MotionLaw
from axletree.library.signal import TIME
from axletree.model.model import Model


def formulate(model: Model, tree: TreeChoice = None) -> Equations:
    """The equations of a model in the variables that the trees bring; ``tree`` is as that of
    ``select_trees``.

    Example:
    >>> import axletree as at
    >>> from axletree.formulation.formulate import formulate
    >>> equations = formulate(at.read_model("pendulum"))
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
    frame = _Frame(model, graph, trees, k, inputs, signal_rates, Travels(k, graph))
    answers = Answers(model, k, trees, frame.travels)
    equations = _equations(frame, answers)
    if not any(answer.response.set_valued for answer in answers.answers):
        return equations
    answers = Answers(model, k, trees, frame.travels, opened=True)
    opened = _opened(frame, _equations(frame, answers))
    return replace(equations, opened=replace(opened, loads_follow=answers.loads_follow))


@dataclass(frozen=True)
class _Frame:
    """What is the same whichever way set-valued forces are taken."""

    model: Model
    graph: LinearGraph
    trees: Mapping[Domain, Tree]
    kinematics: Kinematics
    inputs: tuple[Quantity, ...]
    signal_rates: Rates
    travels: Travels


def _equations(frame: _Frame, answers: Answers) -> Equations:
    model, k, travels = frame.model, frame.kinematics, frame.travels
    coordinate_rates = _coordinate_rates(k)
    constraints = _constraints(model, k, frame.trees, travels, frame.signal_rates)
    constraints += _held(k, answers, travels, frame.signal_rates, coordinate_rates)
    needed = _needed(answers, constraints)
    aware = k.knowing(frozenset(topological_order(needed)))
    inertias = combine(k.links, [i for component in model for i in component.inertias()])
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
        fed_back=tuple(answers.fed_back),
    )


def _opened(frame: _Frame, equations: Equations) -> Equations:
    """With the rows of set-valued forces, and these forces as inputs after all others."""
    moved = zip(equations.coordinates, equations.coordinate_rates, strict=True)
    rates = {**equations.signal_rates, **{quantity.symbol: rate for quantity, rate in moved}}
    rates |= {state.quantity.symbol: state.rate for state in equations.internal}
    rows = tuple(
        bound_row(frame.kinematics, answer.component, force, frame.travels, rates)
        for answer in equations.answers
        for force in answer.response.set_valued
    )
    inputs = (*equations.inputs, *(row.reaction for row in rows))
    return replace(equations, inputs=inputs, set_valued=rows)


def _constraints(
    model: Model, k: Kinematics, trees: Mapping[Domain, Tree], travels: Travels, rates: Rates
) -> list[Constraint]:
    """Of chords in both mechanical trees, of branches that keep a closure, of gears."""
    found: list[Constraint] = []
    for domain in MECHANICAL:
        tree = trees[domain]
        for edge in (*closing_branches(tree), *tree.chords):
            found += close(k, edge, rates)
    for component in model:
        couplings = component.couplings()
        found += [couple(k, component.name, coupling, travels) for coupling in couplings]
    return found


def _held(
    k: Kinematics,
    answers: Answers,
    travels: Travels,
    signal_rates: Rates,
    coordinate_rates: Sequence[Expr],
) -> list[Constraint]:
    """What components hold themselves."""
    coordinates = (q.symbol for q in k.links.coordinates)
    rates = {**signal_rates, **dict(zip(coordinates, coordinate_rates, strict=True))}
    rates |= {s.quantity.symbol: s.rate for s in (*answers.internal, *travels.internal)}
    return [
        hold(k, answer.component, held, travels, rates)
        for answer in answers.answers
        for held in answer.response.held
    ]


def _needed(answers: Answers, constraints: Sequence[Constraint]) -> list[Expr]:
    """What is computed for loads, internal states and constraints, before accelerations."""
    needed = [*answers.applied.entries, *answers.following.entries]
    needed += [state.rate for state in answers.internal]
    return needed + [e for c in constraints for e in (c.position, c.velocity, *c.jacobian.values())]


def _used(
    angles: Sequence[InternalState], needed: Sequence[Expr], answers: Sequence[Answer]
) -> list[InternalState]:
    """Of the measured angles those that something depends on: most loads need the rate alone."""
    told = [
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
    seen = set(symbols_of([*needed, *told]))
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
