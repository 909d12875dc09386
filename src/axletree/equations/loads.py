"""Loads on links and their projection: the chord transformations, walked leaf to root.

The through variable of a branch is the sum over its fundamental cutset (Morency 2007,
eq. 2.25). In a tree that sum is what the links beyond the branch carry, so it is
accumulated from the leaves inwards: forces along the translation tree, each leaving
a moment on the link that reaches to it, then moments along the rotation tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from axletree.components.edges import ROTATION, Basis, Edge
from axletree.equations.kinematics import Kinematics
from axletree.equations.relative_motion import relative_motion
from axletree.expr import Expr
from axletree.expr.expression import ZERO
from axletree.expr.vectors import NULL, Vector


@dataclass
class LinkLoads:
    """A force at each link's origin, in its linear axes, and a moment on each link, in its own."""

    forces: list[Vector]
    moments: list[Vector]
    efforts: dict[int, Expr] = field(default_factory=dict)  # along single speeds, by index

    @classmethod
    def none(cls, k: Kinematics) -> LinkLoads:
        return cls([NULL] * k.links.count, [NULL] * k.links.count)

    def add(self, other: LinkLoads) -> None:
        self.forces = [a + b for a, b in zip(self.forces, other.forces, strict=True)]
        self.moments = [a + b for a, b in zip(self.moments, other.moments, strict=True)]
        for index, effort in other.efforts.items():
            self.add_effort(index, effort)

    def scaled(self, factor: Expr) -> LinkLoads:
        efforts = {index: effort * factor for index, effort in self.efforts.items()}
        forces = [force * factor for force in self.forces]
        return LinkLoads(forces, [moment * factor for moment in self.moments], efforts)

    @property
    def entries(self) -> list[Expr]:
        """All components: of forces, of moments, and efforts."""
        vectors = [e for vector in (*self.forces, *self.moments) for e in vector]
        return [*vectors, *self.efforts.values()]

    def with_entries(self, entries: Sequence[Expr]) -> LinkLoads:
        """The same links and speeds under other loads."""
        count = len(self.forces)
        vectors = [Vector(entries[k : k + 3]) for k in range(0, 6 * count, 3)]
        efforts = dict(zip(self.efforts, entries[6 * count :], strict=True))
        return LinkLoads(vectors[:count], vectors[count:], efforts)

    def add_effort(self, index: int, effort: Expr) -> None:
        self.efforts[index] = self.efforts.get(index, ZERO) + effort


def edge_load(k: Kinematics, edge: Edge, along: Vector) -> LinkLoads:
    """A force or a moment on the head of an edge, as its domain says, in the tail's components."""
    force, moment = (NULL, along) if edge.domain is ROTATION else (along, NULL)
    return link_loads(k, (edge.tail, edge.head), force, moment, Basis.TAIL)


def link_loads(
    k: Kinematics, ends: tuple[str, str], force: Vector, moment: Vector, basis: Basis
) -> LinkLoads:
    """A force at the origin of the head and a moment on it; the tail gets the opposite.

    ``ends`` are the frames of tail and head; ``basis`` says in the components of which of them.
    """
    loads = LinkLoads.none(k)
    tail, head = (k.links.places[name] for name in ends)
    if tail.link == head.link:  # within one rigid piece, as between two welded bodies
        return loads
    given = head if basis is Basis.HEAD else tail
    reach = NULL if force.is_zero else relative_motion(k, tail, head).displacement
    force, moment = given.R_LF @ force, given.R_LF @ moment

    def resolved(axes: int, vector: Vector) -> Vector:
        return k.rotation(axes, given.link) @ vector

    if head.link:
        at_head = head.r_LF_L.cross(resolved(head.link, force))
        loads.forces[head.link] = resolved(k.linear_axes[head.link], force)
        loads.moments[head.link] = resolved(head.link, moment) + at_head
    if tail.link:
        point = tail.r_LF_L + tail.R_LF @ reach
        at_tail = point.cross(resolved(tail.link, force))
        loads.forces[tail.link] = -resolved(k.linear_axes[tail.link], force)
        loads.moments[tail.link] = -(resolved(tail.link, moment) + at_tail)
    return loads


@dataclass(frozen=True)
class BranchThrough:
    """Through variables of the branches: what each passes on towards the ground.

    ``forces[c]`` is what child link c and all beyond it carry, at its origin and in its
    linear axes; ``moments[c]`` likewise for rotation, in its own axes. The branch holds
    the opposite.
    """

    forces: tuple[Vector, ...]
    moments: tuple[Vector, ...]
    efforts: tuple[Expr, ...]  # projected on each speed: generalised forces


def accumulate(k: Kinematics, loads: LinkLoads) -> BranchThrough:
    """Sum loads over every fundamental cutset and project them on the across spaces (eq. 2.33)."""
    forces, moments = list(loads.forces), list(loads.moments)
    efforts = [ZERO] * len(k.links.speeds)
    for s in reversed(k.slidings):
        c = s.connection
        force = forces[c.child]
        if force.is_zero:
            continue
        force_P = k.rotation(c.parent, k.linear_axes[c.child]) @ force
        along = force_P if s.is_in_parent_axes else force
        _project(efforts, c.speed_indices, s.partials, along if c.forward else -along)
        point = s.reach if c.forward else c.head.r_LF_L
        if c.parent:
            forces[c.parent] = forces[c.parent] + k.to_linear(c.parent, force_P)
            moments[c.parent] = moments[c.parent] + point.cross(force_P)
        if not c.forward:
            moments[c.child] = moments[c.child] - s.reach.cross(force)
    for t in reversed(k.turnings):
        c = t.connection
        moment = moments[c.child]
        if moment.is_zero:
            continue
        moment_P = t.R_parent_child @ moment
        _project(efforts, c.speed_indices, t.partials, moment if c.forward else -moment_P)
        if c.parent:
            moments[c.parent] = moments[c.parent] + moment_P
    for index, effort in loads.efforts.items():
        efforts[index] = efforts[index] + effort
    return BranchThrough(tuple(forces), tuple(moments), tuple(efforts))


def _project(
    efforts: list[Expr], indices: range, partials: Sequence[Vector], along: Vector
) -> None:
    for index, partial in zip(indices, partials, strict=True):
        efforts[index] = efforts[index] + partial.dot(along)
