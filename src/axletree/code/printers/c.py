"""A program as C99: one translation unit without globals and without allocation, and its header.

Every routine works on arrays of its caller and keeps nothing, so it can be called from
several threads at once. Model names reach the code as identifiers (``identifier``) and
comments (``comment_text``), in no other way.

The unit comes first, then its header, calls, tables, the dialect and the layout of the text.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self, cast

from axletree.code.called_functions import (
    LaneVariant,
    lane_loops_of,
    tables_and_functions,
    variants_of,
)
from axletree.code.identifiers import OWN_PREFIX, comment_text, identifiers, routine_purposes
from axletree.code.printers.dialect import (
    ELEMENTARY,
    Dialect,
    Speller,
    helper_functions,
    literals,
    packaged_text,
    spelled,
    used_names,
)
from axletree.code.program import (
    CallGroup,
    CallsInTurn,
    FunctionGroup,
    Program,
    Routine,
    Statement,
)
from axletree.code.routine_parts import LONGEST_PART, RoutinePart, split_routine
from axletree.code.schedule import IN_LANES, schedule
from axletree.core.errors import CompilerError
from axletree.expr import CalledFunction, ExpressionFunction, ExternalFunction, Table
from axletree.expr.calls import without_text
from axletree.expr.node import Node
from axletree.expr.quantity import Quantity, Role


def print_unit(
    program: Program,
    prefix: str = "model",
    more: Sequence[str] = (),
    longest_part: int = LONGEST_PART,
    number: CNumber | None = None,
    *,
    fixed_cost: bool = False,
) -> str:
    """The C source of a program; its functions are ``<prefix>_rhs`` and so on.

    ``more`` is C text that follows, and may use the small functions of this file. ``number``
    is the type of all numbers, ``DOUBLE`` unless another is given. With ``fixed_cost`` elementary
    functions are those of ``fixed_cost.c``, which take the same instructions for every argument;
    there are such functions of doubles alone.

    Example:
    >>> import axletree as at
    >>> from axletree.code.printers.c import print_unit
    >>> from axletree.code.lowering import lower
    >>> text = print_unit(lower(at.read_model("pendulum").formulate(), outputs=[]))
    >>> next(line for line in text.splitlines() if "_rhs(" in line)
    'void model_rhs(axl_real t, const axl_real *restrict x, const axl_real *restrict u,'
    """
    chosen = number or DOUBLE
    is_fixed = fixed_cost and chosen == DOUBLE
    dialect = FIXED_COST_DIALECT if is_fixed else C_DIALECT
    lookup = "axl_fixed_lookup" if is_fixed else "axl_lookup"
    # gcc leaves jumps in loops over wheels where chains are interleaved.
    body = program_text(
        program, prefix, dialect, lookup, longest_part, more, by_latency=not fixed_cost
    )
    lanes = [lane_functions(used_names(body, LANE_NAMES))] if SIDE_BY_SIDE in body else []
    chosen.check_literals(body)
    small = [C_FUNCTIONS[name] for name in used_names(body, tuple(C_FUNCTIONS))]
    if is_fixed:
        small += [_FIXED_COST, *_fixed_cost_functions("\n".join([*lanes, body]))]
    text = ["#include <math.h>\n", chosen.definitions, _CONSTANTS, *small, *lanes, body]
    return "\n".join(text)


def program_text(
    program: Program,
    prefix: str,
    dialect: Dialect,
    lookup: str,
    longest_part: int = LONGEST_PART,
    more: Sequence[str] = (),
    *,
    of_vehicles: bool = False,
    by_latency: bool = True,
) -> str:
    """The tables, called functions and routines of a program, without what they stand on.

    With ``of_vehicles`` a number is one of each of several vehicles: tables have numbers of their
    own, and functions in C by hand are called vehicle by vehicle. ``by_latency`` interleaves the
    chains of functions of laws that are computed for several wheels or vehicles.
    """
    special = replace(
        _UnitNames.of(program, dialect), of_vehicles=of_vehicles, by_latency=by_latency
    )
    routines = [
        text
        for routine in program.routines
        for text in _print_routine(program, routine, prefix, special, longest_part)
    ]
    kind = _OF_VEHICLES if of_vehicles else ("axl_real", c_number)
    tables = [_table(table, name, lookup, *kind) for table, name in special.tables.items()]
    called = called_functions(special)
    apart = [_APART_DEFINITION] if any(_APART in text for text in routines) else []
    return "\n".join([*apart, *tables, *lane_loops(program), *called, *routines, *more])


@dataclass(frozen=True)
class _UnitNames:
    """The names of what a unit defines beside its routines, and how it spells operations."""

    tables: Mapping[Table, str]
    functions: Mapping[CalledFunction, str]
    variants: Mapping[LaneVariant, tuple[str, CallGroup]]
    dialect: Dialect  # of what is not done in lanes
    of_vehicles: bool = False
    by_latency: bool = True

    @classmethod
    def of(cls, program: Program, dialect: Dialect) -> Self:
        tables, functions = tables_and_functions(program)
        return cls(tables, functions, variants_of(program, functions), dialect)

    def name(self, group: CallGroup) -> str:
        """Of the function that a group of calls is made of."""
        if group.variant in self.variants:
            return self.variants[group.variant][0]
        own = self.functions[group.function]
        return _each(own) if self.of_vehicles else own


def c_signature(routine: Routine, prefix: str) -> str:
    given = ["axl_real t" if a == "t" else f"const axl_real *{a}" for a in routine.arguments]
    return f"void {prefix}_{routine.name}({', '.join(given)}, axl_real *{routine.result})"


def _print_routine(
    program: Program, routine: Routine, prefix: str, special: _UnitNames, longest: int
) -> Iterator[str]:
    """The text of a routine; the functions of its parts come before it."""
    places = {e: accessed(text) for e, text in routine.references.items()}
    named = {e: program.identifiers.get(e, text) for e, text in places.items()}
    values = {named[e]: text for e, text in places.items() if named[e] != text}
    speller = Speller(special.dialect, named, routine.names, special.tables)
    head = c_signature(routine, prefix).replace(" *", " *restrict ")
    arguments = [*routine.arguments, routine.result]
    if routine.statements <= longest:
        lines: list[str] = []
        several = sum(bool(block.statements) for block in routine.blocks) > 1
        for number, block in enumerate(routine.blocks, start=1):
            if block.statements and several:
                lines.append(f"/* Block {number}: {block.title}. */")
            lines += _statements(block.statements, speller, routine, special)
        yield c_function_text(head, arguments, with_definitions(lines, values))
        return
    parts, size = split_routine(routine, longest)
    calls = [f"axl_real s[{max(size, 1)}];"]
    for number, part in enumerate(parts, start=1):
        name = f"{prefix}_{routine.name}_part{number}"
        part_head = head.replace(f"void {prefix}_{routine.name}(", f"static {_APART} void {name}(")
        part_head = f"{part_head[:-1]}, axl_real *restrict s)"
        lines = with_definitions(_part_lines(part, speller, routine, special), values)
        yield c_function_text(part_head, [*arguments, "s"], lines)
        calls.append(f"{name}({', '.join(arguments)}, s);")
    yield c_function_text(head, arguments, calls)


# Each part has one caller, and clang makes one function of them all again, whose registers it then
# allocates in four times the time (72 states on aarch64: 32 s, and 8 s with the parts apart). gcc
# is quick either way, and makes jumps of choices in parts that stand apart.
_APART: Final = "AXL_APART"
_APART_DEFINITION: Final = """\
#if defined(__clang__)
#define AXL_APART __attribute__((noinline))
#else
#define AXL_APART
#endif
"""


def accessed(place: str) -> str:
    """Where a value is found; constants are behind their accessor."""
    return re.sub(r"^c\[(\d+)\]$", r"AXL_C(c, \1)", place)


def _part_lines(
    part: RoutinePart, speller: Speller, routine: Routine, special: _UnitNames
) -> list[str]:
    lines = [f"/* {part.title.capitalize()}. */"]
    lines += [f"const axl_real {routine.names[node]} = s[{place}];" for node, place in part.loads]
    lines += _statements(part.statements, speller, routine, special)
    lines += [f"s[{place}] = {routine.names[node]};" for node, place in part.stores]
    return lines


def _statements(
    statements: Sequence[Statement], speller: Speller, routine: Routine, special: _UnitNames
) -> Iterator[str]:
    results: dict[tuple[Node, int], str] = {}  # where those of the calls are
    for statement in statements:
        node, group = statement.node, statement.group
        if isinstance(group, CallGroup):
            name = routine.names[group.members[0]]
            if isinstance(group, CallsInTurn):
                yield from in_turn_lines(group, name, special.name(group), speller)
                count = len(group.function.outputs)
                for turn, call in enumerate(group.members):
                    results |= {(call, k): f"{name}[{count * turn + k}]" for k in range(count)}
                continue
            is_scalar = isinstance(group.function, ExternalFunction) and not special.of_vehicles
            number = "double" if is_scalar else "axl_real"
            yield from call_lines(group, name, special.name(group), speller, number)
            for lane, call in enumerate(group.members):
                for k in range(len(group.function.outputs)):
                    results[call, k] = f"{name}[{k * group.lanes + lane}]"
        elif isinstance(group, FunctionGroup):
            yield from function_group_lines(group, routine.names, speller)
        elif node is None:
            yield f"{routine.result}[{statement.index}] = {speller.spell(statement.expression)};"
        elif node.operation == "output":
            taken = results[node.operands[0].node, int(str(node.data))]
            yield f"const axl_real {routine.names[node]} = {taken};"
        else:
            yield f"const axl_real {routine.names[node]} = {speller.definition(node)};"


# The header of a printed program: what its arrays hold, in which unit, and its functions.


def print_header(
    program: Program,
    prefix: str = "model",
    more: Sequence[str] = (),
    number: CNumber | None = None,
) -> str:
    """The text of ``<prefix>.h``; ``more`` is text that follows the functions."""
    guard = f"{prefix.upper()}_H"
    lines = [
        f"/* {comment_text(program.name)}: layout of the arrays. All values in SI units.",
        "",
        *_layout("x", "states", program.states),
        *_layout("u", "inputs", program.inputs),
        *_layout("p", "parameters", program.parameters),
        *_layout("y", "outputs", program.outputs),
        f"   c: {program.constants.size} constants, computed once from p by {prefix}_constants",
        "*/",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        (number or DOUBLE).definitions,
        "enum {",
        *(f"    {prefix.upper()}_{name} = {size}," for name, size in _sizes(program)),
        "};",
        "",
        *_functions(program, prefix),
        *more,
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)


def _sizes(program: Program) -> Iterator[tuple[str, int]]:
    yield "STATES", len(program.states)
    yield "INPUTS", len(program.inputs)
    yield "PARAMETERS", len(program.parameters)
    yield "OUTPUTS", len(program.outputs)
    yield "CONSTANTS", program.constants.size
    if program.speed_rates is not None:
        yield "SPEEDS", sum(q.role is Role.SPEED for q in program.states)
        yield "SPEED_RATES", program.speed_rates.size
    for matrix in program.matrices:
        yield f"{matrix.routine.name.upper()}_ENTRIES", matrix.routine.size


def _layout(array: str, title: str, quantities: Sequence[Quantity]) -> Iterator[str]:
    yield f"   {array}: {len(quantities)} {title}"
    width = max((len(q.name) for q in quantities), default=0)
    for k, quantity in enumerate(quantities):
        name = comment_text(quantity.name).ljust(width)
        text = f"{name} [{comment_text(quantity.unit)}] {comment_text(quantity.description)}"
        yield f"     {array}[{k}]  {text.rstrip()}"
    yield ""


def _functions(program: Program, prefix: str) -> Iterator[str]:
    notes = routine_purposes(program, first=0)
    notes["project"] = f"{notes['project'].rstrip('.')}; xnew must not be x."
    for routine in program.routines:
        yield f"/* {notes[routine.name]}"
        yield f"   {comment_text(str(routine.operations))}. */"
        yield f"{c_signature(routine, prefix)};"


def sparsity_declarations(program: Program, prefix: str = "model") -> list[str]:
    """For the header: where the nonzeros of the matrices of a program stand."""
    lines = [
        "/* Sparse matrices by columns: rows of the nonzeros, and where each column begins. */"
    ]
    for name, values in _sparsity(program, prefix):
        lines.append(f"extern const int {name}[{max(len(values), 1)}];")
    return lines if program.matrices else []


def sparsity_text(program: Program, prefix: str = "model") -> list[str]:
    """What ``sparsity_declarations`` declares."""
    return [
        "\n".join([f"const int {name}[{max(len(values), 1)}] = {{", *_integers(values), "};", ""])
        for name, values in _sparsity(program, prefix)
    ]


def _sparsity(program: Program, prefix: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    for matrix in program.matrices:
        yield f"{prefix}_{matrix.routine.name}_rows", matrix.rows
        yield f"{prefix}_{matrix.routine.name}_starts", matrix.starts


def _integers(values: Sequence[int], in_line: int = 16) -> Iterator[str]:
    for start in range(0, max(len(values), 1), in_line):
        yield "    " + " ".join(f"{value}," for value in values[start : start + in_line] or [0])


DEFAULTS: Final = "void model_defaults(axl_real *x, axl_real *u, axl_real *p)"


def defaults_text(program: Program) -> str:
    """The function that fills x, u and p with the model's own values."""
    arrays = {"x": program.states, "u": program.inputs, "p": program.parameters}
    lines = [
        f"    {array}[{k}] = {c_number(quantity.default)};"
        for array, quantities in arrays.items()
        for k, quantity in enumerate(quantities)
    ]
    lines += [f"    (void){array};" for array, quantities in arrays.items() if not quantities]
    return "\n".join([DEFAULTS, "{", *lines, "}", ""])


# Calls in C: external functions as they are given, functions of expressions in lanes.
#
# Calls that are made together fill the lanes of one loop, which the compiler turns into
# vector instructions: four tyres cost little more than one. Arguments and results stand
# argument by argument, in each the lanes side by side.

_OWN = ("in", "prepared", "out", "lane")


def call_lines(
    group: CallGroup, name: str, function_name: str, speller: Speller, number: str
) -> list[str]:
    """A group of calls: arguments in one array, what stands in c where it is, results.

    What is written in C by hand has doubles, whatever the ``number`` type of the text. What it
    forgets to write is no number, and ends the run.
    """
    function = group.function
    unset = f" = {{{', '.join(['NAN'] * len(function.outputs))}}}" if number == "double" else ""
    values = [speller.spell(e) for k in group.passed for e in group.across(k)]
    lines = [
        f"const {number} {name}_in[{max(len(values), 1)}] = {{{', '.join(values or ['0'])}}};",
        f"{number} {name}[{len(function.outputs) * group.lanes}]{unset};",
    ]
    prepared = f", AXL_BLOCK(c, {group.offset})" if group.prepared else ""
    return [*lines, f"{function_name}({name}_in{prepared}, {name});"]


def in_turn_lines(group: CallsInTurn, name: str, function_name: str, speller: Speller) -> list[str]:
    """Calls one after the other: arguments call by call in one array, and so are the results."""
    width, count, turns = len(group.passed), len(group.function.outputs), len(group.members)
    values = [speller.spell(call.operands[k]) for call in group.members for k in group.passed]
    lines = [
        f"const axl_real {name}_in[{max(len(values), 1)}] = "
        f"{{{', '.join(values or [speller.dialect.number(0.0)])}}};",
        f"axl_real {name}[{count * turns}];",
    ]
    if turns == 1:
        prepared = f", AXL_BLOCK(c, {group.offset})" if group.prepared else ""
        return [*lines, f"{function_name}({name}_in{prepared}, {name});"]
    place = f"{group.offset} + {group.spacing} * turn" if group.spacing else f"{group.offset}"
    prepared = f", AXL_BLOCK(c, {place})" if group.prepared else ""
    called = f"{function_name}({name}_in + {width} * turn{prepared}, {name} + {count} * turn);"
    return [
        *lines,
        "{",
        "int turn;",
        IN_TURN,
        f"for (turn = 0; turn < {turns}; ++turn) {{",
        called,
        "}",
        "}",
    ]


IN_TURN: Final = "AXL_IN_TURN"  # before a loop over calls: whether it is unrolled


def function_group_lines(
    group: FunctionGroup, names: Mapping[Node, str], speller: Speller
) -> Iterator[str]:
    """Several values of a function, computed side by side."""
    name = names[group.members[0]]
    values = [speller.spell(e) for k in group.passed for e in group.across(k)]
    yield f"const axl_real {name}_in[{len(values)}] = {{{', '.join(values)}}};"
    yield f"axl_real {name}_out[{group.lanes}];"
    yield f"{_loop_name(group.operation, group.lanes)}({name}_in, {name}_out);"
    for lane, member in enumerate(group.members):
        yield f"const axl_real {names[member]} = {name}_out[{lane}];"


def lane_loops(program: Program) -> Iterator[str]:
    """The loops that ``function_lines`` calls."""
    for operation, lanes in lane_loops_of(program):
        text = LANE_DIALECT.functions[operation].format("in[lane]", f"in[{lanes} + lane]")
        name = _loop_name(operation, lanes)
        head = f"static void {name}(const axl_real *restrict in, axl_real *restrict out)"
        yield c_function_text(head, ("in", "out"), _loop([f"out[lane] = {text};"], lanes))


def _loop_name(operation: str, lanes: int) -> str:
    return f"{OWN_PREFIX}{operation}_x{lanes}"


def _loop(lines: Sequence[str], lanes: int) -> list[str]:
    return [
        "int lane;",
        SIDE_BY_SIDE,
        f"for (lane = 0; lane < {lanes}; ++lane) {{",
        *(text for line in lines for text in wrapped_lines(line)),
        "}",
    ]


def called_functions(special: _UnitNames) -> Iterator[str]:
    """The texts of all functions that a program calls, what they need before them."""
    external = [known for known in special.functions if isinstance(known, ExternalFunction)]
    yield from dict.fromkeys(text for function in external for text in function.needs)
    for function in external:
        if not function.c_source:
            raise CompilerError(without_text(function.name))
    # One file may define several functions.
    yield from dict.fromkeys(function.c_source.rstrip() + "\n" for function in external)
    if special.of_vehicles:
        yield from (_vehicle_by_vehicle(function) for function in external)
    for name, group in special.variants.values():
        yield _lane_function(group, name, special)


def _each(name: str) -> str:
    return f"{OWN_PREFIX}each_{name}"


def _vehicle_by_vehicle(function: ExternalFunction) -> str:
    """A function that is written in C by hand, for the vehicles one after the other."""
    given, found = max(len(function.inputs), 1), len(function.outputs)
    head = (
        f"static void {_each(function.name)}(const axl_real *restrict in, axl_real *restrict out)"
    )
    lines = [
        "int lane, k;",
        "for (lane = 0; lane < LANES; ++lane) {",
        f"    double own[{given}], result[{found}];",
        f"    for (k = 0; k < {given}; ++k) {{",
        "        own[k] = (double)in[k][lane];",
        "    }",
        f"    for (k = 0; k < {found}; ++k) {{",
        "        result[k] = NAN;",
        "    }",
        f"    {function.name}(own, result);",
        f"    for (k = 0; k < {found}; ++k) {{",
        "        out[k][lane] = (axl_number)result[k];",
        "    }",
        "}",
    ]
    return c_function_text(head, ("in", "out"), lines)


def _lane_function(group: CallGroup, name: str, special: _UnitNames) -> str:
    function = cast(ExpressionFunction, group.function)
    several = group.lanes > 1
    places = _places(group)
    short = {e: e.name.removeprefix(f"{function.name}.") for e in function.arguments}
    texts = identifiers(short.values(), _OWN)
    named = {e: texts[name] for e, name in short.items()}
    values = {named[e]: place for e, place in zip(function.arguments, places, strict=True)}
    by_latency = special.by_latency and (several or special.of_vehicles)
    routine = schedule(name, (), "out", function.expressions, named, {}, by_latency=by_latency)
    dialect = LANE_DIALECT if several else special.dialect
    speller = Speller(dialect, named, routine.names, special.tables)
    lines = []
    for statement in (s for block in routine.blocks for s in block.statements):
        node = statement.node
        if node is None:
            place = _place("out", statement.index or 0, group.lanes)
            lines.append(f"{place} = {speller.spell(statement.expression)};")
        else:
            lines.append(f"const axl_real {routine.names[node]} = {speller.definition(node)};")
    defined = _defined_at_need if by_latency and several else with_definitions
    lines = [*defined(lines, values)]
    if several:
        lines = _loop(lines, group.lanes)
    arrays = ["in", *(["prepared"] if group.prepared else []), "out"]
    declared = [f"const axl_real *restrict {array}" for array in arrays[:-1]]
    head = f"static void {name}({', '.join([*declared, 'axl_real *restrict out'])})"
    return c_function_text(head, arrays, lines)


def _defined_at_need(lines: Sequence[str], values: Mapping[str, str]) -> Iterator[str]:
    """As ``with_definitions``, each before the first line that uses it: compilers keep the order of
    reads in a loop over lanes, and what is read long before its use takes a register till then."""
    left = dict(values)
    for line in lines:
        for name in used_names(line, tuple(left)):
            yield f"const axl_real {name} = {left.pop(name)};"
        yield line


def _places(group: CallGroup) -> list[str]:
    """Where each argument is found."""
    found = {k: _place("in", i, group.lanes) for i, k in enumerate(group.passed)}
    for i, k in enumerate(group.prepared):
        place = _place("prepared", i, group.stride).removeprefix("prepared[").removesuffix("]")
        found[k] = f"AXL_C(prepared, {place})"
    return [found[k] for k in range(len(group.function.inputs))]


def _place(array: str, row: int, lanes: int) -> str:
    if lanes == 1:
        return f"{array}[{row}]"
    return f"{array}[{row * lanes} + lane]" if row else f"{array}[lane]"


def _table(
    table: Table, name: str, lookup: str, number: str, literal: Callable[[float], str]
) -> str:
    width, count = len(table.coefficients[0]), len(table.breakpoints)
    values = [value for row in table.coefficients for value in row]
    lines = [
        f"static axl_real {name}(axl_real v)",
        "{",
        *_array("breaks", table.breakpoints, number, literal),
        *_array("rows", values, number, literal),
        f"    return {lookup}(v, {count}, {width}, breaks, rows);",
        "}",
        "",
    ]
    return "\n".join(lines)


def _array(
    name: str,
    values: Sequence[float],
    number: str,
    literal: Callable[[float], str],
    in_line: int = 4,
) -> Iterator[str]:
    yield f"    static const {number} {name}[{len(values)}] = {{"
    for start in range(0, len(values), in_line):
        yield "        " + " ".join(f"{literal(v)}," for v in values[start : start + in_line])
    yield "    };"


# How C spells operations, and the small functions that it lacks.


@dataclass(frozen=True)
class CNumber:
    """The type of all numbers in a text of C, its literals and its functions.

    The text spells ``axl_real``, ``AXL_N(2.0)`` and ``AXL_F(sin)``; a few lines at its beginning
    say what these stand for. Who compiles the text may define them before.
    """

    name: str
    suffix: str  # of literals and of functions
    largest: float

    def check_literals(self, text: str) -> None:
        """Refuse numbers that are no numbers of this type: they would become infinite."""
        for found in re.findall(r"AXL_N\(([^()]*)\)", text):
            if abs(float(found)) > self.largest:
                raise CompilerError(
                    f"the number {found} of the equations is no {self.name}: the largest is "
                    f"{self.largest:.3g}; use a wider number type, or another parameter"
                )

    def literal(self, value: float) -> str:
        return c_number(value)

    @property
    def definitions(self) -> str:
        text = packaged_text(__package__, "numbers.h").replace("double", self.name)
        return text.replace(") x", f") x##{self.suffix}") if self.suffix else text


DOUBLE: Final = CNumber("double", "", sys.float_info.max)
SINGLE: Final = CNumber("float", "f", 3.4028234663852886e38)

# Where constants stand: of c or of a block of it the entry k, and the block from k on.
_CONSTANTS: Final = """\
#ifndef AXL_C
#define AXL_C(c, k) (c)[k]
#define AXL_BLOCK(c, k) ((c) + (k))
#endif
"""


def c_definitions(values: Mapping[str, object]) -> str:
    """Numbers by name, for text of C that stands in a file."""
    return "".join(f"#define {name} {value}\n" for name, value in values.items())


c_number: Final = literals("AXL_N({})", "INFINITY")  # of the number type
_OF_VEHICLES: Final = ("axl_number", literals("AXL_NUMBER({})", "INFINITY"))
# Comparisons become numbers by a selection, not by a conversion of integers: a loop with
# integers of another size takes half as many lanes.
C_DIALECT: Final = Dialect(
    functions={
        **spelled(ELEMENTARY, "AXL_F({})"),
        "abs": "AXL_F(fabs)({0})",
        "sign": "axl_sign({0})",
        "min": "axl_min({0}, {1})",
        "max": "axl_max({0}, {1})",
        "lt": "({0} < {1} ? AXL_N(1.0) : AXL_N(0.0))",
        "le": "({0} <= {1} ? AXL_N(1.0) : AXL_N(0.0))",
    },
    where="({0} ? {1} : {2})",
    number=c_number,
)
# A comparison that selects one of its operands takes no jump on the usual machines, where
# the library's fmin and fmax are calls that hide a NaN. Here NaN in is NaN out. The number of
# halvings of ``axl_lookup`` depends on the size of the table alone, so the cost is fixed.
C_FUNCTIONS: Final = helper_functions("functions.c")

# Functions of the library jump past work where an argument allows it, and compilers make jumps of
# ?:. In this dialect every value is computed, and masks of bits choose.
FIXED_COST_DIALECT: Final = replace(
    C_DIALECT,
    functions={
        **C_DIALECT.functions,
        "sign": "axl_fixed_sign({0})",
        "min": "axl_fixed_min({0}, {1})",
        "max": "axl_fixed_max({0}, {1})",
        "lt": "axl_pick(axl_lt({0}, {1}), AXL_N(1.0), AXL_N(0.0))",
        "le": "axl_pick(axl_le({0}, {1}), AXL_N(1.0), AXL_N(0.0))",
    },
    where="axl_pick({0}, {1}, {2})",
    less="axl_lt({0}, {1})",
    not_more="axl_le({0}, {1})",
    unequal="axl_ne({0}, {1})",
)
_FIXED_COST: Final = packaged_text(__package__, "fixed_cost.h")
_FIXED_COST_FUNCTIONS: Final = helper_functions("fixed_cost.c")


def _fixed_cost_functions(text: str) -> list[str]:
    """The functions that a text needs, each after those that it needs itself."""
    wanted = {f"axl_fixed_{name}" for name in re.findall(r"\bAXL_F\((\w+)\)", text)}
    wanted |= set(used_names(text, tuple(_FIXED_COST_FUNCTIONS)))
    found: list[str] = []
    for name, function in reversed(_FIXED_COST_FUNCTIONS.items()):
        if name in wanted:
            wanted |= set(used_names(function, tuple(_FIXED_COST_FUNCTIONS)))
            found.insert(0, function)
    return found


# Numbers of several vehicles at once, or of the one that a thread of a card has: every operation is
# a function of the text that stands before, but for sums, products and quotients.
VEHICLE_DIALECT: Final = replace(
    C_DIALECT,
    functions={
        **spelled((*ELEMENTARY, "abs", "sign"), "axl_v_{}"),
        "min": "axl_v_min({0}, {1})",
        "max": "axl_v_max({0}, {1})",
        "lt": "axl_pick(axl_lt({0}, {1}), AXL_N(1.0), AXL_N(0.0))",
        "le": "axl_pick(axl_le({0}, {1}), AXL_N(1.0), AXL_N(0.0))",
    },
    number=literals("AXL_N({})", "axl_all(INFINITY)"),
    where="axl_pick({0}, {1}, {2})",
    less="axl_lt({0}, {1})",
    not_more="axl_le({0}, {1})",
    unequal="axl_ne({0}, {1})",
    quotient="axl_quotient({0}, {1})",
)

# Functions that have a form for several lanes at once. Under names of our own the compiler does
# not merge sin(x) and cos(x) into one call that has no such form.
LANE_DIALECT: Final = replace(
    C_DIALECT, functions={**C_DIALECT.functions, **spelled(IN_LANES, "axl_lane_{}")}
)
SIDE_BY_SIDE: Final = "AXL_SIDE_BY_SIDE"  # before a loop whose passes may run together


def lane_functions(used: Sequence[str]) -> str:
    """What loops over lanes need: the functions ``axl_lane_...`` that are used."""
    names = [name.removeprefix("axl_lane_") for name in used]
    there = [
        f'__attribute__((simd("notinbranch"), const))\n'
        f"axl_real axl_lane_{name}({_ARGUMENTS.get(name, 'axl_real')}) "
        f"__asm__(AXL_TEXT(AXL_LIBRARY({name})));"
        for name in names
    ]
    absent = [f"#define axl_lane_{name} AXL_F({name})" for name in names]
    quoted = ["#define AXL_QUOTED(x) #x", "#define AXL_TEXT(x) AXL_QUOTED(x)"]
    lines = ["#ifdef AXL_VECTOR_LIBRARY", *quoted, *there, "#else", *absent, "#endif", ""]
    return packaged_text(__package__, "lanes.h") + "\n".join(lines)


_ARGUMENTS: Final = {"pow": "axl_real, axl_real", "atan2": "axl_real, axl_real"}
LANE_NAMES: Final = tuple(f"axl_lane_{name}" for name in IN_LANES)

# The layout of C text: functions, and lines that are not too long.

C_LINE_WIDTH: Final = 100


def with_definitions(lines: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The lines, before them definitions of those named values that they use."""
    named = used_names("\n".join(lines), tuple(values))
    return [*(f"const axl_real {name} = {values[name]};" for name in named), *lines]


def c_function_text(head: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
    used = set(used_names("\n".join(lines), arguments))
    unused = [f"(void){argument};" for argument in arguments if argument not in used]
    body = [text for line in (*lines, *unused) for text in wrapped_lines(line)]
    return "\n".join([*_wrapped_head(head), "{", *body, "}", ""])


def _wrapped_head(head: str) -> list[str]:
    """Lines are broken between arguments, not within them."""
    held = ", ".join(argument.replace(" ", "\0") for argument in head.split(", "))
    return [line.replace("\0", " ") for line in wrapped_lines(held, indent="")]


def wrapped_lines(line: str, indent: str = "    ") -> list[str]:
    if line.startswith("#"):
        return [line]
    if len(line) + len(indent) <= C_LINE_WIDTH:
        return [indent + line]
    return textwrap.wrap(
        line,
        C_LINE_WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
