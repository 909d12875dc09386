"""Symbols replaced by expressions or numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axletree.core.errors import ExpressionError
from axletree.core.expr.expression import Expr, Node, Operand, as_expr
from axletree.core.expr.order import dependent_nodes, topological_order
from axletree.core.expr.rebuild import rebuild


def substitute(expressions: Sequence[Expr], replacements: Mapping[Expr, Operand]) -> list[Expr]:
    """The expressions with symbols replaced, all at once: {x: y, y: x} swaps the two."""
    for key in replacements:
        if not (isinstance(key, Expr) and key.is_symbol):
            raise ExpressionError(f"only symbols can be replaced, got {key!r}")
    return replace_parts(expressions, replacements)


def replace_parts(expressions: Sequence[Expr], replacements: Mapping[Expr, Operand]) -> list[Expr]:
    """The expressions with whole parts, each 1 times a node, replaced by what is equal to them."""
    order = topological_order(expressions)
    changed = dependent_nodes(order, replacements)
    new: dict[Node, Expr] = {key.node: as_expr(value) for key, value in replacements.items()}
    for node in order:
        if node in new:
            continue
        if node in changed:
            operands = [new[e.node] * e.coefficient for e in node.operands]
            new[node] = rebuild(node.operation, operands, node.data)
        else:
            new[node] = Expr(1.0, node)
    return [new[e.node] * e.coefficient for e in expressions]
