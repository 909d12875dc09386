"""The right-hand side as people read it: its statements, block by block, under model names.

Terms are regrouped after the components have given their outputs, so that few of these are
still nodes of the graph. A local variable is known again by its value: what equals a named
quantity at random states has its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from axletree.code.lowering import lower
from axletree.code.program import CallGroup, Program, Statement
from axletree.core.errors import ExpressionError
from axletree.expr import CalledFunction, Expr, evaluate, symbol
from axletree.expr.node import Node
from axletree.expr.quantity import Quantity
from axletree.expr.text import to_text
from axletree.expr.traversal import rebuild
from axletree.system.system import Definition, System

_POINTS = 8  # random states at which values are compared; a wheel is in the air in some
TOLERANCE = 1e-9  # of the value: regrouping changes it by rounding
_LONGEST = 10_000  # operations in one statement that are written out


@dataclass(frozen=True)
class NamedStatement:
    """One line: what is computed, and from what."""

    target: str
    definition: str
    quantity: Quantity | None = None  # if the target is a quantity of the model

    def __str__(self) -> str:
        return f"{self.target} = {self.definition}"


def named_blocks(system: System) -> tuple[tuple[NamedStatement, ...], ...]:
    """The statements of blocks 1, 2 and 3 of the right-hand side, and the constants' in c.

    Example:
    >>> import axletree as at
    >>> from axletree.export.named_statements import named_blocks
    >>> blocks = named_blocks(at.read_model("pendulum").formulate())
    >>> print(blocks[2][-1])
    d(pin.angle)/dt = pin.rate
    """
    program = lower(system, outputs=())
    reader = _Reader(system, program)
    blocks = [tuple(reader.lines(block.statements)) for block in program.rhs.blocks]
    return (*blocks, tuple(reader.constants()))


def named_intermediates(system: System) -> tuple[NamedStatement, ...]:
    """The system's intermediate variables as the right-hand side computes them, in their order.

    What is one value for several components is defined for the first of them, and what the
    right-hand side does not need has no definition.
    """
    statements = (s for block in named_blocks(system)[:2] for s in block if s.quantity is not None)
    computed = {s.target: s.definition for s in statements}
    first: dict[Expr, str] = {}
    found = []
    for definition in system.intermediates:
        name, expression = definition.quantity.name, definition.expression
        if name in computed:
            first.setdefault(expression, name)
        text = computed.get(name) or first.get(expression, "")
        if not expression.node.operands:
            text = to_text(expression)
        found.append(NamedStatement(name, text, definition.quantity))
    return tuple(found)


class _Reader:
    """Spells statements with the names of the model."""

    def __init__(self, system: System, program: Program) -> None:
        routine = program.rhs
        self._states = system.states
        self._routine = routine
        self._known = _same_values(routine.names, system)
        self._calls = _call_names(routine.names)
        self._parameters = {q.symbol for q in system.parameters}

    def lines(self, statements: Sequence[Statement]) -> Iterator[NamedStatement]:
        for statement in statements:
            if isinstance(statement.group, CallGroup):
                yield from self._called(statement.group)
            elif statement.index is not None:
                target = f"d({self._states[statement.index].name})/dt"
                yield NamedStatement(target, self._text(self._named(statement.expression)))
            else:
                yield from (self._local(node) for node in statement.defined)

    def constants(self) -> Iterator[NamedStatement]:
        """What depends on parameters alone and is computed once."""
        for expression, place in self._routine.references.items():
            if place.startswith("c[") and not expression.is_symbol:
                yield NamedStatement(place, self._text(expression))

    def _local(self, node: Node) -> NamedStatement:
        quantity, sign = self._known.get(node, (None, 1.0))
        name = quantity.name if quantity else self._routine.names[node]
        if node.operation == "output":
            call = node.operands[0].node
            result = cast(CalledFunction, call.data).outputs[int(str(node.data))]
            text = f"{'-' if sign < 0.0 else ''}{self._calls[call]}.{result}"
            return NamedStatement(name, text, quantity)
        operands = [self._named(e) for e in node.operands]
        definition = rebuild(node.operation, operands, node.data) * sign
        return NamedStatement(name, self._text(definition), quantity)

    def _called(self, group: CallGroup) -> Iterator[NamedStatement]:
        function = group.function
        for member in group.members:
            arguments = [
                f"{function.inputs[k].removeprefix(f'{function.name}.')}="
                f"{self._text(self._named(member.operands[k]))}"
                for k in group.passed
            ]
            if group.prepared:
                arguments.append(f"{len(group.prepared)} constants")
            yield NamedStatement(self._calls[member], f"{function.name}({', '.join(arguments)})")

    def _named(self, expression: Expr) -> Expr:
        """With names where there are values already; statements are short, so this recurses."""
        factor, node = expression.coefficient, expression.node
        if node in self._known:
            quantity, sign = self._known[node]
            return symbol(quantity.name) * (factor * sign)
        if node in self._routine.names:
            return symbol(self._routine.names[node]) * factor
        if not node.operands:
            return expression
        for known in (Expr(abs(factor), node), Expr(1.0, node)):
            if known in self._routine.references:
                return symbol(self._routine.references[known]) * (factor / known.coefficient)
        operands = [self._named(e) for e in node.operands]
        return rebuild(node.operation, operands, node.data) * factor

    @staticmethod
    def _text(expression: Expr) -> str:
        if expression.coefficient == -1.0 and expression.node.operation == "add":
            return _difference(*(-e for e in expression.node.operands))
        return to_text(expression, _LONGEST)


def _difference(left: Expr, right: Expr) -> str:
    """Minus a sum, with its sign carried inside: b - a for -(a - b)."""
    if left.coefficient < 0.0:
        left, right = right, left
    taken = to_text(abs(right.coefficient) * Expr(1.0, right.node), _LONGEST)
    if right.node.operation == "add":
        taken = f"({taken})"
    return f"{to_text(left, _LONGEST)} {'-' if right.coefficient < 0.0 else '+'} {taken}"


def _call_names(names: Mapping[Node, str]) -> dict[Node, str]:
    """Calls are numbered by function."""
    found: dict[Node, str] = {}
    for node in names:
        if node.operation == "call":
            name = cast(CalledFunction, node.data).name
            number = 1 + sum(text.rpartition("_")[0] == name for text in found.values())
            found[node] = f"{name}_{number}"
    return found


def _same_values(names: Mapping[Node, str], system: System) -> dict[Node, tuple[Quantity, float]]:
    """The nodes that are a named quantity, times 1 or -1; a quantity names one node."""
    nodes = [node for node in names if node.operation != "call"]
    definitions = _by_name((*system.intermediates, *system.outputs))
    values = _random_values(system)
    try:
        of_nodes = _rows(evaluate([Expr(1.0, node) for node in nodes], values))
        of_names = _rows(evaluate([d.expression for d in definitions], values))
    except ExpressionError:
        return {}
    found: dict[Node, tuple[Quantity, float]] = {}
    for definition, wanted in zip(definitions, of_names, strict=True):
        if not (np.ptp(wanted) > 0.0 and definition.expression.node.operands):
            continue
        for sign in (1.0, -1.0):
            same = np.isclose(sign * of_nodes, wanted, rtol=TOLERANCE, atol=0.0).all(axis=1)
            free = [nodes[k] for k in np.flatnonzero(same) if nodes[k] not in found]
            if free:
                kind = _kind(definition.expression.node)
                best = max(free, key=lambda node: _kind(node) == kind)
                found[best] = (definition.quantity, sign)
                break
    return found


def _kind(node: Node) -> str:
    """The operation, distinguished from others that may have its value at all points."""
    return "limit" if node.operation in ("min", "max") else node.operation


def _by_name(definitions: Sequence[Definition]) -> list[Definition]:
    unique: dict[str, Definition] = {}
    for definition in definitions:
        unique.setdefault(definition.quantity.name, definition)
    return list(unique.values())


def _rows(values: Sequence[float | np.ndarray]) -> np.ndarray:
    rows = [np.broadcast_to(np.asarray(value, dtype=float), (_POINTS,)) for value in values]
    return np.array(rows).reshape(len(rows), _POINTS)


def _random_values(system: System) -> dict[Expr, np.ndarray]:
    """Near the start, where models are regular; parameters are a little off, too."""
    random = np.random.default_rng(7)

    def near(quantity: Quantity) -> np.ndarray:
        spread = 0.05 * max(1.0, abs(quantity.default))
        return quantity.default + random.uniform(-spread, spread, _POINTS)

    values = {q.symbol: near(q) for q in (system.time, *system.states, *system.inputs)}
    for q in system.parameters:
        values[q.symbol] = q.default * random.uniform(1.0, 1.01, _POINTS)
    return values
