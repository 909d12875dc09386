"""Expressions as equations in LaTeX that fit a page.

What is long and used more than once is given a name, and so is what would make a line too long;
every other operation is written where it is used. Lines are broken between terms: pieces
(atoms, products, sums) carry an estimate of how wide they are, and equations fill rows with
them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from axletree.expr import CalledFunction, Expr, topological_order
from axletree.expr.calls import outputs_of
from axletree.expr.factorisation import solver_size
from axletree.expr.node import ONE_NODE, Node

LONGEST_INSIDE: Final = 40  # characters of what stands in brackets, which cannot be broken
LONGEST_SUM: Final = 400  # of a sum within a sum, which can
LONGEST_COMPARED: Final = 30  # of either side of a condition
LONGEST_ARGUMENT: Final = 12  # of what a function is called with
SHARED: Final = 20  # from which on what is used more than once has a name
_HEADS: Final = {
    **{name: rf"\{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp")},
    "log": r"\ln",
    "asin": r"\arcsin",
    "acos": r"\arccos",
    "atan": r"\arctan",
    "atan2": r"\operatorname{atan2}",
    "sign": r"\operatorname{sign}",
    "min": r"\min",
    "max": r"\max",
}
_RELATIONS: Final = {"lt": "<", "le": r"\le"}
_POWERS_BEFORE: Final = ("sin", "cos", "tan", "sinh", "cosh", "tanh")


class LatexWriter:
    """Writes expressions; gathers the definitions that they need, in the order of need."""

    def __init__(
        self,
        targets: Sequence[Expr],
        names: Mapping[Node, str],
        letter: str,
        tables: dict[object, str] | None = None,
    ) -> None:
        order = topological_order(targets)
        self.definitions: list[LatexEquation] = []
        self.functions: dict[CalledFunction, str] = {}
        self.tables: dict[object, str] = {} if tables is None else tables
        self._names = names
        self._letter = letter
        self._named = 0
        self._uses = Counter(e.node for node in order for e in node.operands)
        self._uses.update(e.node for e in targets)
        self._pieces: dict[Node, LatexPiece] = {}
        self._defined: set[Node] = set()
        for node in order:
            self._add(node)

    def equation(self, left: str, expression: Expr) -> LatexEquation:
        return equation(left, self._whole(expression))

    def balance(self, left: Expr, right: Expr) -> LatexEquation:
        """Both sides written out."""
        return balance_equation(*(self._whole(e) for e in (left, right)))

    def _whole(self, expression: Expr) -> LatexPiece:
        """A sign is carried into a sum, so that its terms can stand in several rows."""
        terms = self._terms(expression)
        return total(terms) if len(terms) > 1 else self._of(expression)

    def _add(self, node: Node) -> None:
        if node.operation == "symbol":
            self._pieces[node] = atom(self._names[node])
        elif node.operation == "call":
            self._add_call(node)
        elif node is not ONE_NODE and node.operation != "output":
            self._pieces[node] = self._operation(node)
            shared = self._uses[node] > 1 and self._pieces[node].width > SHARED
            if node in self._names or shared:
                self._define(node)

    def _define(self, node: Node) -> None:
        """A definition for a node, which has a name from here on."""
        left = self._names.get(node) or self._next_name()
        self.definitions.append(equation(left, self._pieces[node]))
        self._know(node, left)

    def _know(self, node: Node, name: str) -> None:
        self._pieces[node] = atom(name)
        self._defined.add(node)

    def _next_name(self) -> str:
        self._named += 1
        return f"{self._letter}_{{{self._named}}}"

    def _of(self, expression: Expr) -> LatexPiece:
        factor, node = expression.coefficient, expression.node
        if node is not ONE_NODE:
            return scaled_piece(factor, self._pieces[node])
        piece = number_piece(abs(factor))
        return piece if factor >= 0.0 else scaled_piece(-1.0, piece)

    def _inside(self, expression: Expr, longest: int = LONGEST_INSIDE) -> LatexPiece:
        """An operand that cannot be broken: it has a name if it is long."""
        node = expression.node
        if node.operands and node not in self._defined and self._pieces[node].width > longest:
            self._define(node)
        return self._of(expression)

    def _operation(self, node: Node) -> LatexPiece:
        operation, operands = node.operation, node.operands
        if operation == "add":
            return total([term for e in operands for term in self._terms(e)])
        if operation in ("mul", "inv"):
            return self._product(node)
        if operation == "where":
            return self._selection(*operands)
        if operation in _RELATIONS:
            return atom(rf"\left[{self._condition(Expr(1.0, node))}\right]")
        if operation == "pow":
            return raised(self._inside(operands[0]), self._inside(operands[1], 15))
        pieces = [self._inside(e) for e in operands]
        inner, width = ", ".join(p.text for p in pieces), sum(p.width + 1 for p in pieces)
        if operation == "sqrt":
            return atom(rf"\sqrt{{{inner}}}", width + 1)
        if operation == "abs":
            return atom(rf"\left|{inner}\right|", width + 2)
        if operation == "table":
            head = self.tables.setdefault(node.data, rf"\mathrm{{T}}_{{{len(self.tables) + 1}}}")
            return atom(rf"{head}\left({inner}\right)", width + 3)
        head = _HEADS[operation]
        powered = head if operation in _POWERS_BEFORE else ""
        return atom(rf"{head}\left({inner}\right)", width + len(operation) + 2, head=powered)

    def _terms(self, expression: Expr) -> list[tuple[float, LatexPiece]]:
        """The terms that an operand brings into a sum."""
        factor, node = expression.coefficient, expression.node
        if node is ONE_NODE:
            return [(1.0 if factor > 0.0 else -1.0, number_piece(abs(factor)))]
        limit = LONGEST_SUM if abs(factor) == 1.0 else LONGEST_INSIDE
        piece = self._inside(Expr(1.0, node), limit)
        if piece.terms and abs(factor) == 1.0:
            return [(factor * f, p) for f, p in piece.terms]
        return [(factor, piece)]

    def _product(self, node: Node) -> LatexPiece:
        above: list[LatexPiece] = []
        below: list[LatexPiece] = []
        for e in node.operands:
            piece = self._inside(Expr(1.0, e.node))
            whole = not (piece.above or piece.below)
            over, under = ((piece,), ()) if whole else (piece.above, piece.below)
            if node.operation == "inv":
                over, under = under, over
            above += over
            below += under
        return product(above, below)

    def _selection(self, condition: Expr, if_true: Expr, if_false: Expr) -> LatexPiece:
        sides = [self._inside(e) for e in (if_true, if_false)]
        asked = self._condition(condition)
        text = (
            rf"\begin{{cases}} {sides[0].text} & \text{{if }} {asked} \\ "
            rf"{sides[1].text} & \text{{otherwise}} \end{{cases}}"
        )
        return atom(text, max(s.width for s in sides) + visible(asked) + 10)

    def _condition(self, expression: Expr) -> str:
        node = expression.node
        if node.operation in _RELATIONS and node not in self._defined:
            left, right = (self._inside(e, LONGEST_COMPARED).text for e in node.operands)
            return f"{left} {_RELATIONS[node.operation]} {right}"
        selects = node.operation == "where" and node not in self._defined
        if selects and (joined := self._joined(*node.operands)):
            return joined
        return rf"{self._inside(expression, LONGEST_COMPARED).text} \ne 0"

    def _joined(self, condition: Expr, if_true: Expr, if_false: Expr) -> str:
        """Conditions of which one or both must hold, which the graph has as selections."""
        if if_true == 1.0 and if_false == 0.0:
            return self._condition(condition)
        if if_true == 0.0 and if_false == 1.0:
            return rf"\lnot \left({self._condition(condition)}\right)"
        if if_true == 1.0 and if_false.node.operands:
            return rf"{self._condition(condition)} \lor {self._condition(if_false)}"
        if if_false == 0.0 and if_true.node.operands:
            return rf"{self._condition(condition)} \land {self._condition(if_true)}"
        return ""

    def _add_call(self, node: Node) -> None:
        """A call defines its results at once; arguments that are no symbols are named before."""
        function = node.data
        assert isinstance(function, CalledFunction)
        given = [self._inside(e, LONGEST_ARGUMENT).text for e in node.operands]
        results = []
        for output in outputs_of(Expr(1.0, node), function):
            results.append(self._names.get(output.node) or self._next_name())
            self._know(output.node, results[-1])
        size = solver_size(function)
        if size is not None:
            self.definitions.append(solution(results, given, *size))
            return
        head = self.functions.setdefault(function, rf"\mathrm{{F}}_{{{len(self.functions) + 1}}}")
        self.definitions.append(call_equation(results, head, given))


_PAGE: Final = 85  # characters of a line, about
LEAST_ROOM: Final = 40  # for the right side, however long the left one is


@dataclass(frozen=True)
class LatexEquation:
    """A left side and the rows of its right side."""

    left: str
    rows: tuple[str, ...]
    starts: bool = True  # whether the right side starts in the first row

    @property
    def text(self) -> str:
        """Lines of an environment that aligns."""
        first, *others = self.rows
        sign = "&=" if self.starts else "&"
        return " \\\\\n".join(
            [f"{self.left} {sign} {first}", *(rf"&\quad {row}" for row in others)]
        )


def equation(left: str, piece: LatexPiece) -> LatexEquation:
    """A sum is broken between its terms."""
    return LatexEquation(left, tuple(_rows(piece, max(_PAGE - visible(left), LEAST_ROOM))))


def balance_equation(left: LatexPiece, right: LatexPiece) -> LatexEquation:
    """Two sums that are equal; a left side that is long stands in rows of its own."""
    if left.width + right.width < _PAGE:
        return LatexEquation(left.text, (right.text,))
    first, *others = (f"{{}} {row}" for row in _rows(right, LEAST_ROOM * 2))
    above = _rows(left, LEAST_ROOM * 2)
    return LatexEquation("", (*above, rf"\qquad = {first}", *others), starts=False)


def _rows(piece: LatexPiece, room: int) -> list[str]:
    if piece.width <= room or not piece.terms:
        return [piece.text]
    return _filled(*_terms_in_row(piece.terms), room)


def call_equation(results: Sequence[str], head: str, arguments: Sequence[str]) -> LatexEquation:
    """A function that has several results."""
    left = rf"\left({', '.join(results)}\right)"
    return LatexEquation(left, _in_brackets(f"{head}(", arguments, ")", LEAST_ROOM))


def solution(
    results: Sequence[str], given: Sequence[str], size: int, columns: int
) -> LatexEquation:
    """A x = b: the rows of A, then the columns of b."""
    matrix = [given[i * size : (i + 1) * size] for i in range(size)]
    unknown = [[results[k * size + i] for k in range(columns)] for i in range(size)]
    right = [[given[size**2 + k * size + i] for k in range(columns)] for i in range(size)]
    return LatexEquation(_matrix(matrix) + _matrix(unknown), (_matrix(right),))


def vector(name: str, entries: Sequence[str]) -> LatexEquation:
    """A column, written as a row."""
    return LatexEquation(name, _in_brackets("(", entries, ")^{T}", _PAGE - 10))


def _in_brackets(begin: str, entries: Sequence[str], end: str, room: int) -> tuple[str, ...]:
    """Entries with commas between them, in rows."""
    texts = [f"{text}{',' if k < len(entries) else end}" for k, text in enumerate(entries, 1)]
    first, *others = _filled(texts, [visible(text) + 2 for text in texts], room)
    return f"{begin}{first}", *others


def _matrix(rows: Sequence[Sequence[str]]) -> str:
    lines = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{bmatrix}} {lines} \end{{bmatrix}}"


def _filled(texts: Sequence[str], widths: Sequence[int], room: int) -> list[str]:
    """The texts in rows, as many in each as there is room for."""
    rows: list[list[str]] = [[]]
    used = 0
    for text, width in zip(texts, widths, strict=True):
        if used + width > room and rows[-1]:
            rows.append([])
            used = 0
        rows[-1].append(text)
        used += width
    return [" ".join(row) for row in rows]


_SUM, _PRODUCT, _ATOM = range(3)  # how tightly a piece holds together
_LARGEST_DENOMINATOR: Final = 12
_SHORT: Final = 7  # characters of a decimal number that is no fraction to people


@dataclass(frozen=True)
class LatexPiece:
    """The LaTeX of an expression."""

    text: str
    width: int  # in characters, about
    level: int = _ATOM
    terms: tuple[tuple[float, LatexPiece], ...] = ()  # of a sum
    above: tuple[LatexPiece, ...] = ()  # factors of a product
    below: tuple[LatexPiece, ...] = ()  # its divisors
    head: str = ""  # of a function that takes its power before its argument: sin

    @property
    def bracketed(self) -> str:
        return rf"\left({self.text}\right)"

    def guarded(self, level: int) -> str:
        return self.text if self.level >= level else self.bracketed


def atom(text: str, width: int | None = None, head: str = "") -> LatexPiece:
    return LatexPiece(text, visible(text) if width is None else width, head=head)


def visible(text: str) -> int:
    """How many characters are seen, about."""
    plain = re.sub(r"\\(?:mathrm|text|left|right|dot|ensuremath|operatorname|frac|,)", "", text)
    return len(re.sub(r"[{}_^\s\\&]", "", re.sub(r"\\[A-Za-z]+", "x", plain)))


def number_piece(value: float) -> LatexPiece:
    """A number that is not negative; simple fractions as such."""
    if value.is_integer() and value < 1e7:
        return atom(str(int(value)))
    fraction = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
    if float(fraction) == value and (value == 0.5 or len(repr(value)) > _SHORT):
        text = rf"\frac{{{fraction.numerator}}}{{{fraction.denominator}}}"
        return atom(text, len(str(fraction.numerator)) + 1)
    digits, _, exponent = repr(value).partition("e")
    if not exponent:
        return atom(digits)
    tens = f"10^{{{int(exponent)}}}"
    return atom(tens if digits == "1" else rf"{digits} \cdot {tens}")


def scaled_piece(factor: float, piece: LatexPiece) -> LatexPiece:
    """A number times a piece."""
    if factor == 1.0:
        return piece
    if factor == -1.0 and piece.terms:
        return total([(-f, p) for f, p in piece.terms])
    text = _unsigned(abs(factor), piece)
    width = piece.width + (0 if abs(factor) == 1.0 else number_piece(abs(factor)).width + 1)
    sign = "-" if factor < 0.0 else ""
    # A sign in front makes it a sum, as far as brackets go.
    return LatexPiece(f"{sign}{text}", width + len(sign), _SUM if sign else _PRODUCT)


def _unsigned(factor: float, piece: LatexPiece) -> str:
    if factor == 1.0:
        return piece.guarded(_PRODUCT)
    if piece.below and factor.is_integer():
        return product((number_piece(factor), *piece.above), piece.below).text
    return rf"{number_piece(factor).text} \, {piece.guarded(_PRODUCT)}"


def total(terms: Sequence[tuple[float, LatexPiece]]) -> LatexPiece:
    """A sum; a term that is added goes first."""
    first = next((k for k, (factor, _) in enumerate(terms) if factor > 0.0), 0)
    ordered = (terms[first], *terms[:first], *terms[first + 1 :])
    texts, widths = _terms_in_row(ordered)
    return LatexPiece(" ".join(texts), sum(widths), _SUM, terms=ordered)


def _terms_in_row(terms: Sequence[tuple[float, LatexPiece]]) -> tuple[list[str], list[int]]:
    """Terms with their signs, and how wide each is."""
    texts: list[str] = []
    widths = []
    for factor, piece in terms:
        sign = "-" if factor < 0.0 else "+"
        text = _unsigned(abs(factor), piece)
        texts.append(f"{sign} {text}" if texts else f"{sign}{text}".removeprefix("+"))
        widths.append(scaled_piece(abs(factor), piece).width + 3)
    return texts, widths


def product(above: Sequence[LatexPiece], below: Sequence[LatexPiece]) -> LatexPiece:
    """Factors over divisors; equal ones as a power."""
    upper, lower = _powers(above), _powers(below)
    if not lower:
        text = r" \, ".join(piece.guarded(_PRODUCT) for piece in upper)
        width = sum(piece.width + 1 for piece in upper)
        return LatexPiece(text, width, _PRODUCT, above=tuple(above))
    texts = [_side(side) for side in (upper, lower)]
    width = max(sum(piece.width + 1 for piece in side) for side in (upper, lower))
    text = rf"\frac{{{texts[0]}}}{{{texts[1]}}}"
    return LatexPiece(text, width, _PRODUCT, above=tuple(above), below=tuple(below))


def _side(pieces: Sequence[LatexPiece]) -> str:
    if len(pieces) == 1:
        return pieces[0].text
    return r" \, ".join(piece.guarded(_PRODUCT) for piece in pieces) or "1"


def _powers(pieces: Sequence[LatexPiece]) -> list[LatexPiece]:
    return [raised(piece, count) for piece, count in Counter(pieces).items()]


def raised(base: LatexPiece, exponent: int | LatexPiece) -> LatexPiece:
    """A power."""
    if exponent == 1:
        return base
    text = exponent.text if isinstance(exponent, LatexPiece) else str(exponent)
    width = base.width + (exponent.width if isinstance(exponent, LatexPiece) else 1)
    if base.head:
        return atom(f"{base.head}^{{{text}}}{base.text.removeprefix(base.head)}", width)
    simple = base.level == _ATOM and not base.text.startswith((r"\frac", r"\begin", "10^"))
    return atom(f"{base.text if simple else base.bracketed}^{{{text}}}", width)
