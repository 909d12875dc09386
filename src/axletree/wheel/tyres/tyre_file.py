"""Tyre property files (``.tir``): read and written without loss, values by section and key.

The text is kept as it is, with comments, order, unknown sections and line endings; what
is written back differs where a value was changed and nowhere else.

Which law a file is for follows from ``FITTYP`` and ``PROPERTY_FILE_FORMAT``. Neither key tells
alone: MF-Tyre numbers its formulas by FITTYP, in which 6 is version 5.2; Adams names the format,
and its PAC2002 files carry no FITTYP, or 5, or 6.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from axletree.core.errors import ModelError, as_model_error
from axletree.core.files import whole_file
from axletree.core.problems import shown
from axletree.core.registry import unknown_name
from axletree.core.yaml_document import bytes_of, check_size
from axletree.wheel.tyres.tyre_file_text import (
    TABLE,
    Content,
    Dimension,
    check_names,
    column_dimensions,
    dimension_of,
    insert_value,
    parse_text,
    replace_value,
    si_factor,
    usual_name,
)

LARGEST_TYRE_FILE = 1024 * 1024  # bytes; a file with every known coefficient has about 30 KiB

_KEY_ALIASES = {"IP": "INFLPRES", "IP_NOM": "NOMPRES"}


@dataclass(frozen=True)
class TyreTable:
    """A table of a tyre file in SI units; of a table that is not known, as it stands."""

    heads: tuple[str, ...]  # as the file names its columns; empty if it does not
    rows: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class TyreFile:
    """A tyre property file; sections and keys are found in any case and under aliases."""

    name: str  # for messages: the path
    text: str
    encoding: str = "utf-8"
    content: Content = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", parse_text(self.text, self.name))

    def __contains__(self, place: tuple[str, str]) -> bool:
        """Whether the file has this (section, key)."""
        return _place(*place) in self.content.entries

    def value(self, section: str, key: str) -> float | str:
        """A number in SI units, or a text. A key that is not known is not converted."""
        place = _place(section, key)
        if place not in self.content.entries:
            raise self._missing(*place)
        value = self.content.entries[place].value
        return value if isinstance(value, str) else self._to_si(value, dimension_of(*place))

    def number(self, section: str, key: str) -> float:
        """A value that has to be a number, in SI units."""
        value = self.value(section, key)
        if isinstance(value, str):
            line = self.content.entries[_place(section, key)].line
            raise ModelError(f"{self.name}, line {line}: {key} = {value!r}: expected a number")
        return value

    def table(self, section: str) -> TyreTable:
        """The one table of a section, in SI units."""
        name = usual_name(section)
        found = self.content.tables.get(name, ())
        if len(found) != 1:
            lines = " and ".join(str(table.line) for table in found)
            what = f"{len(found)} tables, in lines {lines}" if found else "no table"
            raise ModelError(f"{self.name}: [{name}] has {what}; expected one")
        dimensions = column_dimensions(name)
        if dimensions and len(found[0].rows[0]) != len(dimensions):
            raise ModelError(
                f"{self.name}, line {found[0].line}: [{name}] has {len(found[0].rows[0])} columns; "
                f"expected {len(dimensions)}"
            )
        units = dimensions or ({},) * len(found[0].rows[0])
        rows = (
            tuple(self._to_si(value, unit) for value, unit in zip(row, units, strict=True))
            for row in found[0].rows
        )
        return TyreTable(found[0].heads, tuple(rows))

    @property
    def format(self) -> TyreFormat:
        """The law that the file is for; an error if the file does not tell."""
        entries = [self.content.entries.get(("MODEL", key)) for key in FORMAT_KEYS]
        with as_model_error(f"{self.format_place}: "):
            return recognised_format(*(None if e is None else e.value for e in entries))

    @property
    def format_place(self) -> str:
        """Where the file tells its law, for messages: the line, if it does."""
        entries = (self.content.entries.get(("MODEL", key)) for key in FORMAT_KEYS)
        lines = [f", line {entry.line}" for entry in entries if entry is not None]
        return f"{self.name}{''.join(lines[:1])}, [MODEL]"

    def coefficients(self, needed: Collection[str] = ()) -> dict[str, float]:
        """Every number of the sections that a formula reads, in SI units, by upper-case key.

        A text in the place of a number is passed over, unless its key is needed.
        """
        found: dict[str, tuple[str, float]] = {}
        problems = []
        for (section, key), entry in self.content.entries.items():
            name = _KEY_ALIASES.get(key, key)
            if section not in TABLE["formula_sections"]:
                continue
            if isinstance(entry.value, str):
                if name in needed:
                    problems.append(
                        f"{self.name}, line {entry.line}: {key} = {shown(entry.value)}: expected a "
                        "number"
                    )
                continue
            value = self.number(section, key)
            other, known = found.setdefault(name, (section, value))
            if known != value:
                problems.append(
                    f"{self.name}, line {entry.line}: {key} is {value:g} in [{section}] but "
                    f"{known:g} in [{other}]; a formula needs one of them"
                )
        if problems:
            raise ModelError(problems)
        return {name: value for name, (_, value) in found.items()}

    def passed_over(self) -> dict[str, list[str]]:
        """Keys of numbers in sections that are not known, by section: no formula reads them."""
        known = {*TABLE["formula_sections"], *TABLE["other_sections"]}
        found: dict[str, list[str]] = {}
        for (section, key), entry in self.content.entries.items():
            if section not in known and not isinstance(entry.value, str):
                found.setdefault(section, []).append(key)
        return found

    def with_value(self, section: str, key: str, value: float | str) -> TyreFile:
        """The file with another value, in SI units; a new key goes to the end of its section."""
        place = _place(section, key)
        entry = self.content.entries.get(place)
        if entry is not None and self.value(*place) == value:
            return self
        if not isinstance(value, str):
            value = self._from_si(value, place)
        check_names(*place)
        if entry is not None:
            return replace(self, text=replace_value(self.text, entry, value))
        return replace(self, text=insert_value(self.text, self.content, *place, value))

    def _to_si(self, value: float, dimension: Dimension) -> float:
        return self._scaled(value, si_factor(dimension, self.content.units))

    def _from_si(self, value: float, place: tuple[str, str]) -> float:
        if not math.isfinite(value):
            raise ModelError(f"{self.name}: {'.'.join(place)} = {value} is not a finite number")
        return self._scaled(value, 1 / si_factor(dimension_of(*place), self.content.units))

    def _scaled(self, value: float, factor: Fraction) -> float:
        # From the decimal digits, not the float: 2.2 bar is 220000 Pa exactly.
        try:
            return value if factor == 1 else float(Fraction(repr(value)) * factor)
        except OverflowError:
            raise ModelError(f"{self.name}: {value:g} is too large for its unit") from None

    def _missing(self, section: str, key: str) -> ModelError:
        known = [name for part, name in self.content.entries if part == section]
        if section not in self.content.sections:
            error = unknown_name("section", section, self.content.sections, self.name)
        else:
            error = unknown_name("key", key, known, f"[{section}] of {self.name}")
        return ModelError(str(error))


def new_tyre_file(name: str, sections: Mapping[str, Mapping[str, float | str]]) -> TyreFile:
    """A file with these values, in SI units, and a [UNITS] section that says so."""
    opening: dict[str, Mapping[str, float | str]] = TABLE["new_file"]
    file = TyreFile(name, "[MDI_HEADER]\n")
    for section, values in (opening | dict(sections)).items():
        for key, value in values.items():
            file = file.with_value(section, key, value)
    return file


def read_tyre_file(path: str | Path) -> TyreFile:
    """Read a file; every problem of it is named with its line, in one ModelError."""
    content = bytes_of(Path(path), str(path), LARGEST_TYRE_FILE)
    return tyre_file_from_bytes(content, str(path))


def tyre_file_from_bytes(content: bytes, name: str) -> TyreFile:
    """The file of these bytes: UTF-8, or else Latin-1, in which every byte is a character."""
    check_size(content, name, LARGEST_TYRE_FILE)
    if b"\0" in content:
        line = content[: content.index(b"\0")].count(b"\n") + 1
        raise ModelError(f"{name}, line {line}: a zero byte; is it a binary file, or UTF-16?")
    try:
        return TyreFile(name, content.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return TyreFile(name, content.decode("latin-1"), "latin-1")


def write_tyre_file(file: TyreFile, path: str | Path) -> None:
    """Write the file; bytes that were read come back as they were."""
    try:
        content = file.text.encode(file.encoding)
    except UnicodeEncodeError as error:
        character = file.text[error.start]
        raise ModelError(f"{path}: {character!r} cannot be written in {file.encoding}") from None
    with whole_file(path) as stream:
        stream.write(content)


def _place(section: str, key: str) -> tuple[str, str]:
    return usual_name(section), key.strip().upper()


class TyreFormat(enum.Enum):
    """The laws whose parameters stand in property files."""

    MF50 = "Magic Formula 5.0"
    MF52 = "Magic Formula 5.2"
    PAC2002 = "PAC2002"
    MF61 = "Magic Formula 6.1"
    MF62 = "Magic Formula 6.2"
    FIALA = "Fiala"


FORMAT_KEYS = ("FITTYP", "PROPERTY_FILE_FORMAT")  # of the section [MODEL]
_BY_NUMBER = {
    5: TyreFormat.MF50,
    6: TyreFormat.MF52,
    52: TyreFormat.MF52,
    61: TyreFormat.MF61,
    62: TyreFormat.MF62,
}
_BY_NAME = {"PAC2002": TyreFormat.PAC2002, "FIALA": TyreFormat.FIALA, "MF_05": TyreFormat.MF50}
# Names that say only whose file it is: the number decides.
_NAMES_WITHOUT_LAW = {"", "USER", "MF_05", "MF-TYRE", "MF_TYRE", "MF-SWIFT", "MF_SWIFT"}
_PAC2002_NUMBERS = {None, 5, 6, 52}


def recognised_format(number: float | str | None, name: float | str | None) -> TyreFormat:
    """The law of a file with these values of FITTYP and PROPERTY_FILE_FORMAT (None: absent)."""
    word = "" if name is None else str(name).strip().upper()
    found = f"FITTYP is {_shown(number)} and PROPERTY_FILE_FORMAT is {_shown(name)}"
    if number is not None and number not in _BY_NUMBER:
        read = {key: law for key, law in _BY_NUMBER.items() if law is not TyreFormat.MF50}
        known = ", ".join(f"{key} ({law.value})" for key, law in read.items())
        raise ModelError(f"{found}: this FITTYP is not known; expected one of {known}")
    if word == "PAC2002" and number not in _PAC2002_NUMBERS:
        raise ModelError(f"{found}: the two contradict each other; PAC2002 goes with 5, 6 or none")
    if number is not None and word in _NAMES_WITHOUT_LAW:
        return _BY_NUMBER[int(number)]
    if word in _BY_NAME:
        return _BY_NAME[word]
    raise ModelError(
        f"{found}: these do not identify the law; expected a FITTYP among "
        f"{', '.join(map(str, _BY_NUMBER))}, or a format among {', '.join(_BY_NAME)}"
    )


def _shown(value: float | str | None) -> str:
    if value is None:
        return "absent"
    return f"{value:g}" if isinstance(value, float) else repr(value[:40])
