"""Expressions as text of a programming language; languages differ in a small dialect.

Nothing is rearranged: sums and products are written in the order in which the graph
holds them, or with their two operands exchanged, which changes no bit of the result. The
one exception is a product with a reciprocal of its own, which is written as a quotient.

``Language`` says what a language allows as a name, and how long its lines may be.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, cast

from axletree.code.operation_counts import divided_operand
from axletree.code.schedule import IN_LANES
from axletree.expr import Expr, Table
from axletree.expr.node import ONE_NODE, Node

# How tightly a piece of text holds together.
_SUM, _PRODUCT, _SIGNED, _ATOM = range(4)


@dataclass(frozen=True)
class Dialect:
    """What a language does in its own way."""

    functions: Mapping[str, str]  # operation -> format of its operands
    where: str  # format of condition, if_true, if_false
    number: Callable[[float], str]
    less: str = "{0} < {1}"  # formats of conditions
    not_more: str = "{0} <= {1}"
    unequal: str = "{0} != {1}"
    quotient: str = ""  # format of dividend and divisor, where that is no operator


@dataclass(frozen=True)
class Speller:
    """Spells expressions, given the text of the values that exist already."""

    dialect: Dialect
    references: Mapping[Expr, str]  # symbols and constants, with or without a factor
    names: Mapping[Node, str]  # local variables
    tables: Mapping[Table, str]  # the names of their functions

    def spell(self, expression: Expr) -> str:
        return self._signed(expression)[0]

    def definition(self, node: Node) -> str:
        """The right-hand side of the statement that computes a node."""
        return self._operation(node)[0]

    def _operand(self, expression: Expr, tightness: int) -> str:
        text, mine = self._signed(expression)
        return text if mine >= tightness else f"({text})"

    def _signed(self, expression: Expr) -> tuple[str, int]:
        if expression.coefficient >= 0.0:
            return self._positive(expression)
        text, tightness = self._positive(-expression)
        return f"-{text}" if tightness >= _PRODUCT else f"-({text})", _SIGNED

    def _positive(self, expression: Expr) -> tuple[str, int]:
        factor, node = expression.coefficient, expression.node
        if node is ONE_NODE:
            return self.dialect.number(factor), _ATOM
        if node in self._referenced and expression in self.references:
            return self.references[expression], _ATOM
        text, tightness = self._node(node)
        if factor == 1.0:
            return text, tightness
        text = text if tightness == _ATOM else f"({text})"
        return f"{self.dialect.number(factor)}*{text}", _PRODUCT

    def _node(self, node: Node) -> tuple[str, int]:
        known = self.names.get(node)
        if known is None and node in self._referenced:
            known = self.references.get(Expr(1.0, node))
        return (known, _ATOM) if known else self._operation(node)

    @functools.cached_property
    def _referenced(self) -> frozenset[Node]:
        return frozenset([e.node for e in self.references])

    def _operation(self, node: Node) -> tuple[str, int]:
        operation, operands = node.operation, node.operands
        if operation == "add":
            return self._sum(*operands), _SUM
        if operation == "mul":
            return self._product(node)
        if operation == "inv" and self.dialect.quotient:
            one, below = self.dialect.number(1.0), self.spell(operands[0])
            return self.dialect.quotient.format(one, below), _ATOM
        if operation == "inv":
            return f"{self.dialect.number(1.0)}/{self._operand(operands[0], _ATOM)}", _PRODUCT
        if operation == "where":
            condition = self.condition(operands[0])
            sides = [self.spell(e) for e in operands[1:]]
            return self.dialect.where.format(condition, *sides), _ATOM
        if operation == "table":
            return f"{self.tables[cast(Table, node.data)]}({self.spell(operands[0])})", _ATOM
        if operation == "output":
            return f"{self.names[operands[0].node]}[{node.data}]", _ATOM
        texts = [self.spell(e) for e in operands]
        return self.dialect.functions[operation].format(*texts), _ATOM

    def _sum(self, left: Expr, right: Expr) -> str:
        # A sum that is an operand goes first, so that it needs no brackets.
        if self._is_inside(right, "add") and right.coefficient == 1.0:
            left, right = right, left
        if left.coefficient < 0.0 < right.coefficient:
            left, right = right, left
        if right.coefficient < 0.0:
            return f"{self._operand(left, _SUM)} - {self._operand(-right, _PRODUCT)}"
        return f"{self._operand(left, _SUM)} + {self._operand(right, _PRODUCT)}"

    def _product(self, node: Node) -> tuple[str, int]:
        divisor = divided_operand(node, self.references, self.names)
        left, right = node.operands
        if divisor is not None:
            factor = left if divisor is right else right
            divided = divisor.node.operands[0]
            if self.dialect.quotient:
                sides = self.spell(factor), self.spell(divided)
                return self.dialect.quotient.format(*sides), _ATOM
            below = self._operand(divided, _ATOM)
            return f"{self._operand(factor, _PRODUCT)}/{below}", _PRODUCT
        if self._is_inside(right, "mul"):
            left, right = right, left
        return f"{self._operand(left, _PRODUCT)}*{self._operand(right, _ATOM)}", _PRODUCT

    def _is_inside(self, expression: Expr, operation: str) -> bool:
        node = expression.node
        known = node in self.names or Expr(1.0, node) in self.references
        return node.operation == operation and not known

    def condition(self, expression: Expr) -> str:
        """A truth value: a comparison written here is not turned into a number first."""
        node = expression.node
        if self._is_inside(expression, "lt") or self._is_inside(expression, "le"):
            is_less = node.operation == "lt"
            form = self.dialect.less if is_less else self.dialect.not_more
            return form.format(*(self.spell(e) for e in node.operands))
        return self.dialect.unequal.format(self.spell(expression), self.dialect.number(0.0))


ELEMENTARY: Final = ("sqrt", *IN_LANES)
_OF_TWO: Final = ("pow", "atan2")


def spelled(names: Iterable[str], head: str = "{}") -> dict[str, str]:
    """The formats of functions that a language has under their own names, or as ``head`` says."""
    return {
        name: head.format(name) + ("({0}, {1})" if name in _OF_TWO else "({0})") for name in names
    }


def literals(finite: str, infinite: str) -> Callable[[float], str]:
    """How a language writes numbers: the shortest decimal text that reads back as exactly this."""

    def literal(value: float) -> str:
        if math.isinf(value):
            return infinite if value > 0.0 else f"-{infinite}"
        return finite.format(repr(float(value)))

    return literal


def packaged_text(package: str, file: str) -> str:
    """A file of the package, such as text of another language."""
    return (files(package) / file).read_text(encoding="utf-8")


def helper_functions(file: str) -> dict[str, str]:
    """Functions that printed programs may need, by name: texts of a file, a blank line between."""
    texts = packaged_text(__package__, file).rstrip().split("\n\n")
    return {re.findall(r"\b(axl_\w+)[(\[]", text)[0]: f"{text}\n" for text in texts}


def used_names(text: str, names: Collection[str]) -> list[str]:
    """Which of the one-word names occur in a piece of code."""
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    return [name for name in names if name in words]


LONGEST_NAME: Final = 63  # characters: the limit of Fortran 2003 and of MATLAB before R2024b

# After these a line may be broken; not within ** and /=, nor between a slash and a bracket.
_BREAKS: Final = re.compile(r"(?<=[ ,(*/])(?![ */=)])")


@dataclass(frozen=True)
class Language:
    """The rules of a language that a program is printed in."""

    name: str
    reserved: frozenset[str]  # in lower case where case does not matter
    case_matters: bool
    width: int  # characters of a line, the mark of its continuation included
    continued: str  # what stands at the end of a line that goes on
    comment: str  # what a comment begins with

    def names(self, wanted: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
        """A name for each identifier: not reserved, not taken, none like another."""
        used = {*self.reserved, *map(self._known_as, taken)}
        found: dict[str, str] = {}
        for text in dict.fromkeys(wanted):
            name, number = text[:LONGEST_NAME], 1
            while self._known_as(name) in used:
                number += 1
                suffix = f"_{number}"
                name = text[: LONGEST_NAME - len(suffix)] + suffix
            used.add(self._known_as(name))
            found[text] = name
        return found

    def lines(self, statement: str, indent: str) -> list[str]:
        """A statement or a comment in lines of at most ``width`` characters."""
        if statement.startswith(self.comment):
            return self.comments(statement.removeprefix(f"{self.comment} "), indent)
        if len(indent) + len(statement) <= self.width:
            return [indent + statement]
        found, line = [], indent
        room = self.width - len(self.continued)
        for piece in _BREAKS.split(statement):
            if len(line.rstrip() + piece.rstrip()) + 1 > room and line.strip():
                found.append(line.rstrip() + self.continued)
                line = f"{indent}    "
            line += piece
        return [*found, line]

    def comments(self, text: str, indent: str = "") -> list[str]:
        """A line of comment, cut into several where it is long."""
        head = f"{indent}{self.comment} "
        words, found, line = text.split(" "), [], head
        for word in words:
            if len(line) + len(word) > self.width and line != head:
                found.append(line.rstrip())
                line = f"{head}    "
            line += f"{word[: self.width - len(head) - 4]} "
        return [*found, line.rstrip()]

    def _known_as(self, name: str) -> str:
        return name if self.case_matters else name.lower()
