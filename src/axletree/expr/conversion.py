"""Expressions to SymPy and back, for reading and manipulating, and to CasADi.

SymPy expressions are read into the graph as they are, never as text, which SymPy would execute.
CasADi is an export for optimal control and an independent oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, Final, cast

from axletree.core.errors import ExpressionError
from axletree.expr.calls import ExternalFunction, call
from axletree.expr.expression import (
    ONE,
    ZERO,
    Expr,
    add,
    apply,
    expr_and,
    expr_atan2,
    expr_not,
    expr_or,
    expr_power,
    expr_where,
    extremum,
    multiply,
    number,
    ordering,
    reciprocal,
    symbol,
)
from axletree.expr.node import ONE_NODE, Node
from axletree.expr.outlines import inlined
from axletree.expr.tables import Table, interpolate
from axletree.expr.traversal import topological_order

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
        self.is_evaluated = bool(sympy.core.parameters.global_parameters.evaluate)
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
        self.values[node] = self._cases(self.sympy.Integer(1), truth, self.sympy.Integer(0))

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
            return self._cases(operands[1], condition, operands[2])
        if operation == "table":
            table = cast(Table, data)
            return self._function(f"table_{table.digest[:8]}", table)(*operands)
        function = getattr(self.sympy, _NAMES.get(operation, operation))
        if operation in ("min", "max") and not self.is_evaluated:
            return self.sympy.Basic.__new__(function, *operands)  # it would sort them, slowly
        return function(*operands)

    def _cases(self, if_true: Any, condition: Any, if_false: Any) -> Any:
        sympy = self.sympy
        if self.is_evaluated:
            return sympy.Piecewise((if_true, condition), (if_false, True))
        # SymPy would fold cases of the condition into one another all the same.
        pairs = (
            sympy.Tuple.__new__(sympy.functions.elementary.piecewise.ExprCondPair, *pair)
            for pair in ((if_true, condition), (if_false, sympy.true))
        )
        return sympy.Basic.__new__(sympy.Piecewise, *pairs)

    def _function(self, name: str, data: object) -> Any:
        from sympy.core.function import UndefinedFunction

        return UndefinedFunction(name, __dict__={"axletree_data": data})


_SAME: Final = (
    "log", "exp", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sign",
)  # fmt: skip


def _equal(a: Expr, b: Expr) -> Expr:
    return expr_and(ordering("le", a, b), ordering("le", b, a))


_BUILDERS: Final[dict[str, Callable[..., Expr]]] = {
    **{name: lambda x, name=name: apply(name, x) for name in _SAME},
    "Add": lambda *terms: reduce(add, terms),
    "Mul": lambda *factors: reduce(multiply, factors),
    "Pow": expr_power,
    "Abs": lambda x: apply("abs", x),
    "Min": lambda *values: reduce(lambda a, b: extremum("min", a, b), values),
    "Max": lambda *values: reduce(lambda a, b: extremum("max", a, b), values),
    "atan2": expr_atan2,
    "sec": lambda x: reciprocal(apply("cos", x)),
    "csc": lambda x: reciprocal(apply("sin", x)),
    "cot": lambda x: reciprocal(apply("tan", x)),
    "StrictLessThan": lambda a, b: ordering("lt", a, b),
    "LessThan": lambda a, b: ordering("le", a, b),
    "StrictGreaterThan": lambda a, b: ordering("lt", b, a),
    "GreaterThan": lambda a, b: ordering("le", b, a),
    "Equality": _equal,
    "Unequality": lambda a, b: expr_not(_equal(a, b)),
    "And": lambda *terms: reduce(expr_and, terms),
    "Or": lambda *terms: reduce(expr_or, terms),
    "Not": expr_not,
    "ITE": expr_where,
    "BooleanTrue": lambda: ONE,
    "BooleanFalse": lambda: ZERO,
}


def from_sympy(expressions: Sequence[Any], symbols: Mapping[Any, Expr] | None = None) -> list[Expr]:
    """The SymPy expressions in the graph.

    A SymPy symbol becomes the symbol of its name. The mapping may say otherwise for
    symbols and for anything else, such as the ``theta(t)`` of ``sympy.physics``.
    """
    built: dict[Any, Expr] = dict(symbols or {})
    for expression in expressions:
        if not hasattr(type(expression), "free_symbols"):
            raise ExpressionError(
                f"expected SymPy expressions, got {expression!r} of type "
                f"{type(expression).__name__}; text goes through parse_expression"
            )
        _build(expression, built)
    return [built[e] for e in expressions]


def _build(root: Any, built: dict[Any, Expr]) -> None:
    stack = [root]
    while stack:
        expression = stack[-1]
        parts = [] if expression in built else _parts(expression)
        waiting = [part for part in parts if part not in built]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        if expression not in built:
            built[expression] = _converted(expression, built)


def _parts(expression: Any) -> list[Any]:
    if expression.is_Number:  # a Rational has its parts in attributes, a Float in args
        return []
    if type(expression).__name__ == "Piecewise":
        return [part for pair in expression.args for part in pair.args]
    return list(expression.args)


def _converted(expression: Any, built: Mapping[Any, Expr]) -> Expr:
    name = type(expression).__name__
    if getattr(expression, "is_Symbol", False):
        return symbol(expression.name)
    if expression.is_number and not expression.args:
        if not expression.is_real or not expression.is_finite:
            raise ExpressionError(f"{expression} is not a finite real number")
        return number(float(expression))
    if name == "Piecewise":
        return _piecewise(expression, built)
    operands = [built[part] for part in _parts(expression)]
    data = getattr(type(expression), "axletree_data", None)
    if isinstance(data, Table):
        return interpolate(data, operands[0])
    if data is not None:
        function, k = cast(tuple[ExternalFunction, int], data)
        return call(function, *operands)[k]
    if name not in _BUILDERS:
        raise ExpressionError(
            f"the SymPy function {name} in {expression} has no counterpart here; rewrite it, "
            "or map it to an expression with the argument symbols"
        )
    return _BUILDERS[name](*operands)


def _piecewise(expression: Any, built: Mapping[Any, Expr]) -> Expr:
    pairs = [(built[value], built[condition]) for value, condition in expression.args]
    result, last = pairs[-1]
    if last != ONE:
        raise ExpressionError(
            f"{expression} has no value where none of its conditions hold; end it with "
            "(value, True)"
        )
    for value, condition in reversed(pairs[:-1]):
        result = expr_where(condition, value, result)
    return result


_CASADI_NAMES: Final = {
    "abs": "fabs", "min": "fmin", "max": "fmax", "where": "if_else", "pow": "power",
    "add": "plus", "mul": "times",
}  # fmt: skip


def to_casadi(expressions: Sequence[Expr], symbols: Mapping[Expr, Any]) -> list[Any]:
    """The expressions over the CasADi symbols (SX or MX) that the mapping gives."""
    try:
        import casadi
    except ImportError:
        raise ExpressionError(
            "to_casadi needs the package casadi; install axletree with the extra [casadi]"
        ) from None
    expressions = inlined(expressions)
    known: dict[Node, Any] = {key.node: value for key, value in symbols.items()}
    for node in topological_order(expressions):
        if node not in known:
            operands = [_times(e.coefficient, known[e.node]) for e in node.operands]
            known[node] = _casadi_node(casadi, node, operands)
    return [_times(e.coefficient, known[e.node]) for e in expressions]


def _times(coefficient: float, value: Any) -> Any:
    if coefficient == 1.0:
        return value
    return -value if coefficient == -1.0 else coefficient * value


def _casadi_node(casadi: Any, node: Node, operands: list[Any]) -> Any:
    if node.operation == "one":
        return 1.0
    if node.operation == "symbol":
        raise ExpressionError(f"no CasADi symbol was given for {node.data!r}")
    if node.operation == "inv":
        return 1.0 / operands[0]
    if node.operation == "table":
        return _table(casadi, cast(Table, node.data), operands[0])
    if node.operation in ("call", "output"):
        name = getattr(node.data, "name", node.operation)
        raise ExpressionError(
            f"the call of {name!r} has no CasADi form: CasADi differentiates expressions, "
            "not C text; export the model without external functions"
        )
    name = _CASADI_NAMES.get(node.operation, node.operation)
    function = cast(Callable[..., Any], getattr(casadi, name))
    return function(*operands)


def _table(casadi: Any, table: Table, x: Any) -> Any:
    """Every coefficient chosen by the piece that x lies in, then Horner's rule."""
    points = list(table.breakpoints)
    local = x - casadi.pw_const(x, points, [points[0], *points])
    value = 0.0
    for column in range(len(table.coefficients[0]) - 1, -1, -1):
        chosen = casadi.pw_const(x, points, [row[column] for row in table.coefficients])
        value = value * local + chosen
    return value
