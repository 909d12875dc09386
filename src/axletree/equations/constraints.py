"""Constraints: circuit equations projected on the through space of chords (Morency 2007, eq. 2.34).

A law says what is zero as a function of the head's position or orientation in the tail. From
that alone follow the rate, the bias of the second derivative, and the directions of the
reactions, which do work on exactly what is constrained. Three kinds share one row,
``Constraint``:

1. closures, of chords and of branches that leave their closure to be satisfied;
2. couplings between the travels of joints, such as those of gears;
3. motions that components constrain themselves: a wheel that does not slip, a tyre without give.
   Where a force does so within bounds only, the row is that of a set-valued force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axletree.components.contract import Coupling, JointLoad, Load, SetValued, VelocityConstraint
from axletree.components.edges import Edge, MotionLaw, RotationLaw, TranslationLaw
from axletree.equations.kinematics import Kinematics
from axletree.equations.links import quantity_of
from axletree.equations.loads import LinkLoads, accumulate, edge_load, link_loads
from axletree.equations.relative_motion import relative_bias, relative_motion, separation
from axletree.equations.set_valued_forces import SetValuedRow
from axletree.equations.travels import Travels
from axletree.equations.tree import Tree
from axletree.expr import Expr, directional_derivative, jacobian, substitute, symbol, symbols_of
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity, Role
from axletree.expr.vectors import NULL, Matrix, Vector, skew

SignalRates = Mapping[Expr, Expr]  # of time and of inputs that are given with their derivatives


@dataclass(frozen=True)
class Constraint:
    """One row: ``position = 0``; ``jacobian . p + drift = velocity``; its second derivative.

    ``bias`` is what the second derivative is when speeds are constant: the row says
    ``jacobian . dp/dt = -bias``. ``loads`` is the load of a unit reaction. A row that holds a
    velocity alone, which is the rate of nothing, has the position 0.
    """

    source: str  # the edge or component that asks for it
    reaction: Quantity
    position: Expr
    velocity: Expr
    bias: Expr
    jacobian: Mapping[int, Expr]  # C, by index of the speed
    loads: LinkLoads
    edge: Edge | None = None  # None for gears
    direction: Vector = NULL  # of a unit reaction on the head, tail axes
    steps: int = 0  # of Newton's method, where loads depend on the reaction

    @property
    def is_holonomic(self) -> bool:
        return not self.position.is_zero


_R = tuple(tuple(symbol(f"closure:R{i}{j}") for j in range(3)) for i in range(3))
_X = tuple(symbol(f"closure:x{i}") for i in range(3))  # displacement
_V = tuple(symbol(f"closure:v{i}") for i in range(3))  # its rate, or the angular velocity
_A = tuple(symbol(f"closure:a{i}") for i in range(3))  # the rate of that


def closing_branches(tree: Tree) -> list[Edge]:
    """Branches that leave their closure to be satisfied, as chords do."""
    edges = [branch.edge for branch in tree.branches]
    return [e for e in edges if isinstance(e.law, MotionLaw) and e.law.closes_as_branch]


def chord_constraints(
    k: Kinematics,
    edge: Edge,
    signal_rates: SignalRates,
    *,
    idle: bool = False,
    satisfied: bool = False,
) -> list[Constraint]:
    """The constraints of a chord; rows that hold whatever happens, the ``idle`` ones, are apart.

    Where they are ``satisfied``, the rates need no terms that vanish there.
    """
    law = edge.law
    assert isinstance(law, TranslationLaw | RotationLaw)
    if not law.reactions:
        return []
    if isinstance(law, TranslationLaw):
        rows, rates = law.closure(Vector(_X)), dict(zip(_X, _V, strict=True))
    else:
        rows = law.closure(Matrix(_R))
        turned = skew(Vector(_V)).times(Matrix(_R))
        rates = {_R[i][j]: turned[i][j] for i in range(3) for j in range(3)}
    rates |= signal_rates
    velocities = directional_derivative(rows, rates)
    biases = directional_derivative(velocities, rates | dict(zip(_V, _A, strict=True)))
    directions = jacobian(velocities, _V)
    found = []
    blind = satisfied and isinstance(law, TranslationLaw) and not law.sees_tail_turn
    values = _values(k, edge, isinstance(law, TranslationLaw), with_turn=not blind)
    for index, variable in enumerate(law.reactions):
        along = Vector(directions.get((index, axis), ZERO) for axis in range(3))
        entries = (rows[index], velocities[index], biases[index], *along)
        position, velocity, bias, *direction = substitute(entries, values)
        if position.is_zero is not idle:
            continue
        loads = edge_load(k, edge, Vector(direction))
        quantity = quantity_of(edge.component, variable, Role.REACTION)
        row = constraint_row(k, loads, velocity)
        found.append(
            Constraint(
                edge.name, quantity, position, velocity, bias, row, loads, edge, Vector(direction)
            )
        )
    return found


def _values(k: Kinematics, edge: Edge, translational: bool, *, with_turn: bool) -> dict[Expr, Expr]:
    """What stands for the placeholders: the head's motion in the tail, with its turn or without."""
    tail, head = k.links.places[edge.tail], k.links.places[edge.head]
    motion, bias = relative_motion(k, tail, head), relative_bias(k, tail, head)
    if translational:
        first, second = motion.velocity, bias.acceleration
        if not with_turn:
            first, second = separation(k, tail, head)
        values = dict(zip(_X, motion.displacement, strict=True))
    else:
        first, second = motion.angular_velocity, bias.angular_acceleration
        values = {_R[i][j]: motion.R_tail_head[i][j] for i in range(3) for j in range(3)}
    return values | dict(zip(_V, first, strict=True)) | dict(zip(_A, second, strict=True))


def constraint_row(k: Kinematics, loads: LinkLoads, velocity: Expr) -> dict[int, Expr]:
    """C: the projection of a unit reaction on the speeds, A_f = -B_f^T at work.

    On speeds that move both ends alike it is nothing, though the expressions do not show it.
    """
    between = set(symbols_of([velocity]))
    efforts = zip(k.links.speeds, accumulate(k, loads).efforts, strict=True)
    return {
        index: effort
        for index, (speed, effort) in enumerate(efforts)
        if speed.symbol in between and not effort.is_zero
    }


def coupling_constraint(
    k: Kinematics, component: str, coupling: Coupling, travels: Travels
) -> Constraint:
    """The weighted sum of travels is zero; a unit reaction loads each joint by its weight."""
    position = velocity = bias = ZERO
    loads = LinkLoads.none(k)
    for joint, weight in coupling.terms:
        at_joint = travels[joint]
        position = position + weight * at_joint.travel
        velocity = velocity + weight * at_joint.rate
        bias = bias + weight * at_joint.bias
        loads.add(at_joint.loads.scaled(weight))
    reaction = quantity_of(component, coupling.reaction, Role.REACTION)
    row = constraint_row(k, loads, velocity)
    return Constraint(component, reaction, position, velocity, bias, row, loads)


def motion_constraint(
    k: Kinematics,
    component: str,
    held: VelocityConstraint,
    travels: Travels,
    rates: Mapping[Expr, Expr],
) -> Constraint:
    """The row of a motion that is held; ``rates`` are those of all symbols but the speeds."""
    loads = _unit_loads(k, held.loads, held.joint_loads, travels)
    (bias,) = directional_derivative([held.velocity], rates)
    return Constraint(
        source=component,
        reaction=quantity_of(component, held.reaction, Role.REACTION),
        position=ZERO if held.position is None else held.position,
        velocity=held.velocity,
        bias=bias,
        jacobian=constraint_row(k, loads, held.velocity),
        loads=loads,
        steps=held.steps,
    )


def set_valued_row(
    k: Kinematics, component: str, force: SetValued, travels: Travels, rates: Mapping[Expr, Expr]
) -> SetValuedRow:
    """The row of a motion that a force holds as far as its bounds allow."""
    bias = ZERO
    if force.position is not None:
        (bias,) = directional_derivative([force.velocity], rates)
    loads = _unit_loads(k, force.loads, force.joint_loads, travels)
    reaction = quantity_of(component, force.reaction, Role.INPUT)
    return SetValuedRow(reaction, force, constraint_row(k, loads, force.velocity), bias)


def _unit_loads(
    k: Kinematics, loads: Sequence[Load], joint_loads: Sequence[JointLoad], travels: Travels
) -> LinkLoads:
    """What a unit of a reaction exerts, on the links."""
    total = LinkLoads.none(k)
    for load in loads:
        ends = load.tail.name, load.head.name
        total.add(link_loads(k, ends, load.force, load.moment, load.basis))
    for joint_load in joint_loads:
        total.add(travels[joint_load.joint].loads.scaled(joint_load.effort))
    return total
