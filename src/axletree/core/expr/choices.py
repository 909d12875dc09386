"""The lesser, the greater, and what holds where a condition does, of whatever is given.

As the functions of ``functions``, these answer in kind.
"""

from __future__ import annotations

import numpy as np

from axletree.core.expr import expression as graph
from axletree.core.expr.expression import Expr
from axletree.core.expr.kinds import Value, is_sympy, richest_kind, sympy_module


def minimum(left: Value, right: Value) -> Value:
    """The lesser; at a tie each side gives half of the slope.

    Example:
    >>> from axletree.core.expr import minimum, symbol
    >>> minimum(2.0, 3.0), minimum(symbol("x"), 3.0)
    (2.0, min(x, 3))
    """
    kind = richest_kind(left, right)
    if kind is Expr:
        return graph.extremum("min", left, right)
    if kind is object:
        return sympy_module().Min(left, right)
    return np.minimum(left, right) if kind is np.ndarray else min(float(left), float(right))


def maximum(left: Value, right: Value) -> Value:
    """The greater; at a tie each side gives half of the slope.

    Example:
    >>> from axletree.core.expr import maximum, symbol
    >>> maximum(2.0, 3.0), maximum(symbol("x"), 3.0)
    (3.0, max(x, 3))
    """
    kind = richest_kind(left, right)
    if kind is Expr:
        return graph.extremum("max", left, right)
    if kind is object:
        return sympy_module().Max(left, right)
    return np.maximum(left, right) if kind is np.ndarray else max(float(left), float(right))


def where(condition: Value, if_true: Value, if_false: Value) -> Value:
    """``if_true`` where the condition holds, else ``if_false``; both are evaluated.

    Example:
    >>> import numpy as np
    >>> from axletree.core.expr import where
    >>> speeds = np.array([-1.0, 0.0, 2.0])
    >>> where(speeds > 0.0, speeds, 0.0).tolist()
    [0.0, 0.0, 2.0]
    """
    kind = richest_kind(condition, if_true, if_false)
    if kind is Expr:
        return graph.where(condition, if_true, if_false)
    if kind is object:
        return sympy_module().Piecewise((if_true, _sympy_condition(condition)), (if_false, True))
    if kind is np.ndarray:
        return np.where(condition, if_true, if_false)
    return if_true if condition else if_false


def logical_and(left: Value, right: Value) -> Value:
    """Whether both conditions hold.

    Example:
    >>> from axletree.core.expr import evaluate, logical_and, symbol
    >>> x = symbol("x")
    >>> inside = logical_and(x > 1.0, x < 2.0)
    >>> [evaluate([inside], {x: value})[0] for value in (1.5, 3.0)]
    [1.0, 0.0]
    """
    kind = richest_kind(left, right)
    if kind is Expr:
        return graph.logical_and(left, right)
    if kind is object:
        return sympy_module().And(_sympy_condition(left), _sympy_condition(right))
    return np.logical_and(left, right) if kind is np.ndarray else bool(left) and bool(right)


def logical_or(left: Value, right: Value) -> Value:
    """Whether one of the conditions holds, or both.

    Example:
    >>> from axletree.core.expr import evaluate, logical_or, symbol
    >>> x = symbol("x")
    >>> outside = logical_or(x < 1.0, x > 2.0)
    >>> [evaluate([outside], {x: value})[0] for value in (1.5, 3.0)]
    [0.0, 1.0]
    """
    kind = richest_kind(left, right)
    if kind is Expr:
        return graph.logical_or(left, right)
    if kind is object:
        return sympy_module().Or(_sympy_condition(left), _sympy_condition(right))
    return np.logical_or(left, right) if kind is np.ndarray else bool(left) or bool(right)


def logical_not(condition: Value) -> Value:
    """Whether the condition does not hold.

    Example:
    >>> from axletree.core.expr import evaluate, logical_not, symbol
    >>> x = symbol("x")
    >>> [evaluate([logical_not(x > 1.0)], {x: value})[0] for value in (1.5, 0.5)]
    [0.0, 1.0]
    """
    kind = richest_kind(condition)
    if kind is Expr:
        return graph.logical_not(condition)
    if kind is object:
        return sympy_module().Not(_sympy_condition(condition))
    return np.logical_not(condition) if kind is np.ndarray else not condition


def _sympy_condition(condition: Value) -> Value:
    """A SymPy truth value; a number counts as true where it is not 0."""
    if not is_sympy(condition):
        return bool(condition)
    boolean = getattr(condition, "is_Boolean", False) or getattr(condition, "is_Relational", False)
    return condition if boolean else sympy_module().Ne(condition, 0)
