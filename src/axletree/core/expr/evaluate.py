"""Values of expressions on floats and arrays, for tests, plots and small jobs."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.core.expr.called import CalledFunction
from axletree.core.expr.expression import Expr, Node
from axletree.core.expr.order import topological_order
from axletree.core.expr.table import Table

Number = Any  # numpy.float64 or an array of floats


def _select(condition: Number, if_true: Number, if_false: Number) -> Number:
    return np.asarray(np.where(condition != 0.0, if_true, if_false))[()]


_FUNCTIONS: Final[dict[str, Callable[..., Number]]] = {
    "add": np.add, "mul": np.multiply, "inv": np.reciprocal, "pow": np.power,
    "sqrt": np.sqrt, "exp": np.exp, "log": np.log,
    "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "abs": np.abs, "sign": np.sign, "atan2": np.arctan2,
    "min": np.minimum, "max": np.maximum,
    "lt": lambda a, b: np.less(a, b) * 1.0, "le": lambda a, b: np.less_equal(a, b) * 1.0,
    "where": _select,
}  # fmt: skip


def evaluate(expressions: Sequence[Expr], values: Mapping[Expr, float | np.ndarray]) -> list[Any]:
    """The values of the expressions: floats, or arrays where values of symbols are arrays.

    Arithmetic is that of IEEE 754, as in compiled code: a pole is infinite. A result that
    is not a number raises an ``ExpressionError``, unless a value given was NaN itself.
    """
    order = topological_order(expressions)
    known = _symbol_values(order, values)
    with np.errstate(all="ignore"):
        for node in order:
            if node.operation != "symbol":
                operands = [_times(e.coefficient, known[e.node]) for e in node.operands]
                known[node] = _node_value(node, operands)
        results = [_times(e.coefficient, known[e.node]) for e in expressions]
    if not any(np.isnan(value).any() for value in values.values()):
        _refuse_nan(expressions, results)
    return [float(r) if np.ndim(r) == 0 else r for r in results]


def _times(coefficient: float, value: Number) -> Number:
    return value if coefficient == 1.0 or isinstance(value, tuple) else coefficient * value


def _node_value(node: Node, operands: Sequence[Number]) -> Number:
    if node.operation in _FUNCTIONS:
        return _FUNCTIONS[node.operation](*operands)
    if node.operation == "one":
        return np.float64(1.0)
    if node.operation == "table":
        return cast(Table, node.data).evaluate(operands[0])
    if node.operation == "call":
        return cast(CalledFunction, node.data).evaluate(operands)
    return operands[0][int(cast(str, node.data))]


def _symbol_values(
    order: Iterable[Node], values: Mapping[Expr, float | np.ndarray]
) -> dict[Node, Number]:
    given = {key.node: value for key, value in values.items()}
    known: dict[Node, Number] = {}
    for node in order:
        if node.operation == "symbol":
            if node not in given:
                raise ExpressionError(_missing(str(node.data), [str(k.data) for k in given]))
            value = given[node]
            is_array = isinstance(value, np.ndarray) and value.ndim > 0
            known[node] = np.asarray(value, dtype=float) if is_array else np.float64(value)
    return known


def _missing(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"no value was given for the symbol {name!r}{hint}"


def _refuse_nan(expressions: Sequence[Expr], results: Sequence[Number]) -> None:
    for k, (expression, result) in enumerate(zip(expressions, results, strict=True)):
        if np.isnan(result).any():
            raise ExpressionError(
                f"expression {k}, {expression!r}, has no real value here: somewhere in it "
                "stands 0/0, 0*inf, or a root, logarithm or arc function outside its domain"
            )
