"""Expressions to SymPy, for reading and manipulating, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, cast

from axletree.core.expr.call import ExternalFunction
from axletree.core.expr.expression import ONE_NODE, Expr, Node
from axletree.core.expr.order import topological_order
from axletree.core.expr.outline import inlined
from axletree.core.expr.sympy_reader import from_sympy
from axletree.core.expr.table import Table

__all__ = ["from_sympy", "to_sympy"]

LARGEST_DENOMINATOR: Final = 1000
LARGEST_EXACT_INTEGER: Final = 2.0**53
_NAMES: Final = {"abs": "Abs", "min": "Min", "max": "Max", "add": "Add", "mul": "Mul", "pow": "Pow"}


def to_sympy(expressions: Sequence[Expr], symbols: Mapping[Expr, Any] | None = None) -> list[Any]:
    """The expressions in SymPy; symbols keep their names, or become what the mapping says.

    Whole numbers and fractions with denominators up to 1000 become exact. A comparison
    used as a number is a Piecewise of 1 and 0. A table or an output of an external call becomes
    an applied function that ``from_sympy`` knows again; a function of expressions is
    written out.
    """
    expressions = inlined(expressions)
    writer = _Writer(symbols or {})
    for node in topological_order(expressions):
        writer.add(node)
    return [writer.value(e) for e in expressions]


class _Writer:
    """SymPy forms of the nodes met so far: values, and truth values where they are such."""

    def __init__(self, symbols: Mapping[Expr, Any]) -> None:
        import sympy

        self.sympy: Any = sympy
        self.given = {key.node: value for key, value in symbols.items()}
        self.values: dict[Node, Any] = {}
        self.truths: dict[Node, Any] = {}

    def value(self, expression: Expr) -> Any:
        if expression.node is ONE_NODE:
            return self.number(expression.coefficient)
        value = self.values[expression.node]
        if expression.coefficient == 1.0:
            return value
        return self.number(expression.coefficient) * value

    def number(self, value: float) -> Any:
        if value.is_integer() and abs(value) <= LARGEST_EXACT_INTEGER:
            return self.sympy.Integer(int(value))
        fraction = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
        if float(fraction) == value:
            return self.sympy.Rational(fraction.numerator, fraction.denominator)
        return self.sympy.Float(value)

    def truth(self, expression: Expr) -> Any:
        """Whether the expression is not 0."""
        if expression.node is ONE_NODE:
            return self.sympy.true if expression.coefficient else self.sympy.false
        if expression.node in self.truths:
            return self.truths[expression.node]
        return self.sympy.Ne(self.values[expression.node], 0)

    def add(self, node: Node) -> None:
        if node.operation in ("lt", "le"):
            left, right = (self.value(e) for e in node.operands)
            relation = self.sympy.Lt if node.operation == "lt" else self.sympy.Le
            self._add_truth(node, relation(left, right))
        elif node.operation == "where" and all(map(self._is_truth, node.operands[1:])):
            condition, if_true, if_false = (self.truth(e) for e in node.operands)
            either = self.sympy.Or(
                self.sympy.And(condition, if_true),
                self.sympy.And(self.sympy.Not(condition), if_false),
            )
            self._add_truth(node, either)
        elif node.operation not in ("one", "call"):
            self.values[node] = self._value_of(node)

    def _is_truth(self, side: Expr) -> bool:
        """Whether the expression is 1 or 0 and nothing else."""
        if side.node is ONE_NODE:
            return side.coefficient in (0.0, 1.0)
        return side.coefficient == 1.0 and side.node in self.truths

    def _add_truth(self, node: Node, truth: Any) -> None:
        self.truths[node] = truth
        self.values[node] = self.sympy.Piecewise((1, truth), (0, True))

    def _value_of(self, node: Node) -> Any:
        operation, data = node.operation, node.data
        if operation == "symbol":
            return self.given[node] if node in self.given else self.sympy.Symbol(data)
        if operation == "output":
            call = node.operands[0].node
            function, k = cast(ExternalFunction, call.data), int(str(data))
            name = f"{function.name}_{function.outputs[k]}"
            return self._function(name, (function, k))(*[self.value(e) for e in call.operands])
        operands = [self.value(e) for e in node.operands]
        if operation == "inv":
            return 1 / operands[0]
        if operation == "where":
            condition = self.truth(node.operands[0])
            return self.sympy.Piecewise((operands[1], condition), (operands[2], True))
        if operation == "table":
            table = cast(Table, data)
            return self._function(f"table_{table.digest[:8]}", table)(*operands)
        return getattr(self.sympy, _NAMES.get(operation, operation))(*operands)

    def _function(self, name: str, data: object) -> Any:
        from sympy.core.function import UndefinedFunction

        return UndefinedFunction(name, __dict__={"axletree_data": data})
