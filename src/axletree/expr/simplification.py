"""Fewer operations for the same values: sums regrouped, and pairs of terms that are shared.

``condensed`` puts early parts of sums and products together and then makes nodes of the pairs of
terms, or of factors, that several of them have in common. Values change by rounding alone.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from axletree.expr.expression import ONE, ZERO, Expr
from axletree.expr.node import ONE_NODE, Node
from axletree.expr.traversal import dependent_nodes, rebuild, topological_order


def condensed(expressions: Sequence[Expr], late: Iterable[Expr]) -> list[Expr]:
    """The same expressions with pairs of terms shared, and gathered what does not depend on
    the ``late`` symbols; values change by rounding alone."""
    late = list(late)
    return regroup(share_pairs(regroup(expressions, late)), late)


# Sums and products put in an order in which early parts stand together.
#
# Some symbols are known before others: parameters before states. A sum ``a + x + b`` with
# early a and b costs two additions each time, ``(a + b) + x`` one, the other being done
# once; of ``a*x + b*x``, which is ``(a + b)*x``, one product remains. The value changes by
# rounding alone.


def regroup(expressions: Sequence[Expr], late: Iterable[Expr]) -> list[Expr]:
    """The same expressions, what does not depend on the ``late`` symbols gathered."""
    grouping = _Grouping(expressions, late)
    built = grouping.built
    for node in grouping.order:
        if node not in grouping.late:
            built[node] = Expr(1.0, node)
        elif node in grouping.absorbed:
            continue
        elif node.operation == "add":
            built[node] = grouping.total(node)
        elif node.operation == "mul":
            built[node] = grouping.product(node)
        else:
            operands = [built[e.node] * e.coefficient for e in node.operands]
            built[node] = rebuild(node.operation, operands, node.data)
    return [built[e.node] * e.coefficient for e in expressions]


class _Grouping:
    def __init__(self, expressions: Sequence[Expr], late: Iterable[Expr]) -> None:
        self.order = topological_order(expressions)
        self.late = dependent_nodes(self.order, late)
        self.uses = _uses(self.order, expressions)
        self.absorbed = _absorbed(self.order, self.uses) & self.late
        self.built: dict[Node, Expr] = {}
        self._early: set[Node] = set()  # the early factors that products were given

    def product(self, top: Node) -> Expr:
        early = rest = ONE
        for factor in _terms(top, self.absorbed):
            if factor.node in self.late:
                rest = rest * self.built[factor.node]
            else:
                early = early * factor
        self._early.add(early.node)
        return rest * early

    def total(self, top: Node) -> Expr:
        """Early terms by themselves; late terms by what they multiply."""
        early = ZERO
        weights: dict[Node, Expr] = {}  # of each late node, an early expression
        for term in _terms(top, self.absorbed):
            if term.node not in self.late:
                early = early + term
                continue
            weight, node = self._split(term)
            weights[node] = weights.get(node, ZERO) + weight
        return _weighted_sum(weights) + early

    def _split(self, term: Expr) -> tuple[Expr, Node]:
        """A late term as an early weight times a node, where nothing else uses the product."""
        value = self.built[term.node] * term.coefficient
        node = value.node
        if node.operation == "mul" and self.uses[term.node] == 1:
            for weight, other in (node.operands, reversed(node.operands)):
                if weight.node in self._early:
                    return weight * value.coefficient, other.node
        return Expr(value.coefficient, ONE_NODE), node


def _uses(order: Sequence[Node], expressions: Sequence[Expr]) -> Counter[Node]:
    """How often each node is an operand or a result."""
    uses = Counter(e.node for node in order for e in node.operands)
    uses.update(e.node for e in expressions)
    return uses


def _absorbed(order: Sequence[Node], uses: Counter[Node]) -> set[Node]:
    """Sums that are a term of one other sum and nothing else; likewise products."""
    return {
        e.node
        for node in order
        if node.operation in ("add", "mul")
        for e in node.operands
        if e.node.operation == node.operation and uses[e.node] == 1
    }


def _terms(top: Node, absorbed: set[Node]) -> list[Expr]:
    """Terms with their coefficients, or factors, those of absorbed nodes in their place."""
    found = []
    stack = [Expr(1.0, top)]
    while stack:
        e = stack.pop()
        if e.node is not top and e.node not in absorbed:
            found.append(e)
        else:
            operands = (Expr(e.coefficient * o.coefficient, o.node) for o in e.node.operands)
            stack += reversed(list(operands))
    return found


def _weighted_sum(weights: Mapping[Node, Expr]) -> Expr:
    """The sum of nodes times weights; nodes of one weight are added first."""
    alike: dict[Node, Expr] = {}
    for node, weight in weights.items():
        alike[weight.node] = alike.get(weight.node, ZERO) + Expr(weight.coefficient, node)
    return sum((part * Expr(1.0, weight_node) for weight_node, part in alike.items()), ZERO)


# Pairs of terms, or of factors, that several sums or products have in common.
#
# Two sums ``a + b + c`` and ``a + b + d`` share no node, because additions are made two by
# two in whatever order they came. Here the pair that occurs most often becomes a node of
# its own, again and again until no pair occurs twice. The value changes by rounding alone.

_LONGEST: Final = 40  # terms; the pairs of longer sums are not looked at

Term = tuple[float, object]  # coefficient, and a node or a pair found before
Pair = tuple[str, object, object, float]  # operation, first, second, ratio of coefficients


def share_pairs(expressions: Sequence[Expr]) -> list[Expr]:
    """The same expressions with common pairs computed once."""
    order = topological_order(expressions)
    inner = _absorbed(order, _uses(order, expressions))
    chains: dict[Node, list[Term]] = {
        node: [(e.coefficient, e.node) for e in _terms(node, inner)]
        for node in order
        if node.operation in ("add", "mul") and node not in inner
    }
    rank: dict[object, int] = {node: k for k, node in enumerate(order)}
    _extract(chains, rank)
    built: dict[object, Expr] = {}
    for node in order:
        if node in inner:
            continue
        if node in chains:
            built[node] = _combined(node.operation, chains[node], built)
        else:
            operands = [built[e.node] * e.coefficient for e in node.operands]
            built[node] = rebuild(node.operation, operands, node.data)
    return [built[e.node] * e.coefficient for e in expressions]


def _extract(chains: Mapping[Node, list[Term]], rank: dict[object, int]) -> None:
    """Replace the commonest pair by a term of its own until none occurs twice."""
    found = _Occurrences(rank)
    for top, terms in chains.items():
        for a, b in itertools.combinations(terms if len(terms) <= _LONGEST else (), 2):
            pair = _pair(top.operation, a, b, rank)
            found.where.setdefault(pair, {})[top] = None
    for pair in found.where:
        found.queue(pair)
    while (commonest := found.commonest()) is not None:
        tops = [t for t in found.where[commonest] if _find(chains[t], commonest) is not None]
        if len(tops) < 2:
            continue
        rank[commonest] = len(rank)
        for top in tops:
            _replace(top, chains[top], commonest, found)


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
