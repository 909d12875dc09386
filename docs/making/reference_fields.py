"""Components, parts and pieces as Markdown: a table of fields each, with units and links."""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Callable, Mapping
from typing import Any

from reference_python import doc

from axletree.components.fields import FieldKind, Part, kind_of
from axletree.core.registry import load

MANY_FIELDS = 40
HEADS = ("field", "kind", "unit", "default", "")
MEASURED = ("parameter", "number", "vector", "signal", "motion", "inertia")  # also without a unit
Place = Callable[[FieldKind], str]  # where what a field holds is described, or ""


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(_cell(c) for c in row) + " |" for row in lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def index(things: Mapping[str, str]) -> str:
    """The things of a section with their words in model files."""
    rows = []
    for name in things:
        kind = load("entry", name, things)
        rows.append((f"[`{kind.__name__}`](#{anchor(kind)})", f"`{name}`", kind.summary))
    return table(("class", "type in model files", ""), rows)


def anchor(kind: type) -> str:
    return kind.__name__.lower()


def entry(name: str, things: Mapping[str, str], place: Place) -> str:
    """Its docstring and fields; fields that an earlier entry has are not said twice."""
    kind = load("entry", name, things)
    rows = _fields(kind, place)
    before = [load("entry", other, things) for other in list(things)[: list(things).index(name)]]
    like = next((k for k in reversed(before) if _mostly(rows, _fields(k, place))), None)
    text = f"### {kind.__name__}\n\n{doc(kind)}\n"
    if like is not None:
        known = _fields(like, place)
        absent = [row[0] for row in known if row[0] not in {field for field, *_ in rows}]
        text += f"\nFields as of [`{like.__name__}`](#{anchor(like)})"
        text += f", without {', '.join(absent)}" if absent else ""
        rows = [row for row in rows if row not in known]
        text += "; and:\n" if rows else ".\n"
    return text + (f"\n{table(HEADS, rows)}" if rows else "")


def piece(kind: type, place: Place) -> str:
    return f"### {kind.__name__}\n\n{doc(kind)}\n\n{table(HEADS, _fields(kind, place))}"


def pieces_of(kind: type) -> list[type]:
    """A piece and those that stand in it, from the outside inward."""
    kinds = [found for item in dataclasses.fields(kind) if (found := kind_of(item)) is not None]
    held = [found.holds for found in kinds if found.holds is not None]
    inner = [kind, *(inner for one in held for inner in pieces_of(one))]
    return list(dict.fromkeys(inner))


def _mostly(rows: list[tuple[str, ...]], known: list[tuple[str, ...]]) -> bool:
    return len(rows) > MANY_FIELDS and len(set(rows) & set(known)) > len(rows) / 2


def _fields(kind: type, place: Place) -> list[tuple[str, ...]]:
    declared = [item for item in dataclasses.fields(kind) if item.init]
    return [row for item in declared if (row := _field(item, place)) is not None]


def _field(item: dataclasses.Field[Any], place: Place) -> tuple[str, ...] | None:
    kind = kind_of(item)
    if kind is None:
        return None
    word = f"one of {', '.join(kind.choices)}" if kind.choices else kind.word
    target = place(kind)
    bounds = _bounds(kind)
    unit = kind.unit if kind.unit != "1" or kind.word in MEASURED else ""
    text = f"{kind.description} ({bounds})" if bounds else kind.description
    return f"`{item.name}`", f"[{word}]({target})" if target else word, unit, _default(item), text


def _bounds(kind: FieldKind) -> str:
    parts = []
    if kind.lower > -math.inf:
        parts.append(f"{'greater than' if kind.above else 'at least'} {kind.lower:g}")
    if kind.upper < math.inf:
        parts.append(f"at most {kind.upper:g}")
    return ", ".join(parts)


def _default(item: dataclasses.Field[Any]) -> str:
    if item.default is dataclasses.MISSING:
        if item.default_factory is dataclasses.MISSING:
            return ""
        made = item.default_factory()
        if not isinstance(made, Part):
            return "none"
        return f"`{type(made).__name__}()`" if made == type(made)() else f"`{made}`"
    value = item.default
    if isinstance(value, enum.Enum):
        return str(value.value)
    if dataclasses.is_dataclass(value):
        return "an input"
    return str(value)
