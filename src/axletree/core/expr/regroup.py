"""Sums and products put in an order in which early parts stand together.

Some symbols are known before others: parameters before states. A sum ``a + x + b`` with
early a and b costs two additions each time, ``(a + b) + x`` one, the other being done
once; of ``a*x + b*x``, which is ``(a + b)*x``, one product remains. The value changes by
rounding alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from axletree.core.expr.expression import ONE, ONE_NODE, ZERO, Expr, Node
from axletree.core.expr.order import dependent_nodes, topological_order
from axletree.core.expr.rebuild import rebuild


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
        self.uses = Counter(e.node for node in self.order for e in node.operands)
        self.uses.update(e.node for e in expressions)
        self.absorbed = self._absorbed()
        self.built: dict[Node, Expr] = {}
        self._early: set[Node] = set()  # the early factors that products were given

    def _absorbed(self) -> set[Node]:
        """Sums that are a term of one other sum and nothing else; likewise products."""
        found = set()
        for node in self.order:
            if node.operation in ("add", "mul") and node in self.late:
                inner = (e.node for e in node.operands)
                found |= {
                    n
                    for n in inner
                    if n.operation == node.operation and self.uses[n] == 1 and n in self.late
                }
        return found

    def _terms(self, top: Node) -> list[Expr]:
        """Terms with their coefficients, or factors, those of absorbed nodes in their place."""
        found = []
        stack = [Expr(1.0, top)]
        while stack:
            e = stack.pop()
            if e.node is not top and e.node not in self.absorbed:
                found.append(e)
            else:
                operands = (Expr(e.coefficient * o.coefficient, o.node) for o in e.node.operands)
                stack += reversed(list(operands))
        return found

    def product(self, top: Node) -> Expr:
        early = rest = ONE
        for factor in self._terms(top):
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
        for term in self._terms(top):
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


def _weighted_sum(weights: Mapping[Node, Expr]) -> Expr:
    """The sum of nodes times weights; nodes of one weight are added first."""
    alike: dict[Node, Expr] = {}
    for node, weight in weights.items():
        alike[weight.node] = alike.get(weight.node, ZERO) + Expr(weight.coefficient, node)
    total = ZERO
    for weight_node, part in alike.items():
        total = total + part * Expr(1.0, weight_node)
    return total
