"""What components hold at zero themselves: a wheel that does not slip, a tyre without give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from axletree.core.expr import Expr, directional_derivative
from axletree.core.expr.expression import ZERO
from axletree.core.quantity import Role
from axletree.formulation.closure import Constraint, reaction_of, row_of
from axletree.formulation.kinematics import Kinematics
from axletree.formulation.loads import LinkLoads, PlacedLoad, link_loads
from axletree.formulation.relative import relative_motion
from axletree.formulation.set_valued import SetValuedRow
from axletree.formulation.travel import Travels
from axletree.library.contract import Held, JointLoad, Load, SetValued


def hold(
    k: Kinematics, component: str, held: Held, travels: Travels, rates: Mapping[Expr, Expr]
) -> Constraint:
    """The row of a motion that is held; ``rates`` are those of all symbols but the speeds."""
    loads = _unit_loads(k, held.loads, held.joint_loads, travels)
    (bias,) = directional_derivative([held.velocity], rates)
    return Constraint(
        source=component,
        reaction=reaction_of(component, held.reaction),
        position=ZERO if held.position is None else held.position,
        velocity=held.velocity,
        bias=bias,
        jacobian=row_of(k, loads, held.velocity),
        loads=loads,
        steps=held.steps,
    )


def bound_row(
    k: Kinematics, component: str, force: SetValued, travels: Travels, rates: Mapping[Expr, Expr]
) -> SetValuedRow:
    """The row of a motion that a force holds as far as its bounds allow."""
    bias = ZERO
    if force.position is not None:
        (bias,) = directional_derivative([force.velocity], rates)
    loads = _unit_loads(k, force.loads, force.joint_loads, travels)
    reaction = replace(reaction_of(component, force.reaction), role=Role.INPUT)
    return SetValuedRow(reaction, force, row_of(k, loads, force.velocity), bias)


def _unit_loads(
    k: Kinematics, loads: Sequence[Load], joint_loads: Sequence[JointLoad], travels: Travels
) -> LinkLoads:
    """What a unit of a reaction exerts, on the links."""
    total = LinkLoads.none(k)
    for load in loads:
        total.add(_placed(k, load))
    for joint_load in joint_loads:
        total.add(travels[joint_load.joint].loads.scaled(joint_load.effort))
    return total


def _placed(k: Kinematics, load: Load) -> LinkLoads:
    places = k.links.places
    tail, head = places[load.tail.name], places[load.head.name]
    displacement = relative_motion(k, tail, head).displacement
    return link_loads(k, PlacedLoad(tail, head, load.force, load.moment, load.basis), displacement)
