"""Operation counts of the blocks of a routine, by the rules of ``core.expr.count_operations``.

The rules are the same; what differs is that a routine starts from constants that are
already known and that its operations are told apart by block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import cast

from axletree.code.program import OperationGroup
from axletree.expr import CalledFunction, Expr, OperationCount
from axletree.expr.node import ONE_NODE, Node

_FREE = frozenset({"one", "symbol", "output"})


def count_nodes(
    nodes: Sequence[Node],
    block: Mapping[Node, int],
    targets: Sequence[Expr],
    leaves: Mapping[Expr, str],
    local: Container[Node],
    groups: Mapping[Node, OperationGroup],
) -> list[OperationCount]:
    """Counts of blocks 1, 2 and 3; ``local`` holds the nodes that have a variable."""
    counters: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
    scaled: set[Expr] = set()
    calls = [OperationCount()] * 3
    for node in nodes:
        counter = counters[block[node]]
        if node.operation == "call":
            calls[block[node]] += cast(CalledFunction, node.data).operations
        elif node.operation in ("add", "mul", "inv"):
            # Of a quotient the reciprocal is counted, as its division; the product is free.
            counter[node.operation] += divided_operand(node, leaves, local) is None
        elif node.operation not in _FREE:
            counter["function"] += 1
        group = groups.get(node)
        for k in range(len(node.operands)) if group is None else group.passed:
            _count_factor(node.operands[k], counter, scaled, leaves)
    for target in targets:
        _count_factor(target, counters[2], scaled, leaves)
    return [
        OperationCount(
            additions=counter["add"],
            multiplications=counter["mul"],
            divisions=counter["inv"],
            functions=counter["function"],
        )
        + of_calls
        for counter, of_calls in zip(counters, calls, strict=True)
    ]


def divided_operand(node: Node, leaves: Mapping[Expr, str], local: Container[Node]) -> Expr | None:
    """The reciprocal by which this product is written as a quotient, or None."""
    if node.operation != "mul":
        return None
    for operand in node.operands:
        if (
            operand.node.operation == "inv"
            and operand.node not in local
            and Expr(1.0, operand.node) not in leaves
        ):
            return operand
    return None


def _count_factor(
    operand: Expr, counter: Counter[str], scaled: set[Expr], leaves: Mapping[Expr, str]
) -> None:
    size = abs(operand.coefficient)
    if size in (0.0, 1.0) or operand.node is ONE_NODE:
        return
    factor = Expr(size, operand.node)
    if factor in leaves or factor in scaled:
        return
    scaled.add(factor)
    counter["mul"] += 1
