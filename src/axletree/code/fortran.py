"""A program as a Fortran module, in free form.

Names of up to 63 characters ask for Fortran 2003; nothing else goes beyond Fortran 95. The
procedures work on arrays of their caller and keep nothing but tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from axletree.code.fortran_dialect import FORTRAN, LANGUAGE, SMALL_FUNCTIONS
from axletree.code.fortran_text import declarations, procedure_text, table_text
from axletree.code.identifier import comment_text, identifiers
from axletree.code.layout import TITLES, described, purposes, quantities_of
from axletree.code.names import Names
from axletree.code.program import CallGroup, Program, Routine
from axletree.code.sequence import (
    Assignment,
    Call,
    Line,
    Note,
    function_lines,
    routine_lines,
)
from axletree.code.split import LONGEST_PART, split
from axletree.code.text import used_names
from axletree.core.expr import Table
from axletree.core.expr.linear_solve import solver_size

SIZES = {"x": "n_states", "u": "n_inputs", "p": "n_parameters", "y": "n_outputs"}


def print_module(
    program: Program,
    name: str = "model",
    more: Sequence[str] = (),
    public: Sequence[str] = (),
    longest_part: int = LONGEST_PART,
) -> str:
    """The text of the module.

    ``more`` are texts of further procedures, ``public`` the names of those that can be used
    outside.
    """
    routines = [routine.name for routine in program.routines]
    index_lines, index_names = _indices(program)
    sizes = [*SIZES.values(), "n_constants"]
    taken = [name, *routines, *public, *index_names, *sizes]
    names = Names.of(program, LANGUAGE, "axl_", taken)
    printed = [
        text
        for routine in program.routines
        for text in _routine_texts(program, routine, names, longest_part)
    ]
    printed += [_called_text(group, names.functions[v], names) for v, group in names.groups.items()]
    for table, table_name in names.tables.items():
        assert isinstance(table, Table)
        printed.append(table_text(table, table_name))
    body = "\n".join([*printed, *more])
    small = [SMALL_FUNCTIONS[name] for name in used_names(body, tuple(SMALL_FUNCTIONS))]
    offered = [*routines, *public]
    return "\n".join([*_head(program, name, index_lines, offered), body, *small, _end(name)])


def _head(
    program: Program, name: str, index_lines: Sequence[str], offered: Sequence[str]
) -> Iterator[str]:
    yield from LANGUAGE.comments(f"{comment_text(program.name)}. All values in SI units.")
    yield f"module {name}"
    yield "  implicit none"
    yield "  private"
    yield "  integer, parameter, public :: dp = selected_real_kind(15, 307)"
    for array, quantities in quantities_of(program).items():
        yield f"  integer, parameter, public :: {SIZES[array]} = {len(quantities)}"
    yield f"  integer, parameter, public :: n_constants = {program.constants.size}"
    yield from index_lines
    yield from LANGUAGE.lines(f"public :: {', '.join(offered)}", "  ")
    yield "contains\n"


def _end(name: str) -> str:
    return f"end module {name}\n"


def _indices(program: Program) -> tuple[list[str], list[str]]:
    """Where quantities stand in their arrays: ``ix_pin_angle``, and the names so made."""
    lines: list[str] = []
    found: list[str] = []
    for array, quantities in quantities_of(program).items():
        texts = identifiers(q.name for q in quantities)
        names = LANGUAGE.names((f"i{array}_{texts[q.name]}" for q in quantities), found)
        if quantities:
            lines.append(f"  ! Places of the {TITLES[array]} in {array}.")
        for k, (name, quantity) in enumerate(zip(names.values(), quantities, strict=True), start=1):
            lines += LANGUAGE.comments(described(quantity), "  ")
            lines.append(f"  integer, parameter, public :: {name} = {k}")
            found.append(name)
    return lines, found


def _routine_texts(program: Program, routine: Routine, names: Names, longest: int) -> Iterator[str]:
    """A routine; where it is long, its parts, and a routine that calls them."""
    notes = [purposes(program)[routine.name], f"{routine.operations}."]
    arguments = [*routine.arguments, routine.result]
    declared = _arguments(routine)
    if routine.statements <= longest:
        lines = routine_lines(routine, names, FORTRAN)
        yield _procedure(routine.name, arguments, notes, declared, lines)
        return
    parts, size = split(routine, longest)
    scratch = f"real(dp), intent(inout) :: s({max(size, 1)})"
    inside = [text.replace("intent(out)", "intent(inout)") for text in declared]
    part_names = [f"axl_{routine.name}_part{k}" for k in range(1, len(parts) + 1)]
    calls = [f"call {name}({', '.join([*arguments, 's'])})" for name in part_names]
    start = [f"{routine.result} = 0.0_dp", "s = 0.0_dp"]
    held = [*declared, f"real(dp) :: s({max(size, 1)})"]
    yield procedure_text(routine.name, arguments, notes, held, [*start, *calls])
    for name, part in zip(part_names, parts, strict=True):
        lines = routine_lines(routine, names, FORTRAN, part)
        yield _procedure(name, [*arguments, "s"], [], [*inside, scratch], lines)


def _arguments(routine: Routine) -> list[str]:
    sizes = {**SIZES, "c": "n_constants"}
    given = [
        "real(dp), intent(in) :: t" if a == "t" else f"real(dp), intent(in) :: {a}({sizes[a]})"
        for a in routine.arguments
    ]
    return [*given, f"real(dp), intent(out) :: {routine.result}({routine.size})"]


def _procedure(
    name: str,
    arguments: Sequence[str],
    notes: Sequence[str],
    declared: Sequence[str],
    lines: Sequence[Line],
) -> str:
    scalars = [a.target for a in lines if isinstance(a, Assignment) and not a.is_entry]
    arrays = [text for line in lines if isinstance(line, Call) for text in _call_arrays(line)]
    own = [*declared, *declarations([*dict.fromkeys(scalars), *arrays])]
    statements = [text for line in lines for text in _statements(line)]
    return procedure_text(name, arguments, notes, own, statements)


def _call_arrays(call: Call) -> list[str]:
    given = [f"{call.given}({len(call.arguments)})"] if call.arguments else []
    return [*given, f"{call.result}({call.results})"]


def _statements(line: Line) -> Iterator[str]:
    match line:
        case Note(text):
            yield f"! {text}"
        case Assignment(target, value):
            yield f"{target} = {value}"
        case Call(result, _, function, array, arguments, prepared):
            for k, argument in enumerate(arguments, start=1):
                yield f"{array}({k}) = {argument}"
            given = [array] if arguments else []
            if prepared is not None:
                first, last, stride = prepared
                given.append(f"c({first}:{last}:{stride})")
            yield f"call {function}({', '.join([*given, result])})"


def _called_text(group: CallGroup, name: str, names: Names) -> str:
    function = group.function
    results = len(function.outputs)
    given = {"in": len(group.passed), "prepared": len(group.prepared)}
    arrays = {array: size for array, size in given.items() if size}
    declared = [f"real(dp), intent(in) :: {array}({size})" for array, size in arrays.items()]
    declared.append(f"real(dp), intent(out) :: out({results})")
    size = solver_size(function)
    if size is not None:
        solved = [f"call axl_solve({size[0]}, {size[1]}, in, out)"]
        return procedure_text(name, [*arrays, "out"], [], declared, solved)
    notes = [f"The results are {comment_text(', '.join(function.outputs))}."]
    lines = function_lines(group, names, FORTRAN, LANGUAGE)
    return _procedure(name, [*arrays, "out"], notes, declared, lines)
