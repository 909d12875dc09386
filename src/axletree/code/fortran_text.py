"""The layout of Fortran text: procedures, declarations, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from axletree.code.fortran_dialect import LANGUAGE, literal
from axletree.core.expr import Table

_IN_STATEMENT: Final = 40  # values of a table in one statement: Fortran limits its lines


def procedure_text(
    name: str,
    arguments: Sequence[str],
    notes: Sequence[str],
    declared: Sequence[str],
    statements: Sequence[str],
) -> str:
    """A subroutine inside a module."""
    lines = [line for note in notes for line in LANGUAGE.comments(note, "  ")]
    lines += LANGUAGE.lines(f"subroutine {name}({', '.join(arguments)})", "  ")
    for text in (*declared, *statements):
        if text.startswith("!"):
            lines += LANGUAGE.comments(text[2:], "    ")
        else:
            lines += LANGUAGE.lines(text, "    ")
    return "\n".join([*lines, f"  end subroutine {name}", ""])


def declarations(names: Sequence[str]) -> Iterator[str]:
    """Local variables; an array has its size in brackets."""
    for start in range(0, len(names), 5):
        yield f"real(dp) :: {', '.join(names[start : start + 5])}"


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
        yield from LANGUAGE.lines(f"data {places} / {', '.join(map(literal, chunk))} /", "    ")
