"""In which order to eliminate the vertices of a linearised graph.

The best order is not known without trying all, so a few are rehearsed on the structure
alone, which takes a fraction of the time of the real elimination, and the one with the
fewest operations is taken; plain forward and reverse accumulation are among them.
Markowitz's rule, least in-degree times out-degree first, wins on tyre formulas. On a
factorised mass matrix it makes fill too early; there it is better to take only the
vertices with a single edge in or out by that rule, and to sweep through the rest from the
variables to the expressions.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Final

Vertex = Hashable
Edges = Mapping[Vertex, Mapping[Vertex, bool]]  # target, source: whether the weight is a number


@dataclass(frozen=True)
class Policy:
    """Which vertex goes next: least ``cost(in_degree, out_degree)``, then by position."""

    cost: Callable[[int, int], int]
    direction: int  # 1: among equals nearest to the variables; -1: to the expressions


def _markowitz(in_degree: int, out_degree: int) -> int:
    return in_degree * out_degree


def _single_edges_first(in_degree: int, out_degree: int) -> int:
    if in_degree <= 1 or out_degree <= 1:
        return in_degree * out_degree
    return _LARGE


def _sweep(in_degree: int, out_degree: int) -> int:
    return 0


_LARGE: Final = 1 << 60
POLICIES: Final = (
    Policy(_markowitz, -1),
    Policy(_markowitz, 1),
    Policy(_single_edges_first, -1),
    Policy(_single_edges_first, 1),
    Policy(_sweep, -1),  # reverse accumulation
    Policy(_sweep, 1),  # forward accumulation
)


def cheapest_order(edges: Edges, rank: Mapping[Vertex, int]) -> list[Vertex]:
    """The vertices of ``rank`` (numbered operands first) in the best order found."""
    best, least = list(rank), math.inf
    for policy in POLICIES:
        rehearsal = _Rehearsal(edges, rank)
        order = rehearsal.run(policy, least)
        if order is not None:
            best, least = order, rehearsal.operations
    return best


class _Rehearsal:
    """An elimination in which weights are only known to be numbers or not."""

    def __init__(self, edges: Edges, rank: Mapping[Vertex, int]) -> None:
        self.rank = rank
        self.into = {target: dict(sources) for target, sources in edges.items()}
        self.out_of: dict[Vertex, dict[Vertex, None]] = {vertex: {} for vertex in rank}
        for target, sources in edges.items():
            for source in sources:
                self.out_of.setdefault(source, {})[target] = None
        self.operations = 0

    def run(self, policy: Policy, least: float) -> list[Vertex] | None:
        """The order of this policy, or None once it takes no fewer operations than ``least``."""
        order: list[Vertex] = []
        costs = {vertex: self._cost(policy, vertex) for vertex in self.rank}
        heap = [(cost, policy.direction * self.rank[v], v) for v, cost in costs.items()]
        heapq.heapify(heap)
        while heap:
            cost, _, vertex = heapq.heappop(heap)
            if costs.get(vertex) != cost:
                continue  # gone, or another entry holds the cost of today
            del costs[vertex]
            order.append(vertex)
            for neighbour in self._eliminate(vertex):
                if neighbour in costs:
                    cost = self._cost(policy, neighbour)
                    if cost != costs[neighbour]:
                        costs[neighbour] = cost
                        place = policy.direction * self.rank[neighbour]
                        heapq.heappush(heap, (cost, place, neighbour))
            if self.operations >= least:
                return None
        return order

    def _cost(self, policy: Policy, vertex: Vertex) -> int:
        return policy.cost(len(self.into.get(vertex, ())), len(self.out_of[vertex]))

    def _eliminate(self, vertex: Vertex) -> list[Vertex]:
        """Join the edges of the vertex and count; its former neighbours."""
        sources, targets = self.into.pop(vertex, {}), self.out_of.pop(vertex)
        for source in sources:
            del self.out_of[source][vertex]
        for target in targets:
            edges = self.into[target]
            outer = edges.pop(vertex)
            for source, inner in sources.items():
                self.operations += not (outer or inner)
                if source in edges:
                    self.operations += 1
                    edges[source] = edges[source] and outer and inner
                else:
                    edges[source] = outer and inner
                    self.out_of[source][target] = None
        return [*sources, *targets]
