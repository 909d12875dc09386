"""A program as a Fortran module, in free form.

Names of up to 63 characters ask for Fortran 2003; nothing else goes beyond Fortran 95. The
procedures work on arrays of their caller and keep nothing but tables.

The module comes first, then the layout of its text, and the dialect: how Fortran spells
operations, the small functions that it lacks, and its rules for names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from axletree.code.identifiers import (
    TITLES,
    comment_text,
    identifiers,
    quantities_of,
    quantity_comment,
    routine_purposes,
)
from axletree.code.printers.dialect import (
    ELEMENTARY,
    Dialect,
    Language,
    helper_functions,
    literals,
    spelled,
    used_names,
)
from axletree.code.printers.statements import (
    Assignment,
    Call,
    CodeLine,
    Names,
    Note,
    function_lines,
    routine_lines,
)
from axletree.code.program import CallGroup, Program, Routine
from axletree.code.routine_parts import LONGEST_PART, split_routine
from axletree.expr import Table
from axletree.expr.factorisation import solver_size

SIZES = {"x": "n_states", "u": "n_inputs", "p": "n_parameters", "y": "n_outputs"}


def print_fortran(
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
    names = Names.of(program, FORTRAN_LANGUAGE, "axl_", taken)
    printed = [
        text
        for routine in program.routines
        for text in _routine_texts(program, routine, names, longest_part)
    ]
    printed += [_called_text(group, names.functions[v], names) for v, group in names.groups.items()]
    printed += [table_text(table, table_name) for table, table_name in names.tables.items()]
    body = "\n".join([*printed, *more])
    small = [FORTRAN_FUNCTIONS[name] for name in used_names(body, tuple(FORTRAN_FUNCTIONS))]
    head = _head(program, name, index_lines, [*routines, *public])
    return "\n".join([*head, body, *small, f"end module {name}\n"])


def _head(
    program: Program, name: str, index_lines: Sequence[str], offered: Sequence[str]
) -> Iterator[str]:
    yield from FORTRAN_LANGUAGE.comments(f"{comment_text(program.name)}. All values in SI units.")
    yield f"module {name}"
    yield "  implicit none"
    yield "  private"
    yield "  integer, parameter, public :: dp = selected_real_kind(15, 307)"
    for array, quantities in quantities_of(program).items():
        yield f"  integer, parameter, public :: {SIZES[array]} = {len(quantities)}"
    yield f"  integer, parameter, public :: n_constants = {program.constants.size}"
    yield from index_lines
    yield from FORTRAN_LANGUAGE.lines(f"public :: {', '.join(offered)}", "  ")
    yield "contains\n"


def _indices(program: Program) -> tuple[list[str], list[str]]:
    """Where quantities stand in their arrays: ``ix_pin_angle``, and the names so made."""
    lines: list[str] = []
    found: list[str] = []
    for array, quantities in quantities_of(program).items():
        texts = identifiers(q.name for q in quantities)
        names = FORTRAN_LANGUAGE.names((f"i{array}_{texts[q.name]}" for q in quantities), found)
        if quantities:
            lines.append(f"  ! Places of the {TITLES[array]} in {array}.")
        for k, (name, quantity) in enumerate(zip(names.values(), quantities, strict=True), start=1):
            lines += FORTRAN_LANGUAGE.comments(quantity_comment(quantity), "  ")
            lines.append(f"  integer, parameter, public :: {name} = {k}")
            found.append(name)
    return lines, found


def _routine_texts(program: Program, routine: Routine, names: Names, longest: int) -> Iterator[str]:
    """A routine; where it is long, its parts, and a routine that calls them."""
    notes = [routine_purposes(program)[routine.name], f"{routine.operations}."]
    arguments = [*routine.arguments, routine.result]
    declared = _arguments(routine)
    if routine.statements <= longest:
        lines = routine_lines(routine, names, FORTRAN_DIALECT)
        yield _procedure(routine.name, arguments, notes, declared, lines)
        return
    parts, size = split_routine(routine, longest)
    scratch = f"real(dp), intent(inout) :: s({max(size, 1)})"
    inside = [text.replace("intent(out)", "intent(inout)") for text in declared]
    part_names = [f"axl_{routine.name}_part{k}" for k in range(1, len(parts) + 1)]
    calls = [f"call {name}({', '.join([*arguments, 's'])})" for name in part_names]
    start = [f"{routine.result} = 0.0_dp", "s = 0.0_dp"]
    held = [*declared, f"real(dp) :: s({max(size, 1)})"]
    yield procedure_text(routine.name, arguments, notes, held, [*start, *calls])
    for name, part in zip(part_names, parts, strict=True):
        lines = routine_lines(routine, names, FORTRAN_DIALECT, part)
        yield _procedure(name, [*arguments, "s"], [], [*inside, scratch], lines)


def _arguments(routine: Routine) -> list[str]:
    given_to_it = {
        array: str(sum(text.startswith(f"{array}[") for text in routine.references.values()))
        for array in ("w", "dz")
    }
    sizes = {**SIZES, "c": "n_constants", **given_to_it}
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
    lines: Sequence[CodeLine],
) -> str:
    scalars = [a.target for a in lines if isinstance(a, Assignment) and not a.is_entry]
    local = list(dict.fromkeys(scalars))
    for call in (line for line in lines if isinstance(line, Call)):
        local += [f"{call.given}({len(call.arguments)})"] if call.arguments else []
        local.append(f"{call.result}({call.results})")
    rows = (local[first : first + 5] for first in range(0, len(local), 5))
    own = [*declared, *(f"real(dp) :: {', '.join(row)}" for row in rows)]
    statements = [text for line in lines for text in _statements(line)]
    return procedure_text(name, arguments, notes, own, statements)


def _statements(line: CodeLine) -> Iterator[str]:
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
    lines = function_lines(group, names, FORTRAN_DIALECT, FORTRAN_LANGUAGE)
    return _procedure(name, [*arrays, "out"], notes, declared, lines)


_IN_STATEMENT: Final = 40  # values of a table in one statement: Fortran limits its lines


def procedure_text(
    name: str,
    arguments: Sequence[str],
    notes: Sequence[str],
    declared: Sequence[str],
    statements: Sequence[str],
) -> str:
    """A subroutine inside a module."""
    lines = [line for note in notes for line in FORTRAN_LANGUAGE.comments(note, "  ")]
    lines += FORTRAN_LANGUAGE.lines(f"subroutine {name}({', '.join(arguments)})", "  ")
    for text in (*declared, *statements):
        lines += FORTRAN_LANGUAGE.lines(text, "    ")
    return "\n".join([*lines, f"  end subroutine {name}", ""])


def table_text(table: Table, name: str) -> str:
    """A table as a function of one variable."""
    width, count = len(table.coefficients[0]), len(table.breakpoints)
    rows = [value for row in table.coefficients for value in row]
    lines = [
        f"  function {name}(v) result(r)",
        "    real(dp), intent(in) :: v",
        "    real(dp) :: r",
        "    integer :: k",
        f"    real(dp), save :: breaks({count}), rows({len(rows)})",
        *_data("breaks", table.breakpoints),
        *_data("rows", rows),
        f"    r = axl_lookup(v, {count}, {width}, breaks, rows)",
        f"  end function {name}",
        "",
    ]
    return "\n".join(lines)


def _data(array: str, values: Sequence[float]) -> Iterator[str]:
    for start in range(0, len(values), _IN_STATEMENT):
        chunk = values[start : start + _IN_STATEMENT]
        places = f"({array}(k), k = {start + 1}, {start + len(chunk)})"
        yield from FORTRAN_LANGUAGE.lines(
            f"data {places} / {', '.join(map(fortran_literal, chunk))} /", "    "
        )


fortran_literal: Final = literals("{}_dp", "huge(1.0_dp)")
FORTRAN_DIALECT: Final = Dialect(
    functions={
        **spelled((*ELEMENTARY, "abs")),
        "pow": "axl_power({0}, {1})",
        "sign": "axl_sign({0})",
        "min": "axl_min({0}, {1})",
        "max": "axl_max({0}, {1})",
        "lt": "merge(1.0_dp, 0.0_dp, {0} < {1})",
        "le": "merge(1.0_dp, 0.0_dp, {0} <= {1})",
    },
    where="merge({1}, {2}, {0})",
    number=fortran_literal,
    unequal="{0} /= {1}",
)

# What min and max of Fortran make of a NaN is left to the compiler. Here NaN in is NaN out.
FORTRAN_FUNCTIONS: Final = helper_functions("functions.f90")

# Fortran reserves no word; what a reader takes for a statement or an intrinsic is no name here.
_STATEMENTS: Final = (
    "allocatable allocate assign assignment associate backspace block call case character class "
    "close common complex contains continue cycle data deallocate default deferred dimension do "
    "double elemental else elseif elsewhere end enddo endif entry enum equivalence error exit "
    "external final flush forall format function generic go goto if implicit import in include "
    "inout inquire integer intent interface intrinsic kind len logical module namelist none "
    "nullify only open operator optional out parameter pass pause pointer precision print private "
    "procedure program protected public pure read real recursive result return rewind save select "
    "sequence stop subroutine target then to type use value volatile wait where while write"
)
_INTRINSICS: Final = (
    "abs acos aint anint asin atan atan2 ceiling cmplx conjg cos cosh dble dim dot_product epsilon "
    "exp exponent floor fraction huge index int log log10 matmul max maxloc maxval merge min "
    "minloc minval mod modulo nearest nint present product range reshape scale selected_real_kind "
    "shape sign sin sinh size spacing sqrt sum tan tanh tiny transfer transpose dp"
)
FORTRAN_LANGUAGE: Final = Language(
    name="Fortran",
    reserved=frozenset([*_STATEMENTS.split(), *_INTRINSICS.split(), *FORTRAN_FUNCTIONS]),
    case_matters=False,
    width=100,
    continued=" &",
    comment="!",
)
