"""Expressions as text: short infix text for people who debug, and the parser of model files.

Grammar, from loose to tight:  comparison  < <= > >=,  sum  + -,  product  * /,
sign  - +,  power  ^ or ** (from the right),  and numbers, names (``component.quantity``),
calls ``f(a, b)`` and parentheses. It is a small parser and nothing else: no text is executed.
"""

from __future__ import annotations

import difflib
import inspect
import math
import operator
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from axletree.core.errors import ExpressionError
from axletree.expr import functions
from axletree.expr.expression import Expr, as_expr, number, symbol
from axletree.expr.node import ONE_NODE

_SUM: Final = 1
_PRODUCT: Final = 2
POWER: Final = 3
_ATOM: Final = 4
_LEVEL: Final = {"add": _SUM, "mul": _PRODUCT, "inv": _PRODUCT, "lt": 0, "le": 0, "pow": POWER}


def to_text(expression: Expr, largest: int = 80) -> str:
    """Infix text; beyond ``largest`` operations, counted breadth first, ``...`` stands."""
    occurrences: list[Expr] = [expression]
    operands: list[list[int]] = []  # of each occurrence, as indices of occurrences
    queue = deque([0])
    while queue:
        node = occurrences[queue.popleft()].node
        shown = len(operands) < largest
        children = list(range(len(occurrences), len(occurrences) + len(node.operands)))
        operands.append(children if shown else [])
        if shown:
            occurrences += node.operands
            queue += children
    texts = [("", _ATOM)] * len(occurrences)
    for k in range(len(occurrences) - 1, -1, -1):
        parts = [texts[child] for child in operands[k]]
        texts[k] = _with_coefficient(occurrences[k], parts)
    return texts[0][0]


def _with_coefficient(expression: Expr, parts: Sequence[tuple[str, int]]) -> tuple[str, int]:
    coefficient, node = expression.coefficient, expression.node
    if node is ONE_NODE:
        return number_text(coefficient), _ATOM if coefficient >= 0.0 else _SUM
    if node.operands and not parts:
        text, level = "...", _ATOM
    else:
        text, level = _operation_text(expression, parts)
    if coefficient == 1.0:
        return text, level
    body = text if level >= _PRODUCT else f"({text})"
    if coefficient == -1.0:
        return f"-{body}", _SUM
    sign_level = _PRODUCT if coefficient >= 0.0 else _SUM
    if body.startswith("1/"):
        return number_text(coefficient) + body[1:], sign_level
    return f"{number_text(coefficient)}*{body}", sign_level


def _operation_text(expression: Expr, parts: Sequence[tuple[str, int]]) -> tuple[str, int]:
    operation, data = expression.node.operation, expression.node.data
    level = _LEVEL.get(operation, _ATOM)
    if operation == "symbol":
        return str(data), _ATOM
    if operation == "add":
        left, right = parts[0][0], parts[1][0]
        joined = f"{left} - {right[1:]}" if right.startswith("-") else f"{left} + {right}"
        return joined, level
    if operation == "mul":
        return _product(_guarded(parts[0], _PRODUCT), _guarded(parts[1], _PRODUCT)), level
    if operation == "inv":
        return f"1/{_guarded(parts[0], POWER)}", level
    if operation == "pow":
        return f"{_guarded(parts[0], _ATOM)}**{_guarded(parts[1], _ATOM)}", level
    if operation in ("lt", "le"):
        sign = "<" if operation == "lt" else "<="
        return f"{_guarded(parts[0], _SUM)} {sign} {_guarded(parts[1], _SUM)}", level
    arguments = ", ".join(text for text, _ in parts)
    if operation == "output":
        return f"{arguments}[{data}]", _ATOM
    name = getattr(data, "name", operation) if operation == "call" else operation
    return f"{name}({arguments})", _ATOM


def _product(left: str, right: str) -> str:
    """A reciprocal factor is written as a quotient."""
    if right.startswith("1/"):
        return f"{left}/{right[2:]}"
    if left.startswith("1/"):
        return f"{right}/{left[2:]}"
    return f"{left}*{right}"


def _guarded(part: tuple[str, int], level: int) -> str:
    return part[0] if part[1] >= level else f"({part[0]})"


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number; whole numbers without a point."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


_LONGEST_TEXT: Final = 10_000  # characters
DEEPEST_NESTING: Final = 50  # parentheses, signs and powers within one another

_NAMES: Final = (
    "absolute", "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "log", "power", "sign",
    "sin", "sinh", "sqrt", "tan", "tanh", "logical_and", "logical_not", "logical_or", "maximum",
    "minimum", "where",
)  # fmt: skip
FUNCTIONS: Final = {
    **{name: getattr(functions, name) for name in _NAMES},
    "abs": functions.absolute, "min": functions.minimum, "max": functions.maximum,
}  # fmt: skip

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"
    r"|(?P<sign>\*\*|<=|>=|[-+*/^()<>,])"
    r"|(?P<end>$))",
    re.ASCII,
)

_Function = Callable[[Expr, Expr], Expr]
_COMPARISONS: Final[dict[str, _Function]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_SPACES: Final = " \t\n\r\f\v"  # what the pattern takes for one; not those of all Unicode


@dataclass(frozen=True)
class Token:
    kind: str  # number, name, sign or end
    text: str
    column: int  # 1 for the first character


def parse_expression(text: str, symbols: Mapping[str, Expr]) -> Expr:
    """The expression that the text writes, over the named symbols, ``pi`` and ``t``.

    ``t`` is the symbol "t" unless the mapping names another expression so.
    """
    if not isinstance(text, str):
        raise ExpressionError(f"expected the text of an expression, got {text!r}")
    if len(text) > _LONGEST_TEXT:
        raise ExpressionError(
            f"an expression of {len(text)} characters is too long; the limit is {_LONGEST_TEXT}"
        )
    known = {"t": symbol("t"), "pi": number(math.pi), **symbols}
    return _Parser(text, known).whole()


class _Parser:
    def __init__(self, text: str, known: Mapping[str, Expr]) -> None:
        self.text = text
        self.known = known
        self.tokens = self._tokens()
        self.position = 0
        self.depth = 0

    def _tokens(self) -> list[Token]:
        tokens: list[Token] = []
        at = 0
        while not tokens or tokens[-1].kind != "end":
            match = _TOKEN.match(self.text, at)
            if match is None:
                at += len(self.text[at:]) - len(self.text[at:].lstrip(_SPACES))
                raise self._error(f"unexpected character {self.text[at]!r}", at + 1)
            kind = str(match.lastgroup)
            tokens.append(Token(kind, match[kind], match.start(kind) + 1))
            at = match.end()
        return tokens

    def _error(self, problem: str, column: int, advice: str = "") -> ExpressionError:
        shown = self.text if len(self.text) <= 80 else self.text[:77] + "..."
        return ExpressionError(f"{problem} at column {column} of {shown!r}{advice}")

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def take(self, *signs: str) -> Token | None:
        """The next token if it is one of these signs."""
        token = self.token
        if token.kind == "sign" and token.text in signs:
            self.position += 1
            return token
        return None

    def expect(self, sign: str) -> None:
        if self.take(sign) is None:
            raise self._error(f"expected {sign!r}, found {self._found()}", self.token.column)

    def _found(self) -> str:
        return "the end" if self.token.kind == "end" else repr(self.token.text)

    def whole(self) -> Expr:
        result = self.comparison()
        if self.token.kind != "end":
            raise self._error(f"expected an operator, found {self._found()}", self.token.column)
        return result

    def comparison(self) -> Expr:
        left = self.sum()
        sign = self.take(*_COMPARISONS)
        if sign is None:
            return left
        right = self.sum()
        second = self.take(*_COMPARISONS)
        if second is not None:
            raise self._error(
                "a second comparison", second.column, "; join two by logical_and(a < b, b < c)"
            )
        return _COMPARISONS[sign.text](left, right)

    def sum(self) -> Expr:
        return self._chain({"+": operator.add, "-": operator.sub}, self.product)

    def product(self) -> Expr:
        return self._chain({"*": operator.mul, "/": operator.truediv}, self.signed)

    def _chain(self, functions: Mapping[str, _Function], part: Callable[[], Expr]) -> Expr:
        """Parts with signs between them, from the left."""
        result = part()
        while sign := self.take(*functions):
            result = self._built(sign, functions[sign.text], [result, part()])
        return result

    def signed(self) -> Expr:
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise self._error(f"nested deeper than {DEEPEST_NESTING} levels", self.token.column)
        sign = self.take("-", "+")
        result = self.signed() if sign else self.power()
        self.depth -= 1
        return -result if sign and sign.text == "-" else result

    def power(self) -> Expr:
        base = self.atom()
        sign = self.take("^", "**")
        if sign is None:
            return base
        return self._built(sign, functions.power, [base, self.signed()])

    def atom(self) -> Expr:
        token = self.token
        if self.take("("):
            inner = self.comparison()
            self.expect(")")
            return inner
        if token.kind not in ("number", "name"):
            raise self._error(f"expected a value, found {self._found()}", token.column)
        self.position += 1
        if token.kind == "number":
            value = float(token.text)
            if math.isinf(value):
                raise self._error(f"the number {token.text} is too large", token.column)
            return number(value)
        return self.call(token) if self.take("(") else self.name(token)

    def name(self, token: Token) -> Expr:
        if token.text in self.known:
            return self.known[token.text]
        if token.text in FUNCTIONS:
            raise self._error(f"expected '(' after the function {token.text!r}", token.column)
        advice = _nearest(token.text, list(self.known), "names")
        raise self._error(f"unknown name {token.text!r}", token.column, advice)

    def call(self, token: Token) -> Expr:
        if token.text not in FUNCTIONS:
            advice = _nearest(token.text, list(FUNCTIONS), "functions")
            raise self._error(f"unknown function {token.text!r}", token.column, advice)
        arguments = [self.comparison()]
        while self.take(","):
            arguments.append(self.comparison())
        self.expect(")")
        function = FUNCTIONS[token.text]
        wanted = len(inspect.signature(function).parameters)
        if len(arguments) != wanted:
            problem = f"{token.text!r} takes {wanted} arguments, found {len(arguments)}"
            raise self._error(problem, token.column)
        return self._built(token, function, arguments)

    def _built(self, token: Token, function: Callable[..., Expr], arguments: list[Expr]) -> Expr:
        """The function of the arguments; where it has no value, the error says where."""
        try:
            return as_expr(function(*arguments))
        except ExpressionError as error:
            raise self._error(str(error), token.column) from None


def _nearest(name: str, names: list[str], kind: str) -> str:
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {near[0]!r}?"
    listed = ", ".join(sorted(names)[:12]) + (", ..." if len(names) > 12 else "")
    return f"; known {kind}: {listed}"
