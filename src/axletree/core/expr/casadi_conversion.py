"""Expressions to CasADi, as an export for optimal control and an independent oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from axletree.core.errors import ExpressionError
from axletree.core.expr.expression import Expr, Node
from axletree.core.expr.order import topological_order
from axletree.core.expr.outline import inlined
from axletree.core.expr.table import Table

_NAMES: Final = {
    "abs": "fabs", "min": "fmin", "max": "fmax", "where": "if_else", "pow": "power",
    "add": "plus", "mul": "times",
}  # fmt: skip


def to_casadi(expressions: Sequence[Expr], symbols: Mapping[Expr, Any]) -> list[Any]:
    """The expressions over the CasADi symbols (SX or MX) that the mapping gives."""
    try:
        import casadi
    except ImportError:
        raise ExpressionError(
            "to_casadi needs the package casadi; install axletree with the extra [casadi]"
        ) from None
    expressions = inlined(expressions)
    known: dict[Node, Any] = {key.node: value for key, value in symbols.items()}
    for node in topological_order(expressions):
        if node not in known:
            operands = [_times(e.coefficient, known[e.node]) for e in node.operands]
            known[node] = _converted(casadi, node, operands)
    return [_times(e.coefficient, known[e.node]) for e in expressions]


def _times(coefficient: float, value: Any) -> Any:
    if coefficient == 1.0:
        return value
    return -value if coefficient == -1.0 else coefficient * value


def _converted(casadi: Any, node: Node, operands: list[Any]) -> Any:
    if node.operation == "one":
        return 1.0
    if node.operation == "symbol":
        raise ExpressionError(f"no CasADi symbol was given for {node.data!r}")
    if node.operation == "inv":
        return 1.0 / operands[0]
    if node.operation == "table":
        return _table(casadi, cast(Table, node.data), operands[0])
    if node.operation in ("call", "output"):
        name = getattr(node.data, "name", node.operation)
        raise ExpressionError(
            f"the call of {name!r} has no CasADi form: CasADi differentiates expressions, "
            "not C text; export the model without external functions"
        )
    name = _NAMES.get(node.operation, node.operation)
    function = cast(Callable[..., Any], getattr(casadi, name))
    return function(*operands)


def _table(casadi: Any, table: Table, x: Any) -> Any:
    """Every coefficient chosen by the piece that x lies in, then Horner's rule."""
    points = list(table.breakpoints)
    local = x - casadi.pw_const(x, points, [points[0], *points])
    value = 0.0
    for column in range(len(table.coefficients[0]) - 1, -1, -1):
        chosen = casadi.pw_const(x, points, [row[column] for row in table.coefficients])
        value = value * local + chosen
    return value
