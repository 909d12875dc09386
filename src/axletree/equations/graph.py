"""The linear graph of a model: nodes are frames and terminals, edges belong to components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axletree.components.edges import Domain, Edge
from axletree.model.model import Model

ROOT = "ground"  # the reference node of every domain


@dataclass(frozen=True)
class LinearGraph:
    """Edges in the order of the model's components; each domain is a graph of its own.

    Example:
    >>> import axletree as at
    >>> from axletree.equations.graph import build_graph
    >>> graph = build_graph(at.read_model("pendulum"))
    >>> [domain.name for domain in graph.domains], len(graph.edges)
    (['translation', 'rotation'], 6)
    """

    edges: tuple[Edge, ...]

    @property
    def domains(self) -> tuple[Domain, ...]:
        """In the order in which components bring them."""
        return tuple(dict.fromkeys(edge.domain for edge in self.edges))

    def edges_of(self, domain: Domain) -> tuple[Edge, ...]:
        """The edges of a domain, in their order.

        Example:
        >>> import axletree as at
        >>> from axletree.equations.graph import build_graph
        >>> from axletree.components.edges import TRANSLATION
        >>> graph = build_graph(at.read_model("pendulum"))
        >>> [edge.name for edge in graph.edges_of(TRANSLATION)]
        ['rod.T1', 'rod.T2', 'pin.T1']
        """
        return tuple(edge for edge in self.edges if edge.domain is domain)

    def nodes_of(self, domain: Domain) -> tuple[str, ...]:
        """The reference node first, then in order of appearance.

        Example:
        >>> import axletree as at
        >>> from axletree.equations.graph import build_graph
        >>> from axletree.components.edges import ROTATION
        >>> build_graph(at.read_model("pendulum")).nodes_of(ROTATION)
        ('ground', 'rod', 'rod.top')
        """
        found = {ROOT: None}
        for edge in self.edges_of(domain):
            found |= {edge.tail: None, edge.head: None}
        return tuple(found)

    def incidence(self, domain: Domain) -> np.ndarray:
        """Nodes by edges: +1 where an edge leaves its tail, -1 where it enters its head.

        Example:
        >>> import axletree as at
        >>> from axletree.equations.graph import build_graph
        >>> from axletree.components.edges import TRANSLATION
        >>> build_graph(at.read_model("pendulum")).incidence(TRANSLATION).tolist()
        [[1, 0, 1], [-1, 1, 0], [0, -1, -1]]
        """
        nodes = {name: row for row, name in enumerate(self.nodes_of(domain))}
        edges = self.edges_of(domain)
        matrix = np.zeros((len(nodes), len(edges)), dtype=int)
        for column, edge in enumerate(edges):
            matrix[nodes[edge.tail], column] += 1
            matrix[nodes[edge.head], column] -= 1
        return matrix


def build_graph(model: Model) -> LinearGraph:
    """Every edge of every component.

    Example:
    >>> import axletree as at
    >>> from axletree.equations.graph import build_graph
    >>> pin = build_graph(at.read_model("pendulum")).edges[-1]
    >>> print(f"{pin.name}: {pin.tail} to {pin.head}")
    pin.R1: ground to rod.top
    """
    components = (model.ground, *model.components)
    return LinearGraph(tuple(edge for component in components for edge in component.edges()))
