"""One step from a parent link to a child link: velocities and accelerations.

A connection may be walked against its direction; then the head is on the parent, and
what it says of the head in the tail is turned round.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from axletree.core.expr import Node
from axletree.core.vectors import Matrix, Vector
from axletree.formulation.links import Connection
from axletree.library.edge import Basis


@dataclass(frozen=True)
class Turning:
    """A rotational connection in motion, in the axes of the link that holds its head."""

    connection: Connection
    R_parent_child: Matrix
    velocity: Vector
    partials: tuple[Vector, ...]
    bias: Vector
    spins: bool  # the child's axes stay with the parent's: a body of revolution
    spin: Matrix  # R of a spinning child in its axes; the identity for any other


@dataclass(frozen=True)
class Sliding:
    """A translational connection in motion.

    ``reach`` goes from the tail link's origin to the head's origin, in the tail link's
    axes; velocity, partials and bias are in the axes of the link that ``basis`` says.
    """

    connection: Connection
    reach: Vector
    velocity: Vector
    partials: tuple[Vector, ...]
    bias: Vector
    basis: Basis

    @property
    def is_in_parent_axes(self) -> bool:
        """Whether velocity, partials and bias are in the axes of the parent, not the child."""
        return (self.basis is Basis.TAIL) == self.connection.forward


def child_angular_velocity(t: Turning, w_parent: Vector) -> Vector:
    R_CP = t.R_parent_child.T
    if t.connection.forward:
        return R_CP @ w_parent + t.velocity
    return R_CP @ (w_parent - t.velocity)


def child_velocity(
    s: Sliding, R_XP: Matrix, v_parent: Vector, w_parent: Vector, w_child: Vector
) -> Vector:
    """Of the child's origin; R_XP leads from the parent's axes to those of the answer."""
    c = s.connection
    if c.forward:
        carried = v_parent + w_parent.cross(s.reach)
        return _moved(s, R_XP, carried, s.velocity)
    carried = v_parent + w_parent.cross(c.head.r_LF_L)
    return _moved(s, R_XP, carried, -s.velocity) - w_child.cross(s.reach)


def _moved(s: Sliding, R_XP: Matrix, carried: Vector, relative: Vector) -> Vector:
    """What the parent carries plus what the connection adds."""
    if s.is_in_parent_axes:
        return R_XP @ (carried + relative)
    return R_XP @ carried + relative


def turning_bias(t: Turning, w_parent: Vector) -> Vector:
    """Rate of the relative angular velocity with all speeds constant, in the head's link.

    The head's components turn with it: besides the law's own bias, w_tail x w_relative.
    The components of a spinning link are those in its carrier's axes, which do not turn.
    """
    if t.spins:
        return t.bias
    w = t.R_parent_child.T @ w_parent if t.connection.forward else w_parent
    return t.bias + w.cross(t.velocity)


def child_angular_acceleration(t: Turning, parent: Vector, rate: Vector) -> Vector:
    R_CP = t.R_parent_child.T
    return R_CP @ parent + rate if t.connection.forward else R_CP @ (parent - rate)


def sliding_bias(s: Sliding, w_tail: Vector, R_head_tail: Matrix) -> Vector:
    """Rate of the relative velocity with all speeds constant, Coriolis term included."""
    w = w_tail if s.basis is Basis.TAIL else R_head_tail @ w_tail
    return s.bias + (w * 2.0).cross(s.velocity)


def child_acceleration(
    s: Sliding,
    R_XP: Matrix,
    parent: tuple[Vector, Vector, Vector],
    child: tuple[Vector, Vector],
    rate: Vector,
    known: Set[Node] = frozenset(),
) -> Vector:
    """Of the child's origin; ``parent`` is (linear, angular, w), ``child`` is (angular, w).

    ``known`` are nodes that are computed anyway.
    """
    c = s.connection
    a_parent, angular_parent, w_parent = parent
    angular_child, w_child = child
    point = s.reach if c.forward else c.head.r_LF_L
    carried = a_parent + angular_parent.cross(point) + centripetal(w_parent, point, known)
    if c.forward:
        return _moved(s, R_XP, carried, rate)
    swept = angular_child.cross(s.reach) + centripetal(w_child, s.reach, known)
    return _moved(s, R_XP, carried, -rate) - swept


def centripetal(w: Vector, r: Vector, known: Set[Node] = frozenset()) -> Vector:
    """w x (w x r): from w x r where that is known already, as it is where velocities are
    asked for; else through the products of w that all points of a link share."""
    swept = w.cross(r)
    if all(e.is_number or e.node in known for e in swept):
        return w.cross(swept)
    wx, wy, wz = w
    xx, yy, zz = wx * wx, wy * wy, wz * wz
    xy, xz, yz = wx * wy, wx * wz, wy * wz
    matrix = Matrix(((-(yy + zz), xy, xz), (xy, -(xx + zz), yz), (xz, yz, -(xx + yy))))
    return matrix @ r
