"""The text of a tyre property file: sections, ``KEY = value`` lines and tables, with lines.

A ``$`` or a ``!`` outside quotes begins a comment. A line is a section's name in square
brackets, an assignment, the heads of a table in braces, or a row of numbers. Whatever is
none of these is a problem, and the problems are gathered. A value that is changed changes
nothing else of the text.

Coefficients of a formula (``PDX1``, ``QSX2``, ``LMUX``) are plain numbers to the file: they
belong to newtons, metres and radians whatever ``[UNITS]`` says, and are never converted.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from axletree.core.errors import ModelError
from axletree.core.files import package_table
from axletree.core.problems import Problems, shown
from axletree.core.units import parse_unit

MOST_PROBLEMS = 50
_LONGEST_NAME = 100  # characters of a key or a section

# Other names of sections, the words of units, and exponents of units by section and key.
TABLE = package_table("axletree.wheel.tyres", "tyre_files.toml")
_NUMBERS_ONLY = ("_COEFFICIENTS", "_RANGE")  # sections that end so hold nothing else

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.()/ -]*")


@dataclass(frozen=True)
class PropertyValue:
    """The value of a key, in the file's own units."""

    value: float | str
    line: int  # from 1
    span: tuple[int, int]  # where the value stands in its line, quotes included


@dataclass(frozen=True)
class PropertyTable:
    """Rows of numbers below one section's name, in the file's own units."""

    heads: tuple[str, ...]  # the words in braces; empty if there are none
    rows: tuple[tuple[float, ...], ...]
    line: int  # of the section's name


@dataclass(frozen=True)
class Content:
    """What stands in a file; names in upper case, sections under their usual names."""

    sections: Mapping[str, int]  # the line of each section's name
    entries: Mapping[tuple[str, str], PropertyValue]
    tables: Mapping[str, tuple[PropertyTable, ...]]
    units: Mapping[str, str]  # by quantity: LENGTH, FORCE, ...


def split_lines(text: str) -> list[str]:
    """The lines with their endings, of whichever kind; joined, they are the text."""
    return _LINE.findall(text)


def usual_name(section: str) -> str:
    """The name of a section in upper case, or the usual one if it is an alias."""
    name = "_".join(section.upper().split())
    usual: str = TABLE["aliases"].get(name, name)
    return usual


def check_names(*names: str) -> None:
    """Refuse names that no section or key can have."""
    for name in names:
        if not _is_name(name):
            raise ModelError(f"{shown(name)} is no name of a section or key; expected as in WIDTH")


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and len(text) <= _LONGEST_NAME


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
        self._entries: dict[tuple[str, str], PropertyValue] = {}
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
        self._entries[self._section, name] = PropertyValue(value, number, span)

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
        self._problems.raise_any()
        tables = {
            name: tuple(PropertyTable(t.heads, tuple(t.rows), t.line) for t in found if t.rows)
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


# One value of a tyre property file: a number, a text in quotation marks, or a bare word.

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][+-]?[0-9]{1,4})?")
_COMMENT = re.compile(r"[$!]")
_WORD = re.compile(r"[^\W\d].*")


def read_value(line: str, start: int) -> tuple[float | str, tuple[int, int]]:
    """The value that begins at or after ``start``, and its place in the line."""
    while start < len(line) and line[start].isspace():
        start += 1
    if line[start : start + 1] in ("'", '"'):
        end = line.find(line[start], start + 1) + 1
        if not end:
            raise ValueError(f"the quotation mark of {shown(line[start:])} is not closed")
        if without_comment(line[end:]).strip():
            raise ValueError(f"{shown(line[end:].strip())} after the value is no comment")
        return line[start + 1 : end - 1], (start, end)
    written = without_comment(line[start:]).rstrip()
    if not written:
        raise ValueError("the value is missing; an empty text is written ''")
    span = (start, start + len(written))
    if is_number(written):
        if not math.isfinite(number_of(written)):
            raise ValueError(f"{shown(written)} is too large for a number")
        return number_of(written), span
    if _WORD.fullmatch(written):
        return written, span
    raise ValueError(f"{shown(written)} is no number and no text in quotation marks")


def is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


def number_of(word: str) -> float:
    """Fortran's exponents, as in 1.5D+3, are read too."""
    return float(word.lower().replace("d", "e"))


def without_comment(text: str) -> str:
    """The text before the first ``$`` or ``!``; only for text that has no quotes before it."""
    found = _COMMENT.search(text)
    return text if found is None else text[: found.start()]


# Units of tyre property files: the words of ``[UNITS]``, and which key is of what dimension.
#
# Coefficients of a formula (``PDX1``, ``QSX2``, ``LMUX``) are plain numbers to the file: they
# belong to newtons, metres and radians whatever ``[UNITS]`` says, and are never converted.

SI_UNITS = {"LENGTH": "m", "FORCE": "N", "ANGLE": "rad", "MASS": "kg", "TIME": "s"}
SI_UNITS |= {"PRESSURE": "Pa"}

Dimension = Mapping[str, int]  # exponents by quantity of SI_UNITS


def dimension_of(section: str, key: str) -> Dimension:
    """Exponents of the units of a key; none for a plain number and for an unknown key."""
    exponents: Dimension = TABLE["dimensions"].get(section, {}).get(key, {})
    return exponents


def column_dimensions(section: str) -> tuple[Dimension, ...]:
    """The dimensions of a table's columns; empty for an unknown table."""
    return tuple(TABLE["columns"].get(section, ()))


def unit_of_word(quantity: str, word: str) -> str | None:
    """``("LENGTH", "millimeter")`` is "mm"; None for a word that is no such unit."""
    plain = word.strip().lower()
    words: Mapping[str, str] = TABLE["words"][quantity]
    return words.get(plain) or words.get(plain.removesuffix("s"))


def known_words(quantity: str) -> str:
    return ", ".join(TABLE["words"][quantity])


def si_factor(dimension: Dimension, units: Mapping[str, str]) -> Fraction:
    """How many SI units one unit of the file is, for a key of this dimension."""
    factor = Fraction(1)
    for quantity, exponent in dimension.items():
        factor *= parse_unit(units.get(quantity, SI_UNITS[quantity])).factor ** exponent
    return factor


_KEY_WIDTH = 24  # characters, where a file shows no width of its own


def replace_value(text: str, entry: PropertyValue, value: float | str) -> str:
    """The text with another value in the entry's place; its comment keeps its column."""
    lines = split_lines(text)
    line = lines[entry.line - 1]
    begin, end = entry.span
    after = line[end:]
    written = written_value(value)
    blanks = len(after) - len(after.lstrip(" "))
    if blanks < len(after.rstrip("\r\n")):  # a comment follows
        width = end - begin + blanks
        after = " " * max(width - len(written), 1) + after[blanks:]
    lines[entry.line - 1] = line[:begin] + written + after
    return "".join(lines)


def insert_value(text: str, content: Content, section: str, key: str, value: float | str) -> str:
    """The text with a new line at the end of the section, or with a new section at the end."""
    lines = split_lines(text)
    ending = _usual_ending(lines)
    new = f"{key.upper():<{_KEY_WIDTH}} = {written_value(value)}{ending}"
    if section in content.sections:
        last = max(
            (entry.line for (name, _), entry in content.entries.items() if name == section),
            default=content.sections[section],
        )
        addition = [new]
    else:
        last = len(lines)
        addition = [f"[{section}]{ending}", new]
    if last and not lines[last - 1].endswith(("\r", "\n")):
        lines[last - 1] += ending
    return "".join([*lines[:last], *addition, *lines[last:]])


def written_value(value: float | str) -> str:
    """A number with as many digits as it needs to be read back; a text in quotes."""
    if not isinstance(value, str):
        return repr(float(value))
    if any(character in value for character in "\r\n\0"):
        raise ModelError(f"{value!r} cannot stand in a tyre file: a text is one line")
    for mark in "'\"":
        if mark not in value:
            return f"{mark}{value}{mark}"
    raise ModelError(f"{value!r} cannot stand in a tyre file: it has both quotation marks")


def _usual_ending(lines: list[str]) -> str:
    """The most frequent line ending of the text."""
    endings = Counter(line[len(line.rstrip("\r\n")) :] for line in lines)
    endings.pop("", None)
    return endings.most_common(1)[0][0] if endings else "\n"
