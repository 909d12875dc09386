"""Mathematics that a formula imports once and that then works on what it is given.

Each function takes floats, NumPy arrays, expressions or SymPy symbols and answers in
kind, so that a tyre, a spring or a road is written once: evaluated on numbers for a
plot, on expressions for code, on SymPy symbols for reading.
"""

from __future__ import annotations

import numpy as np

from axletree.core.expr import expression as graph
from axletree.core.expr.elementary import numeric
from axletree.core.expr.expression import Expr
from axletree.core.expr.kinds import PLAIN, Value, is_sympy, richest_kind, sympy_module


def _of_one(operation: str, numpy_name: str, sympy_name: str, x: Value) -> Value:
    if isinstance(x, Expr):
        return graph.apply(operation, x)
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
    >>> from axletree.core.expr import sin, symbol
    >>> sin(0.0), sin(symbol("x"))
    (0.0, sin(x))
    """
    return _of_one("sin", "sin", "sin", x)


def cos(x: Value) -> Value:
    """The cosine of an angle [rad].

    Example:
    >>> from axletree.core.expr import cos, symbol
    >>> cos(0.0), cos(symbol("x"))
    (1.0, cos(x))
    """
    return _of_one("cos", "cos", "cos", x)


def tan(x: Value) -> Value:
    """The tangent of an angle [rad].

    Example:
    >>> from axletree.core.expr import tan, symbol
    >>> tan(0.0), tan(symbol("x"))
    (0.0, tan(x))
    """
    return _of_one("tan", "tan", "tan", x)


def asin(x: Value) -> Value:
    """The angle [rad] of a sine, within -pi/2 and pi/2.

    Example:
    >>> from axletree.core.expr import asin, symbol
    >>> asin(0.0), asin(symbol("x"))
    (0.0, asin(x))
    """
    return _of_one("asin", "arcsin", "asin", x)


def acos(x: Value) -> Value:
    """The angle [rad] of a cosine, within 0 and pi.

    Example:
    >>> from axletree.core.expr import acos, symbol
    >>> acos(1.0), acos(symbol("x"))
    (0.0, acos(x))
    """
    return _of_one("acos", "arccos", "acos", x)


def atan(x: Value) -> Value:
    """The angle [rad] of a tangent, within -pi/2 and pi/2.

    Example:
    >>> from axletree.core.expr import atan, symbol
    >>> atan(0.0), atan(symbol("x"))
    (0.0, atan(x))
    """
    return _of_one("atan", "arctan", "atan", x)


def sinh(x: Value) -> Value:
    """The hyperbolic sine.

    Example:
    >>> from axletree.core.expr import sinh, symbol
    >>> sinh(0.0), sinh(symbol("x"))
    (0.0, sinh(x))
    """
    return _of_one("sinh", "sinh", "sinh", x)


def cosh(x: Value) -> Value:
    """The hyperbolic cosine.

    Example:
    >>> from axletree.core.expr import cosh, symbol
    >>> cosh(0.0), cosh(symbol("x"))
    (1.0, cosh(x))
    """
    return _of_one("cosh", "cosh", "cosh", x)


def tanh(x: Value) -> Value:
    """The hyperbolic tangent, within -1 and 1.

    Example:
    >>> from axletree.core.expr import tanh, symbol
    >>> tanh(0.0), tanh(symbol("x"))
    (0.0, tanh(x))
    """
    return _of_one("tanh", "tanh", "tanh", x)


def exp(x: Value) -> Value:
    """e to a power.

    Example:
    >>> from axletree.core.expr import exp, symbol
    >>> exp(0.0), exp(symbol("x"))
    (1.0, exp(x))
    """
    return _of_one("exp", "exp", "exp", x)


def log(x: Value) -> Value:
    """The natural logarithm.

    Example:
    >>> from axletree.core.expr import log, symbol
    >>> log(1.0), log(symbol("x"))
    (0.0, log(x))
    """
    return _of_one("log", "log", "log", x)


def sqrt(x: Value) -> Value:
    """The square root.

    Example:
    >>> from axletree.core.expr import sqrt, symbol
    >>> sqrt(4.0), sqrt(symbol("x"))
    (2.0, sqrt(x))
    """
    return _of_one("sqrt", "sqrt", "sqrt", x)


def absolute(x: Value) -> Value:
    """|x|; the slope at 0 is 0.

    Example:
    >>> from axletree.core.expr import absolute, symbol
    >>> absolute(-3.0), absolute(symbol("x"))
    (3.0, abs(x))
    """
    return _of_one("abs", "abs", "Abs", x)


def sign(x: Value) -> Value:
    """-1, 0 or 1; the slope is 0 everywhere.

    Example:
    >>> from axletree.core.expr import sign, symbol
    >>> sign(-3.0), sign(symbol("x"))
    (-1.0, sign(x))
    """
    return _of_one("sign", "sign", "sign", x)


def atan2(y: Value, x: Value) -> Value:
    """The angle of the point (x, y) from the x axis, in (-pi, pi] [rad].

    Example:
    >>> from axletree.core.expr import atan2, symbol
    >>> atan2(0.0, 2.0), atan2(symbol("y"), symbol("x"))
    (0.0, atan2(y, x))
    """
    kind = richest_kind(y, x)
    if kind is Expr:
        return graph.atan2(y, x)
    if kind is object:
        return sympy_module().atan2(y, x)
    return np.arctan2(y, x) if kind is np.ndarray else numeric("atan2", float(y), float(x))


def power(base: Value, exponent: Value) -> Value:
    """A base to an exponent.

    Example:
    >>> from axletree.core.expr import power, symbol
    >>> power(2.0, 3.0), power(symbol("x"), 1.5)
    (8.0, x**1.5)
    """
    kind = richest_kind(base, exponent)
    if kind is Expr:
        return graph.power(base, exponent)
    if kind is float:
        return numeric("pow", float(base), float(exponent))
    return base**exponent
