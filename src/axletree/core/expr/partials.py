"""The derivative of each operation with respect to its operands, exact.

At the switches: |x|' is sign(x), 0 at 0; sign' is 0; min and max give each side half of
the slope at a tie; comparisons have slope 0. Slopes that a switch turns off are selected
away, not multiplied by 0, so that an infinite slope on the unused side does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, cast

from axletree.core.expr.called import CalledFunction, Matrix
from axletree.core.expr.expression import (
    ONE,
    ZERO,
    Expr,
    Node,
    apply,
    compare,
    power,
    reciprocal,
    where,
)  # fmt: skip
from axletree.core.expr.table import Table, interpolate

# Of functions of one argument: from the argument a and the value f.
_OF_ONE: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "inv": lambda a, f: -(f * f),
    "sqrt": lambda a, f: 0.5 * reciprocal(f),
    "exp": lambda a, f: f,
    "log": lambda a, f: reciprocal(a),
    "sin": lambda a, f: apply("cos", a),
    "cos": lambda a, f: -apply("sin", a),
    "tan": lambda a, f: 1.0 + f * f,
    "asin": lambda a, f: reciprocal(apply("sqrt", 1.0 - a * a)),
    "acos": lambda a, f: -reciprocal(apply("sqrt", 1.0 - a * a)),
    "atan": lambda a, f: reciprocal(1.0 + a * a),
    "sinh": lambda a, f: apply("cosh", a),
    "cosh": lambda a, f: apply("sinh", a),
    "tanh": lambda a, f: 1.0 - f * f,
    "abs": lambda a, f: apply("sign", a),
    "sign": lambda a, f: ZERO,
}


def partials(node: Node) -> tuple[Expr, ...]:
    """The derivative of the node with respect to each operand (its coefficient included).

    Not for "call" and "output", whose derivatives are matrices: see ``call_partials``.
    """
    operation, operands = node.operation, node.operands
    if operation in _OF_ONE:
        return (_OF_ONE[operation](operands[0], Expr(1.0, node)),)
    if operation == "add":
        return (ONE, ONE)
    if operation == "mul":
        return (operands[1], operands[0])
    if operation in _OF_MANY:
        return _OF_MANY[operation](node)
    if operation == "table":
        return (interpolate(cast(Table, node.data).derivative(), operands[0]),)
    return (ZERO,) * len(operands)  # comparisons, symbols and numbers


def _power(node: Node) -> tuple[Expr, ...]:
    base, exponent = node.operands
    slope = exponent * power(base, exponent - 1.0)
    if exponent.is_number:
        return (slope, ZERO)
    # 0**y is 0 for every y > 0, where the logarithm of the base is infinite.
    logarithm = where(compare("lt", ZERO, base), apply("log", base), ZERO)
    return (slope, logarithm * Expr(1.0, node))


def _atan2(node: Node) -> tuple[Expr, ...]:
    y, x = node.operands
    inverse_square = reciprocal(x * x + y * y)
    return (x * inverse_square, -(y * inverse_square))


def _extremum(node: Node) -> tuple[Expr, ...]:
    left, right = node.operands
    left_below, right_below = compare("lt", left, right), compare("lt", right, left)
    of_left = where(right_below, ZERO, where(left_below, ONE, 0.5))
    of_right = where(left_below, ZERO, where(right_below, ONE, 0.5))
    if node.operation == "min":
        return (of_left, of_right)
    return (of_right, of_left)


def _where(node: Node) -> tuple[Expr, ...]:
    condition = node.operands[0]
    return (ZERO, where(condition, ONE, ZERO), where(condition, ZERO, ONE))


_OF_MANY: Final[dict[str, Callable[[Node], tuple[Expr, ...]]]] = {
    "pow": _power, "atan2": _atan2, "min": _extremum, "max": _extremum, "where": _where,
}  # fmt: skip


def call_partials(node: Node, active: Collection[Node]) -> list[Matrix]:
    """Matrices whose product is the Jacobian of a call node's outputs.

    Columns of operands that are not among the ``active`` nodes may be missing.
    """
    function = cast(CalledFunction, node.data)
    columns = [k for k, e in enumerate(node.operands) if e.node in active]
    return function.slopes(node.operands, columns)
