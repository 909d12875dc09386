"""The expression graph: hash-consed nodes, and expressions that are a number times a node.

An expression is the pair (coefficient, node). Signs and numeric factors stay in the
pair and float to whoever uses it, so ``a - b``, ``b - a`` and ``3 * (a - b)`` share one
node, and a negation costs nothing. Nodes are built through the functions of
``leaves``, ``arithmetic``, ``elementary`` and ``selection`` alone, which this file hands on; each
looks for a cheaper equal form before it makes a node:

1. numbers fold; ``0 * x`` is 0, ``x + 0`` and ``1 * x`` are x;
2. commutative operands stand in one order, given by a key that depends on structure
   alone, so that the same model gives the same graph in every process;
3. a quotient is a product with a reciprocal node: one division, many products;
4. the same operation on the same operands is the same node.

Nodes and expressions are immutable. Coefficients are finite floats, and never -0.0.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from axletree.core.expr.node import ONE_NODE, OPERATIONS, Node, intern


class Expr:
    """A number times a node: what user code adds, multiplies and passes to functions.

    Example:
    >>> from axletree.core.expr import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> print(3.0 * (x - y) / 2.0, (y - x) == -(x - y))
    1.5*(x - y) True
    """

    __slots__ = ("coefficient", "node")
    coefficient: float
    node: Node

    def __init__(self, coefficient: float, node: Node) -> None:
        _set_coefficient(self, coefficient + 0.0)  # an int becomes a float, -0.0 becomes 0.0
        _set_node(self, node)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"an expression is immutable; {name!r} cannot be set")

    # -- arithmetic ------------------------------------------------------------------
    def __add__(self, other: Operand) -> Expr:
        if type(other) is Expr or _is_operand(other):
            return add(self, other)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Operand) -> Expr:
        if type(other) is Expr or _is_operand(other):
            return add(self, -as_expr(other))
        return NotImplemented

    def __rsub__(self, other: Operand) -> Expr:
        return add(other, -self) if _is_operand(other) else NotImplemented

    def __mul__(self, other: Operand) -> Expr:
        if type(other) is Expr:
            return multiply(self, other)
        if type(other) is float and other == 1.0:  # the commonest factor of graphs built anew
            return self
        return multiply(self, other) if _is_operand(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Expr:
        return multiply(self, reciprocal(other)) if _is_operand(other) else NotImplemented

    def __rtruediv__(self, other: Operand) -> Expr:
        return multiply(other, reciprocal(self)) if _is_operand(other) else NotImplemented

    def __pow__(self, other: Operand) -> Expr:
        return power(self, other) if _is_operand(other) else NotImplemented

    def __rpow__(self, other: Operand) -> Expr:
        return power(other, self) if _is_operand(other) else NotImplemented

    def __neg__(self) -> Expr:
        return Expr(-self.coefficient, self.node)

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return apply("abs", self)

    # -- comparisons: expressions that are 1 where true and 0 where false --------------
    def __lt__(self, other: Operand) -> Expr:
        return compare("lt", self, other)

    def __le__(self, other: Operand) -> Expr:
        return compare("le", self, other)

    def __gt__(self, other: Operand) -> Expr:
        return compare("lt", other, self)

    def __ge__(self, other: Operand) -> Expr:
        return compare("le", other, self)

    # -- identity ----------------------------------------------------------------------
    def __eq__(self, other: object) -> bool:
        """Whether both are the same expression (structure, not mathematics)."""
        if isinstance(other, Expr):
            return self.node is other.node and self.coefficient == other.coefficient
        if isinstance(other, int | float):
            return self.node is ONE_NODE and self.coefficient == other
        return NotImplemented

    def __hash__(self) -> int:
        # A number and the float it equals must have one hash.
        if self.node is ONE_NODE:
            return hash(self.coefficient)
        return hash((self.coefficient, self.node.key))

    def __copy__(self) -> Expr:
        return self

    def __deepcopy__(self, memo: object) -> Expr:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from axletree.core.expr.rows import from_rows, to_rows

        return from_rows, (to_rows(self),)

    def __bool__(self) -> bool:
        raise TypeError(
            "the truth of an expression is not known before it is evaluated; "
            "use where(condition, if_true, if_false), or x.is_zero for structure"
        )

    def __float__(self) -> float:
        if self.node is ONE_NODE:
            return self.coefficient
        raise TypeError(f"{self!r} is not a number; evaluate it with values for its symbols")

    def __repr__(self) -> str:
        from axletree.core.expr.text import to_text

        return to_text(self)

    @property
    def is_number(self) -> bool:
        """Whether it has no symbols."""
        return self.node is ONE_NODE

    @property
    def is_zero(self) -> bool:
        """Whether it is the number 0."""
        return self.coefficient == 0.0

    @property
    def is_symbol(self) -> bool:
        """Whether it is a symbol, without a factor."""
        return self.node.operation == "symbol" and self.coefficient == 1.0

    @property
    def name(self) -> str:
        """The name of a symbol."""
        if self.node.operation != "symbol":
            raise TypeError(f"{self!r} is not a symbol and has no name")
        return str(self.node.data)


# An expression sets its own attributes, once; this is the quickest way past its __setattr__.
_set_coefficient: Final = vars(Expr)["coefficient"].__set__
_set_node: Final = vars(Expr)["node"].__set__

Operand = Expr | float | int

ZERO: Final = Expr(0.0, ONE_NODE)
ONE: Final = Expr(1.0, ONE_NODE)

_PLAIN: Final = (Expr, int, float)


def _is_operand(value: object) -> bool:
    return isinstance(value, _PLAIN) or (
        hasattr(value, "__float__") and getattr(value, "ndim", 0) == 0
    )


# Expr's operators call these, and they build on Expr: the imports stand last, leaves first.
from axletree.core.expr.leaves import as_expr, number, scaled, special, symbol  # noqa: E402, I001
from axletree.core.expr.arithmetic import add, multiply, power, reciprocal  # noqa: E402
from axletree.core.expr.elementary import NUMERIC, apply, atan2, extremum  # noqa: E402
from axletree.core.expr.selection import (  # noqa: E402
    compare,
    logical_and,
    logical_not,
    logical_or,
    where,
)  # fmt: skip

__all__ = [
    "NUMERIC", "ONE", "ONE_NODE", "OPERATIONS", "ZERO", "Expr", "Node", "Operand",
    "add", "apply", "as_expr", "atan2", "compare", "extremum", "intern", "logical_and",
    "logical_not", "logical_or", "multiply", "number", "power", "reciprocal", "scaled",
    "special", "symbol", "where",
]  # fmt: skip
