"""A routine as assignments and calls, for languages whose arrays count from 1.

MATLAB and Fortran share all but the spelling of a line: which values are taken out of the
arrays first, what is assigned, and how a call gets its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from axletree.code.identifier import identifiers
from axletree.code.language import Language
from axletree.code.names import ARRAYS, Names, given
from axletree.code.program import CallGroup, Routine, Statement
from axletree.code.schedule import schedule
from axletree.code.split import Part
from axletree.code.text import Dialect, Speller, used_names
from axletree.core.expr import ExpressionFunction
from axletree.core.expr.expression import Node


@dataclass(frozen=True)
class Note:
    """A comment."""

    text: str


@dataclass(frozen=True)
class Assignment:
    """A variable, or an entry of an array, and its value."""

    target: str
    value: str
    is_entry: bool = False


@dataclass(frozen=True)
class Call:
    """The results of a function, in an array of their number."""

    result: str
    results: int
    function: str
    given: str  # the name of an array for the arguments
    arguments: tuple[str, ...]
    prepared: tuple[int, int, int] | None  # the entries of c: first, last, stride; or None


Line = Note | Assignment | Call


def routine_lines(
    routine: Routine, names: Names, dialect: Dialect, part: Part | None = None
) -> list[Line]:
    """The lines of a routine, or of a part of it: first the values that it takes out of arrays."""
    places = {e: from_one(text) for e, text in routine.references.items()}
    named = {e: names.symbols.get(e, text) for e, text in places.items()}
    values = {named[e]: text for e, text in places.items() if named[e] != text}
    variables = {node: names.variables[text] for node, text in routine.names.items()}
    speller = Speller(dialect, named, variables, names.tables)
    return _with_values(list(_body(routine, speller, names, part)), values)


def function_lines(
    group: CallGroup, names: Names, dialect: Dialect, language: Language
) -> list[Line]:
    """The lines of a function of expressions: from ``in`` and ``prepared`` to ``out``."""
    function = group.function
    assert isinstance(function, ExpressionFunction)
    short = {e: e.name.removeprefix(f"{function.name}.") for e in function.arguments}
    texts = identifiers(short.values())
    plain = {e: texts[text] for e, text in short.items()}
    routine = schedule(function.name, (), "out", function.expressions, plain, {})
    own = (*ARRAYS, *names.tables.values(), *names.functions.values())
    legal = language.names([*plain.values(), *routine.names.values()], own)
    places = {k: f"in({i + 1})" for i, k in enumerate(group.passed)}
    places |= {k: f"prepared({i + 1})" for i, k in enumerate(group.prepared)}
    named = {e: legal[plain[e]] for e in function.arguments}
    values = {named[e]: places[k] for k, e in enumerate(function.arguments)}
    variables = {node: legal[text] for node, text in routine.names.items()}
    speller = Speller(dialect, named, variables, names.tables)
    return _with_values(list(_body(routine, speller, names, None)), values)


def from_one(place: str) -> str:
    """``x[3]``, the fourth entry, as ``x(4)``."""
    return re.sub(r"\[(\d+)\]", lambda found: f"({int(found[1]) + 1})", place)


def expressions_of(line: Line) -> tuple[str, ...]:
    """What a line computes from."""
    if isinstance(line, Assignment):
        return (line.value,)
    return line.arguments if isinstance(line, Call) else ()


def _with_values(lines: list[Line], values: Mapping[str, str]) -> list[Line]:
    """The lines, before them the values that they use."""
    text = "\n".join(piece for line in lines for piece in expressions_of(line))
    taken = [Assignment(name, values[name]) for name in used_names(text, tuple(values))]
    return [*taken, *lines]


def _body(
    routine: Routine,
    speller: Speller,
    names: Names,
    part: Part | None,
) -> Iterator[Line]:
    if part is not None:
        yield Note(f"{part.title.capitalize()}.")
        for node, place in part.loads:
            yield Assignment(speller.names[node], f"s({place + 1})")
        yield from _statements(part.statements, routine, speller, names)
        for node, place in part.stores:
            yield Assignment(f"s({place + 1})", speller.names[node], is_entry=True)
        return
    several = sum(bool(block.statements) for block in routine.blocks) > 1
    for number, block in enumerate(routine.blocks, start=1):
        if block.statements and several:
            yield Note(f"Block {number}: {block.title}.")
        yield from _statements(block.statements, routine, speller, names)


def _statements(
    statements: Iterable[Statement],
    routine: Routine,
    speller: Speller,
    names: Names,
) -> Iterator[Line]:
    for statement in statements:
        group, node = statement.group, statement.node
        if isinstance(group, CallGroup):
            for lane in range(len(group.members)):
                yield _call(group, lane, routine, speller, names)
        elif group is not None:
            for member in group.members:
                yield Assignment(speller.names[member], speller.definition(member))
        elif node is None:
            target = f"{routine.result}({(statement.index or 0) + 1})"
            yield Assignment(target, speller.spell(statement.expression), is_entry=True)
        else:
            yield Assignment(speller.names[node], _definition(node, speller))


def _definition(node: Node, speller: Speller) -> str:
    if node.operation != "output":
        return speller.definition(node)
    return f"{speller.names[node.operands[0].node]}({int(str(node.data)) + 1})"


def _call(group: CallGroup, lane: int, routine: Routine, speller: Speller, names: Names) -> Call:
    """Prepared arguments stand in c, those of one lane as far apart as there are lanes."""
    member = group.members[lane]
    prepared = None
    if group.prepared:
        first, last = (group.place(group.prepared[k], lane) + 1 for k in (0, -1))
        prepared = (first, last, group.lanes)
    return Call(
        speller.names[member],
        len(group.function.outputs),
        names.functions[group.function, group.prepared],
        names.variables[given(routine.names[member])],
        tuple(speller.spell(member.operands[k]) for k in group.passed),
        prepared,
    )
