"""SymPy expressions read into the graph; never text, which SymPy would execute."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, Final, cast

from axletree.core.errors import ExpressionError
from axletree.core.expr.call import ExternalFunction, call
from axletree.core.expr.expression import (
    ONE,
    ZERO,
    Expr,
    add,
    apply,
    atan2,
    compare,
    extremum,
    logical_and,
    logical_not,
    logical_or,
    multiply,
    number,
    power,
    reciprocal,
    symbol,
    where,
)  # fmt: skip
from axletree.core.expr.table import Table, interpolate

_SAME: Final = (
    "log", "exp", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sign",
)  # fmt: skip


def _equal(a: Expr, b: Expr) -> Expr:
    return logical_and(compare("le", a, b), compare("le", b, a))


_BUILDERS: Final[dict[str, Callable[..., Expr]]] = {
    **{name: lambda x, name=name: apply(name, x) for name in _SAME},
    "Add": lambda *terms: reduce(add, terms),
    "Mul": lambda *factors: reduce(multiply, factors),
    "Pow": power,
    "Abs": lambda x: apply("abs", x),
    "Min": lambda *values: reduce(lambda a, b: extremum("min", a, b), values),
    "Max": lambda *values: reduce(lambda a, b: extremum("max", a, b), values),
    "atan2": atan2,
    "sec": lambda x: reciprocal(apply("cos", x)),
    "csc": lambda x: reciprocal(apply("sin", x)),
    "cot": lambda x: reciprocal(apply("tan", x)),
    "StrictLessThan": lambda a, b: compare("lt", a, b),
    "LessThan": lambda a, b: compare("le", a, b),
    "StrictGreaterThan": lambda a, b: compare("lt", b, a),
    "GreaterThan": lambda a, b: compare("le", b, a),
    "Equality": _equal,
    "Unequality": lambda a, b: logical_not(_equal(a, b)),
    "And": lambda *terms: reduce(logical_and, terms),
    "Or": lambda *terms: reduce(logical_or, terms),
    "Not": logical_not,
    "ITE": where,
    "BooleanTrue": lambda: ONE,
    "BooleanFalse": lambda: ZERO,
}


def from_sympy(expressions: Sequence[Any], symbols: Mapping[Any, Expr] | None = None) -> list[Expr]:
    """The SymPy expressions in the graph.

    A SymPy symbol becomes the symbol of its name. The mapping may say otherwise for
    symbols and for anything else, such as the ``theta(t)`` of ``sympy.physics``.
    """
    built: dict[Any, Expr] = dict(symbols or {})
    for expression in expressions:
        if not hasattr(type(expression), "free_symbols"):
            raise ExpressionError(
                f"expected SymPy expressions, got {expression!r} of type "
                f"{type(expression).__name__}; text goes through parse_expression"
            )
        _build(expression, built)
    return [built[e] for e in expressions]


def _build(root: Any, built: dict[Any, Expr]) -> None:
    stack = [root]
    while stack:
        expression = stack[-1]
        waiting = [] if expression in built else _unbuilt(expression, built)
        if waiting:
            stack += waiting
            continue
        stack.pop()
        if expression not in built:
            built[expression] = _converted(expression, built)


def _unbuilt(expression: Any, built: Mapping[Any, Expr]) -> list[Any]:
    return [part for part in _parts(expression) if part not in built]


def _parts(expression: Any) -> list[Any]:
    if expression.is_Number:  # a Rational has its parts in attributes, a Float in args
        return []
    if type(expression).__name__ == "Piecewise":
        return [part for pair in expression.args for part in pair.args]
    return list(expression.args)


def _converted(expression: Any, built: Mapping[Any, Expr]) -> Expr:
    name = type(expression).__name__
    if getattr(expression, "is_Symbol", False):
        return symbol(expression.name)
    if expression.is_number and not expression.args:
        return _number(expression)
    if name == "Piecewise":
        return _piecewise(expression, built)
    operands = [built[part] for part in _parts(expression)]
    data = getattr(type(expression), "axletree_data", None)
    if isinstance(data, Table):
        return interpolate(data, operands[0])
    if data is not None:
        function, k = cast(tuple[ExternalFunction, int], data)
        return call(function, *operands)[k]
    if name not in _BUILDERS:
        raise ExpressionError(
            f"the SymPy function {name} in {expression} has no counterpart here; rewrite it, "
            "or map it to an expression with the argument symbols"
        )
    return _BUILDERS[name](*operands)


def _number(expression: Any) -> Expr:
    if not expression.is_real or not expression.is_finite:
        raise ExpressionError(f"{expression} is not a finite real number")
    return number(float(expression))


def _piecewise(expression: Any, built: Mapping[Any, Expr]) -> Expr:
    pairs = [(built[value], built[condition]) for value, condition in expression.args]
    result, last = pairs[-1]
    if last != ONE:
        raise ExpressionError(
            f"{expression} has no value where none of its conditions hold; end it with "
            "(value, True)"
        )
    for value, condition in reversed(pairs[:-1]):
        result = where(condition, value, result)
    return result
