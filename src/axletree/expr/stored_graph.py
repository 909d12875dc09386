"""Expressions as JSON and back, node for node: for what is worked out once and read again.

A stored graph is a list of nodes, operands before their users: the number of the operation in
``OPERATIONS``, the place of its data or -1, then coefficient and place of each operand. Functions
of expressions have a graph of their own. Functions that are known by Python or C cannot be stored.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

from axletree.expr.expression import Expr
from axletree.expr.node import ONE_NODE, OPERATIONS, Node, intern
from axletree.expr.outlines import ExpressionFunction
from axletree.expr.tables import Table
from axletree.expr.traversal import topological_order

_NUMBER: Final = {operation: k for k, operation in enumerate(OPERATIONS)}


class UnstorableError(Exception):
    """An expression with a function that JSON cannot say."""


def stored_graph(expressions: Sequence[Expr]) -> dict[str, Any]:
    """Expressions as JSON has them.

    Example:
    >>> from axletree.expr import sin, symbol
    >>> from axletree.expr.stored_graph import graph_of, stored_graph
    >>> x = symbol("x")
    >>> graph_of(stored_graph([2.0 * sin(x) + x])) == [2.0 * sin(x) + x]
    True
    """
    place: dict[Node, int] = {}
    data: dict[Hashable, int] = {}
    nodes: list[list[Any]] = []
    for node in topological_order(expressions):
        row: list[Any] = [_NUMBER[node.operation], -1]
        if node.data is not None:
            row[1] = data.setdefault(node.data, len(data))
        for e in node.operands:
            row += (e.coefficient, place[e.node])
        place[node] = len(nodes)
        nodes.append(row)
    return {
        "data": [_stored(one) for one in data],
        "nodes": nodes,
        "roots": [(e.coefficient, place[e.node]) for e in expressions],
    }


def graph_of(stored: dict[str, Any]) -> list[Expr]:
    """The expressions that were stored."""
    data = [_restored(one) for one in stored["data"]]
    nodes: list[Node] = []
    for code, of, *pairs in stored["nodes"]:
        operands = zip(pairs[::2], pairs[1::2], strict=True)
        operation = OPERATIONS[code]
        if operation == "one":
            nodes.append(ONE_NODE)
            continue
        given = tuple(Expr(coefficient, nodes[k]) for coefficient, k in operands)
        nodes.append(intern(operation, given, None if of < 0 else data[of]))
    return [Expr(coefficient, nodes[k]) for coefficient, k in stored["roots"]]


def _stored(data: Hashable) -> Any:
    if isinstance(data, str):
        return data
    if isinstance(data, Table):
        return {"breakpoints": data.breakpoints, "coefficients": data.coefficients}
    if isinstance(data, ExpressionFunction):
        return {
            "name": data.name,
            "outputs": data.outputs,
            "varying": data.varying,
            "arguments": len(data.arguments),
            "graph": stored_graph([*data.arguments, *data.expressions]),
        }
    raise UnstorableError(f"{type(data).__name__} cannot be stored")


def _restored(stored: Any) -> Hashable:
    if isinstance(stored, str):
        return stored
    if "breakpoints" in stored:
        rows = tuple(tuple(row) for row in stored["coefficients"])
        return Table(tuple(stored["breakpoints"]), rows)
    found, count = graph_of(stored["graph"]), stored["arguments"]
    return ExpressionFunction(
        stored["name"], tuple(found[:count]), tuple(stored["outputs"]), tuple(found[count:]),
        stored["varying"],
    )  # fmt: skip
