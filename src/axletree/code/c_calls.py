"""Calls in C: external functions as they are given, functions of expressions in lanes.

Calls that are made together fill the lanes of one loop, which the compiler turns into
vector instructions: four tyres cost little more than one. Arguments and results stand
argument by argument, in each the lanes side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from axletree.code.c_dialect import LANES, SIDE_BY_SIDE, C
from axletree.code.c_layout import function_text, with_values, wrapped
from axletree.code.identifier import OWN_PREFIX, identifiers
from axletree.code.program import CallGroup, FunctionGroup, Program
from axletree.code.schedule import schedule
from axletree.code.special import Variant, lane_loops_of
from axletree.code.text import Speller
from axletree.core.errors import CompilerError
from axletree.core.expr import CalledFunction, ExpressionFunction, ExternalFunction
from axletree.core.expr.expression import Node

_OWN = ("in", "prepared", "out", "lane")


def call_lines(group: CallGroup, name: str, function_name: str, speller: Speller) -> list[str]:
    """A group of calls: arguments in one array, what stands in c where it is, results."""
    function = group.function
    values = [speller.spell(e) for k in group.passed for e in group.across(k)] or ["0.0"]
    lines = [
        f"const double {name}_in[{len(values)}] = {{{', '.join(values)}}};",
        f"double {name}[{len(function.outputs) * group.lanes}]{_unset(function)};",
    ]
    prepared = f", c + {group.offset}" if group.prepared else ""
    return [*lines, f"{function_name}({name}_in{prepared}, {name});"]


def _unset(function: CalledFunction) -> str:
    """What a function of the user's own forgets to write is no number, and ends the run."""
    if isinstance(function, ExternalFunction):
        return f" = {{{', '.join(['NAN'] * len(function.outputs))}}}"
    return ""


def function_lines(
    group: FunctionGroup, names: Mapping[Node, str], speller: Speller
) -> Iterator[str]:
    """Several values of a function, computed side by side."""
    name = names[group.members[0]]
    values = [speller.spell(e) for k in group.passed for e in group.across(k)]
    yield f"const double {name}_in[{len(values)}] = {{{', '.join(values)}}};"
    yield f"double {name}_out[{group.lanes}];"
    yield f"{_loop_name(group.operation, group.lanes)}({name}_in, {name}_out);"
    for lane, member in enumerate(group.members):
        yield f"const double {names[member]} = {name}_out[{lane}];"


def lane_loops(program: Program) -> Iterator[str]:
    """The loops that ``function_lines`` calls."""
    for operation, lanes in lane_loops_of(program):
        text = LANES.functions[operation].format("in[lane]", f"in[{lanes} + lane]")
        name = _loop_name(operation, lanes)
        head = f"static void {name}(const double *restrict in, double *restrict out)"
        yield function_text(head, ("in", "out"), _loop([f"out[lane] = {text};"], lanes))


def _loop_name(operation: str, lanes: int) -> str:
    return f"{OWN_PREFIX}{operation}_x{lanes}"


def _loop(lines: Sequence[str], lanes: int) -> list[str]:
    return [
        "int lane;",
        SIDE_BY_SIDE,
        f"for (lane = 0; lane < {lanes}; ++lane) {{",
        *(text for line in lines for text in wrapped(line)),
        "}",
    ]


def called_functions(
    names: Mapping[CalledFunction, str],
    variants: Mapping[Variant, tuple[str, CallGroup]],
    tables: Mapping[object, str],
) -> Iterator[str]:
    """The texts of all functions that a program calls, what they need before them."""
    external = [function for function in names if isinstance(function, ExternalFunction)]
    yield from dict.fromkeys(text for function in external for text in function.needs)
    for function in external:
        if not function.c_source:
            raise CompilerError(
                f"the function {function.name!r} is declared, but no C text defines it; give "
                f"the file that does: --function {function.name}=FILE, or in Python "
                "system.with_functions"
            )
    # One file may define several functions.
    yield from dict.fromkeys(function.c_source.rstrip() + "\n" for function in external)
    for name, group in variants.values():
        yield _lane_function(group, name, tables)


def _lane_function(group: CallGroup, name: str, tables: Mapping[object, str]) -> str:
    function = cast(ExpressionFunction, group.function)
    several = group.lanes > 1
    places = _places(group)
    short = {e: e.name.removeprefix(f"{function.name}.") for e in function.arguments}
    texts = identifiers(short.values(), _OWN)
    named = {e: texts[name] for e, name in short.items()}
    values = {named[e]: place for e, place in zip(function.arguments, places, strict=True)}
    routine = schedule(name, (), "out", function.expressions, named, {})
    speller = Speller(LANES if several else C, named, routine.names, tables)
    lines = []
    for statement in (s for block in routine.blocks for s in block.statements):
        if statement.node is None:
            place = _place("out", statement.index or 0, group.lanes)
            lines.append(f"{place} = {speller.spell(statement.expression)};")
        else:
            lines.append(
                f"const double {routine.names[statement.node]} = "
                f"{speller.definition(statement.node)};"
            )
    lines = with_values(lines, values)
    if several:
        lines = _loop(lines, group.lanes)
    arrays = ["in", *(["prepared"] if group.prepared else []), "out"]
    declared = [f"const double *restrict {array}" for array in arrays[:-1]]
    head = f"static void {name}({', '.join([*declared, 'double *restrict out'])})"
    return function_text(head, arrays, lines)


def _places(group: CallGroup) -> list[str]:
    """Where each argument is found."""
    found = {k: _place("in", i, group.lanes) for i, k in enumerate(group.passed)}
    found |= {k: _place("prepared", i, group.lanes) for i, k in enumerate(group.prepared)}
    return [found[k] for k in range(len(group.function.inputs))]


def _place(array: str, row: int, lanes: int) -> str:
    if lanes == 1:
        return f"{array}[{row}]"
    return f"{array}[{row * lanes} + lane]" if row else f"{array}[lane]"
