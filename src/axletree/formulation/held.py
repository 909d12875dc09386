"""What components hold at zero themselves: a wheel that does not slip, a tyre without give."""

from __future__ import annotations

from collections.abc import Mapping

from axletree.core.expr import Expr, directional_derivative
from axletree.core.expr.expression import ZERO
from axletree.formulation.closure import Constraint, reaction_of, row_of
from axletree.formulation.kinematics import Kinematics
from axletree.formulation.loads import LinkLoads, PlacedLoad, link_loads
from axletree.formulation.relative import relative_motion
from axletree.formulation.travel import Travels
from axletree.library.contract import Held, Load


def hold(
    k: Kinematics, component: str, held: Held, travels: Travels, rates: Mapping[Expr, Expr]
) -> Constraint:
    """The row of a motion that is held; ``rates`` are those of all symbols but the speeds."""
    loads = LinkLoads.none(k)
    for load in held.loads:
        loads.add(_placed(k, load))
    for joint_load in held.joint_loads:
        loads.add(travels[joint_load.joint].loads.scaled(joint_load.effort))
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


def _placed(k: Kinematics, load: Load) -> LinkLoads:
    places = k.links.places
    tail, head = places[load.tail.name], places[load.head.name]
    displacement = relative_motion(k, tail, head).displacement
    return link_loads(k, PlacedLoad(tail, head, load.force, load.moment, load.basis), displacement)
