"""Mathematics that a formula imports once and that then works on what it is given.

Each function takes floats, NumPy arrays, expressions or SymPy symbols and answers in
kind, so that a tyre, a spring or a road is written once: evaluated on numbers for a
plot, on expressions for code, on SymPy symbols for reading.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from axletree.core.expr import expression as graph
from axletree.core.expr.elementary import numeric
from axletree.core.expr.expression import Expr

Value = Any  # float, numpy.ndarray, Expr or a SymPy expression
_PLAIN: Final = frozenset({float, int, bool, np.float64, np.bool_})


def _is_sympy(value: object) -> bool:
    return type(value).__module__.partition(".")[0] == "sympy"


def _sympy() -> Any:
    import sympy

    return sympy


def _of_one(operation: str, numpy_name: str, sympy_name: str, x: Value) -> Value:
    if isinstance(x, Expr):
        return graph.apply(operation, x)
    if type(x) in _PLAIN:  # most often, and the others take longer to tell
        return numeric(operation, float(x))
    if isinstance(x, np.ndarray):
        return getattr(np, numpy_name)(x)
    if _is_sympy(x):
        return getattr(_sympy(), sympy_name)(x)
    return numeric(operation, float(x))


def _kind(*values: Value) -> type:
    """The richest of the kinds given: expressions, then SymPy, then arrays, then floats."""
    kinds = set(map(type, values))
    if Expr in kinds:
        return Expr
    if kinds <= _PLAIN:
        return float
    if any(_is_sympy(v) for v in values):
        return object
    return np.ndarray if any(isinstance(v, np.ndarray) for v in values) else float


def sin(x: Value) -> Value:
    return _of_one("sin", "sin", "sin", x)


def cos(x: Value) -> Value:
    return _of_one("cos", "cos", "cos", x)


def tan(x: Value) -> Value:
    return _of_one("tan", "tan", "tan", x)


def asin(x: Value) -> Value:
    return _of_one("asin", "arcsin", "asin", x)


def acos(x: Value) -> Value:
    return _of_one("acos", "arccos", "acos", x)


def atan(x: Value) -> Value:
    return _of_one("atan", "arctan", "atan", x)


def sinh(x: Value) -> Value:
    return _of_one("sinh", "sinh", "sinh", x)


def cosh(x: Value) -> Value:
    return _of_one("cosh", "cosh", "cosh", x)


def tanh(x: Value) -> Value:
    return _of_one("tanh", "tanh", "tanh", x)


def exp(x: Value) -> Value:
    return _of_one("exp", "exp", "exp", x)


def log(x: Value) -> Value:
    """The natural logarithm."""
    return _of_one("log", "log", "log", x)


def sqrt(x: Value) -> Value:
    return _of_one("sqrt", "sqrt", "sqrt", x)


def absolute(x: Value) -> Value:
    """|x|; the slope at 0 is 0."""
    return _of_one("abs", "abs", "Abs", x)


def sign(x: Value) -> Value:
    """-1, 0 or 1; the slope is 0 everywhere."""
    return _of_one("sign", "sign", "sign", x)


def atan2(y: Value, x: Value) -> Value:
    """The angle of the point (x, y) from the x axis, in (-pi, pi]."""
    kind = _kind(y, x)
    if kind is Expr:
        return graph.atan2(y, x)
    if kind is object:
        return _sympy().atan2(y, x)
    return np.arctan2(y, x) if kind is np.ndarray else numeric("atan2", float(y), float(x))


def power(base: Value, exponent: Value) -> Value:
    kind = _kind(base, exponent)
    if kind is Expr:
        return graph.power(base, exponent)
    if kind is float:
        return numeric("pow", float(base), float(exponent))
    return base**exponent


def minimum(left: Value, right: Value) -> Value:
    """The lesser; at a tie each side gives half of the slope."""
    kind = _kind(left, right)
    if kind is Expr:
        return graph.extremum("min", left, right)
    if kind is object:
        return _sympy().Min(left, right)
    return np.minimum(left, right) if kind is np.ndarray else min(float(left), float(right))


def maximum(left: Value, right: Value) -> Value:
    """The greater; at a tie each side gives half of the slope."""
    kind = _kind(left, right)
    if kind is Expr:
        return graph.extremum("max", left, right)
    if kind is object:
        return _sympy().Max(left, right)
    return np.maximum(left, right) if kind is np.ndarray else max(float(left), float(right))


def where(condition: Value, if_true: Value, if_false: Value) -> Value:
    """``if_true`` where the condition holds, else ``if_false``; both are evaluated."""
    kind = _kind(condition, if_true, if_false)
    if kind is Expr:
        return graph.where(condition, if_true, if_false)
    if kind is object:
        return _sympy().Piecewise((if_true, _sympy_condition(condition)), (if_false, True))
    if kind is np.ndarray:
        return np.where(condition, if_true, if_false)
    return if_true if condition else if_false


def logical_and(left: Value, right: Value) -> Value:
    """Whether both conditions hold."""
    kind = _kind(left, right)
    if kind is Expr:
        return graph.logical_and(left, right)
    if kind is object:
        return _sympy().And(_sympy_condition(left), _sympy_condition(right))
    return np.logical_and(left, right) if kind is np.ndarray else bool(left) and bool(right)


def logical_or(left: Value, right: Value) -> Value:
    """Whether one of the conditions holds, or both."""
    kind = _kind(left, right)
    if kind is Expr:
        return graph.logical_or(left, right)
    if kind is object:
        return _sympy().Or(_sympy_condition(left), _sympy_condition(right))
    return np.logical_or(left, right) if kind is np.ndarray else bool(left) or bool(right)


def logical_not(condition: Value) -> Value:
    """Whether the condition does not hold."""
    kind = _kind(condition)
    if kind is Expr:
        return graph.logical_not(condition)
    if kind is object:
        return _sympy().Not(_sympy_condition(condition))
    return np.logical_not(condition) if kind is np.ndarray else not condition


def _sympy_condition(condition: Value) -> Value:
    """A SymPy truth value; a number counts as true where it is not 0."""
    if not _is_sympy(condition):
        return bool(condition)
    boolean = getattr(condition, "is_Boolean", False) or getattr(condition, "is_Relational", False)
    return condition if boolean else _sympy().Ne(condition, 0)
