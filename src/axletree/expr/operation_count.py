"""Operation counts: what an expression costs where each node is computed once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from axletree.expr.expression import Expr
from axletree.expr.node import ONE_NODE, Node
from axletree.expr.traversal import topological_order

_FREE = frozenset({"one", "symbol", "output"})


@dataclass(frozen=True)
class OperationCount:
    """Additions, multiplications, divisions and functions, as Morency 2007 counts them."""

    additions: int = 0
    multiplications: int = 0
    divisions: int = 0
    functions: int = 0

    def __add__(self, other: OperationCount) -> OperationCount:
        return OperationCount(
            self.additions + other.additions,
            self.multiplications + other.multiplications,
            self.divisions + other.divisions,
            self.functions + other.functions,
        )

    def __str__(self) -> str:
        return (
            f"{self.additions} additions, {self.multiplications} multiplications, "
            f"{self.divisions} divisions, {self.functions} functions"
        )

    @property
    def total(self) -> int:
        return self.additions + self.multiplications + self.divisions + self.functions


def count_operations(expressions: Iterable[Expr]) -> OperationCount:
    """The operations that compute all the expressions, shared parts once.

    Signs are free. A coefficient other than 1 and -1 is one multiplication for each
    distinct pair of coefficient and node. A reciprocal is one division; a product with a
    reciprocal that nothing else uses is one division in all. Every other function, a
    selection, a comparison, a table and a call of an external function is one function; a
    call of a function of expressions costs what its expressions cost.
    """
    expressions = list(expressions)
    order = topological_order(expressions)
    users, factors = _uses(order, expressions)
    additions = divisions = functions = 0
    multiplications = len(factors)
    calls = OperationCount()
    for node in order:
        if node.operation == "add":
            additions += 1
        elif node.operation == "inv":
            divisions += 1
        elif node.operation == "mul":
            # x * (1/y) is x / y: the division is counted at the reciprocal.
            multiplications += not any(_is_only_here(e.node, users) for e in node.operands)
        elif node.operation == "call":
            calls += node.data.operations  # type: ignore[attr-defined]
        elif node.operation not in _FREE:
            functions += 1
    return OperationCount(additions, multiplications, divisions, functions) + calls


def _is_only_here(node: Node, users: dict[Node, int]) -> bool:
    return node.operation == "inv" and users[node] == 1


def _uses(
    order: list[Node], expressions: list[Expr]
) -> tuple[dict[Node, int], set[tuple[float, Node]]]:
    """How many users each node has, and the (factor, node) products that users need."""
    users: dict[Node, int] = dict.fromkeys(order, 0)
    factors: set[tuple[float, Node]] = set()
    places = [e for node in order for e in node.operands] + list(dict.fromkeys(expressions))
    for e in places:
        users[e.node] += 1
        factor = abs(e.coefficient)
        if e.node is not ONE_NODE and factor != 1.0:
            factors.add((factor, e.node))
    return users, factors
