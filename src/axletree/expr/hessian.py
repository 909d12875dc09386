"""Gradient and Hessian of a weighted sum of expressions.

The gradient is found by reverse accumulation: the adjoint of a node is the derivative of the sum
by that node. The Hessian begins with the second derivatives of single operations, times their
adjoints, as edges between operands; then the vertices in between are eliminated, each edge of a
vertex being handed on to its operands (Gower and Mello 2012, "edge pushing", in any order).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from axletree.core.errors import ExpressionError
from axletree.expr.calls import CalledFunction
from axletree.expr.derivatives import check_variables, partials
from axletree.expr.expression import (
    ZERO,
    Expr,
    Operand,
    as_expr,
)
from axletree.expr.node import Node
from axletree.expr.traversal import dependent_nodes, topological_order


def gradient(
    expressions: Sequence[Expr], weights: Sequence[Operand], variables: Sequence[Expr]
) -> list[Expr]:
    """The derivative of the weighted sum of the expressions by each variable.

    The weights do not change with the variables.

    Example:
    >>> from axletree.expr import gradient, symbol
    >>> x, y, w = symbol("x"), symbol("y"), symbol("w")
    >>> gradient([x * y, 3.0 * y], [w, 1.0], [x, y])
    [y*w, 3 + x*w]
    """
    check_variables(variables)
    adjoints = _Adjoints(expressions, weights, variables)
    for node in reversed(adjoints.order):
        if node.operation == "call":
            adjoints.through_call(node)
        elif node.operation != "output":
            adjoints.through(node)
    return [adjoints.of.get(variable.node, ZERO) for variable in variables]


class _Adjoints:
    """The derivative of a weighted sum by each node that lies between it and the variables."""

    def __init__(
        self, expressions: Sequence[Expr], weights: Sequence[Operand], variables: Sequence[Expr]
    ) -> None:
        if len(weights) != len(expressions):
            raise ExpressionError(
                f"a sum of {len(expressions)} expressions has {len(weights)} weights; expected one "
                "for each"
            )
        self.fixed = {variable.node for variable in variables}
        every = topological_order(expressions)
        self.active = dependent_nodes(every, variables)
        self.order = [n for n in every if n in self.active and n not in self.fixed]
        self.outputs: dict[Node, list[Node]] = {}  # of each call
        for node in self.order:
            if node.operation == "output":
                self.outputs.setdefault(node.operands[0].node, []).append(node)
        self.of: dict[Node, Expr] = {}
        for expression, weight in zip(expressions, weights, strict=True):
            self.add(expression, as_expr(weight))

    def add(self, operand: Expr, adjoint: Expr) -> None:
        """What one user of an operand adds to its adjoint."""
        if operand.node in self.active:
            known = self.of.get(operand.node, ZERO)
            self.of[operand.node] = known + adjoint * operand.coefficient

    def through(self, node: Node) -> None:
        """From a node to its operands."""
        adjoint = self.of.get(node, ZERO)
        if not adjoint.is_zero:
            for operand, partial in zip(node.operands, partials(node), strict=True):
                if operand.node in self.active:
                    self.add(operand, adjoint * partial)

    def through_call(self, node: Node) -> None:
        """From the results of a call to its arguments."""
        weights = self.of_outputs(node)
        if any(not weight.is_zero for weight in weights):
            function, columns = cast(CalledFunction, node.data), self.columns(node)
            found = function.weighted_slopes(node.operands, columns, weights)
            for k, adjoint in found.items():
                self.add(node.operands[k], adjoint)

    def of_outputs(self, node: Node) -> list[Expr]:
        """Of the results of a call, 0 for those that nobody uses."""
        found = [ZERO] * len(cast(CalledFunction, node.data).outputs)
        for output in self.outputs.get(node, ()):
            found[int(str(output.data))] = self.of.get(output, ZERO)
        return found

    def columns(self, node: Node) -> list[int]:
        """The arguments of a call that depend on the variables."""
        return [k for k, e in enumerate(node.operands) if e.node in self.active]
