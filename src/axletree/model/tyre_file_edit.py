"""Changed values in the text of a tyre property file; every other character stays."""

from __future__ import annotations

from collections import Counter

from axletree.core.errors import ModelError
from axletree.model.tyre_file_text import Content, Entry, split_lines

_KEY_WIDTH = 24  # characters, where a file shows no width of its own


def replace_value(text: str, entry: Entry, value: float | str) -> str:
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
