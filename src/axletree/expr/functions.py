"""Mathematics that a formula imports once and that then works on what it is given.

Each function takes floats, NumPy arrays, expressions or SymPy symbols and answers in
kind, so that a tyre, a spring or a road is written once: evaluated on numbers for a
plot, on expressions for code, on SymPy symbols for reading.

The lesser, the greater, and what holds where a condition does answer in kind, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from axletree.expr import expression
from axletree.expr.expression import Expr, numeric

# Which of the kinds of values a formula is given: floats, arrays, expressions or SymPy's.

Value = Any  # float, numpy.ndarray, Expr or a SymPy expression
PLAIN: Final = frozenset({float, int, bool, np.float64, np.bool_})


def is_sympy(value: object) -> bool:
    return type(value).__module__.partition(".")[0] == "sympy"


def sympy_module() -> Any:
    import sympy

    return sympy


def richest_kind(*values: Value) -> type:
    """The richest of the kinds given: expressions, then SymPy, then arrays, then floats."""
    kinds = set(map(type, values))
    if Expr in kinds:
        return Expr
    if kinds <= PLAIN:
        return float
    if any(is_sympy(v) for v in values):
        return object
    return np.ndarray if any(isinstance(v, np.ndarray) for v in values) else float


def _of_one(operation: str, numpy_name: str, sympy_name: str, x: Value) -> Value:
    if isinstance(x, Expr):
        return expression.apply(operation, x)
    if type(x) in PLAIN:  # most often, and the others take longer to tell
        return numeric(operation, float(x))
    if isinstance(x, np.ndarray):
        return getattr(np, numpy_name)(x)
    if is_sympy(x):
        return getattr(sympy_module(), sympy_name)(x)
    return numeric(operation, float(x))


def sin(x: Value) -> Value:
    """The sine of an angle [rad].

    Example:
    >>> from axletree.expr import sin, symbol
    >>> sin(0.0), sin(symbol("x"))
    (0.0, sin(x))
    """
    return _of_one("sin", "sin", "sin", x)


def cos(x: Value) -> Value:
    """The cosine of an angle [rad].

    Example:
    >>> from axletree.expr import cos, symbol
    >>> cos(0.0), cos(symbol("x"))
    (1.0, cos(x))
    """
    return _of_one("cos", "cos", "cos", x)


def tan(x: Value) -> Value:
    """The tangent of an angle [rad].

    Example:
    >>> from axletree.expr import symbol, tan
    >>> tan(0.0), tan(symbol("x"))
    (0.0, tan(x))
    """
    return _of_one("tan", "tan", "tan", x)


def asin(x: Value) -> Value:
    """The angle [rad] of a sine, within -pi/2 and pi/2.

    Example:
    >>> from axletree.expr import asin, symbol
    >>> asin(0.0), asin(symbol("x"))
    (0.0, asin(x))
    """
    return _of_one("asin", "arcsin", "asin", x)


def acos(x: Value) -> Value:
    """The angle [rad] of a cosine, within 0 and pi.

    Example:
    >>> from axletree.expr import acos, symbol
    >>> acos(1.0), acos(symbol("x"))
    (0.0, acos(x))
    """
    return _of_one("acos", "arccos", "acos", x)


def atan(x: Value) -> Value:
    """The angle [rad] of a tangent, within -pi/2 and pi/2.

    Example:
    >>> from axletree.expr import atan, symbol
    >>> atan(0.0), atan(symbol("x"))
    (0.0, atan(x))
    """
    return _of_one("atan", "arctan", "atan", x)


def sinh(x: Value) -> Value:
    """The hyperbolic sine.

    Example:
    >>> from axletree.expr import sinh, symbol
    >>> sinh(0.0), sinh(symbol("x"))
    (0.0, sinh(x))
    """
    return _of_one("sinh", "sinh", "sinh", x)


def cosh(x: Value) -> Value:
    """The hyperbolic cosine.

    Example:
    >>> from axletree.expr import cosh, symbol
    >>> cosh(0.0), cosh(symbol("x"))
    (1.0, cosh(x))
    """
    return _of_one("cosh", "cosh", "cosh", x)


def tanh(x: Value) -> Value:
    """The hyperbolic tangent, within -1 and 1.

    Example:
    >>> from axletree.expr import symbol, tanh
    >>> tanh(0.0), tanh(symbol("x"))
    (0.0, tanh(x))
    """
    return _of_one("tanh", "tanh", "tanh", x)


def exp(x: Value) -> Value:
    """e to a power.

    Example:
    >>> from axletree.expr import exp, symbol
    >>> exp(0.0), exp(symbol("x"))
    (1.0, exp(x))
    """
    return _of_one("exp", "exp", "exp", x)


def log(x: Value) -> Value:
    """The natural logarithm.

    Example:
    >>> from axletree.expr import log, symbol
    >>> log(1.0), log(symbol("x"))
    (0.0, log(x))
    """
    return _of_one("log", "log", "log", x)


def sqrt(x: Value) -> Value:
    """The square root.

    Example:
    >>> from axletree.expr import sqrt, symbol
    >>> sqrt(4.0), sqrt(symbol("x"))
    (2.0, sqrt(x))
    """
    return _of_one("sqrt", "sqrt", "sqrt", x)


def absolute(x: Value) -> Value:
    """|x|; the slope at 0 is 0.

    Example:
    >>> from axletree.expr import absolute, symbol
    >>> absolute(-3.0), absolute(symbol("x"))
    (3.0, abs(x))
    """
    return _of_one("abs", "abs", "Abs", x)


def sign(x: Value) -> Value:
    """-1, 0 or 1; the slope is 0 everywhere.

    Example:
    >>> from axletree.expr import sign, symbol
    >>> sign(-3.0), sign(symbol("x"))
    (-1.0, sign(x))
    """
    return _of_one("sign", "sign", "sign", x)


def _of_two(
    operation: str, of_expr: Callable[..., Expr], numpy_name: str, sympy_name: str, *two: Value
) -> Value:
    first, second = two
    if type(first) is float and type(second) is float:  # most often, and it is told at once
        return numeric(operation, first, second)
    kind = richest_kind(*two)
    if kind is Expr:
        return of_expr(*two)
    if kind is float:
        return numeric(operation, *map(float, two))
    module, name = (np, numpy_name) if kind is np.ndarray else (sympy_module(), sympy_name)
    return getattr(module, name)(*two)


def atan2(y: Value, x: Value) -> Value:
    """The angle of the point (x, y) from the x axis, in (-pi, pi] [rad].

    Example:
    >>> from axletree.expr import atan2, symbol
    >>> atan2(0.0, 2.0), atan2(symbol("y"), symbol("x"))
    (0.0, atan2(y, x))
    """
    return _of_two("atan2", expression.expr_atan2, "arctan2", "atan2", y, x)


def power(base: Value, exponent: Value) -> Value:
    """A base to an exponent.

    Example:
    >>> from axletree.expr import power, symbol
    >>> power(2.0, 3.0), power(symbol("x"), 1.5)
    (8.0, x**1.5)
    """
    kind = richest_kind(base, exponent)
    if kind is Expr:
        return expression.expr_power(base, exponent)
    if kind is float:
        return numeric("pow", float(base), float(exponent))
    return base**exponent


def minimum(left: Value, right: Value) -> Value:
    """The lesser; at a tie each side gives half of the slope.

    Example:
    >>> from axletree.expr import minimum, symbol
    >>> minimum(2.0, 3.0), minimum(symbol("x"), 3.0)
    (2.0, min(x, 3))
    """
    return _of_two("min", partial(expression.extremum, "min"), "minimum", "Min", left, right)


def maximum(left: Value, right: Value) -> Value:
    """The greater; at a tie each side gives half of the slope.

    Example:
    >>> from axletree.expr import maximum, symbol
    >>> maximum(2.0, 3.0), maximum(symbol("x"), 3.0)
    (3.0, max(x, 3))
    """
    return _of_two("max", partial(expression.extremum, "max"), "maximum", "Max", left, right)


def where(condition: Value, if_true: Value, if_false: Value) -> Value:
    """``if_true`` where the condition holds, else ``if_false``; both are evaluated.

    Example:
    >>> import numpy as np
    >>> from axletree.expr import where
    >>> speeds = np.array([-1.0, 0.0, 2.0])
    >>> where(speeds > 0.0, speeds, 0.0).tolist()
    [0.0, 0.0, 2.0]
    """
    kind = richest_kind(condition, if_true, if_false)
    if kind is Expr:
        return expression.expr_where(condition, if_true, if_false)
    if kind is object:
        return sympy_module().Piecewise((if_true, _sympy_condition(condition)), (if_false, True))
    if kind is np.ndarray:
        return np.where(condition, if_true, if_false)
    return if_true if condition else if_false


def logical_and(left: Value, right: Value) -> Value:
    """Whether both conditions hold.

    Example:
    >>> from axletree.expr import evaluate, logical_and, symbol
    >>> x = symbol("x")
    >>> inside = logical_and(x > 1.0, x < 2.0)
    >>> [evaluate([inside], {x: value})[0] for value in (1.5, 3.0)]
    [1.0, 0.0]
    """
    return _of_conditions(expression.expr_and, "And", np.logical_and, left, right)


def logical_or(left: Value, right: Value) -> Value:
    """Whether one of the conditions holds, or both.

    Example:
    >>> from axletree.expr import evaluate, logical_or, symbol
    >>> x = symbol("x")
    >>> outside = logical_or(x < 1.0, x > 2.0)
    >>> [evaluate([outside], {x: value})[0] for value in (1.5, 3.0)]
    [0.0, 1.0]
    """
    return _of_conditions(expression.expr_or, "Or", np.logical_or, left, right)


def logical_not(condition: Value) -> Value:
    """Whether the condition does not hold.

    Example:
    >>> from axletree.expr import evaluate, logical_not, symbol
    >>> x = symbol("x")
    >>> [evaluate([logical_not(x > 1.0)], {x: value})[0] for value in (1.5, 0.5)]
    [0.0, 1.0]
    """
    return _of_conditions(expression.expr_not, "Not", np.logical_not, condition)


def _of_conditions(
    of_expr: Callable[..., Expr], sympy_name: str, of_arrays: np.ufunc, *conditions: Value
) -> Value:
    kind = richest_kind(*conditions)
    if kind is Expr:
        return of_expr(*conditions)
    if kind is object:
        return getattr(sympy_module(), sympy_name)(*map(_sympy_condition, conditions))
    found = of_arrays(*conditions)
    return found if kind is np.ndarray else bool(found)


def _sympy_condition(condition: Value) -> Value:
    """A SymPy truth value; a number counts as true where it is not 0."""
    if not is_sympy(condition):
        return bool(condition)
    boolean = getattr(condition, "is_Boolean", False) or getattr(condition, "is_Relational", False)
    return condition if boolean else sympy_module().Ne(condition, 0)
