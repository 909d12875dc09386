"""One value of a tyre property file: a number, a text in quotation marks, or a bare word."""

from __future__ import annotations

import math
import re

from axletree.model.problems import shown

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
