"""A program as C99: one translation unit without globals and without allocation.

Every routine works on arrays of its caller and keeps nothing, so it can be called from
several threads at once. Model names reach the code as identifiers (``identifier``) and
comments (``comment_text``), in no other way.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from axletree.code.c_special import LOOKUP, call_lines, special_functions
from axletree.code.program import Program, Routine, Statement
from axletree.code.special import tables_of
from axletree.code.split import LONGEST_PART, Part, split
from axletree.code.text import Dialect, Speller, used_names

WIDTH: Final = 100
_SAME: Final = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan")
_HYPERBOLIC: Final = ("sinh", "cosh", "tanh")


def literal(value: float) -> str:
    """The shortest decimal text that reads back as exactly this number."""
    if math.isinf(value):
        return "HUGE_VAL" if value > 0.0 else "-HUGE_VAL"
    return repr(float(value))


C: Final = Dialect(
    functions={
        **{name: f"{name}({{0}})" for name in (*_SAME, *_HYPERBOLIC)},
        "pow": "pow({0}, {1})",
        "atan2": "atan2({0}, {1})",
        "abs": "fabs({0})",
        "sign": "axl_sign({0})",
        "min": "axl_min({0}, {1})",
        "max": "axl_max({0}, {1})",
        "lt": "(double)({0} < {1})",
        "le": "(double)({0} <= {1})",
    },
    where="({0} ? {1} : {2})",
    number=literal,
)
# A comparison that selects one of its operands takes no jump on the usual machines, where
# the library's fmin and fmax are calls that hide a NaN. Here NaN in is NaN out.
SMALL_FUNCTIONS: Final = {
    "axl_lookup": LOOKUP,
    "axl_sign": """\
static double axl_sign(double v)
{
    const double sign = (double)((v > 0.0) - (v < 0.0));
    return v == v ? sign : v;
}
""",
    "axl_min": """\
static double axl_min(double a, double b)
{
    const double least = a < b ? a : b;
    return a == a ? least : a;
}
""",
    "axl_max": """\
static double axl_max(double a, double b)
{
    const double most = a > b ? a : b;
    return a == a ? most : a;
}
""",
}


def print_unit(
    program: Program,
    prefix: str = "model",
    more: Sequence[str] = (),
    longest_part: int = LONGEST_PART,
) -> str:
    """The C source of a program; its functions are ``<prefix>_rhs`` and so on.

    ``more`` is C text that follows, and may use the small functions of this file.
    """
    tables = tables_of(program)
    routines = [
        text
        for routine in program.routines
        for text in _print_routine(program, routine, prefix, tables, longest_part)
    ]
    body = "\n".join([*special_functions(program, tables, literal), *routines, *more])
    small = [SMALL_FUNCTIONS[name] for name in used_names(body, tuple(SMALL_FUNCTIONS))]
    return "\n".join(["#include <math.h>\n", *small, body])


def signature(routine: Routine, prefix: str) -> str:
    arguments = ", ".join(_declared(argument) for argument in routine.arguments)
    return f"void {prefix}_{routine.name}({arguments}, double *{routine.result})"


def _declared(argument: str) -> str:
    return "double t" if argument == "t" else f"const double *{argument}"


def _print_routine(
    program: Program, routine: Routine, prefix: str, tables: Mapping[object, str], longest: int
) -> Iterator[str]:
    """The text of a routine; the functions of its parts come before it."""
    named = {e: program.identifiers.get(e, text) for e, text in routine.references.items()}
    values = {named[e]: text for e, text in routine.references.items() if named[e] != text}
    speller = Speller(C, named, routine.names, tables)
    head = signature(routine, prefix).replace(" *", " *restrict ")
    arguments = [*routine.arguments, routine.result]
    if routine.statements <= longest:
        lines: list[str] = []
        several = sum(bool(block.statements) for block in routine.blocks) > 1
        for number, block in enumerate(routine.blocks, start=1):
            if block.statements and several:
                lines.append(f"/* Block {number}: {block.title}. */")
            lines += _statements(block.statements, speller, routine)
        yield _function(head, arguments, lines, values)
        return
    parts, size = split(routine, longest)
    calls = [f"double s[{max(size, 1)}];"]
    for number, part in enumerate(parts, start=1):
        name = f"{prefix}_{routine.name}_part{number}"
        part_head = head.replace(f"void {prefix}_{routine.name}(", f"static void {name}(")
        part_head = f"{part_head[:-1]}, double *restrict s)"
        yield _function(part_head, [*arguments, "s"], _part_lines(part, speller, routine), values)
        calls.append(f"{name}({', '.join(arguments)}, s);")
    yield _function(head, arguments, calls, {})


def _part_lines(part: Part, speller: Speller, routine: Routine) -> list[str]:
    lines = [f"/* {part.title.capitalize()}. */"]
    lines += [f"const double {routine.names[node]} = s[{place}];" for node, place in part.loads]
    lines += _statements(part.statements, speller, routine)
    lines += [f"s[{place}] = {routine.names[node]};" for node, place in part.stores]
    return lines


def _statements(
    statements: Sequence[Statement], speller: Speller, routine: Routine
) -> Iterator[str]:
    for statement in statements:
        node = statement.node
        if node is None:
            yield f"{routine.result}[{statement.index}] = {speller.spell(statement.expression)};"
        elif node.operation == "call":
            yield from call_lines(node, routine.names[node], speller)
        else:
            yield f"const double {routine.names[node]} = {speller.definition(node)};"


def _function(
    head: str, arguments: Sequence[str], lines: Sequence[str], values: Mapping[str, str]
) -> str:
    """A function that first gives names to the states, inputs and parameters that it uses."""
    named = used_names("\n".join(lines), tuple(values))
    lines = [*(f"const double {name} = {values[name]};" for name in named), *lines]
    used = set(used_names("\n".join(lines), arguments))
    unused = [f"(void){argument};" for argument in arguments if argument not in used]
    body = [text for line in (*lines, *unused) for text in _wrapped(line)]
    return "\n".join([*_wrapped_head(head), "{", *body, "}", ""])


def _wrapped_head(head: str) -> list[str]:
    """Lines are broken between arguments, not within them."""
    held = ", ".join(argument.replace(" ", "\0") for argument in head.split(", "))
    return [line.replace("\0", " ") for line in _wrapped(held, indent="")]


def _wrapped(line: str, indent: str = "    ") -> list[str]:
    if len(line) + len(indent) <= WIDTH:
        return [indent + line]
    return textwrap.wrap(
        line,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
