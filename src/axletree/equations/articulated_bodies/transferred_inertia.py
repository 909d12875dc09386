"""Inertia that moves from link to link where the motion stays the same and costs less.

What two links share by their joint may count as either's, because it moves alike on both:

1. a point mass at a point that both have, of a ball joint or a hinge;
2. of what hangs on a hinge its mass, taken to a point of the axis, its first moment along the
   axis, and of its tensor a (1 - u u^T) with u along the axis. That part's angular momentum is
   a (w - u (u . w)), which the turning about u does not change, and its rate has nothing along u.

So hinged links keep as little as they can, and rates of all speeds are what they were in every
state that satisfies the constraints (docs/theory/constraint-embedding.md has the derivation;
Gautier and Khalil 1990 group the inertial parameters of robots in this way). Reactions are found
with each body's own inertia.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from axletree.components.edges import Edge
from axletree.components.motion_laws import AboutAxes, AlongAxes, FixedOffset
from axletree.equations.articulated_bodies.aggregates import Aggregate
from axletree.equations.inertia import LinkInertia
from axletree.equations.kinematics import Kinematics, TranslationStep
from axletree.expr import Expr
from axletree.expr.expression import ZERO
from axletree.expr.vectors import IDENTITY, NULL, NULL_MATRIX, UNIT, Matrix, Vector, outer


def transferred_inertias(
    k: Kinematics,
    inertias: Sequence[LinkInertia],
    aggregates: Sequence[Aggregate],
    chords: Iterable[Edge],
) -> tuple[LinkInertia, ...]:
    """The inertia of every link after hinged ones have passed on what they share, leaves first.

    ``chords`` are the edges whose closures hold.
    """
    found = list(inertias)
    shared = list(_shared_points(k, chords))
    inside = {link: one for one in aggregates for link in one.links}
    for s in reversed(k.slidings):
        hinge = _hinge(k, s.connection.child)
        if hinge is None:
            continue
        own = inside.get(hinge.child)
        if own is not None and hinge.parent == own.base:
            _relieve(found, hinge, shared, set(own.links))
        _group(found, hinge)
    return tuple(found)


@dataclass(frozen=True)
class _SharedPoint:
    """A point that two links have in common, from the origin of each in its own axes."""

    links: tuple[int, int]
    places: tuple[Vector, Vector]

    def seen_from(self, link: int) -> tuple[Vector, int, Vector]:
        """Where it is on a link, on which other one it is, and where there."""
        i = self.links.index(link)
        return self.places[i], self.links[1 - i], self.places[1 - i]


@dataclass(frozen=True)
class _Hinge:
    """A hinge about an axis of coordinates of the child."""

    parent: int
    child: int
    on_parent: Vector  # a point of the axis
    on_child: Vector
    axis: int  # of the child's coordinates
    along: Vector  # the axis in the parent


def _shared_points(k: Kinematics, chords: Iterable[Edge]) -> Iterator[_SharedPoint]:
    for s in k.slidings:
        if _coincide(s.connection.edge):
            yield _joint_point(s)
    for edge in chords:
        if _coincide(edge):
            tail, head = k.links.places[edge.tail], k.links.places[edge.head]
            offset = edge.law.offset if isinstance(edge.law, FixedOffset) else NULL
            on_tail = tail.r_LF_L + tail.R_LF @ offset
            yield _SharedPoint((tail.link, head.link), (on_tail, head.r_LF_L))


def _joint_point(s: TranslationStep) -> _SharedPoint:
    """Where a link hangs on its parent."""
    c = s.connection
    places = (s.reach, NULL) if c.forward else (c.head.r_LF_L, s.reach)
    return _SharedPoint((c.parent, c.child), places)


def _coincide(edge: Edge) -> bool:
    """Whether a point of the tail stays at the origin of the head."""
    law = edge.law
    return isinstance(law, FixedOffset) or (isinstance(law, AlongAxes) and not law.axes)


def _hinge(k: Kinematics, child: int) -> _Hinge | None:
    s, c = k.sliding_of[child], k.turning_of[child].connection
    law = c.edge.law
    if not _coincide(s.connection.edge) or s.connection.parent != c.parent:
        return None
    if not isinstance(law, AboutAxes) or len(law.axes) != 1:
        return None
    on_parent, on_child = (c.tail, c.head) if c.forward else (c.head, c.tail)
    along = on_child.R_LF @ Vector(law.axes[0])
    axis = next((i for i in range(3) if along in (UNIT[i], -UNIT[i])), None)
    if axis is None:
        return None
    at_parent, at_child = _joint_point(s).places
    turned = on_parent.R_LF @ Vector(law.axes[0])
    return _Hinge(c.parent, child, at_parent, at_child, axis, turned * along[axis])


def _relieve(
    found: list[LinkInertia], hinge: _Hinge, shared: Sequence[_SharedPoint], inside: set[int]
) -> None:
    """A point mass to a link beyond, by which the first moment about the axis becomes less."""
    link, i = hinge.child, hinge.axis
    for point in shared:
        if link not in point.links or hinge.parent in point.links:
            continue
        place, other, there = point.seen_from(link)
        arm = place - hinge.on_child
        across = [j for j in range(3) if j != i and not arm[j].is_zero]
        if other not in inside or len(across) != 1:
            continue
        (j,) = across
        body = found[link]
        mass = (body.moment[j] - body.mass * hinge.on_child[j]) / arm[j]
        left = body + _point_mass(-mass, place)
        moment = [*left.moment]
        moment[j] = left.mass * hinge.on_child[j]  # of which rounding would leave a rest
        found[link] = replace(left, moment=Vector(moment))
        found[other] = found[other] + _point_mass(mass, there)
        return


def _group(found: list[LinkInertia], hinge: _Hinge) -> None:
    """To the parent what moves with it as well as with the child."""
    body, i = found[hinge.child], hinge.axis
    j, m = (i + 1) % 3, (i + 2) % 3
    mass = body.mass
    rest = body + _point_mass(-mass, hinge.on_child)
    along = rest.moment[i]
    rest = rest + _first_moment(hinge.on_child, UNIT[i] * -along)
    across = rest.tensor[j][j]
    rows = [list(row) for row in rest.tensor]
    rows[j][j], rows[m][m] = ZERO, rows[m][m] - across
    moment = [ZERO if n == i else e for n, e in enumerate(rest.moment)]
    found[hinge.child] = LinkInertia(ZERO, Vector(moment), Matrix(rows))
    if hinge.parent:
        tensor = (IDENTITY - outer(hinge.along, hinge.along)).scaled(across)
        found[hinge.parent] = (
            found[hinge.parent]
            + _point_mass(mass, hinge.on_parent)
            + _first_moment(hinge.on_parent, hinge.along * along)
            + LinkInertia(ZERO, NULL, tensor)
        )


def _point_mass(mass: Expr, place: Vector) -> LinkInertia:
    tensor = IDENTITY.scaled(place.dot(place)) - outer(place, place)
    return LinkInertia(mass, place * mass, tensor.scaled(mass))


def _first_moment(place: Vector, moment: Vector) -> LinkInertia:
    """Of two masses, opposite and near to one another, at a place: what they have but mass."""
    if moment.is_zero:
        return LinkInertia(ZERO, NULL, NULL_MATRIX)
    products = outer(place, moment)
    tensor = IDENTITY.scaled(2.0 * place.dot(moment)) - products - products.T
    return LinkInertia(ZERO, moment, tensor)
