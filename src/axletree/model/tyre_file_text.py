"""The text of a tyre property file: sections, ``KEY = value`` lines and tables, with lines.

A ``$`` or a ``!`` outside quotes begins a comment. A line is a section's name in square
brackets, an assignment, the heads of a table in braces, or a row of numbers. Whatever is
none of these is a problem, and the problems are gathered.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from axletree.core.errors import ModelError
from axletree.model.problems import Problems, shown
from axletree.model.tyre_file_units import SI_UNITS, dimension_of, known_words, unit_of_word
from axletree.model.tyre_file_value import is_number, number_of, read_value, without_comment

MOST_PROBLEMS = 50
LONGEST_NAME = 100  # characters of a key or a section

# Other names under which a section is found.
_ALIASES = {
    name: f"{name}_COEFFICIENTS"
    for name in (
        "SCALING", "LONGITUDINAL", "OVERTURNING", "LATERAL", "ROLLING", "ALIGNING", "TURNSLIP",
    )
}  # fmt: skip
_ALIASES |= {
    "DIMENSIONS": "DIMENSION",
    "TIRE_CONDITIONS": "OPERATING_CONDITIONS",
    "TYRE_CONDITIONS": "OPERATING_CONDITIONS",
    "PARAMETERS": "PARAMETER",
    "INCLINATION_SLIP_RANGE": "INCLINATION_ANGLE_RANGE",
    "ROLLING_RESISTANCE_COEFFICIENTS": "ROLLING_COEFFICIENTS",
}
_NUMBERS_ONLY = ("_COEFFICIENTS", "_RANGE")  # sections that end so hold nothing else

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.()/ -]*")


@dataclass(frozen=True)
class Entry:
    """The value of a key, in the file's own units."""

    value: float | str
    line: int  # from 1
    span: tuple[int, int]  # where the value stands in its line, quotes included


@dataclass(frozen=True)
class Table:
    """Rows of numbers below one section's name, in the file's own units."""

    heads: tuple[str, ...]  # the words in braces; empty if there are none
    rows: tuple[tuple[float, ...], ...]
    line: int  # of the section's name


@dataclass(frozen=True)
class Content:
    """What stands in a file; names in upper case, sections under their usual names."""

    sections: Mapping[str, int]  # the line of each section's name
    entries: Mapping[tuple[str, str], Entry]
    tables: Mapping[str, tuple[Table, ...]]
    units: Mapping[str, str]  # by quantity: LENGTH, FORCE, ...


def split_lines(text: str) -> list[str]:
    """The lines with their endings, of whichever kind; joined, they are the text."""
    return _LINE.findall(text)


def usual_name(section: str) -> str:
    """The name of a section in upper case, or the usual one if it is an alias."""
    name = "_".join(section.upper().split())
    return _ALIASES.get(name, name)


def check_names(*names: str) -> None:
    """Refuse names that no section or key can have."""
    for name in names:
        if not _is_name(name):
            raise ModelError(f"{shown(name)} is no name of a section or key; expected as in WIDTH")


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and len(text) <= LONGEST_NAME


def parse_text(text: str, file: str) -> Content:
    """Read a text; raises a ModelError that names every problem with its line."""
    parser = _Parser(file)
    for number, line in enumerate(split_lines(text), start=1):
        parser.take(number, line.rstrip("\r\n"))
    return parser.finish()


class _Parser:
    def __init__(self, file: str) -> None:
        self._problems = Problems(file)
        self._count = 0
        self._section = ""
        self._sections: dict[str, int] = {}
        self._entries: dict[tuple[str, str], Entry] = {}
        self._tables: dict[str, list[_OpenTable]] = {}

    def report(self, line: int, text: str) -> None:
        self._count += 1
        if self._count > MOST_PROBLEMS:
            self._problems.stop(
                line, (), f"more than {MOST_PROBLEMS} problems; is this a tyre property file?"
            )
        self._problems.add(line, (), text)

    def take(self, number: int, line: str) -> None:
        content = line.strip().lstrip("\ufeff")
        if not content or content[0] in "$!":
            return
        if content[0] == "[":
            self._take_header(number, content)
        elif "=" in without_comment(line):
            self._take_assignment(number, line)
        else:
            self._take_row(number, without_comment(content).strip())

    def _take_header(self, number: int, content: str) -> None:
        name, closed, rest = content[1:].partition("]")
        name = name.strip()
        if not closed or not _is_name(name):
            self.report(number, f"{shown(content)} is no section; expected a name as in [UNITS]")
        elif without_comment(rest).strip():
            self.report(number, f"{shown(rest.strip())} after the section's name is no comment")
        else:
            self._section = usual_name(name)
            self._sections.setdefault(self._section, number)
            self._tables.setdefault(self._section, []).append(_OpenTable(number))

    def _take_assignment(self, number: int, line: str) -> None:
        key, _, _ = line.partition("=")
        name = key.strip().lstrip("\ufeff").upper()
        if not _is_name(name):
            self.report(number, f"{shown(key.strip())} before '=' is no key; expected as in WIDTH")
            return
        try:
            value, span = read_value(line, len(key) + 1)
        except ValueError as error:
            self.report(number, f"{name}: {error}")
            return
        if not self._section:
            self.report(number, f"{name} stands before the first section, such as [MODEL]")
            return
        first = self._entries.get((self._section, name))
        if first is not None:
            self.report(
                number, f"{name} is given twice in [{self._section}], first in line {first.line}"
            )
            return
        self._entries[self._section, name] = Entry(value, number, span)

    def _take_row(self, number: int, content: str) -> None:
        words = content.strip("{}").split()
        if content.startswith("{") and self._section:
            if not content.endswith("}"):
                self.report(number, f"{shown(content)}: the heads are not closed by '}}'")
            else:
                self._tables[self._section][-1].heads = tuple(words)
        elif not self._section or not all(is_number(word) for word in words):
            self.report(
                number,
                f"cannot read {shown(content)}; expected [SECTION], KEY = value, numbers of a "
                "table, or a comment that begins with $ or !",
            )
        elif self._section.endswith(_NUMBERS_ONLY):
            self.report(number, f"{shown(content)} has no key; expected KEY = value")
        else:
            self._take_numbers(number, [number_of(word) for word in words])

    def _take_numbers(self, number: int, row: list[float]) -> None:
        table = self._tables[self._section][-1]
        if not all(math.isfinite(value) for value in row):
            self.report(number, "a number in this row is too large")
        elif table.rows and len(row) != len(table.rows[0]):
            self.report(
                number,
                f"a row of {len(row)} in a table of {len(table.rows[0])} columns"
                f" ([{self._section}])",
            )
        else:
            table.rows.append(tuple(row))

    def finish(self) -> Content:
        if not self._sections:
            self.report(0, "no section was found; a tyre property file has lines like [UNITS]")
        units = self._units()
        for (section, key), entry in self._entries.items():
            numeric = section.endswith(_NUMBERS_ONLY) or dimension_of(section, key)
            if numeric and isinstance(entry.value, str):
                self.report(entry.line, f"{key} = {shown(entry.value)}: expected a number")
        self._problems.raise_any()
        tables = {
            name: tuple(Table(t.heads, tuple(t.rows), t.line) for t in found if t.rows)
            for name, found in self._tables.items()
        }
        return Content(self._sections, self._entries, tables, units)

    def _units(self) -> dict[str, str]:
        units = dict(SI_UNITS)
        for quantity in SI_UNITS:
            entry = self._entries.get(("UNITS", quantity))
            if entry is None:
                continue
            unit = unit_of_word(quantity, entry.value) if isinstance(entry.value, str) else None
            if unit is None:
                self.report(
                    entry.line,
                    f"{quantity} = {shown(entry.value)} is no unit that is known; "
                    f"expected one of {known_words(quantity)}",
                )
            else:
                units[quantity] = unit
        return units


class _OpenTable:
    def __init__(self, line: int) -> None:
        self.line = line
        self.heads: tuple[str, ...] = ()
        self.rows: list[tuple[float, ...]] = []
