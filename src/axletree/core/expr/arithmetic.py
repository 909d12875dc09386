"""Sums, products, reciprocals and powers of expressions, each in its cheapest equal form."""

from __future__ import annotations

import math
from typing import Final

from axletree.core.errors import ExpressionError
from axletree.core.expr.expression import (
    ONE,
    ONE_NODE,
    ZERO,
    Expr,
    Node,
    Operand,
    as_expr,
    intern,
    number,
    scaled,
)  # fmt: skip

LARGEST_EXPANDED_POWER: Final = 64
_UNDOING: Final = frozenset({"where", "inv", "mul"})  # what a product may be another form of


def add(left: Operand, right: Operand) -> Expr:
    if type(left) is not Expr or type(right) is not Expr:
        left, right = as_expr(left), as_expr(right)
    if left.coefficient == 0.0:
        return right
    if right.coefficient == 0.0:
        return left
    if left.node is right.node:
        return scaled(left.coefficient + right.coefficient, left.node)
    shorter = _shorter_sum(left, right)
    if shorter is not None:
        return shorter
    if comes_first(right.node, left.node):
        left, right = right, left
    a, b = left.coefficient, right.coefficient
    # A factor leaves the sum only where that is exact: a common one, or a sign.
    factor = a if abs(a) == abs(b) else math.copysign(1.0, a)
    if factor != 1.0:
        left, right = Expr(a / factor, left.node), Expr(b / factor, right.node)
    return Expr(factor, intern("add", (left, right)))


def comes_first(node: Node, other: Node) -> bool:
    """The order of commutative operands: by key, the number last."""
    if other is ONE_NODE:
        return node is not ONE_NODE
    return node is not ONE_NODE and node.key < other.key


def _shorter_sum(left: Expr, right: Expr) -> Expr | None:
    if left.node.operation == "add" or right.node.operation == "add":
        shorter = _cancelled(left, right)
        return shorter if shorter is not None else _cancelled(right, left)
    if left.node.operation == "where" and right.node.operation == "where":
        return _joined(left, right)
    if left.coefficient == right.coefficient and _are_squares_of_one_angle(left.node, right.node):
        return scaled(left.coefficient, ONE_NODE)
    return None


def _are_squares_of_one_angle(left: Node, right: Node) -> bool:
    """Whether these are sin(x)^2 and cos(x)^2: rotations there and back leave their sum."""
    if left.operation != "mul" or right.operation != "mul":
        return False
    (a, b), (c, d) = left.operands, right.operands
    if a.node is not b.node or c.node is not d.node:
        return False
    names = {a.node.operation, c.node.operation}
    return names == {"sin", "cos"} and a.node.operands == c.node.operands


def _cancelled(total: Expr, term: Expr) -> Expr | None:
    """``total + term`` where the sum ``total`` holds ``-term``, or both hold a number."""
    if total.node.operation != "add":
        return None
    first, second = total.node.operands
    if first.node is not term.node and second.node is not term.node:
        return None
    first, second = (scaled(total.coefficient * e.coefficient, e.node) for e in total.node.operands)
    for mine, rest in ((first, second), (second, first)):
        if mine.node is term.node and mine.coefficient == -term.coefficient:
            return rest
        if mine.node is ONE_NODE and term.node is ONE_NODE:
            return add(rest, scaled(mine.coefficient + term.coefficient, ONE_NODE))
    return None


def _joined(left: Expr, right: Expr) -> Expr | None:
    """``where(c, a, 0) + where(c, 0, b)`` is ``where(c, a, b)``."""
    condition, if_true, if_false = left.node.operands
    other_condition, other_true, other_false = right.node.operands
    if condition != other_condition:
        return None
    if if_false.is_zero and other_true.is_zero:
        return where(condition, if_true * left.coefficient, other_false * right.coefficient)
    if if_true.is_zero and other_false.is_zero:
        return where(condition, other_true * right.coefficient, if_false * left.coefficient)
    return None


def multiply(left: Operand, right: Operand) -> Expr:
    if type(left) is not Expr or type(right) is not Expr:
        left, right = as_expr(left), as_expr(right)
    coefficient = left.coefficient * right.coefficient
    if left.coefficient == 0.0 or right.coefficient == 0.0:
        return ZERO
    a, b = left.node, right.node
    if a is ONE_NODE:
        return scaled(coefficient, b)
    if b is ONE_NODE:
        return scaled(coefficient, a)
    if b.key < a.key:
        a, b, left, right = b, a, right, left
    if a.operation in _UNDOING or b.operation in _UNDOING:
        for one, other in ((a, b), (b, a)):
            if one.operation == "where" and (one.operands[1].is_zero or one.operands[2].is_zero):
                return _selected_product(coefficient, one, other)
            rest = _divided(one, other)
            if rest is not None:
                return scaled(coefficient * rest.coefficient, rest.node)
    first = left if left.coefficient == 1.0 else Expr(1.0, a)
    second = right if right.coefficient == 1.0 else Expr(1.0, b)
    return scaled(coefficient, intern("mul", (first, second)))


def _selected_product(coefficient: float, selection: Node, factor: Node) -> Expr:
    """The factor times ``where(c, e, 0)`` or ``where(c, 0, e)``, as ``where(c, factor * e, 0)``.

    A selection multiplies what it selects, so that 0 * inf never arises on its unused side.
    Selections of selections are walked down, not recursed into.
    """
    path: list[tuple[Expr, bool]] = []  # conditions from the outside in; which side is used
    inner = Expr(1.0, selection)
    while inner.node.operation == "where":
        condition, if_true, if_false = inner.node.operands
        if not (if_true.is_zero or if_false.is_zero):
            break
        path.append((condition, if_false.is_zero))
        used = if_true if if_false.is_zero else if_false
        inner = scaled(inner.coefficient * used.coefficient, used.node)
    result = multiply(inner, Expr(1.0, factor))
    for condition, first_side in reversed(path):
        result = where(condition, result, ZERO) if first_side else where(condition, ZERO, result)
    return scaled(coefficient * result.coefficient, result.node)


def _divided(product: Node, factor: Node) -> Expr | None:
    """``product * factor`` where one undoes the other."""
    if _are_reciprocal(product, factor):
        return ONE
    if product.operation == "mul":
        first, second = product.operands
        if _are_reciprocal(first.node, factor):
            return second
        if _are_reciprocal(second.node, factor):
            return first
    return None


def _are_reciprocal(a: Node, b: Node) -> bool:
    return (a.operation == "inv" and a.operands[0].node is b) or (
        b.operation == "inv" and b.operands[0].node is a
    )


def reciprocal(value: Operand) -> Expr:
    value = as_expr(value)
    if value.coefficient == 0.0:
        raise ExpressionError("division by zero: the divisor is 0 whatever values the symbols have")
    if value.node is ONE_NODE:
        return number(1.0 / value.coefficient)
    if value.node.operation == "inv":
        return scaled(1.0 / value.coefficient, value.node.operands[0].node)
    return scaled(1.0 / value.coefficient, intern("inv", (Expr(1.0, value.node),)))


def power(base: Operand, exponent: Operand) -> Expr:
    base, exponent = as_expr(base), as_expr(exponent)
    if exponent.is_number:
        n = exponent.coefficient
        if n.is_integer() and abs(n) <= LARGEST_EXPANDED_POWER:
            return _integer_power(base, int(n))
        if n == 0.5:
            return apply("sqrt", base)
        if n == -0.5:
            return reciprocal(apply("sqrt", base))
    if base.is_number and exponent.is_number:
        return folded("pow", base, exponent)
    if base == 1.0:
        return ONE
    return Expr(1.0, intern("pow", (base, exponent)))


def _integer_power(base: Expr, n: int) -> Expr:
    """Repeated squaring; the reciprocal, if any, is taken of the whole."""
    if n < 0:
        return reciprocal(_integer_power(base, -n))
    result, square = ONE, base
    while n:
        if n & 1:
            result = multiply(result, square)
        n >>= 1
        if n:
            square = multiply(square, square)
    return result


# A product may be a selection and a power a root: the import stands last.
from axletree.core.expr.elementary import apply, folded  # noqa: E402
from axletree.core.expr.selection import where  # noqa: E402
