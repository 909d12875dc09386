"""Comparisons and selections: expressions that switch.

A condition is an expression that counts as true where it is not 0. A selection evaluates
both its sides, so that its cost is fixed; the value of the unused side, infinite or NaN
as it may be, never enters the result, nor the result's derivative.
"""

from __future__ import annotations

import math

from axletree.core.expr.elementary import folded
from axletree.core.expr.expression import ONE, ZERO, Expr, Operand, as_expr, intern, scaled


def compare(operation: str, left: Operand, right: Operand) -> Expr:
    """``lt`` (<) or ``le`` (<=): 1 where true, 0 where false."""
    left, right = as_expr(left), as_expr(right)
    if left == right:
        return ONE if operation == "le" else ZERO
    if left.is_number and right.is_number:
        return folded(operation, left, right)
    return Expr(1.0, intern(operation, (left, right)))


def where(condition: Operand, if_true: Operand, if_false: Operand) -> Expr:
    """``if_true`` where the condition is not 0, else ``if_false``; both are evaluated."""
    condition, if_true, if_false = as_expr(condition), as_expr(if_true), as_expr(if_false)
    if condition.is_number:
        return if_true if condition.coefficient else if_false
    condition = Expr(1.0, condition.node)  # a factor does not change whether it is 0
    if_true = _same_question(condition, if_true, 1)
    if_false = _same_question(condition, if_false, 2)
    if if_true == if_false:
        return if_true
    if if_true.node is if_false.node or if_true.is_zero or if_false.is_zero:
        return _where_with_factor(condition, if_true, if_false)
    return Expr(1.0, intern("where", (condition, if_true, if_false)))


def _same_question(condition: Expr, side: Expr, answer: int) -> Expr:
    """The side, or what it selects where it asks for the condition once more."""
    if side.node.operation == "where" and side.node.operands[0] == condition:
        used = side.node.operands[answer]
        return scaled(side.coefficient * used.coefficient, used.node)
    return side


def _where_with_factor(condition: Expr, if_true: Expr, if_false: Expr) -> Expr:
    """The factor of the one side that is not 0 leaves the selection, or a common sign."""
    used = if_false if if_true.is_zero else if_true
    factor = math.copysign(1.0, used.coefficient)
    if (if_true.is_zero or if_false.is_zero) and not used.is_number:
        factor = used.coefficient
    operands = (condition, *(Expr(e.coefficient / factor, e.node) for e in (if_true, if_false)))
    return Expr(factor, intern("where", operands))


def logical_and(left: Operand, right: Operand) -> Expr:
    """1 where both conditions hold."""
    return where(left, where(right, ONE, ZERO), ZERO)


def logical_or(left: Operand, right: Operand) -> Expr:
    """1 where one of the conditions holds, or both."""
    return where(left, ONE, where(right, ONE, ZERO))


def logical_not(condition: Operand) -> Expr:
    return where(condition, ZERO, ONE)
