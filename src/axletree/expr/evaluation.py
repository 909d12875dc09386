"""Values of expressions on floats and arrays, for tests, plots and small jobs."""

from __future__ import annotations

import difflib
import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.expr.calls import CalledFunction
from axletree.expr.expression import Expr
from axletree.expr.node import Node
from axletree.expr.tables import Table
from axletree.expr.traversal import topological_order

Number = Any  # numpy.float64 or an array of floats
_ONE: Final = np.float64(1.0)  # over 0.0 it is infinite, where Python's raises an error


def _select(condition: Number, if_true: Number, if_false: Number) -> Number:
    if type(condition) is type(if_true) is type(if_false) is np.float64:
        return if_true if condition != 0.0 else if_false
    return np.asarray(np.where(condition != 0.0, if_true, if_false))[()]


_FUNCTIONS: Final[dict[str, Callable[..., Number]]] = {
    # The operators do as np.add, np.multiply and so on do, and take a number less time.
    "add": operator.add, "mul": operator.mul, "inv": lambda a: _ONE / a, "pow": np.power,
    "sqrt": np.sqrt, "exp": np.exp, "log": np.log,
    "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "abs": operator.abs, "sign": np.sign, "atan2": np.arctan2,
    "min": np.minimum, "max": np.maximum,
    "lt": lambda a, b: (a < b) * 1.0, "le": lambda a, b: (a <= b) * 1.0,
    "where": _select,
}  # fmt: skip


def evaluate(expressions: Sequence[Expr], values: Mapping[Expr, float | np.ndarray]) -> list[Any]:
    """The values of the expressions: floats, or arrays where values of symbols are arrays.

    Arithmetic is that of IEEE 754, as in compiled code: a pole is infinite. A result that
    is not a number raises an ``ExpressionError``, unless a value given was NaN itself.

    Example:
    >>> import numpy as np
    >>> from axletree.expr import evaluate, symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> total, product = evaluate([x + y, x * y], {x: 2.0, y: np.array([1.0, 3.0])})
    >>> total.tolist(), product.tolist()
    ([3.0, 5.0], [2.0, 6.0])
    """
    return _evaluator(tuple(expressions))(values)


def evaluate_matrix(
    entries: Mapping[tuple[int, int], Expr], shape: tuple[int, int], values: Mapping[Expr, float]
) -> np.ndarray:
    """The dense matrix of entries by (row, column); those that are absent are 0."""
    matrix = np.zeros(shape)
    for place, number in zip(entries, evaluate(list(entries.values()), values), strict=True):
        matrix[place] = number
    return matrix


class Evaluator:
    """``evaluate`` of the same expressions many times: their order is looked for once."""

    def __init__(self, expressions: Sequence[Expr]) -> None:
        order = topological_order(expressions)
        place = {node: k for k, node in enumerate(order)}
        self._expressions = tuple(expressions)
        self._symbols = [(place[n], n) for n in order if n.operation == "symbol"]
        self._steps = [(place[n], *_step(n, place)) for n in order if n.operation != "symbol"]
        self._results = [(e.coefficient, place[e.node]) for e in expressions]

    def __call__(self, values: Mapping[Expr, float | np.ndarray]) -> list[Any]:
        known: list[Number] = [None] * (len(self._symbols) + len(self._steps))
        self._fill(known, values)
        with np.errstate(all="ignore"):
            for place, function, plain, operands in self._steps:
                if plain is None:
                    known[place] = function(
                        *[known[k] if c == 1.0 else c * known[k] for c, k in operands]
                    )
                elif plain[1] is None:
                    known[place] = function(known[plain[0]])
                else:
                    known[place] = function(known[plain[0]], known[plain[1]])
            results = [known[k] if c == 1.0 else c * known[k] for c, k in self._results]
        _refuse_nan(self._expressions, results, values)
        return [r if isinstance(r, np.ndarray) and r.ndim else float(r) for r in results]

    def _fill(self, known: list[Number], values: Mapping[Expr, float | np.ndarray]) -> None:
        given = {key.node: value for key, value in values.items()}
        for place, node in self._symbols:
            if node not in given:
                raise ExpressionError(_missing(str(node.data), [str(k.data) for k in given]))
            value = given[node]
            is_array = isinstance(value, np.ndarray) and value.ndim > 0
            known[place] = np.asarray(value, dtype=float) if is_array else np.float64(value)


# Searches for a root ask for the values of the same expressions again and again.
_evaluator: Final = functools.lru_cache(maxsize=16)(Evaluator)


_Plain = tuple[int, int | None]


def _step(
    node: Node, place: Mapping[Node, int]
) -> tuple[Callable[..., Number], _Plain | None, list[tuple[float, int]]]:
    """The function of a node, where its one or two operands are if they have no factors, as those
    of most nodes, and all operands with their factors."""
    function = _operation(node)
    operands = [(e.coefficient, place[e.node]) for e in node.operands]
    factors, places = [c for c, _ in operands], [k for _, k in operands]
    if node.operation == "add" and factors == [1.0, -1.0]:
        return operator.sub, (places[0], places[1]), operands
    if len(places) not in (1, 2) or any(c != 1.0 for c in factors):
        return function, None, operands
    return function, (places[0], places[1] if len(places) == 2 else None), operands


def _operation(node: Node) -> Callable[..., Number]:
    """What a node makes of its operands; those of a call's outputs are tuples."""
    if node.operation in _FUNCTIONS:
        return _FUNCTIONS[node.operation]
    if node.operation == "one":
        return lambda: _ONE
    if node.operation == "table":
        return cast(Table, node.data).evaluate
    if node.operation == "call":
        function = cast(CalledFunction, node.data)
        return lambda *operands: function.evaluate(operands)
    index = int(cast(str, node.data))
    return lambda outputs: outputs[index]


def _missing(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; one was given for {near[0]!r}" if near else ""
    return f"no value was given for the symbol {name!r}{hint}"


def _refuse_nan(
    expressions: Sequence[Expr],
    results: Sequence[Number],
    values: Mapping[Expr, float | np.ndarray],
) -> None:
    for k, (expression, result) in enumerate(zip(expressions, results, strict=True)):
        if _has_nan(result) and not any(np.isnan(given).any() for given in values.values()):
            raise ExpressionError(
                f"expression {k}, {expression!r}, has no real value here: somewhere in it "
                "stands 0/0, 0*inf, or a root, logarithm or arc function outside its domain"
            )


def _has_nan(value: Number) -> bool:
    return bool(np.isnan(value).any() if isinstance(value, np.ndarray) else value != value)
