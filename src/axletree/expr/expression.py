"""Expressions: a number times a hash-consed node, and the functions that build them.

An expression is the pair (coefficient, node). Signs and numeric factors stay in the pair and float
to whoever uses it, so ``a - b``, ``b - a`` and ``3 * (a - b)`` share one node, and a negation costs
nothing. Nodes are built through the functions of this file alone: leaves, sums and products,
elementary functions, selections. Each looks for a cheaper equal form before it makes a node:

1. numbers fold; ``0 * x`` is 0, ``x + 0`` and ``1 * x`` are x;
2. commutative operands stand in one order, given by a key that depends on structure
   alone, so that the same model gives the same graph in every process;
3. a quotient is a product with a reciprocal node: one division, many products;
4. the same operation on the same operands is the same node.

Nodes and expressions are immutable. Coefficients are finite floats, and never -0.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any, Final, NoReturn

from axletree.core.errors import ExpressionError
from axletree.expr.node import ONE_NODE, Node, intern


class Expr:
    """A number times a node: what user code adds, multiplies and passes to functions.

    Example:
    >>> from axletree.expr import symbol
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
        return expr_power(self, other) if _is_operand(other) else NotImplemented

    def __rpow__(self, other: Operand) -> Expr:
        return expr_power(other, self) if _is_operand(other) else NotImplemented

    def __neg__(self) -> Expr:
        return Expr(-self.coefficient, self.node)

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return apply("abs", self)

    # -- comparisons: expressions that are 1 where true and 0 where false --------------
    def __lt__(self, other: Operand) -> Expr:
        return ordering("lt", self, other)

    def __le__(self, other: Operand) -> Expr:
        return ordering("le", self, other)

    def __gt__(self, other: Operand) -> Expr:
        return ordering("lt", other, self)

    def __ge__(self, other: Operand) -> Expr:
        return ordering("le", other, self)

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
        from axletree.expr.traversal import from_rows, to_rows

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
        from axletree.expr.text import to_text

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


# Numbers, symbols, and what stands for an expression where one is expected.


def number(value: float) -> Expr:
    """A finite number as an expression.

    Example:
    >>> from axletree.expr import number, symbol
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
    >>> from axletree.expr import symbol
    >>> symbol("body.mass") == symbol("body.mass"), symbol("body.mass").name
    (True, 'body.mass')
    """
    if not isinstance(name, str) or not name:
        raise ExpressionError(f"a symbol needs a name, got {name!r}")
    return Expr(1.0, intern("symbol", (), name))


def as_expr(value: Operand) -> Expr:
    """An expression as it is, a number as an expression.

    Example:
    >>> from axletree.expr import as_expr, symbol
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


# Sums, products, reciprocals and powers of expressions, each in its cheapest equal form.

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
        return expr_where(condition, if_true * left.coefficient, other_false * right.coefficient)
    if if_true.is_zero and other_false.is_zero:
        return expr_where(condition, other_true * right.coefficient, if_false * left.coefficient)
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
        result = (
            expr_where(condition, result, ZERO)
            if first_side
            else expr_where(condition, ZERO, result)
        )
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


def expr_power(base: Operand, exponent: Operand) -> Expr:
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
        return folded_number("pow", base, exponent)
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


# Functions of one and two arguments on expressions, folded where the arguments are numbers.

ODD: Final = frozenset({"sin", "tan", "asin", "atan", "sinh", "tanh"})
EVEN: Final = frozenset({"cos", "cosh"})
POSITIVE: Final = frozenset({"exp", "cosh"})


NUMERIC: Final[dict[str, Callable[..., float]]] = {
    "pow": math.pow, "sqrt": math.sqrt, "exp": math.exp, "log": math.log,
    "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "abs": abs, "sign": lambda x: float((x > 0.0) - (x < 0.0)), "atan2": math.atan2,
    "min": min, "max": max,
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


def folded_number(operation: str, *operands: Expr) -> Expr:
    return number(numeric(operation, *[e.coefficient for e in operands]))


def apply(operation: str, value: Operand) -> Expr:
    """A function of one argument, by its name in ``OPERATIONS``."""
    value = as_expr(value)
    if value.is_number:
        return folded_number(operation, value)
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


def expr_atan2(y: Operand, x: Operand) -> Expr:
    y, x = as_expr(y), as_expr(x)
    if y.is_number and x.is_number:
        return folded_number("atan2", y, x)
    return Expr(1.0, intern("atan2", (y, x)))


def extremum(operation: str, left: Operand, right: Operand) -> Expr:
    """``min`` or ``max`` of two; a negative leading sign turns one into the other."""
    left, right = as_expr(left), as_expr(right)
    if left == right:
        return left
    if left.is_number and right.is_number:
        return folded_number(operation, left, right)
    same = left.node is right.node
    if comes_first(right.node, left.node) or (same and right.coefficient > left.coefficient):
        left, right = right, left
    # Not beside 0: max(-x, 0) would become -min(x, 0), which is -0.0 where it is nothing.
    if left.coefficient < 0.0 and not right.is_zero:
        other = "max" if operation == "min" else "min"
        return Expr(-1.0, intern(other, (-left, -right)))
    return Expr(1.0, intern(operation, (left, right)))


# Comparisons and selections: expressions that switch.
#
# A condition is an expression that counts as true where it is not 0. A selection evaluates
# both its sides, so that its cost is fixed; the value of the unused side, infinite or NaN
# as it may be, never enters the result, nor the result's derivative.


def ordering(operation: str, left: Operand, right: Operand) -> Expr:
    """``lt`` (<) or ``le`` (<=): 1 where true, 0 where false."""
    left, right = as_expr(left), as_expr(right)
    if left == right:
        return ONE if operation == "le" else ZERO
    if left.is_number and right.is_number:
        return folded_number(operation, left, right)
    return Expr(1.0, intern(operation, (left, right)))


def expr_where(condition: Operand, if_true: Operand, if_false: Operand) -> Expr:
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


def expr_and(left: Operand, right: Operand) -> Expr:
    """1 where both conditions hold."""
    return expr_where(left, expr_where(right, ONE, ZERO), ZERO)


def expr_or(left: Operand, right: Operand) -> Expr:
    """1 where one of the conditions holds, or both."""
    return expr_where(left, ONE, expr_where(right, ONE, ZERO))


def expr_not(condition: Operand) -> Expr:
    return expr_where(condition, ZERO, ONE)
