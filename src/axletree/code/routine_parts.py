"""Long routines in parts: compile time grows faster than linearly in one basic block.

Parts are functions of their own. A local variable that a later part needs is put into a
scratch array, which the routine holds and hands to its parts; a place in it is free again
after the last part that needs it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from axletree.code.program import Routine, Statement
from axletree.expr.node import Node

# Parts of 500 statements compile in half the time of parts of 2000 and run as fast (100 bodies).
LONGEST_PART: Final = 500


@dataclass(frozen=True)
class RoutinePart:
    """A stretch of a routine: it loads from the scratch array first, and stores into it last."""

    title: str
    statements: tuple[Statement, ...]
    loads: tuple[tuple[Node, int], ...]
    stores: tuple[tuple[Node, int], ...]


def split_routine(
    routine: Routine, longest: int = LONGEST_PART
) -> tuple[tuple[RoutinePart, ...], int]:
    """The parts of a routine, and the size of their scratch array."""
    pieces: list[tuple[str, Sequence[Statement]]] = []
    for block in routine.blocks:
        pieces += [(block.title, piece) for piece in _pieces(block.statements, longest)]
    given = {e.node for e in routine.references}
    needs = [_needed(piece, routine.names, given) for _, piece in pieces]
    defined = [{node: None for s in piece for node in s.defined} for _, piece in pieces]
    last = {node: k for k, need in enumerate(needs) for node in need}
    place: dict[Node, int] = {}
    free: list[int] = []
    size = 0
    parts = []
    for k, (title, statements) in enumerate(pieces):
        loads = [(node, place[node]) for node in needs[k] if node not in defined[k]]
        free += [place[node] for node, _ in loads if last[node] == k]
        stores = []
        for node in defined[k]:
            if last.get(node, k) > k:
                if not free:
                    free.append(size)
                    size += 1
                place[node] = free.pop()
                stores.append((node, place[node]))
        parts.append(RoutinePart(title, tuple(statements), tuple(loads), tuple(stores)))
    return tuple(parts), size


def _pieces(statements: Sequence[Statement], longest: int) -> Iterator[Sequence[Statement]]:
    """Stretches of bounded length; a call and the taking of its results stay together."""
    start = 0
    while start < len(statements):
        end = min(start + longest, len(statements))
        while end < len(statements) and _takes_result(statements[end]):
            end += 1
        yield statements[start:end]
        start = end


def _takes_result(statement: Statement) -> bool:
    return statement.node is not None and statement.node.operation == "output"


def _needed(
    statements: Sequence[Statement], names: Container[Node], given: Container[Node]
) -> dict[Node, None]:
    """The local variables that occur in some statements, in order of appearance."""
    needed: dict[Node, None] = {}
    for statement in statements:
        stack = [e.node for e in statement.roots]
        while stack:
            node = stack.pop()
            if node in names:
                needed[node] = None
            elif node not in given:
                stack += [e.node for e in node.operands]
    return needed
