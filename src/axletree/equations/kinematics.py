"""Motion of every link from coordinates and speeds: the branch transformations.

Rotation first, along the rotation tree; then translation, along the translation tree.
Angular vectors are resolved in their own link's axes. Linear ones are, too, except where
a link translates freely along the axes of its parent: there they stay in the parent's
axes, so that absolute coordinates keep their simple equations. The acceleration of an
origin is that of the point as seen from the ground; the ground itself accelerates against
gravity, which is how gravity reaches every link.

``Kinematics`` walks over all links; below it stands one step of that walk, from a parent link
to a child link.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from axletree.components.edges import Basis, RotationLaw, TranslationLaw
from axletree.equations.links import Connection, Links
from axletree.expr import Expr, Node
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity
from axletree.expr.vectors import IDENTITY, NULL, Matrix, Vector


@dataclass(frozen=True)
class Accelerations:
    """Of every link: the rate of its angular velocity's components in its own axes, and the
    acceleration of its origin in its linear axes."""

    angular: tuple[Vector, ...]
    linear: tuple[Vector, ...]


class Kinematics:
    """Positions, velocities and accelerations of links, and of frames in frames."""

    def __init__(self, links: Links, gravity: Vector, spinning: frozenset[int]) -> None:
        """``spinning`` are links of revolution that turn about their axis: their axes stay."""
        self.links = links
        self.gravity = gravity
        self._spinning = spinning
        self._R_up: dict[tuple[int, int], Matrix] = {}
        self._origins: dict[tuple[int, int], Vector] = {}
        self._known: frozenset[Node] = frozenset()
        self.turnings = tuple(self._turning(c) for c in links.rotations)
        self.turning_of = {t.connection.child: t for t in self.turnings}
        self.angular_velocity = self._angular_velocities()
        self.slidings = tuple(self._sliding(c) for c in links.translations)
        self.linear_axes = self._linear_axes()
        self.sliding_of = {s.connection.child: s for s in self.slidings}

    # -- orientation -------------------------------------------------------------------
    def _turning(self, c: Connection) -> RotationStep:
        law = c.edge.law
        assert isinstance(law, RotationLaw)
        motion = law.motion(_symbols(c.coordinates), _symbols(c.speeds))
        spins, to_link = c.child in self._spinning, c.head.R_LF
        R_tail_head = IDENTITY if spins else motion.R_tail_head
        R_TH = c.tail.R_LF.times(R_tail_head).times(to_link.T)
        return RotationStep(
            connection=c,
            R_parent_child=R_TH if c.forward else R_TH.T,
            velocity=to_link @ motion.angular_velocity,
            partials=tuple(to_link @ s for s in motion.partials),
            bias=to_link @ motion.bias,
            spins=spins,
            spin=to_link.times(motion.R_tail_head).times(to_link.T) if spins else IDENTITY,
        )

    def rotation(self, a: int, b: int) -> Matrix:
        """R_AB of two links, along the rotation tree through their nearest common link."""
        above_a = self.ancestors(a)
        common = next(link for link in self.ancestors(b) if link in above_a)
        R_CB = self._rotation_from_above(common, b)
        return R_CB if a == common else self._rotation_from_above(common, a).T.times(R_CB)

    def ancestors(self, link: int) -> list[int]:
        found = [link]
        while found[-1]:
            found.append(self.turning_of[found[-1]].connection.parent)
        return found

    def _rotation_from_above(self, above: int, link: int) -> Matrix:
        """R of a link in one of its ancestors; each step is kept for the next question."""
        chain = self.ancestors(link)
        chain = chain[: chain.index(above) + 1]
        R = IDENTITY
        for child in reversed(chain[:-1]):
            key = (above, child)
            if key not in self._R_up:
                self._R_up[key] = R.times(self.turning_of[child].R_parent_child)
            R = self._R_up[key]
        return R

    @property
    def known(self) -> frozenset[Node]:
        """What is computed anyway, for loads or closures: accelerations may share it."""
        return self._known

    def knowing(self, nodes: frozenset[Node]) -> Kinematics:
        """The same motion; accelerations that are formed from now on share these nodes."""
        aware = copy.copy(self)
        aware._known = nodes
        return aware

    # -- position ----------------------------------------------------------------------
    def origin_in(self, base: int, link: int) -> Vector:
        """From the origin of a link above to a link's origin, in the axes of the one above."""
        chain = []
        while link != base and (base, link) not in self._origins:
            chain.append(link)
            link = self.sliding_of[link].connection.parent
        r = NULL if link == base else self._origins[base, link]
        for child in reversed(chain):
            s = self.sliding_of[child]
            c = s.connection
            if c.forward:
                r = r + self.rotation(base, c.parent) @ s.reach
            else:
                to_head = self.rotation(base, c.parent) @ c.head.r_LF_L
                r = r + to_head - self.rotation(base, child) @ s.reach
            self._origins[base, child] = r
        return r

    # -- velocity ----------------------------------------------------------------------
    def _angular_velocities(self) -> tuple[Vector, ...]:
        w = [NULL] * self.links.count
        for turning in self.turnings:
            c = turning.connection
            w[c.child] = child_angular_velocity(turning, w[c.parent])
        return tuple(w)

    def axes_velocity(self, link: int) -> Vector:
        """Angular velocity of a link's axes: its own, or its carrier's where it spins."""
        if link not in self._spinning:
            return self.angular_velocity[link]
        t = self.turning_of[link]
        return t.R_parent_child.T @ self.angular_velocity[t.connection.parent]

    def _sliding(self, c: Connection) -> TranslationStep:
        law = c.edge.law
        assert isinstance(law, TranslationLaw)
        tail, head = c.tail, c.head
        R_TH = self.rotation(tail.link, head.link)
        w = self.angular_velocity
        w_head = head.R_LF.T @ (w[head.link] - R_TH.T @ w[tail.link])
        R_tail_head = tail.R_LF.T.times(R_TH).times(head.R_LF)
        q, p = _symbols(c.coordinates), _symbols(c.speeds)
        motion = law.motion(q, p, R_tail_head, w_head)
        to_link = tail.R_LF if motion.basis is Basis.TAIL else head.R_LF
        return TranslationStep(
            connection=c,
            reach=tail.r_LF_L + tail.R_LF @ motion.displacement,
            velocity=to_link @ motion.velocity,
            partials=tuple(to_link @ s for s in motion.partials),
            bias=to_link @ motion.bias,
            basis=motion.basis,
        )

    def _linear_axes(self) -> tuple[int, ...]:
        """For each link the link in whose axes its linear vectors are resolved."""
        axes = list(range(self.links.count))
        for s in self.slidings:
            c = s.connection
            if c.forward and s.basis is Basis.TAIL and len(s.partials) >= 2:
                axes[c.child] = c.parent
        return tuple(axes)

    def to_own(self, link: int, linear: Vector) -> Vector:
        """A linear vector of a link, from its linear axes to its own."""
        axes = self.linear_axes[link]
        return linear if axes == link else self.rotation(link, axes) @ linear

    def to_linear(self, link: int, own: Vector) -> Vector:
        """A vector in a link's own axes, to its linear axes."""
        axes = self.linear_axes[link]
        return own if axes == link else self.rotation(axes, link) @ own

    @cached_property
    def velocity(self) -> tuple[Vector, ...]:
        """Of every link's origin, linear axes [m/s]."""
        w, v = self.angular_velocity, [NULL] * self.links.count
        for s in self.slidings:
            c = s.connection
            R_XP = self.rotation(self.linear_axes[c.child], c.parent)
            v_parent = self.to_own(c.parent, v[c.parent])
            v[c.child] = child_velocity(s, R_XP, v_parent, w[c.parent], w[c.child])
        return tuple(v)

    # -- acceleration ------------------------------------------------------------------
    def accelerations(self, speed_rates: Sequence[Expr], *, with_bias: bool) -> Accelerations:
        """From the rates of the speeds; without bias, the part linear in those rates alone."""
        w = self.angular_velocity if with_bias else (NULL,) * self.links.count
        angular = [NULL] * self.links.count
        for t in self.turnings:
            c = t.connection
            bias = rotation_bias(t, w[c.parent]) if with_bias else NULL
            rate = combined(t.partials, speed_rates, c) + bias
            angular[c.child] = child_angular_acceleration(t, angular[c.parent], rate)
        linear = [-self.gravity if with_bias else NULL] + [NULL] * (self.links.count - 1)
        for s in self.slidings:
            c, tail = s.connection, s.connection.tail.link
            R_XP = self.rotation(self.linear_axes[c.child], c.parent)
            R_head_tail = self.rotation(c.head.link, tail)
            bias = translation_bias(s, w[tail], R_head_tail) if with_bias else NULL
            rate = combined(s.partials, speed_rates, c) + bias
            a_parent = self.to_own(c.parent, linear[c.parent])
            at_parent = (a_parent, angular[c.parent], w[c.parent])
            at_child = (angular[c.child], w[c.child])
            linear[c.child] = child_acceleration(s, R_XP, at_parent, at_child, rate, self._known)
        return Accelerations(tuple(angular), tuple(linear))

    @cached_property
    def bias(self) -> Accelerations:
        """Accelerations with all speeds constant; the ground's is that against gravity."""
        return self.accelerations([ZERO] * len(self.links.speeds), with_bias=True)


def combined(partials: Sequence[Vector], rates: Sequence[Expr], c: Connection) -> Vector:
    """The sum of partials times the rates of this connection's speeds."""
    pairs = zip(partials, c.speed_indices, strict=True)
    return sum((partial * rates[index] for partial, index in pairs), NULL)


def _symbols(quantities: Sequence[Quantity]) -> list[Expr]:
    return [q.symbol for q in quantities]


# One step from a parent link to a child link: velocities and accelerations.
#
# A connection may be walked against its direction; then the head is on the parent, and
# what it says of the head in the tail is turned round.


@dataclass(frozen=True)
class _Step:
    connection: Connection
    velocity: Vector
    partials: tuple[Vector, ...]
    bias: Vector


@dataclass(frozen=True)
class RotationStep(_Step):
    """A rotational connection in motion, in the axes of the link that holds its head."""

    R_parent_child: Matrix
    spins: bool  # the child's axes stay with the parent's: a body of revolution
    spin: Matrix  # R of a spinning child in its axes; the identity for any other


@dataclass(frozen=True)
class TranslationStep(_Step):
    """A translational connection in motion.

    ``reach`` goes from the tail link's origin to the head's origin, in the tail link's
    axes; velocity, partials and bias are in the axes of the link that ``basis`` says.
    """

    reach: Vector
    basis: Basis

    @property
    def is_in_parent_axes(self) -> bool:
        """Whether velocity, partials and bias are in the axes of the parent, not the child."""
        return (self.basis is Basis.TAIL) == self.connection.forward


def child_angular_velocity(t: RotationStep, w_parent: Vector) -> Vector:
    R_CP = t.R_parent_child.T
    if t.connection.forward:
        return R_CP @ w_parent + t.velocity
    return R_CP @ (w_parent - t.velocity)


def child_velocity(
    s: TranslationStep, R_XP: Matrix, v_parent: Vector, w_parent: Vector, w_child: Vector
) -> Vector:
    """Of the child's origin; R_XP leads from the parent's axes to those of the answer."""
    c = s.connection
    if c.forward:
        carried = v_parent + w_parent.cross(s.reach)
        return _moved(s, R_XP, carried, s.velocity)
    carried = v_parent + w_parent.cross(c.head.r_LF_L)
    return _moved(s, R_XP, carried, -s.velocity) - w_child.cross(s.reach)


def _moved(s: TranslationStep, R_XP: Matrix, carried: Vector, relative: Vector) -> Vector:
    """What the parent carries plus what the connection adds."""
    if s.is_in_parent_axes:
        return R_XP @ (carried + relative)
    return R_XP @ carried + relative


def rotation_bias(t: RotationStep, w_parent: Vector) -> Vector:
    """Rate of the relative angular velocity with all speeds constant, in the head's link.

    The head's components turn with it: besides the law's own bias, w_tail x w_relative.
    The components of a spinning link are those in its carrier's axes, which do not turn.
    """
    if t.spins:
        return t.bias
    w = t.R_parent_child.T @ w_parent if t.connection.forward else w_parent
    return t.bias + w.cross(t.velocity)


def child_angular_acceleration(t: RotationStep, parent: Vector, rate: Vector) -> Vector:
    R_CP = t.R_parent_child.T
    return R_CP @ parent + rate if t.connection.forward else R_CP @ (parent - rate)


def translation_bias(s: TranslationStep, w_tail: Vector, R_head_tail: Matrix) -> Vector:
    """Rate of the relative velocity with all speeds constant, Coriolis term included."""
    w = w_tail if s.basis is Basis.TAIL else R_head_tail @ w_tail
    return s.bias + (w * 2.0).cross(s.velocity)


def child_acceleration(
    s: TranslationStep,
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
