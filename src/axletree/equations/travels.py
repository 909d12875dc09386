"""Travel of joints with one freedom: angle or position, turns counted, and unit loads.

A travel that coordinates do not give at once is an internal state of the equations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from axletree.components.contract import Travel
from axletree.components.edges import ROTATION, Edge, MotionLaw
from axletree.core.errors import FormulationError
from axletree.equations.graph import LinearGraph
from axletree.equations.kinematics import Kinematics
from axletree.equations.links import Connection
from axletree.equations.loads import LinkLoads, edge_load
from axletree.equations.relative_motion import relative_bias, relative_motion
from axletree.expr import Expr, atan2
from axletree.expr.expression import ONE, ZERO
from axletree.expr.quantity import Quantity, Role
from axletree.expr.vectors import UNIT, Matrix, Vector

# The equations of a model: M dp/dt + C^T f = b, Phi(q, t) = 0, dq/dt = h.
#
# Morency 2007, eqs. (2.35) to (2.37).


@dataclass(frozen=True)
class InternalState:
    """A state that is neither speed nor coordinate: of a component, or a joint's travel."""

    quantity: Quantity
    rate: Expr
    start: Expr | None = None  # where coordinates fix its first value
    usual_start: Expr | None = None  # where the motion suggests one, such as a belt's of its wheel


@dataclass(frozen=True)
class JointTravel:
    """A joint's travel, its rate, its second derivative at constant speeds, a unit load."""

    travel: Expr
    rate: Expr
    bias: Expr
    loads: LinkLoads

    @property
    def as_seen(self) -> Travel:
        return Travel(self.travel, self.rate)


class Travels:
    """Travels by the name of the joint's edge ("pin.R1"), computed when first asked for.

    A joint in the tree has its own coordinate. One in the cotree is measured; the angle of
    a hinge becomes a state of its own, because an angle measured from a rotation matrix
    does not count turns.
    """

    def __init__(self, k: Kinematics, graph: LinearGraph) -> None:
        self._k = k
        self._edges = {edge.name: edge for edge in graph.edges}
        self._known: dict[str, JointTravel] = {}
        self._branches = {
            (c.edge.domain, c.edge.tail, c.edge.head): c
            for c in (*k.links.translations, *k.links.rotations)
        }
        self.internal: list[InternalState] = []

    def __getitem__(self, name: str) -> JointTravel:
        if name not in self._known:
            self._known[name] = self._measured(self._edges[name])
        return self._known[name]

    def _measured(self, edge: Edge) -> JointTravel:
        assert isinstance(edge.law, MotionLaw)
        axis = edge.law.freedom
        if axis is None:
            raise FormulationError(f"{edge.component} has no single freedom along which to act")
        branch = self._branches.get((edge.domain, edge.tail, edge.head))
        law = branch.edge.law if branch is not None else None
        if branch is not None and isinstance(law, MotionLaw) and law.freedom == axis:
            return self._of_branch(branch, law, axis)
        return self._of_chord(edge, axis)

    def _of_branch(self, c: Connection, law: MotionLaw, axis: Vector) -> JointTravel:
        q, p = [x.symbol for x in c.coordinates], [x.symbol for x in c.speeds]
        travel, rate = law.travel(q, p)
        if not c.speeds:
            loads = edge_load(self._k, c.edge, axis)
            return JointTravel(travel, rate, self._driven_bias(c, axis), loads)
        loads = LinkLoads.none(self._k)
        loads.add_effort(c.first_speed, ONE)
        return JointTravel(travel, rate, ZERO, loads)

    def _driven_bias(self, c: Connection, axis: Vector) -> Expr:
        """The acceleration of a prescribed travel, which no speed changes."""
        if c.edge.domain is ROTATION:
            return (c.head.R_LF @ axis).dot(self._k.turning_of[c.child].bias)
        return (c.tail.R_LF @ axis).dot(self._k.sliding_of[c.child].bias)

    def _of_chord(self, edge: Edge, axis: Vector) -> JointTravel:
        places = self._k.links.places
        tail, head = places[edge.tail], places[edge.head]
        motion, bias = relative_motion(self._k, tail, head), relative_bias(self._k, tail, head)
        loads = edge_load(self._k, edge, axis)
        if edge.domain is not ROTATION:
            rate, second = axis.dot(motion.velocity), axis.dot(bias.acceleration)
            return JointTravel(axis.dot(motion.displacement), rate, second, loads)
        rate, second = axis.dot(motion.angular_velocity), axis.dot(bias.angular_acceleration)
        quantity = Quantity(
            f"{edge.component}.angle", "rad", "angle about the axis, turns counted", Role.STATE
        )
        self.internal.append(InternalState(quantity, rate, angle_about(axis, motion.R_tail_head)))
        return JointTravel(quantity.symbol, rate, second, loads)


def angle_about(axis: Vector, R_tail_head: Matrix) -> Expr:
    """The angle of a rotation about this axis, between -pi and pi."""
    trial = min(UNIT, key=lambda u: abs(float(u.dot(axis))))
    normal = axis.cross(trial)
    n1 = normal * (1.0 / math.sqrt(float(normal.dot(normal))))
    turned = R_tail_head @ n1
    angle: Expr = atan2(turned.dot(axis.cross(n1)), turned.dot(n1))
    return angle
