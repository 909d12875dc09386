"""Couplings: constraints between the travels of joints, such as those of gears."""

from __future__ import annotations

from axletree.core.expr.expression import ZERO
from axletree.formulation.closure import Constraint, reaction_of, row_of
from axletree.formulation.kinematics import Kinematics
from axletree.formulation.loads import LinkLoads
from axletree.formulation.travel import Travels
from axletree.library.contract import Coupling


def couple(k: Kinematics, component: str, coupling: Coupling, travels: Travels) -> Constraint:
    """The weighted sum of travels is zero; a unit reaction loads each joint by its weight."""
    position = velocity = bias = ZERO
    loads = LinkLoads.none(k)
    for joint, weight in coupling.terms:
        at_joint = travels[joint]
        position = position + weight * at_joint.travel
        velocity = velocity + weight * at_joint.rate
        bias = bias + weight * at_joint.bias
        loads.add(at_joint.loads.scaled(weight))
    reaction = reaction_of(component, coupling.reaction)
    row = row_of(k, loads, velocity)
    return Constraint(component, reaction, position, velocity, bias, row, loads)
