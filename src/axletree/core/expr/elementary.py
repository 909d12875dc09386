"""Functions of one and two arguments on expressions, folded where the arguments are numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from axletree.core.errors import ExpressionError
from axletree.core.expr.arithmetic import comes_first
from axletree.core.expr.expression import ONE, Expr, Operand, as_expr, intern, number

ODD: Final = frozenset({"sin", "tan", "asin", "atan", "sinh", "tanh"})
EVEN: Final = frozenset({"cos", "cosh"})
POSITIVE: Final = frozenset({"exp", "cosh"})


def _sign(x: float) -> float:
    return float((x > 0.0) - (x < 0.0))


NUMERIC: Final[dict[str, Callable[..., float]]] = {
    "pow": math.pow, "sqrt": math.sqrt, "exp": math.exp, "log": math.log,
    "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "abs": abs, "sign": _sign, "atan2": math.atan2, "min": min, "max": max,
    "lt": lambda a, b: float(a < b), "le": lambda a, b: float(a <= b),
}  # fmt: skip


def numeric(operation: str, *values: float) -> float:
    """The function on floats; a pole or a negative root is an ``ExpressionError``."""
    try:
        return NUMERIC[operation](*values)
    except (ValueError, OverflowError):
        raise ExpressionError(
            f"{operation}({', '.join(f'{v:g}' for v in values)}) is not a finite real number"
        ) from None


def folded(operation: str, *operands: Expr) -> Expr:
    return number(numeric(operation, *[e.coefficient for e in operands]))


def apply(operation: str, value: Operand) -> Expr:
    """A function of one argument, by its name in ``OPERATIONS``."""
    value = as_expr(value)
    if value.is_number:
        return folded(operation, value)
    coefficient, node = value.coefficient, value.node
    if operation == "abs":
        if node.operation in POSITIVE or node.operation in ("abs", "sqrt"):
            return Expr(abs(coefficient), node)
        return Expr(abs(coefficient), intern("abs", (Expr(1.0, node),)))
    if operation == "sign":
        sign = math.copysign(1.0, coefficient)
        if node.operation in POSITIVE:
            return Expr(sign, ONE.node)
        return Expr(sign, intern("sign", (Expr(1.0, node),)))
    if coefficient < 0.0 and operation in ODD:
        return Expr(-1.0, intern(operation, (-value,)))
    if coefficient < 0.0 and operation in EVEN:
        value = -value
    return Expr(1.0, intern(operation, (value,)))


def atan2(y: Operand, x: Operand) -> Expr:
    y, x = as_expr(y), as_expr(x)
    if y.is_number and x.is_number:
        return folded("atan2", y, x)
    return Expr(1.0, intern("atan2", (y, x)))


def extremum(operation: str, left: Operand, right: Operand) -> Expr:
    """``min`` or ``max`` of two; a negative leading sign turns one into the other."""
    left, right = as_expr(left), as_expr(right)
    if left == right:
        return left
    if left.is_number and right.is_number:
        return folded(operation, left, right)
    same = left.node is right.node
    if comes_first(right.node, left.node) or (same and right.coefficient > left.coefficient):
        left, right = right, left
    # Not beside 0: max(-x, 0) would become -min(x, 0), which is -0.0 where it is nothing.
    if left.coefficient < 0.0 and not right.is_zero:
        other = "max" if operation == "min" else "min"
        return Expr(-1.0, intern(other, (-left, -right)))
    return Expr(1.0, intern(operation, (left, right)))
