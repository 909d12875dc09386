"""A routine as assignments and calls, for languages whose arrays count from 1.

MATLAB and Fortran share all but the spelling of a line: which values are taken out of the
arrays first, what is assigned, and how a call gets its arguments. ``Names`` are those of a
program in a language: no two alike, none that the language has for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from axletree.code.called_functions import call_groups_of, tables_and_functions
from axletree.code.identifiers import OWN_PREFIX, identifiers, numbered
from axletree.code.printers.dialect import Dialect, Language, Speller, used_names
from axletree.code.program import CallGroup, Program, Routine, Statement
from axletree.code.routine_parts import RoutinePart
from axletree.code.schedule import schedule
from axletree.core.errors import ExportError
from axletree.expr import CalledFunction, Expr, ExpressionFunction, ExternalFunction, Table
from axletree.expr.factorisation import solver_size
from axletree.expr.node import Node


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


CodeLine = Note | Assignment | Call


def routine_lines(
    routine: Routine, names: Names, dialect: Dialect, part: RoutinePart | None = None
) -> list[CodeLine]:
    """The lines of a routine, or of a part of it: first the values that it takes out of arrays."""
    places = {e: from_one(text) for e, text in routine.references.items()}
    named = {e: names.symbols.get(e, text) for e, text in places.items()}
    values = {named[e]: text for e, text in places.items() if named[e] != text}
    variables = {node: names.variables[text] for node, text in routine.names.items()}
    speller = Speller(dialect, named, variables, names.tables)
    return _with_values(list(_body(routine, speller, names, part)), values)


def function_lines(
    group: CallGroup, names: Names, dialect: Dialect, language: Language
) -> list[CodeLine]:
    """The lines of a function of expressions: from ``in`` and ``prepared`` to ``out``."""
    function = group.function
    assert isinstance(function, ExpressionFunction)
    short = {e: e.name.removeprefix(f"{function.name}.") for e in function.arguments}
    texts = identifiers(short.values())
    plain = {e: texts[text] for e, text in short.items()}
    routine = schedule(function.name, (), "out", function.expressions, plain, {})
    own = (*_ARRAYS, *names.tables.values(), *names.functions.values())
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


def line_expressions(line: CodeLine) -> tuple[str, ...]:
    """What a line computes from."""
    if isinstance(line, Assignment):
        return (line.value,)
    return line.arguments if isinstance(line, Call) else ()


def _with_values(lines: list[CodeLine], values: Mapping[str, str]) -> list[CodeLine]:
    """The lines, before them the values that they use."""
    text = "\n".join(piece for line in lines for piece in line_expressions(line))
    taken = [Assignment(name, values[name]) for name in used_names(text, tuple(values))]
    return [*taken, *lines]


def _body(
    routine: Routine,
    speller: Speller,
    names: Names,
    part: RoutinePart | None,
) -> Iterator[CodeLine]:
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
) -> Iterator[CodeLine]:
    for statement in statements:
        group = statement.group
        if isinstance(group, CallGroup):
            for lane in range(len(group.members)):
                yield _call(group, lane, routine, speller, names)
        elif statement.index is not None:
            target = f"{routine.result}({statement.index + 1})"
            yield Assignment(target, speller.spell(statement.expression), is_entry=True)
        else:
            for node in statement.defined:
                yield Assignment(speller.names[node], _definition(node, speller))


def _definition(node: Node, speller: Speller) -> str:
    if node.operation != "output":
        return speller.definition(node)
    return f"{speller.names[node.operands[0].node]}({int(str(node.data)) + 1})"


def _call(group: CallGroup, lane: int, routine: Routine, speller: Speller, names: Names) -> Call:
    """Prepared arguments stand in c, those of one lane as far apart as there are values."""
    member = group.members[lane]
    prepared = None
    if group.prepared:
        first, last = (group.place(group.prepared[k], lane) + 1 for k in (0, -1))
        prepared = (first, last, group.stride)
    return Call(
        speller.names[member],
        len(group.function.outputs),
        names.functions[group.function, group.prepared],
        names.variables[argument_array(routine.names[member])],
        tuple(speller.spell(member.operands[k]) for k in group.passed),
        prepared,
    )


_ARRAYS = (
    *("t", "x", "u", "c", "p", "w", "y", "j", "s", "xdot", "pdot", "zdot", "xnew"),
    *("dz", "df", "wdf"),
    *("in", "prepared", "out"),
)
FunctionVariant = tuple[
    CalledFunction, tuple[int, ...]
]  # a function, and which arguments stand in c


@dataclass(frozen=True)
class Names:
    """The names of a program in a language: of its quantities, variables and functions."""

    symbols: Mapping[Expr, str]
    variables: Mapping[str, str]  # by identifier
    tables: Mapping[Table, str]
    functions: Mapping[FunctionVariant, str]
    groups: Mapping[FunctionVariant, CallGroup]  # one that calls each function

    @classmethod
    def of(cls, program: Program, language: Language, prefix: str, taken: Iterable[str]) -> Self:
        """Tables and functions have the ``prefix``; no variable has one of the names ``taken``."""
        groups: dict[FunctionVariant, CallGroup] = {}
        for group in call_groups_of(*program.routines):
            groups.setdefault((group.function, group.prepared), group)
        _check_external((function for function, _ in groups), language)
        of_tables, of_functions = tables_and_functions(program)
        texts = [of_functions[function] for function, _ in groups]
        kinds = [*of_tables.values(), *numbered(texts)]
        legal = language.names((prefix + text.removeprefix(OWN_PREFIX) for text in kinds), taken)
        own = list(legal.values())
        tables = dict(zip(of_tables, own, strict=False))
        functions = dict(zip(groups, own[len(tables) :], strict=True))
        local = [text for routine in program.routines for text in routine.names.values()]
        wanted = [*program.identifiers.values(), *local, *map(argument_array, local)]
        found = language.names(wanted, (*_ARRAYS, *taken, *own))
        symbols = {e: found[text] for e, text in program.identifiers.items()}
        return cls(symbols, found, tables, functions, groups)


def argument_array(name: str) -> str:
    """The array of arguments of the call with this name."""
    return f"{name}_in"


def _check_external(functions: Iterable[CalledFunction], language: Language) -> None:
    names = [
        function.name
        for function in functions
        if isinstance(function, ExternalFunction) and solver_size(function) is None
    ]
    if names:
        raise ExportError(
            f"{', '.join(sorted(set(names)))}: known as C text alone, which {language.name} does "
            "not have; export the system as C, or use parts that are expressions (a law or a "
            "surface that is looked up in a grid, or given in C, is not)"
        )
