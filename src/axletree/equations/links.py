"""Links: the rigid pieces of a model, and the branches that join them.

Frames that rigid arms hold together in both trees are one link. Its axes are those of
the frame by which the rotation tree enters it, its origin is that of the frame by which
the translation tree enters it; the two trees need not be the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from axletree.components.edges import Edge, MotionLaw, RotationLaw, TranslationLaw, Variable
from axletree.core.errors import FormulationError
from axletree.equations.graph import ROOT
from axletree.equations.tree import Branch, Tree
from axletree.expr.quantity import Quantity, Role
from axletree.expr.vectors import IDENTITY, NULL, Matrix, Vector


@dataclass(frozen=True)
class LinkFrame:
    """A frame on a link: its origin and axes in the link's."""

    link: int
    r_LF_L: Vector  # origin of the frame from the link's origin, link components
    R_LF: Matrix


@dataclass(frozen=True)
class Connection:
    """A branch of one domain between two links, with the variables it brings."""

    edge: Edge
    tail: LinkFrame
    head: LinkFrame
    parent: int
    child: int
    coordinates: tuple[Quantity, ...]
    speeds: tuple[Quantity, ...]
    first_speed: int  # index of the first of its speeds among all speeds
    shares: bool = False  # whether its variables are those of the translation beside it

    @property
    def forward(self) -> bool:
        return self.tail.link == self.parent

    @property
    def speed_indices(self) -> range:
        return range(self.first_speed, self.first_speed + len(self.speeds))


@dataclass(frozen=True)
class Links:
    """The skeleton that kinematics and dynamics walk over; link 0 is the ground."""

    count: int
    places: Mapping[str, LinkFrame]  # by frame name
    translations: tuple[Connection, ...]  # from the ground outwards
    rotations: tuple[Connection, ...]

    @property
    def speeds(self) -> tuple[Quantity, ...]:
        return tuple(q for c in self.with_variables for q in c.speeds)

    @property
    def coordinates(self) -> tuple[Quantity, ...]:
        return tuple(q for c in self.with_variables for q in c.coordinates)

    @property
    def with_variables(self) -> list[Connection]:
        """Those that bring variables of their own, in the order of these."""
        own = (c for c in (*self.translations, *self.rotations) if not c.shares)
        return sorted(own, key=lambda c: c.first_speed)

    @property
    def is_one_tree(self) -> bool:
        """Whether both trees enter every link from the same link."""
        parents_T = {c.child: c.parent for c in self.translations}
        return all(parents_T[c.child] == c.parent for c in self.rotations)


def build_links(tree_T: Tree, tree_R: Tree, components: Sequence[str]) -> Links:
    """Links and connections of a model; speeds are numbered in the order of components."""
    links, poses = _rigid_sets(tree_T, tree_R)
    origins = _entries(tree_T, links)
    axes = _entries(tree_R, links)
    places = {}
    for node, link in links.items():
        r_origin, _ = poses[origins.get(link, node)] if link else (NULL, IDENTITY)
        _, R_axes = poses[axes[link]] if link else (NULL, IDENTITY)
        r_node, R_node = poses[node]
        offset = NULL if origins.get(link) == node else R_axes.T @ (r_node - r_origin)
        turn = IDENTITY if axes.get(link) == node else R_axes.T.times(R_node)
        places[node] = LinkFrame(link, offset, turn)
    translations, rotations = _connections(tree_T, tree_R, places, components)
    return Links(max(links.values()) + 1, places, translations, rotations)


def _rigid_sets(
    tree_T: Tree, tree_R: Tree
) -> tuple[dict[str, int], dict[str, tuple[Vector, Matrix]]]:
    """Link number of each node, and its pose in the first node of its set."""
    turns = {(b.edge.tail, b.edge.head): b.edge for b in tree_R.branches}
    links, poses = {ROOT: 0}, {ROOT: (NULL, IDENTITY)}
    arms: dict[str, tuple[Vector, Matrix]] = {}
    for branch in tree_T.branches:
        turn = turns.get((branch.edge.tail, branch.edge.head))
        if turn is not None and turn.is_arm and branch.edge.is_arm:
            arms[branch.child] = _arm(branch.edge, turn)
    for branch in tree_T.branches:
        if branch.child not in arms:
            links[branch.child] = max(links.values()) + 1
            poses[branch.child] = (NULL, IDENTITY)
            continue
        offset, R_tail_head = arms[branch.child]
        r_parent, R_parent = poses[branch.parent]
        links[branch.child] = links[branch.parent]
        if branch.forward:
            poses[branch.child] = (r_parent + R_parent @ offset, R_parent.times(R_tail_head))
        else:
            R_child = R_parent.times(R_tail_head.T)
            poses[branch.child] = (r_parent - R_child @ offset, R_child)
    return links, poses


def _arm(arm: Edge, turn: Edge) -> tuple[Vector, Matrix]:
    """The fixed pose of the head in the tail."""
    assert isinstance(arm.law, TranslationLaw)
    assert isinstance(turn.law, RotationLaw)
    R_tail_head = turn.law.motion((), ()).R_tail_head
    return arm.law.motion((), (), R_tail_head, NULL).displacement, R_tail_head


def _entries(tree: Tree, links: Mapping[str, int]) -> dict[int, str]:
    """The node by which the tree enters each link."""
    found: dict[int, str] = {}
    for branch in tree.branches:
        if links[branch.child] != links[branch.parent]:
            found.setdefault(links[branch.child], branch.child)
    return found


def _connections(
    tree_T: Tree, tree_R: Tree, places: Mapping[str, LinkFrame], components: Sequence[str]
) -> tuple[tuple[Connection, ...], tuple[Connection, ...]]:
    rank = {name: k for k, name in enumerate(components)}
    between = [
        (branch, domain)
        for domain, tree in enumerate((tree_T, tree_R))
        for branch in tree.branches
        if places[branch.parent].link != places[branch.child].link
    ]
    numbered = sorted(between, key=lambda item: (rank[item[0].edge.component], item[1]))
    first_speed, next_speed = {}, 0
    for branch, _ in numbered:
        first_speed[branch.edge] = next_speed
        next_speed += _law(branch.edge).dimension
    made = [(_connection(b, places, first_speed[b.edge]), domain) for b, domain in between]
    translations = tuple(c for c, domain in made if domain == 0)
    rotations = (c for c, domain in made if domain == 1)
    return translations, tuple(_sharing(c, translations) for c in rotations)


def _sharing(c: Connection, translations: Sequence[Connection]) -> Connection:
    """The rotation, with the variables of the slide that it follows, if it does."""
    if not _law(c.edge).follows_slide:
        return c
    for slide in translations:
        if slide.edge.component == c.edge.component and slide.child == c.child:
            return replace(
                c,
                coordinates=slide.coordinates,
                speeds=slide.speeds,
                first_speed=slide.first_speed,
                shares=True,
            )
    raise FormulationError(
        f"{c.edge.component} turns as it slides, so both have to be in the tree: another joint "
        "between the same bodies has taken the place of its slide; take that one out, or leave "
        "this one's travel out of the joints that must not be in the tree"
    )


def _connection(branch: Branch, places: Mapping[str, LinkFrame], first_speed: int) -> Connection:
    edge, law = branch.edge, _law(branch.edge)
    return Connection(
        edge=edge,
        tail=places[edge.tail],
        head=places[edge.head],
        parent=places[branch.parent].link,
        child=places[branch.child].link,
        coordinates=_quantities(edge, law.coordinates, Role.COORDINATE),
        speeds=_quantities(edge, law.speeds, Role.SPEED),
        first_speed=first_speed,
    )


def _law(edge: Edge) -> MotionLaw:
    assert isinstance(edge.law, MotionLaw)
    return edge.law


def _quantities(edge: Edge, variables: Sequence[Variable], role: Role) -> tuple[Quantity, ...]:
    return tuple(quantity_of(edge.component, variable, role) for variable in variables)


def quantity_of(component: str, v: Variable, role: Role) -> Quantity:
    """A variable under its component's name."""
    name = f"{component}.{v.suffix}"
    return Quantity(name, v.unit, v.description, role, v.start, is_store=v.is_store)
