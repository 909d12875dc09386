"""A program as C99: one translation unit without globals and without allocation.

Every routine works on arrays of its caller and keeps nothing, so it can be called from
several threads at once. Model names reach the code as identifiers (``identifier``) and
comments (``comment_text``), in no other way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from axletree.code.c_calls import call_lines, called_functions, function_lines, lane_loops
from axletree.code.c_dialect import (
    LANE_NAMES,
    SIDE_BY_SIDE,
    SMALL_FUNCTIONS,
    C,
    lane_functions,
    literal,
)
from axletree.code.c_layout import function_text, with_values
from axletree.code.c_tables import table_functions
from axletree.code.program import CallGroup, FunctionGroup, Program, Routine, Statement
from axletree.code.special import Variant, tables_and_functions, variants_of
from axletree.code.split import LONGEST_PART, Part, split
from axletree.code.text import Speller, used_names
from axletree.core.expr import CalledFunction
from axletree.core.expr.expression import Node


def print_unit(
    program: Program,
    prefix: str = "model",
    more: Sequence[str] = (),
    longest_part: int = LONGEST_PART,
) -> str:
    """The C source of a program; its functions are ``<prefix>_rhs`` and so on.

    ``more`` is C text that follows, and may use the small functions of this file.

    Example:
    >>> import axletree as at
    >>> from axletree.code.c import print_unit
    >>> from axletree.code.lower import lower
    >>> text = print_unit(lower(at.read_model("pendulum").formulate(), outputs=[]))
    >>> next(line for line in text.splitlines() if "_rhs(" in line)
    'void model_rhs(double t, const double *restrict x, const double *restrict u,'
    """
    special = _Special.of(program)
    routines = [
        text
        for routine in program.routines
        for text in _print_routine(program, routine, prefix, special, longest_part)
    ]
    called = called_functions(special.functions, special.variants, special.tables)
    tables = table_functions(special.tables, literal)
    body = "\n".join([*tables, *lane_loops(program), *called, *routines, *more])
    small = [SMALL_FUNCTIONS[name] for name in used_names(body, tuple(SMALL_FUNCTIONS))]
    lanes = [lane_functions(used_names(body, LANE_NAMES))] if SIDE_BY_SIDE in body else []
    return "\n".join(["#include <math.h>\n", *lanes, *small, body])


@dataclass(frozen=True)
class _Special:
    """The names of what a unit defines beside its routines."""

    tables: Mapping[object, str]
    functions: Mapping[CalledFunction, str]
    variants: Mapping[Variant, tuple[str, CallGroup]]

    @classmethod
    def of(cls, program: Program) -> Self:
        tables, functions = tables_and_functions(program)
        return cls(tables, functions, variants_of(program, functions))

    def name(self, group: CallGroup) -> str:
        """Of the function that a group of calls is made of."""
        if group.variant in self.variants:
            return self.variants[group.variant][0]
        return self.functions[group.function]


def signature(routine: Routine, prefix: str) -> str:
    arguments = ", ".join(_declared(argument) for argument in routine.arguments)
    return f"void {prefix}_{routine.name}({arguments}, double *{routine.result})"


def _declared(argument: str) -> str:
    return "double t" if argument == "t" else f"const double *{argument}"


def _print_routine(
    program: Program, routine: Routine, prefix: str, special: _Special, longest: int
) -> Iterator[str]:
    """The text of a routine; the functions of its parts come before it."""
    named = {e: program.identifiers.get(e, text) for e, text in routine.references.items()}
    values = {named[e]: text for e, text in routine.references.items() if named[e] != text}
    speller = Speller(C, named, routine.names, special.tables)
    head = signature(routine, prefix).replace(" *", " *restrict ")
    arguments = [*routine.arguments, routine.result]
    if routine.statements <= longest:
        lines: list[str] = []
        several = sum(bool(block.statements) for block in routine.blocks) > 1
        for number, block in enumerate(routine.blocks, start=1):
            if block.statements and several:
                lines.append(f"/* Block {number}: {block.title}. */")
            lines += _statements(block.statements, speller, routine, special)
        yield function_text(head, arguments, with_values(lines, values))
        return
    parts, size = split(routine, longest)
    calls = [f"double s[{max(size, 1)}];"]
    for number, part in enumerate(parts, start=1):
        name = f"{prefix}_{routine.name}_part{number}"
        part_head = head.replace(f"void {prefix}_{routine.name}(", f"static void {name}(")
        part_head = f"{part_head[:-1]}, double *restrict s)"
        lines = with_values(_part_lines(part, speller, routine, special), values)
        yield function_text(part_head, [*arguments, "s"], lines)
        calls.append(f"{name}({', '.join(arguments)}, s);")
    yield function_text(head, arguments, calls)


def _part_lines(part: Part, speller: Speller, routine: Routine, special: _Special) -> list[str]:
    lines = [f"/* {part.title.capitalize()}. */"]
    lines += [f"const double {routine.names[node]} = s[{place}];" for node, place in part.loads]
    lines += _statements(part.statements, speller, routine, special)
    lines += [f"s[{place}] = {routine.names[node]};" for node, place in part.stores]
    return lines


def _statements(
    statements: Sequence[Statement], speller: Speller, routine: Routine, special: _Special
) -> Iterator[str]:
    results: dict[tuple[Node, int], str] = {}  # where those of the calls are
    for statement in statements:
        node, group = statement.node, statement.group
        if isinstance(group, CallGroup):
            name = routine.names[group.members[0]]
            yield from call_lines(group, name, special.name(group), speller)
            for lane, call in enumerate(group.members):
                for k in range(len(group.function.outputs)):
                    results[call, k] = f"{name}[{k * group.lanes + lane}]"
        elif isinstance(group, FunctionGroup):
            yield from function_lines(group, routine.names, speller)
        elif node is None:
            yield f"{routine.result}[{statement.index}] = {speller.spell(statement.expression)};"
        elif node.operation == "output":
            taken = results[node.operands[0].node, int(str(node.data))]
            yield f"const double {routine.names[node]} = {taken};"
        else:
            yield f"const double {routine.names[node]} = {speller.definition(node)};"
