"""Explicit rates of the speeds by articulated-body recursion, where both trees are one.

Freedoms are eliminated one at a time from the leaves to the root (Featherstone 2008,
chapter 7, here with accelerations of points and in link axes). For a freedom along
a coordinate axis the recursion uses two facts that no expression engine finds by itself:
what is left of the inertia has no part along it, and the load passed on along it is the
effort that acts there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axletree.core.errors import FormulationError
from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.core.vectors import NULL, Matrix, Vector
from axletree.formulation.inertia import LinkInertia
from axletree.formulation.kinematics import Kinematics
from axletree.formulation.loads import LinkLoads
from axletree.formulation.spatial import Six, SpatialInertia, dot, from_link, plus, shifted
from axletree.formulation.steps import (
    child_acceleration,
    child_angular_acceleration,
    sliding_bias,
    turning_bias,
)


@dataclass(frozen=True)
class Freedom:
    """One eliminated speed of a link."""

    index: int  # among all speeds
    along: Six  # motion of the link per unit of the speed, link axes
    response: Six  # articulated inertia times ``along``
    inverse: Expr  # 1 / (along . response)


@dataclass(frozen=True)
class Elimination:
    """A link with its freedoms eliminated, as its parent sees it."""

    link: int
    parent: int
    R_PC: Matrix  # child axes to parent axes
    R_PX: Matrix  # the child's linear axes to parent axes
    R_PY: Matrix  # the parent's linear axes to parent axes
    reach: Vector  # from the parent's origin to the child's, parent axes
    freedoms: tuple[Freedom, ...]
    left: SpatialInertia  # what the eliminated freedoms leave of the inertia

    def at_parent(self) -> SpatialInertia:
        return shifted(self.left, self.R_PC, self.R_PX, self.R_PY, self.reach)


class ArticulatedMass:
    """M in articulated form: factorised once, solved for any loads at linear cost."""

    def __init__(self, k: Kinematics, inertias: Sequence[LinkInertia]) -> None:
        self._k = k
        articulated = [
            from_link(body, k.rotation(link, k.linear_axes[link]))
            for link, body in enumerate(inertias)
        ]
        done = []
        for s in reversed(k.slidings):
            child = s.connection.child
            elimination = self._eliminate(child, articulated[child])
            done.append(elimination)
            if elimination.parent:
                parent = elimination.parent
                articulated[parent] = articulated[parent] + elimination.at_parent()
        self._eliminations = tuple(done)  # leaves first

    def _eliminate(self, link: int, inertia: SpatialInertia) -> Elimination:
        k = self._k
        c = k.sliding_of[link].connection
        freedoms = []
        for index, along in _freedoms(k, link):
            response = inertia.times(along)
            pivot = dot(along, response)
            if pivot.is_zero:
                name = k.links.speeds[index].name
                raise FormulationError(
                    f"nothing has inertia along {name}: its rate is not determined; give the "
                    f"bodies it moves mass or inertia, or weld it"
                )
            freedoms.append(Freedom(index, along, response, 1.0 / pivot))
            inertia = _without(inertia, freedoms[-1])
        return Elimination(
            link=link,
            parent=c.parent,
            R_PC=k.rotation(c.parent, link),
            R_PX=k.rotation(c.parent, k.linear_axes[link]),
            R_PY=k.rotation(c.parent, k.linear_axes[c.parent]),
            reach=_reach(k, link),
            freedoms=tuple(freedoms),
            left=inertia,
        )

    def solve(self, loads: LinkLoads, bias: Sequence[Six] | None = None) -> list[Expr]:
        """The rates of the speeds; ``bias`` is each link's acceleration that the connection
        to its parent adds when speeds are constant (none for loads alone)."""
        count = self._k.links.count
        carried: list[Six] = [
            tuple(-x for x in (*loads.moments[i], *loads.forces[i])) for i in range(count)
        ]
        surplus: dict[int, Expr] = {}
        for e in self._eliminations:
            load = carried[e.link]
            for f in e.freedoms:
                effort = loads.efforts.get(f.index, ZERO)
                surplus[f.index] = effort - dot(f.along, load)
                load = _after(f, load, effort, surplus[f.index])
            if e.parent:
                if bias is not None:
                    load = plus(load, e.left.times(bias[e.link]))
                carried[e.parent] = plus(carried[e.parent], _load_to_parent(e, load))
        return self._forward(surplus, bias)

    def _forward(self, surplus: dict[int, Expr], bias: Sequence[Six] | None) -> list[Expr]:
        rates = [ZERO] * len(self._k.links.speeds)
        zero: Six = (ZERO,) * 6
        motion: list[Six] = [zero] * self._k.links.count
        if bias is not None:
            motion[0] = bias[0]
        for e in reversed(self._eliminations):
            a = _motion_to_child(e, motion[e.parent])
            if bias is not None:
                a = plus(a, bias[e.link])
            for f in reversed(e.freedoms):
                rates[f.index], a = _released(f, surplus[f.index], a)
            motion[e.link] = a
        return rates


def _coordinate_axis(along: Six) -> int | None:
    """The index of a freedom along one coordinate axis (with either sign), or None."""
    nonzero = [i for i, x in enumerate(along) if not x.is_zero]
    if len(nonzero) == 1 and along[nonzero[0]].is_number:
        return nonzero[0]
    return None


def _without(inertia: SpatialInertia, f: Freedom) -> SpatialInertia:
    """I - U U^T / D; along a coordinate axis exactly nothing is left."""
    axis = _coordinate_axis(f.along)
    scaled = tuple(u * f.inverse for u in f.response)
    rows = [list(row) for row in inertia.rows]
    for i in range(6):
        for j in range(i + 1):
            gone = axis in (i, j)
            value = ZERO if gone else rows[i][j] - f.response[i] * scaled[j]
            rows[i][j] = rows[j][i] = value
    return SpatialInertia(tuple(tuple(row) for row in rows))


def _after(f: Freedom, load: Six, effort: Expr, surplus: Expr) -> Six:
    """p + U u / D; along a coordinate axis it is the effort itself."""
    axis = _coordinate_axis(f.along)
    share = surplus * f.inverse
    passed = [p + u * share for p, u in zip(load, f.response, strict=True)]
    if axis is not None:
        passed[axis] = effort / f.along[axis]
    return tuple(passed)


def _released(f: Freedom, surplus: Expr, a: Six) -> tuple[Expr, Six]:
    """(u - U . a) / D, and the motion with it; along a coordinate axis D a / D cancels."""
    axis = _coordinate_axis(f.along)
    if axis is None:
        rate = (surplus - dot(f.response, a)) * f.inverse
        return rate, plus(a, tuple(s * rate for s in f.along))
    others = tuple(ZERO if i == axis else u for i, u in enumerate(f.response))
    total = (surplus - dot(others, a)) * f.inverse
    rate = total - a[axis] / f.along[axis]
    moved = tuple(total * f.along[axis] if i == axis else x for i, x in enumerate(a))
    return rate, moved


def connection_bias(k: Kinematics) -> list[Six]:
    """What each connection adds to its child's acceleration at constant speeds, child axes.

    The ground's entry is its acceleration against gravity.
    """
    w = k.angular_velocity
    none: Six = (ZERO,) * 6
    found: list[Six] = [(*NULL, *-k.gravity), *[none] * (k.links.count - 1)]
    for s in k.slidings:
        c = s.connection
        t = k.turning_of[c.child]
        angular = child_angular_acceleration(t, NULL, turning_bias(t, w[c.parent]))
        rate = sliding_bias(s, w[c.tail.link], k.rotation(c.head.link, c.tail.link))
        at_parent, at_child = (NULL, NULL, w[c.parent]), (angular, w[c.child])
        R_XP = k.rotation(k.linear_axes[c.child], c.parent)
        linear = child_acceleration(s, R_XP, at_parent, at_child, rate, k.known)
        found[c.child] = (*angular, *linear)
    return found


def _freedoms(k: Kinematics, link: int) -> list[tuple[int, Six]]:
    """Speeds of the connections into a link: how the link moves per unit, link axes.

    Translations come first: their inertia is the mass, which is constant.
    """
    s, t = k.sliding_of[link], k.turning_of[link]
    R_CP = k.rotation(link, s.connection.parent)
    R_XP = k.rotation(k.linear_axes[link], s.connection.parent)
    found: list[tuple[int, Six]] = []
    for index, partial in zip(s.connection.speed_indices, s.partials, strict=True):
        along = R_XP @ partial if s.is_in_parent_axes else partial
        found.append((index, (*NULL, *(along if s.connection.forward else -along))))
    for index, partial in zip(t.connection.speed_indices, t.partials, strict=True):
        turn = partial if t.connection.forward else -(R_CP @ partial)
        # Walked against its direction, the reach to the head is fixed in the child and turns.
        swept = NULL if s.connection.forward else -turn.cross(s.reach)
        along_both: Six = (*turn, *swept)
        if t.connection.shares:  # one speed, which slides and turns
            (index, slid), *_ = found
            return [(index, plus(slid, along_both))]
        found.append((index, along_both))
    return found


def _reach(k: Kinematics, link: int) -> Vector:
    """From the parent's origin to the point that its motion carries, parent axes."""
    s = k.sliding_of[link]
    if s.connection.forward:
        return s.reach
    return s.connection.head.r_LF_L - k.rotation(s.connection.parent, link) @ s.reach


def _motion_to_child(e: Elimination, a: Six) -> Six:
    angular, linear = Vector(a[:3]), e.R_PY @ Vector(a[3:])
    return (*(e.R_PC.T @ angular), *(e.R_PX.T @ (linear + angular.cross(e.reach))))


def _load_to_parent(e: Elimination, load: Six) -> Six:
    moment, force = e.R_PC @ Vector(load[:3]), e.R_PX @ Vector(load[3:])
    return (*(moment + e.reach.cross(force)), *(e.R_PY.T @ force))
