"""Derivatives along a direction, by forward accumulation: d/dt of what depends on symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axletree.core.errors import ExpressionError
from axletree.core.expr.called import Matrix
from axletree.core.expr.expression import ZERO, Expr, Node, Operand, as_expr
from axletree.core.expr.order import dependent_nodes, topological_order
from axletree.core.expr.partials import call_partials, partials


def directional_derivative(
    expressions: Sequence[Expr], rates: Mapping[Expr, Operand]
) -> list[Expr]:
    """The total derivative of each expression where each symbol changes at its rate.

    Symbols without a rate are constant.
    """
    for key in rates:
        if not (isinstance(key, Expr) and key.is_symbol):
            raise ExpressionError(f"only symbols have rates, got {key!r}")
    order = topological_order(expressions)
    moving = dependent_nodes(order, rates)
    rate: dict[Node, Expr] = {key.node: as_expr(value) for key, value in rates.items()}
    call_rates: dict[Node, list[Expr]] = {}
    for node in order:
        if node in rate or node not in moving:
            continue
        if node.operation == "call":
            call_rates[node] = _call_rates(node, rate)
        elif node.operation == "output":
            rate[node] = call_rates[node.operands[0].node][int(str(node.data))]
        else:
            rate[node] = _rate(node, rate)
    return [rate.get(e.node, ZERO) * e.coefficient for e in expressions]


def _rate(node: Node, rate: Mapping[Node, Expr]) -> Expr:
    total = ZERO
    for operand, partial in zip(node.operands, partials(node), strict=True):
        if operand.node in rate:
            total = total + partial * (rate[operand.node] * operand.coefficient)
    return total


def _call_rates(node: Node, rate: Mapping[Node, Expr]) -> list[Expr]:
    vector = [rate.get(e.node, ZERO) * e.coefficient for e in node.operands]
    for matrix in reversed(call_partials(node, rate)):
        vector = _product(matrix, vector)
    missing = len(getattr(node.data, "outputs", ())) - len(vector)
    return vector + [ZERO] * missing


def _product(matrix: Matrix, vector: Sequence[Expr]) -> list[Expr]:
    """The matrix times the vector; as many rows as the matrix has nonzero ones."""
    result = [ZERO] * (1 + max((row for row, _ in matrix), default=-1))
    for (row, column), entry in matrix.items():
        if column < len(vector):
            result[row] = result[row] + as_expr(entry) * vector[column]
    return result
