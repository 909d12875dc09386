"""Expressions in model files: text to graph, by a small parser and nothing else.

Grammar, from loose to tight:  comparison  < <= > >=,  sum  + -,  product  * /,
sign  - +,  power  ^ or ** (from the right),  and numbers, names (``component.quantity``),
calls ``f(a, b)`` and parentheses.
"""

from __future__ import annotations

import difflib
import inspect
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from axletree.core.errors import ExpressionError
from axletree.core.expr import choices, functions
from axletree.core.expr.expression import Expr, as_expr, number, symbol

LONGEST_TEXT: Final = 10_000  # characters
DEEPEST_NESTING: Final = 50  # parentheses, signs and powers within one another

_NAMES: Final = (
    "absolute", "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "log", "power", "sign",
    "sin", "sinh", "sqrt", "tan", "tanh",
)  # fmt: skip
_CHOICES: Final = ("logical_and", "logical_not", "logical_or", "maximum", "minimum", "where")
FUNCTIONS: Final = {
    **{name: getattr(functions, name) for name in _NAMES},
    **{name: getattr(choices, name) for name in _CHOICES},
    "abs": functions.absolute, "min": choices.minimum, "max": choices.maximum,
}  # fmt: skip

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"
    r"|(?P<sign>\*\*|<=|>=|[-+*/^()<>,])"
    r"|(?P<end>$))",
    re.ASCII,
)

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
    if len(text) > LONGEST_TEXT:
        raise ExpressionError(
            f"an expression of {len(text)} characters is too long; the limit is {LONGEST_TEXT}"
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
        sign = self.take("<", "<=", ">", ">=")
        if sign is None:
            return left
        right = self.sum()
        second = self.take("<", "<=", ">", ">=")
        if second is not None:
            raise self._error(
                "a second comparison", second.column, "; join two by logical_and(a < b, b < c)"
            )
        if sign.text in ("<", ">"):
            return left < right if sign.text == "<" else left > right
        return left <= right if sign.text == "<=" else left >= right

    def sum(self) -> Expr:
        total = self.product()
        while sign := self.take("+", "-"):
            term = self.product()
            total = self._built(sign, operator.add, [total, term if sign.text == "+" else -term])
        return total

    def product(self) -> Expr:
        result = self.signed()
        while sign := self.take("*", "/"):
            factor = self.signed()
            function = operator.mul if sign.text == "*" else operator.truediv
            result = self._built(sign, function, [result, factor])
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
