"""The layout of C text: functions, and lines that are not too long."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from axletree.code.text import used_names

WIDTH: Final = 100


def with_values(lines: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The lines, before them definitions of those named values that they use."""
    named = used_names("\n".join(lines), tuple(values))
    return [*(f"const double {name} = {values[name]};" for name in named), *lines]


def function_text(head: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
    used = set(used_names("\n".join(lines), arguments))
    unused = [f"(void){argument};" for argument in arguments if argument not in used]
    body = [text for line in (*lines, *unused) for text in wrapped(line)]
    return "\n".join([*_wrapped_head(head), "{", *body, "}", ""])


def _wrapped_head(head: str) -> list[str]:
    """Lines are broken between arguments, not within them."""
    held = ", ".join(argument.replace(" ", "\0") for argument in head.split(", "))
    return [line.replace("\0", " ") for line in wrapped(held, indent="")]


def wrapped(line: str, indent: str = "    ") -> list[str]:
    if line.startswith("#"):
        return [line]
    if len(line) + len(indent) <= WIDTH:
        return [indent + line]
    return textwrap.wrap(
        line,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
