"""Expressions as equations in LaTeX that fit a page.

What is long and used more than once is given a name, and so is what would make a line too
long; every other operation is written where it is used. Lines are broken between terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from axletree.core.expr import CalledFunction, Expr, topological_order
from axletree.core.expr.called import outputs_of
from axletree.core.expr.expression import ONE_NODE, Node
from axletree.core.expr.linear_solve import solver_size
from axletree.export.latex_pieces import (
    Piece,
    atom,
    number,
    product,
    raised,
    scaled,
    total,
    visible,
)
from axletree.export.latex_rows import Equation, balance, call, equation, solution

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
        self.definitions: list[Equation] = []
        self.functions: dict[CalledFunction, str] = {}
        self.tables: dict[object, str] = {} if tables is None else tables
        self._names = names
        self._letter = letter
        self._named = 0
        self._uses = Counter(e.node for node in order for e in node.operands)
        self._uses.update(e.node for e in targets)
        self._pieces: dict[Node, Piece] = {}
        self._defined: set[Node] = set()
        for node in order:
            self._add(node)

    def equation(self, left: str, expression: Expr) -> Equation:
        return equation(left, self._whole(expression))

    def balance(self, left: Expr, right: Expr) -> Equation:
        """Both sides written out."""
        return balance(*(self._whole(e) for e in (left, right)))

    def _whole(self, expression: Expr) -> Piece:
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

    def _of(self, expression: Expr) -> Piece:
        factor, node = expression.coefficient, expression.node
        if node is not ONE_NODE:
            return scaled(factor, self._pieces[node])
        piece = number(abs(factor))
        return piece if factor >= 0.0 else scaled(-1.0, piece)

    def _inside(self, expression: Expr, longest: int = LONGEST_INSIDE) -> Piece:
        """An operand that cannot be broken: it has a name if it is long."""
        node = expression.node
        if node.operands and node not in self._defined and self._pieces[node].width > longest:
            self._define(node)
        return self._of(expression)

    def _operation(self, node: Node) -> Piece:
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

    def _terms(self, expression: Expr) -> list[tuple[float, Piece]]:
        """The terms that an operand brings into a sum."""
        factor, node = expression.coefficient, expression.node
        if node is ONE_NODE:
            return [(1.0 if factor > 0.0 else -1.0, number(abs(factor)))]
        limit = LONGEST_SUM if abs(factor) == 1.0 else LONGEST_INSIDE
        piece = self._inside(Expr(1.0, node), limit)
        if piece.terms and abs(factor) == 1.0:
            return [(factor * f, p) for f, p in piece.terms]
        return [(factor, piece)]

    def _product(self, node: Node) -> Piece:
        above: list[Piece] = []
        below: list[Piece] = []
        for e in node.operands:
            piece = self._inside(Expr(1.0, e.node))
            whole = not (piece.above or piece.below)
            over, under = ((piece,), ()) if whole else (piece.above, piece.below)
            if node.operation == "inv":
                over, under = under, over
            above += over
            below += under
        return product(above, below)

    def _selection(self, condition: Expr, if_true: Expr, if_false: Expr) -> Piece:
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
        self.definitions.append(call(results, head, given))
