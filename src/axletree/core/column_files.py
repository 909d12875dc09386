"""Columns of numbers from files of others: tables of text and MATLAB files, as people have them.

A table of text has a row of names above its numbers, and may have a row of units below the names,
or units in brackets behind them; lines above are passed over. Cells are parted by semicolons, tabs,
commas or spaces; where commas do not part them, they may be decimal commas. Dates and times of day
are seconds from the first. A cell without a number is NaN, and what that means is for the reader of
the column to say. Of columns that share a name the first is called name#1, the second name#2.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.core.problems import Problems, shown
from axletree.core.units import UnitError, parse_unit
from axletree.core.yaml_document import bytes_of

LARGEST_COLUMN_FILE = 512 * 1024 * 1024  # bytes
TEXT_SUFFIXES: Final = (".csv", ".txt", ".dat", ".tsv", ".asc")
_MOST_ALIKE = 3  # problems of one column that are listed, each with its line
_COMMENTS = ("#", "%", "//")
_MISSING = {"", "nan", "-nan", "na", "n/a", "null", "-"}
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")
# A unit at the end of a head, [rad/(N*m)] or (rad/(N*m)).
_WITH_UNIT = re.compile(r"(.*\S)\s*(?:\[([^\[\]]*)\]|\(((?:[^()]|\([^()]*\))*)\))\s*")
_BRACKETS = re.compile(r"[\[(](.*)[\])]")
_CLOCK = re.compile(r"(\d+):([0-5]\d):([0-5]\d(?:[.,]\d+)?)")  # hours, minutes, seconds
_DATE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:.*")
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # of spreadsheets


@dataclass(frozen=True, eq=False)
class FileColumn:
    """A column as it stands in a file.

    Example:
    >>> from pathlib import Path
    >>> from axletree.core.column_files import read_column_text
    >>> written = Path("drive.csv").write_text("t;v\\ns;km/h\\n0,0;36\\n0,1;72\\n")
    >>> speed = read_column_text(Path("drive.csv"))[1]
    >>> speed.name, speed.unit, speed.values.tolist()
    ('v', 'km/h', [36.0, 72.0])
    """

    name: str
    unit: str  # as it is written there; empty: the file does not say
    values: FloatArray  # NaN where there is none
    time: FloatArray | None = None  # its own, in seconds, where it does not share that of others


# Tables of text.


def read_column_text(path: Path) -> tuple[FileColumn, ...]:
    """The columns of a table of text; every problem of it with its line, in one ModelError."""
    problems = Problems(str(path))
    lines = _text_lines(path)
    if not lines:
        problems.stop(0, (), "the file is empty; expected a row of names above rows of numbers")
    separator = _separator(lines[-1][1])
    rows = [(line, _cells(text, separator)) for line, text in lines]
    comma = separator != "," and any(
        _DECIMAL_COMMA.fullmatch(cell) for _, cells in rows[-5:] for cell in cells
    )
    first = _first_of_table([cells for _, cells in rows], comma)
    if first is None:
        problems.stop(0, (), "no row of it holds numbers; is it a table?")
    width = len(rows[first][1])
    heads = [row for row in rows[:first] if len(row[1]) == width][-2:]
    if not heads:
        line = rows[first][0]
        problems.stop(line, (), f"no row above the first {width} numbers names the columns")
    names, units = _names_and_units([cells for _, cells in heads])
    clocks = [k for k, cell in enumerate(rows[first][1]) if _seconds(cell) is not None]
    table = _table(rows[first:], width, names, comma, problems)
    problems.raise_any()
    table[:, clocks] -= table[0, clocks]
    stated = ["s" if k in clocks else unit for k, unit in enumerate(units)]
    return tuple(
        FileColumn(name, unit, table[:, k])
        for k, (name, unit) in enumerate(zip(numbered_names(names), stated, strict=True))
        if name
    )


def numbered_names(names: Sequence[str]) -> list[str]:
    """With #1, #2 and so on behind those that stand there more than once.

    Example:
    >>> from axletree.core.column_files import numbered_names
    >>> numbered_names(["t", "force", "force"])
    ['t', 'force#1', 'force#2']
    """
    counts, seen = Counter(names), Counter[str]()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name}#{seen[name]}" if name and counts[name] > 1 else name)
    return found


def _first_of_table(rows: Sequence[list[str]], comma: bool) -> int | None:
    """The row in which numbers begin: below the names of as many columns as most rows have.

    A line above them may hold numbers, too, and a row of another length below them is a mistake.
    """
    has_numbers = [k for k, cells in enumerate(rows) if _has_numbers(cells, comma)]
    if not has_numbers:
        return None
    width = Counter(len(rows[k]) for k in has_numbers).most_common(1)[0][0]
    whole = next(k for k in has_numbers if len(rows[k]) == width)
    names = [k for k in range(whole) if len(rows[k]) == width and k not in has_numbers]
    return next(k for k in has_numbers if not names or k > names[-1])


def _text_lines(path: Path) -> list[tuple[int, str]]:
    """Numbered lines, without empty ones and comments."""
    content = bytes_of(path, str(path), LARGEST_COLUMN_FILE)
    is_wide = content.startswith(_WIDE)
    if b"\0" in content[:1000] and not is_wide:
        raise ModelError(f"{path}: this is a binary file; expected a table of text")
    try:
        text = content.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")  # degrees and such of older programs
    numbered = enumerate(text.splitlines(), start=1)
    return [(k, line) for k, line in numbered if line.strip(" \t;,") and not _is_comment(line)]


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(_COMMENTS)


def _separator(line: str) -> str:
    """By a line of numbers; empty for spaces."""
    for sign in ";\t":
        if sign in line:
            return sign
    words = line.split()
    if "," in line and not (len(words) > 1 and all(map(_DECIMAL_COMMA.fullmatch, words))):
        return ","
    return ""


def _cells(text: str, separator: str) -> list[str]:
    if not separator:
        return text.split()
    return [cell.strip() for cell in next(csv.reader([text], delimiter=separator))]


def _number(cell: str, comma: bool) -> float:
    if cell.lower() in _MISSING:
        return float("nan")
    seconds = _seconds(cell)
    if seconds is not None:
        return seconds
    return float(cell.replace(",", ".") if comma else cell)


def _seconds(cell: str) -> float | None:
    """Of a date with a time, or of a time of day; None if it is neither."""
    if _DATE.fullmatch(cell):
        try:
            # Without a zone it is taken as if in one: what counts is the time from the first.
            stamp = datetime.fromisoformat(cell.replace(",", "."))
            return (stamp - datetime(1970, 1, 1, tzinfo=stamp.tzinfo)).total_seconds()
        except ValueError:
            return None
    clock = _CLOCK.fullmatch(cell)
    if clock is None:
        return None
    hours, minutes, seconds = (float(part.replace(",", ".")) for part in clock.groups())
    return 3600.0 * hours + 60.0 * minutes + seconds


def _has_numbers(cells: Sequence[str], comma: bool) -> bool:
    """Whether a row is one of numbers: at least half of what stands in it. What is none among them
    is a mistake of that row, which is no row of names for it."""
    if _are_units(cells):  # 1 is a unit, too
        return False
    count = 0
    for cell in cells:
        try:
            count += bool(np.isfinite(_number(cell, comma)))
        except ValueError:
            continue
    return count > 0 and 2 * count >= sum(cell.lower() not in _MISSING for cell in cells)


def _names_and_units(heads: list[list[str]]) -> tuple[list[str], list[str]]:
    *above, last = heads
    if above and _are_units(last):
        bare = [_BRACKETS.fullmatch(cell) for cell in last]
        return above[0], [m[1].strip() if m else c for m, c in zip(bare, last, strict=True)]
    matches = [_WITH_UNIT.fullmatch(cell) for cell in last]
    names = [m[1] if m else cell for m, cell in zip(matches, last, strict=True)]
    return names, [(m[2] or m[3] or "").strip() if m else "" for m in matches]


def _are_units(cells: Sequence[str]) -> bool:
    """Whether a row below names is one of units: at least half of its words are units."""
    words = [cell.strip("[]() ") for cell in cells]
    known = [word for word in words if word in _NO_UNIT or _is_unit(word)]
    return 2 * len(known) >= len(words) and any(word not in _NO_UNIT for word in known)


_NO_UNIT = ("", "-", "none", "1")
# What loggers and rigs write for units that have another spelling here. Temperatures are told as
# units by it, no more: nothing reads them.
UNIT_SPELLINGS: Final[Mapping[str, str]] = {
    "sec": "s", "kph": "km/h", "N-m": "N*m", "ft-lb": "ft*lbf", "m/sec": "m/s",
    "deg/sec": "deg/s", "degC": "K", "deg C": "K", "degF": "K", "deg F": "K",
}  # fmt: skip


def _is_unit(word: str) -> bool:
    try:
        parse_unit(UNIT_SPELLINGS.get(word, word))
    except UnitError:
        return False
    return True


def _table(
    rows: Sequence[tuple[int, list[str]]],
    width: int,
    names: Sequence[str],
    comma: bool,
    problems: Problems,
) -> FloatArray:
    table = np.full((len(rows), width), np.nan)
    alike: dict[str, list[int]] = {}  # lines with problems, by the column they are in
    for k, (line, cells) in enumerate(rows):
        if len(cells) != width:
            kind, complaint = "", f"{len(cells)} values for {width} columns"
        else:
            try:
                table[k] = [_number(cell, comma) for cell in cells]
            except ValueError:
                kind, complaint = _no_number(cells, names, comma)
            else:
                continue
        alike.setdefault(kind, []).append(line)
        if len(alike[kind]) <= _MOST_ALIKE:
            problems.add(line, (), complaint)
    for lines in alike.values():
        if len(lines) > _MOST_ALIKE:
            rest = len(lines) - _MOST_ALIKE
            problems.add(lines[_MOST_ALIKE], (), f"the same here, and in {rest} lines in all")
    return table


def _no_number(cells: Sequence[str], names: Sequence[str], comma: bool) -> tuple[str, str]:
    """The column, and what is to be said."""
    for cell, name in zip(cells, names, strict=True):
        try:
            _number(cell, comma)
        except ValueError:
            return name, f"{shown(cell)} in column {shown(name)} is no number{_hint(cell)}"
    raise AssertionError("a row that was no row of numbers is one")


def _hint(cell: str) -> str:
    if "," not in cell:
        return ""
    if "." in cell[cell.rindex(",") :]:
        return "; are there commas between thousands?"
    return "; is it a decimal comma among points?"


# MATLAB files.

_TIME_FIELDS, _VALUE_FIELDS = ("time", "t"), ("data", "values", "value", "signals")


def read_matlab_columns(path: Path) -> tuple[FileColumn, ...]:
    """Vectors of a MATLAB file, at its top or in structs, each by its name there.

    A struct ``run`` as trajectories have it, a struct with ``time`` and ``data`` for each channel,
    and a struct ``channel`` with ``name`` and ``units``, as tyre rigs have it, are understood.

    Example:
    >>> from pathlib import Path
    >>> from scipy.io import savemat
    >>> from axletree.core.column_files import read_matlab_columns
    >>> savemat("rig.mat", {"SA": [0.0, 1.0], "channel": {"name": ["SA"], "units": ["deg"]}})
    >>> [(one.name, one.unit) for one in read_matlab_columns(Path("rig.mat"))]
    [('SA', 'deg')]
    """
    from scipy.io import loadmat

    if not path.is_file():
        raise ModelError(f"{path}: there is no such file")
    try:
        content: dict[str, Any] = loadmat(path, simplify_cells=True)
    except NotImplementedError:
        raise ModelError(
            f"{path}: this is a MATLAB file of version 7.3, which is HDF5; save it by "
            "save(..., '-v7'), or as a table of text"
        ) from None
    except Exception as error:  # what damaged files lead to has no common kind
        raise ModelError(f"{path}: cannot be read as a MATLAB file: {error}") from None
    found = tuple(_vectors(content))
    if not found:
        raise ModelError(f"{path}: there are no vectors of numbers in it")
    return found


def _vectors(content: Mapping[str, Any], prefix: str = "") -> Iterator[FileColumn]:
    units = _channel_units(content.get("channel"))
    for name, value in content.items():
        if name.startswith("__"):
            continue
        if isinstance(value, dict):
            yield from _of_struct(prefix + name, value)
        elif (vector := _vector(value)) is not None:
            yield FileColumn(prefix + name, units.get(name, ""), vector)


def _of_struct(name: str, struct: Mapping[str, Any]) -> Iterator[FileColumn]:
    if {"time", "data", "names", "units"} <= set(struct):
        yield from _of_run(struct)
        return
    time = next((_vector(struct[f]) for f in _TIME_FIELDS if f in struct), None)
    values = next((_vector(struct[f]) for f in _VALUE_FIELDS if f in struct), None)
    if time is not None and values is not None and len(time) == len(values):
        yield FileColumn(name, str(struct.get("unit", struct.get("units", ""))), values, time)
    else:
        yield from _vectors(struct, f"{name}.")


def _of_run(struct: Mapping[str, Any]) -> Iterator[FileColumn]:
    names, units = (list(np.atleast_1d(struct[key])) for key in ("names", "units"))
    time = np.asarray(struct["time"], dtype=float).ravel()
    data = np.asarray(struct["data"], dtype=float).reshape(len(time), -1)
    yield FileColumn("time", "s", time)
    for k, (name, unit) in enumerate(zip(names, units, strict=True)):
        yield FileColumn(str(name), str(unit), data[:, k])


def _channel_units(channel: Any) -> dict[str, str]:
    if not isinstance(channel, dict) or not {"name", "units"} <= set(channel):
        return {}
    names, units = (np.atleast_1d(channel[key]).tolist() for key in ("name", "units"))
    return {str(name): str(unit) for name, unit in zip(names, units, strict=False)}


def _vector(value: Any) -> FloatArray | None:
    array = np.asarray(value)
    if array.dtype.kind not in "fiu" or array.size < 2 or array.size != max(array.shape):
        return None
    return array.astype(float).ravel()
