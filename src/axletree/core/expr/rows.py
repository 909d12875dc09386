"""An expression as a flat list of rows, for pickling: graphs are too deep to recurse into."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from axletree.core.expr.expression import Expr
from axletree.core.expr.order import topological_order
from axletree.core.expr.rebuild import rebuild


class Row(NamedTuple):
    """One node; an operand is a coefficient and the number of an earlier row."""

    operation: str
    data: Hashable
    operands: tuple[tuple[float, int], ...]


def to_rows(expression: Expr) -> tuple[float, list[Row]]:
    """The coefficient, and the nodes with the expression's own node last."""
    index: dict[object, int] = {}
    rows: list[Row] = []
    for node in topological_order([expression]):
        operands = tuple((e.coefficient, index[e.node]) for e in node.operands)
        index[node] = len(rows)
        rows.append(Row(node.operation, node.data, operands))
    return expression.coefficient, rows


def from_rows(flat: tuple[float, list[Row]]) -> Expr:
    """The expression of ``to_rows``; in the same process, the same node."""
    coefficient, rows = flat
    built: list[Expr] = []
    for row in rows:
        operands = [built[k] * c for c, k in row.operands]
        built.append(rebuild(row.operation, operands, row.data))
    return built[-1] * coefficient
