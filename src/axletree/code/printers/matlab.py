"""A program as MATLAB functions, one to a file; GNU Octave reads them, too.

Every function works on column vectors of its caller and keeps nothing but tables. What the
routines call lies in files beside them, named with the prefix of the model.

The functions come first, then the dialect: how MATLAB spells operations, the small functions
that it lacks, and its rules for names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from axletree.code.identifiers import array_lines, comment_text, quantities_of, routine_purposes
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
from axletree.expr import Table
from axletree.expr.factorisation import solver_size

_SHOWN = {"constants": "p", "rhs": "xu", "outputs": "xuy", "project": "xu"}


def print_matlab(program: Program, prefix: str = "model") -> dict[str, str]:
    """The texts of the files ``<prefix>_rhs.m`` and so on, by name."""
    routines = [f"{prefix}_{routine.name}" for routine in program.routines]
    names = Names.of(program, MATLAB_LANGUAGE, f"{prefix}_", routines)
    texts = {
        name: _routine_text(program, routine, name, names)
        for name, routine in zip(routines, program.routines, strict=True)
    }
    for variant, group in names.groups.items():
        name = names.functions[variant]
        texts[name] = _called_text(group, name, names)
    texts |= {name: _table_text(table, name) for table, name in names.tables.items()}
    return {f"{name}.m": text for name, text in texts.items()}


def matlab_function_text(head: str, notes: Sequence[str], statements: Sequence[str]) -> str:
    """A file: the function, and the small ones that it uses."""
    comments = [line for note in notes for line in MATLAB_LANGUAGE.comments(note)]
    body = [line for text in statements for line in MATLAB_LANGUAGE.lines(text, "    ")]
    small = used_names("\n".join(statements), tuple(MATLAB_FUNCTIONS))
    text = "\n".join([*MATLAB_LANGUAGE.lines(head, ""), *comments, *body, "end", ""])
    return "\n".join([text, *(MATLAB_FUNCTIONS[name] for name in small)])


def _routine_text(program: Program, routine: Routine, name: str, names: Names) -> str:
    arguments = ", ".join(routine.arguments)
    purpose = routine_purposes(program)[routine.name]
    notes = [f"{name.upper()} {purpose}", f"  {comment_text(program.name)}, in SI units."]
    if "c" in routine.arguments:
        prefix = name.removesuffix(routine.name)
        notes.append(f"  t: time [s]; c: constants, from {prefix}constants(p)")
    for array in _SHOWN.get(routine.name, ""):
        notes += [f"  {line}" for line in array_lines(array, quantities_of(program)[array])]
    notes.append(f"  {routine.operations}")
    statements = [_statement(line) for line in routine_lines(routine, names, MATLAB_DIALECT)]
    statements.insert(0, f"{routine.result} = zeros({routine.size}, 1);")
    return matlab_function_text(
        f"function {routine.result} = {name}({arguments})", notes, statements
    )


def _statement(line: CodeLine) -> str:
    match line:
        case Note(text):
            return f"% {text}"
        case Assignment(target, value):
            return f"{target} = {value};"
        case Call(result, _, function, _, arguments, prepared):
            given = f"[{'; '.join(arguments)}]"
            if prepared is not None:
                first, last, stride = prepared
                given += f", c({first}:{stride}:{last})"
            return f"{result} = {function}({given});"


def _called_text(group: CallGroup, name: str, names: Names) -> str:
    function = group.function
    size = solver_size(function)
    if size is not None:
        return _solver_text(name, *size)
    results = ", ".join(function.outputs)
    notes = [f"{name.upper()} The results are {comment_text(results)}."]
    lines = function_lines(group, names, MATLAB_DIALECT, MATLAB_LANGUAGE)
    statements = [f"out = zeros({len(function.outputs)}, 1);", *map(_statement, lines)]
    arguments = "in, prepared" if group.prepared else "in"
    return matlab_function_text(f"function out = {name}({arguments})", notes, statements)


def _solver_text(name: str, size: int, columns: int) -> str:
    return matlab_function_text(
        f"function out = {name}(in)",
        [f"{name.upper()} x with A x = B: the rows of A, then the columns of B."],
        [
            f"A = reshape(in(1:{size**2}), {size}, {size}).';",
            f"B = reshape(in({size**2 + 1}:{size * (size + columns)}), {size}, {columns});",
            f"out = reshape(A \\ B, {size * columns}, 1);",
        ],
    )


def _table_text(table: Table, name: str) -> str:
    width = len(table.coefficients[0])
    return matlab_function_text(
        f"function value = {name}(v)",
        [f"{name.upper()} A piecewise polynomial; the rows hold coefficients from power 0 up."],
        [
            "persistent breaks rows",
            "if isempty(breaks)",
            f"    breaks = [{'; '.join(matlab_literal(v) for v in table.breakpoints)}];",
            f"    rows = [{'; '.join(_row(row) for row in table.coefficients)}];",
            "end",
            "row = sum(v >= breaks);",
            "along = v - breaks(max(row, 1));",
            f"value = rows(row + 1, {width});",
            f"for k = {width - 1}:-1:1",
            "    value = value*along + rows(row + 1, k);",
            "end",
            "if isnan(v)",
            "    value = v;",
            "end",
        ],
    )


def _row(row: Sequence[float]) -> str:
    return ", ".join(matlab_literal(value) for value in row)


def assignment_lines(array: str, values: Sequence[float]) -> Iterator[str]:
    """Statements that give an array its values."""
    yield f"{array} = zeros({len(values)}, 1);"
    for k, value in enumerate(values, start=1):
        yield f"{array}({k}) = {matlab_literal(value)};"


matlab_literal: Final = literals("{}", "Inf")

# A root of a negative number is complex in MATLAB; here it is NaN, as in C.
_MAY_BE_COMPLEX: Final = ("sqrt", "log", "asin", "acos")
MATLAB_DIALECT: Final = Dialect(
    functions={
        **spelled((*ELEMENTARY, "abs", "sign")),
        **{name: f"axl_real({name}({{0}}))" for name in _MAY_BE_COMPLEX},
        "pow": "axl_real(({0})^({1}))",
        "min": "axl_min({0}, {1})",
        "max": "axl_max({0}, {1})",
        "lt": "double({0} < {1})",
        "le": "double({0} <= {1})",
    },
    where="axl_where({0}, {1}, {2})",
    number=matlab_literal,
    unequal="{0} ~= {1}",
)

# The functions min and max of MATLAB hide a NaN. Here NaN in is NaN out.
MATLAB_FUNCTIONS: Final = helper_functions("functions.m")

_KEYWORDS: Final = (
    "arguments break case catch classdef continue else elseif end enumeration events for function "
    "global if methods otherwise parfor persistent properties return spmd switch try while do "
    "end_try_catch end_unwind_protect endfor endfunction endif endparfor endswitch endwhile until "
    "unwind_protect unwind_protect_cleanup"
)
_FUNCTIONS: Final = (
    "Inf NaN abs acos ans asin atan atan2 cos cosh double eps exp false isempty isnan isreal log "
    "max min numel ones persistent pi reshape sign sin sinh size sqrt sum tan tanh true zeros"
)
MATLAB_LANGUAGE: Final = Language(
    name="MATLAB",
    reserved=frozenset([*_KEYWORDS.split(), *_FUNCTIONS.split(), *MATLAB_FUNCTIONS]),
    case_matters=True,
    width=100,
    continued=" ...",
    comment="%",
)
