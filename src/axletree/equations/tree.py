"""Trees: the choice of modelling variables.

Morency 2007, sections 2.4.2 and 2.4.3; equation numbers are of that work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.components.edges import Domain, Edge
from axletree.core.errors import GraphError
from axletree.equations.graph import ROOT, LinearGraph

TreeChoice = Sequence[str] | Mapping[str, Sequence[str]] | None


@dataclass(frozen=True)
class Branch:
    """A tree edge as it is walked from the root: from its parent node to its child node."""

    edge: Edge
    parent: str
    child: str

    @property
    def forward(self) -> bool:
        return self.edge.tail == self.parent


@dataclass(frozen=True)
class Tree:
    """A spanning tree of one domain: branches from the root outwards, and the chords."""

    domain: Domain
    branches: tuple[Branch, ...]
    chords: tuple[Edge, ...]

    def path_to_root(self, node: str) -> tuple[Branch, ...]:
        into = {branch.child: branch for branch in self.branches}
        path = []
        while node != ROOT:
            path.append(into[node])
            node = into[node].parent
        return tuple(path)

    def circuit_matrix(self) -> np.ndarray:
        """B_f, chords by branches: the loop of each chord, walked in its direction (eq. 2.26)."""
        column = {branch.edge: k for k, branch in enumerate(self.branches)}
        matrix = np.zeros((len(self.chords), len(self.branches)), dtype=int)
        for row, chord in enumerate(self.chords):
            # From the chord's head down to the root, then up to its tail.
            for branch in self.path_to_root(chord.head):
                matrix[row, column[branch.edge]] -= 1 if branch.forward else -1
            for branch in self.path_to_root(chord.tail):
                matrix[row, column[branch.edge]] += 1 if branch.forward else -1
        return matrix

    def cutset_matrix(self) -> np.ndarray:
        """A_f, branches by chords: the chords across the cut of each branch (eq. 2.24)."""
        matrix = np.zeros((len(self.branches), len(self.chords)), dtype=int)
        for row, branch in enumerate(self.branches):
            beyond = self._nodes_beyond(branch)
            for column, chord in enumerate(self.chords):
                crossing = (chord.head in beyond) - (chord.tail in beyond)
                matrix[row, column] = crossing if branch.forward else -crossing
        return matrix

    def _nodes_beyond(self, branch: Branch) -> set[str]:
        beyond = {branch.child}
        for other in self.branches:
            if other.parent in beyond:
                beyond.add(other.child)
        return beyond


def select_trees(graph: LinearGraph, choice: TreeChoice = None) -> dict[Domain, Tree]:
    """A tree per domain: of least across dimension, or of the components in ``choice``.

    ``choice`` is a list of component names for all domains, or a mapping from a domain's
    name ("translation", "rotation", "electrical") to such a list. A domain in which no
    listed component has an edge gets the default tree.

    Example:
    >>> import axletree as at
    >>> from axletree.equations.graph import build_graph
    >>> from axletree.equations.tree import select_trees
    >>> from axletree.components.edges import ROTATION
    >>> tree = select_trees(build_graph(at.read_model("four-bar")))[ROTATION]
    >>> [edge.name for edge in tree.chords]
    ['crank.R1', 'coupler.R1', 'rocker.R1', 'd.R1']
    """
    names = {edge.component for edge in graph.edges}
    chosen = _choice_by_domain(graph, choice, names)
    trees = {}
    for domain in graph.domains:
        listed = chosen.get(domain.name)
        edges = graph.edges_of(domain)
        if listed is None or not any(e.component in listed and not e.is_arm for e in edges):
            picked = _least_dimension(edges)
        else:
            picked = _listed(edges, listed, domain)
        trees[domain] = _rooted(graph, domain, picked)
    return trees


def _choice_by_domain(
    graph: LinearGraph, choice: TreeChoice, names: set[str]
) -> dict[str, Sequence[str]]:
    if choice is None:
        return {}
    domains = [domain.name for domain in graph.domains]
    if isinstance(choice, str):
        raise GraphError(f"the tree is a list of component names, got the word {choice!r}")
    by_domain = dict(choice) if isinstance(choice, Mapping) else dict.fromkeys(domains, choice)
    for domain, listed in by_domain.items():
        if domain not in domains:
            raise GraphError(f"the model has no {domain!r} domain; it has {', '.join(domains)}")
        for name in listed:
            if name not in names:
                raise GraphError(
                    f"the tree names {name!r}, which is no component of the model; "
                    f"components: {', '.join(sorted(names))}"
                )
    return by_domain


class _Forest:
    """Which nodes hang together, as edges are added."""

    def __init__(self) -> None:
        self._leader: dict[str, str] = {}

    def leader(self, node: str) -> str:
        while self._leader.get(node, node) != node:
            node = self._leader[node]
        return node

    def join(self, edge: Edge) -> bool:
        a, b = self.leader(edge.tail), self.leader(edge.head)
        self._leader[a] = b
        return a != b


def _least_dimension(edges: Sequence[Edge]) -> list[Edge]:
    """Kruskal's algorithm on the dimension of the across space."""
    order = {edge: k for k, edge in enumerate(edges)}
    forest = _Forest()
    ranked = sorted(edges, key=lambda e: (not e.is_arm, e.law.dimension, e.rank, order[e]))
    return [edge for edge in ranked if forest.join(edge)]


def _listed(edges: Sequence[Edge], listed: Sequence[str], domain: Domain) -> list[Edge]:
    """Rigid arms, then the edges of the listed components in their order."""
    forest = _Forest()
    picked = [edge for edge in edges if edge.is_arm and forest.join(edge)]
    for name in listed:
        for edge in edges:
            if edge.component == name and edge not in picked and not edge.is_arm:
                if not forest.join(edge):
                    loop = _loop(picked, edge)
                    raise GraphError(
                        f"the tree of the {domain.name} domain has a loop: {' - '.join(loop)}; "
                        "leave one of them out"
                    )
                picked.append(edge)
    return picked


def _loop(picked: Sequence[Edge], closing: Edge) -> list[str]:
    """The components around the loop that an edge closes, without the bodies it passes."""
    paths: dict[str, list[str]] = {closing.tail: [closing.component]}
    queue = [closing.tail]
    while queue:
        node = queue.pop(0)
        for edge in picked:
            for here, there in ((edge.tail, edge.head), (edge.head, edge.tail)):
                if here == node and there not in paths:
                    within_body = edge.tail == edge.component
                    passed = [] if within_body else [edge.component]
                    paths[there] = [*paths[node], *passed]
                    queue.append(there)
    return list(dict.fromkeys(paths[closing.head]))


def _rooted(graph: LinearGraph, domain: Domain, picked: Sequence[Edge]) -> Tree:
    """Walk the picked edges from the root; every node must be reached."""
    touching: dict[str, list[Edge]] = {}
    for edge in picked:
        touching.setdefault(edge.tail, []).append(edge)
        touching.setdefault(edge.head, []).append(edge)
    reached = {ROOT}
    queue = deque([ROOT])
    branches: list[Branch] = []
    while queue:
        node = queue.popleft()
        for edge in touching.get(node, []):
            other = edge.head if edge.tail == node else edge.tail
            if other not in reached:
                reached.add(other)
                queue.append(other)
                branches.append(Branch(edge, node, other))
    edges = graph.edges_of(domain)
    missing = [node for node in graph.nodes_of(domain) if node not in reached]
    if missing:
        across = [e.component for e in edges if (e.tail in reached) != (e.head in reached)]
        bridges = ", ".join(dict.fromkeys(across))
        advice = f"add one of: {bridges}" if bridges else "nothing connects it; add a ground"
        raise GraphError(
            f"the tree of the {domain.name} domain does not reach {', '.join(missing)}; {advice}"
        )
    chosen = {branch.edge for branch in branches}
    return Tree(domain, tuple(branches), tuple(edge for edge in edges if edge not in chosen))
