"""Docstrings, classes and functions as Markdown."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Collection
from functools import cached_property
from typing import Any

WIDEST = 96  # characters of a signature on one line
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
SESSION = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


def doc(thing: Any) -> str:
    """The docstring as Markdown: parameters become a list, what can be run a block."""
    text = (inspect.getdoc(thing) or "").replace("``", "`")
    before, rule, rest = text.partition("\nParameters\n----------\n")
    if rule:
        listed, _, after = rest.partition("\n\n")
        text = "\n".join([before, "", *_parameters(listed), "", after]).rstrip()
    text = SECTION.sub(lambda match: f"{match[1]}:\n\n", text)
    return SESSION.sub(lambda match: f"```pycon\n{match[0]}\n```", text)


def _parameters(listed: str) -> list[str]:
    lines = listed.splitlines()
    return [li if li.startswith(" ") else "* `" + li.replace(":", "`:", 1) for li in lines]


def described(thing: Any, page: Collection[Any]) -> str:
    """A class with its members, or a function; what a class has of another that is on the same
    page is not said twice."""
    if not inspect.isclass(thing):
        return _function(thing, "###", thing.__name__)
    parts = [f"### {thing.__name__}\n", f"{doc(thing)}\n"]
    if dataclasses.is_dataclass(thing):
        names = [item.name for item in dataclasses.fields(thing)]
        parts.append("Fields: " + ", ".join(f"`{name}`" for name in names) + ".\n")
    known = [one for one in thing.__mro__[1:] if one in page]
    if known:
        links = ", ".join(f"[`{one.__name__}`](#{one.__name__.lower()})" for one in known)
        parts.append(f"It also has what {links} has.\n")
    return "\n".join([*parts, *_members(thing, known)])


def _members(kind: type, known: Collection[type]) -> list[str]:
    """Properties and methods that have a docstring other than in a class that is known."""
    parts = []
    for name, member in inspect.getmembers(kind):
        said = ["", *(doc(getattr(one, name)) for one in known if hasattr(one, name))]
        if name.startswith("_") or doc(member) in said:
            continue
        if isinstance(member, property | cached_property):
            parts.append(f"#### {name}\n\n{doc(member)}\n")
        elif inspect.isfunction(member) or inspect.ismethod(member):
            parts.append(_function(member, "####", name))
    return parts


def _function(function: Any, level: str, name: str) -> str:
    return f"{level} {name}\n\n```\n{_signature(function, name)}\n```\n\n{doc(function)}\n"


def _signature(function: Any, name: str) -> str:
    """On one line, or one argument per line where they are many."""
    signature = inspect.signature(function)
    parts: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts += [] if any(part.startswith("*") for part in parts) else ["*"]
        parts.append(_argument(parameter))
    result = f" -> {signature.return_annotation}"
    line = f"{name}({', '.join(parts)}){result}"
    if len(line) <= WIDEST:
        return line
    listed = "".join(f"    {part},\n" for part in parts)
    return f"{name}(\n{listed}){result}"


def _argument(parameter: inspect.Parameter) -> str:
    star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    text = f"{star}{parameter.name}"
    if parameter.annotation is not parameter.empty:
        text += f": {parameter.annotation}"
    if parameter.default is parameter.empty:
        return text
    shown = repr(parameter.default)
    tells = " at 0x" not in shown and "\n" not in shown  # an address and long arrays do not
    return f"{text} = {shown if tells else '...'}"
