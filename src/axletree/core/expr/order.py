"""Walking the graph: order of evaluation, symbols, dependencies. Nothing here recurses."""

from __future__ import annotations

from collections.abc import Iterable

from axletree.core.expr.expression import Expr, Node


def topological_order(expressions: Iterable[Expr]) -> list[Node]:
    """Every node below the expressions once, operands before their users.

    The order follows from the structure of the expressions alone.
    """
    order: list[Node] = []
    done: set[Node] = set()
    for expression in expressions:
        stack: list[Node | None] = [expression.node]
        while stack:
            node = stack.pop()
            if node is None:  # the operands of what lies below are done
                order.append(stack.pop())  # type: ignore[arg-type]
            elif node not in done:
                done.add(node)
                if node.operands:
                    stack += (node, None)
                    stack += [e.node for e in reversed(node.operands) if e.node not in done]
                else:
                    order.append(node)
    return order


def symbols_of(expressions: Iterable[Expr]) -> list[Expr]:
    """The symbols that occur in the expressions, sorted by name."""
    nodes = [node for node in topological_order(expressions) if node.operation == "symbol"]
    return [Expr(1.0, node) for node in sorted(nodes, key=lambda node: str(node.data))]


def dependencies(expressions: Iterable[Expr]) -> list[frozenset[Expr]]:
    """For each expression, the set of symbols it holds."""
    expressions = list(expressions)
    found: dict[Node, frozenset[Expr]] = {}
    for node in topological_order(expressions):
        if node.operation == "symbol":
            found[node] = frozenset({Expr(1.0, node)})
        else:
            parts = {found[e.node] for e in node.operands}
            found[node] = parts.pop() if len(parts) == 1 else frozenset().union(*parts)
    return [found[e.node] for e in expressions]


def depends_on(expression: Expr, symbols: Iterable[Expr]) -> bool:
    """Whether any of the symbols occurs in the expression."""
    wanted = {e.node for e in symbols}
    return any(node in wanted for node in topological_order([expression]))


def dependent_nodes(order: Iterable[Node], symbols: Iterable[Expr]) -> set[Node]:
    """The nodes of a topological order in which any of the symbols occurs."""
    found = {e.node for e in symbols}
    for node in order:
        if any(e.node in found for e in node.operands):
            found.add(node)
    return found
