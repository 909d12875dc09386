"""Numbers, symbols, and what stands for an expression where one is expected."""

from __future__ import annotations

import math
from collections.abc import Hashable

from axletree.core.errors import ExpressionError
from axletree.core.expr.expression import ONE_NODE, ZERO, Expr, Node, Operand
from axletree.core.expr.node import intern


def number(value: float) -> Expr:
    """A finite number as an expression.

    Example:
    >>> from axletree.core.expr import number, symbol
    >>> number(2.0) * symbol("x") + number(0.0)
    2*x
    """
    value = float(value)
    if not math.isfinite(value):
        raise ExpressionError(
            f"a number in an expression is {value}; expressions hold finite real numbers"
        )
    return Expr(value, ONE_NODE)


def scaled(coefficient: float, node: Node) -> Expr:
    """``coefficient * node`` after arithmetic that may have left the range of floats."""
    if not math.isfinite(coefficient):
        raise ExpressionError(
            f"a numeric factor became {coefficient} while an expression was built; "
            "the model's numbers differ too much in size, check their units"
        )
    return Expr(coefficient, node) if coefficient else ZERO


def symbol(name: str) -> Expr:
    """The symbol of this name; symbols of the same name are the same.

    Example:
    >>> from axletree.core.expr import symbol
    >>> symbol("body.mass") == symbol("body.mass"), symbol("body.mass").name
    (True, 'body.mass')
    """
    if not isinstance(name, str) or not name:
        raise ExpressionError(f"a symbol needs a name, got {name!r}")
    return Expr(1.0, intern("symbol", (), name))


def as_expr(value: Operand) -> Expr:
    """An expression as it is, a number as an expression.

    Example:
    >>> from axletree.core.expr import as_expr, symbol
    >>> as_expr(2).is_number, as_expr(symbol("x"))
    (True, x)
    """
    if isinstance(value, Expr):
        return value
    if isinstance(value, str):  # float() would read the text of a number
        raise _no_operand(value)
    try:
        plain = float(value)  # Python, NumPy and SymPy numbers
    except (TypeError, ValueError):
        raise _no_operand(value) from None
    return number(plain)


def _no_operand(value: object) -> ExpressionError:
    return ExpressionError(
        f"cannot use {value!r} of type {type(value).__name__} in an expression; "
        "expected an expression or a real number"
    )


def special(operation: str, operands: tuple[Expr, ...], data: Hashable) -> Expr:
    """A table or call node; ``data`` is hashable and has a ``digest`` (see table, call)."""
    return Expr(1.0, intern(operation, operands, data))
