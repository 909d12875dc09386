"""Pairs of terms, or of factors, that several sums or products have in common.

Two sums ``a + b + c`` and ``a + b + d`` share no node, because additions are made two by
two in whatever order they came. Here the pair that occurs most often becomes a node of
its own, again and again until no pair occurs twice. The value changes by rounding alone.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from axletree.core.expr.expression import ONE, ZERO, Expr, Node
from axletree.core.expr.order import topological_order
from axletree.core.expr.rebuild import rebuild

LONGEST: Final = 40  # terms; the pairs of longer sums are not looked at

Term = tuple[float, object]  # coefficient, and a node or a pair found before
Pair = tuple[str, object, object, float]  # operation, first, second, ratio of coefficients


def share_pairs(expressions: Sequence[Expr]) -> list[Expr]:
    """The same expressions with common pairs computed once."""
    order = topological_order(expressions)
    chains = _chains(order, expressions)
    rank: dict[object, int] = {node: k for k, node in enumerate(order)}
    _extract(chains, rank)
    built: dict[object, Expr] = {}
    inner = {n for node, (_, members) in chains.items() for n in members if n is not node}
    for node in order:
        if node in inner:
            continue
        if node in chains:
            terms = chains[node][0]
            built[node] = _combined(node.operation, terms, built)
        else:
            operands = [built[e.node] * e.coefficient for e in node.operands]
            built[node] = rebuild(node.operation, operands, node.data)
    return [built[e.node] * e.coefficient for e in expressions]


Chain = tuple[list[Term], set[Node]]  # its terms, and the nodes it is made of


def _chains(order: Sequence[Node], expressions: Sequence[Expr]) -> dict[Node, Chain]:
    """Every sum and product with the single-use sums and products inside it opened."""
    uses = Counter(e.node for node in order for e in node.operands)
    uses.update(e.node for e in expressions)
    inner = set()
    for node in order:
        if node.operation in ("add", "mul"):
            inner |= {
                e.node
                for e in node.operands
                if e.node.operation == node.operation and uses[e.node] == 1
            }
    chains: dict[Node, Chain] = {}
    for node in order:
        if node.operation in ("add", "mul") and node not in inner:
            chains[node] = _opened(node, inner)
    return chains


def _opened(top: Node, inner: set[Node]) -> Chain:
    terms: list[Term] = []
    members = {top}
    stack = [Expr(1.0, top)]
    while stack:
        e = stack.pop()
        if e.node is top or (e.node in inner and e.node.operation == top.operation):
            members.add(e.node)
            parts = [Expr(e.coefficient * o.coefficient, o.node) for o in e.node.operands]
            stack += reversed(parts)
        else:
            terms.append((e.coefficient, e.node))
    return terms, members


def _extract(chains: dict[Node, Chain], rank: dict[object, int]) -> None:
    """Replace the commonest pair by a term of its own until none occurs twice."""
    found = _Occurrences(rank)
    for top, (terms, _) in chains.items():
        for pair in _pairs(top.operation, terms, rank):
            found.where.setdefault(pair, {})[top] = None
    for pair in found.where:
        found.queue(pair)
    while (commonest := found.commonest()) is not None:
        tops = [t for t in found.where[commonest] if _find(chains[t][0], commonest) is not None]
        if len(tops) < 2:
            continue
        rank[commonest] = len(rank)
        for top in tops:
            _replace(top, chains[top][0], commonest, found)


class _Occurrences:
    """Where pairs occur, and a queue of those that occur in several chains.

    A pair that is met again goes into the heap again with its new count; what it left
    there before is out of date, and passed over when it comes up.
    """

    def __init__(self, rank: dict[object, int]) -> None:
        self.rank = rank
        self.where: dict[Pair, dict[Node, None]] = {}
        self._heap: list[tuple[int, int, int, int, Pair]] = []
        self._waiting: dict[Pair, tuple[int, int]] = {}  # count, and place among equals
        self._places = itertools.count()

    def queue(self, pair: Pair) -> None:
        count = len(self.where[pair])
        before = self._waiting.get(pair)
        if count < 2 or (before is not None and before[0] == count):
            return
        place = next(self._places) if before is None else before[1]
        self._waiting[pair] = (count, place)
        ranks = self.rank[pair[1]], self.rank[pair[2]]
        heapq.heappush(self._heap, (-count, *ranks, place, pair))

    def commonest(self) -> Pair | None:
        """The pair that occurs in most chains, taken from the queue; the oldest among equals."""
        while self._heap:
            count, _, _, place, pair = heapq.heappop(self._heap)
            if self._waiting.get(pair) == (-count, place):
                del self._waiting[pair]
                return pair
        return None


def _pairs(operation: str, terms: Sequence[Term], rank: dict[object, int]) -> Iterator[Pair]:
    if len(terms) > LONGEST:
        return
    for a, b in itertools.combinations(terms, 2):
        yield _pair(operation, a, b, rank)


def _pair(operation: str, a: Term, b: Term, rank: dict[object, int]) -> Pair:
    if rank[b[1]] < rank[a[1]]:
        a, b = b, a
    return (operation, a[1], b[1], b[0] / a[0] if operation == "add" else 1.0)


def _find(terms: Sequence[Term], pair: Pair) -> tuple[int, int] | None:
    """Where the two terms of a pair stand, in the pair's ratio."""
    operation, first, second, ratio = pair
    for i, a in enumerate(terms):
        if a[1] is not first:
            continue
        for j, b in enumerate(terms):
            if j != i and b[1] is second and (operation == "mul" or b[0] / a[0] == ratio):
                return i, j
    return None


def _replace(top: Node, terms: list[Term], pair: Pair, occurrences: _Occurrences) -> None:
    found = _find(terms, pair)
    while found is not None:
        i, j = found
        coefficient = terms[i][0] * (terms[j][0] if pair[0] == "mul" else 1.0)
        rest = [term for k, term in enumerate(terms) if k not in (i, j)]
        terms[:] = [*rest, (coefficient, pair)]
        for other in rest:
            new = _pair(top.operation, other, terms[-1], occurrences.rank)
            occurrences.where.setdefault(new, {})[top] = None
            occurrences.queue(new)
        found = _find(terms, pair)


def _combined(operation: str, terms: Sequence[Term], built: dict[object, Expr]) -> Expr:
    total = ZERO if operation == "add" else ONE
    for coefficient, what in terms:
        value = _value(what, built) * coefficient
        total = total + value if operation == "add" else total * value
    return total


def _value(what: object, built: dict[object, Expr]) -> Expr:
    """A node's value, or a pair's, built from the inside out."""
    stack = [what]
    while stack:
        item = stack[-1]
        if item in built:
            stack.pop()
            continue
        assert isinstance(item, tuple)
        operation, first, second, ratio = item
        missing = [part for part in (first, second) if part not in built]
        if missing:
            stack += missing
            continue
        a, b = built[first], built[second]
        built[item] = a + b * ratio if operation == "add" else a * b
        stack.pop()
    return built[what]
