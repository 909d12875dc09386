"""The text before the data of an OpenCRG file: its numbers, with the lines that they stand in.

The reader of the reference implementation takes from a value what looks like a number and 0
where nothing does, without a word. So values are looked at here before it reads the file.
A ``$`` begins and ends a section, a ``*`` a line of comment, a ``!`` a comment up to the end
of the line; ``$$$$`` begins the data.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from axletree.core.errors import ModelError
from axletree.model.problems import Problems, shown

INCREMENT: Final = "reference_line_increment"
START_U, END_U = "reference_line_start_u", "reference_line_end_u"
ENDS: Final = ("reference_line_end_x", "reference_line_end_y")

_NUMBERS_IN: Final = ("$ROAD_CRG", "$ROAD_CRG_OPTS", "$ROAD_CRG_MODS")
_CHANNELS: Final = "$KD_DEFINITION"
_COMMENTS: Final = "$CT"
_POSITIVE: Final = (INCREMENT, "long_section_v_increment")
_FORMAT: Final = re.compile(r"[KL][RD][FB]I?")
_LONGEST_HEADER: Final = 1 << 24  # bytes


@dataclass(frozen=True)
class HeaderNumber:
    """A value of the header, in SI units."""

    value: float
    line: int  # from 1


def read_header(path: Path) -> Mapping[str, HeaderNumber]:
    """The numbers of the header by their keys in lower case; what is none is an error."""
    problems, found = Problems(str(path)), dict[str, HeaderNumber]()
    for line, section, text in _lines(path):
        key, assigned, written = (word.strip() for word in text.partition("="))
        if section in _NUMBERS_IN and assigned:
            value = _number(written)
            positive = key.lower() in _POSITIVE
            if value is None or (positive and value <= 0.0):
                wanted = "a positive number" if positive else "a number"
                problems.add(line, (), f"{key} = {shown(written)}: expected {wanted}")
            else:
                found[key.lower()] = HeaderNumber(value, line)
        elif section == _CHANNELS:
            _check_channel(problems, line, text)
    problems.raise_any()
    return found


def _lines(path: Path) -> Iterator[tuple[int, str, str]]:
    """Lines of sections that say something: number, section in upper case, text."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_LONGEST_HEADER)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    section = ""
    for number, raw in enumerate(head.split(b"\n"), start=1):
        text = raw.decode("latin-1").partition("!")[0].strip()
        if text.startswith("$$$$"):
            return
        if text.startswith("$"):
            section = text.split()[0].upper()
        elif text and not text.startswith("*") and section not in ("", "$", _COMMENTS):
            yield number, section, text


def _check_channel(problems: Problems, line: int, text: str) -> None:
    """A line of the data's format, of the distances along, or of one column of data."""
    kind, _, rest = text.partition(":")
    words = [word.strip() for word in rest.split(",")]
    if kind == "#" and not _FORMAT.match(words[0].upper()):
        problems.add(
            line, (), f"{shown(text)} is no format of data; expected #:LRFI, LDFI, KRBI or KDBI"
        )
    written = words[2:4] if kind.upper() == "U" else []
    _, at, place = words[0].partition("=")
    written += [place.strip()] if at else []
    for word in written:
        if _number(word) is None:
            problems.add(line, (), f"{shown(text)}: {shown(word)} is no number")


def _number(text: str) -> float | None:
    """Of a text that is a finite number from its first to its last character."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None
