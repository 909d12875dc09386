"""Components and parts as entries of files: their keys, files of their own, values as text.

- ``declared_fields``: what may stand in an entry, by what a class declares about its fields.
- ``located_part``: parts may stand in files of their own. A path is relative to the file that names
  it and stays within its folder, or within the libraries that the user of the machine names:
  whoever sends a model cannot make it read elsewhere.
- ``written_part``: a part as a file writes it.
"""

from __future__ import annotations

import dataclasses
import enum
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, dataclass, replace
from functools import lru_cache, partial
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any

from axletree.components.contract import Component
from axletree.components.fields import PARTS, FieldKind, Part, kind_of, part_word
from axletree.components.frames import Frame
from axletree.components.signals import TIME, Constant, Curve, Input, TimeFunction, TimeTable
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.problems import shown
from axletree.core.registry import few_names, file_endings, file_readers, load, section
from axletree.core.yaml_document import Entry
from axletree.expr import Expr, symbols_of
from axletree.expr.text import parse_expression, to_text

LONGEST_EXPRESSION = 2000  # operations

FRAME_WORD, COMPONENT_WORD = "frame", "component"  # kinds of field that refer to others

_KEYS = {"frames_at": "frames"}  # fields that have another name in the file


@dataclass(frozen=True)
class Declared:
    """One field of a component, as the file knows it."""

    key: str  # in the file
    field: str  # of the class
    kind: FieldKind
    default: Any  # MISSING where the field is required

    @property
    def required(self) -> bool:
        return self.default is MISSING

    @property
    def is_reference(self) -> bool:
        return self.kind.word in (FRAME_WORD, COMPONENT_WORD)


def declared_fields(component_class: Any) -> dict[str, Declared]:
    """The fields of a component's class by their keys, required ones first."""
    found = []
    for item in dataclasses.fields(component_class):
        kind = kind_of(item)
        if kind is None or not item.init:
            continue
        default = item.default if item.default_factory is MISSING else item.default_factory()
        found.append(Declared(_KEYS.get(item.name, item.name), item.name, kind, default))
    return {item.key: item for item in sorted(found, key=lambda item: not item.required)}


def spelled_out(entry: Entry, catalogue_section: str) -> Entry:
    """A path alone, such as ``my.tir``, as ``{type: property-file, file: my.tir}``."""
    if not isinstance(entry.content, str):
        return entry
    word = file_endings(catalogue_section).get(PurePath(entry.content).suffix.lower())
    if word is None:
        return entry
    return replace(entry, content={"type": replace(entry, content=word), "file": entry})


def located_part(entry: Entry, catalogue_section: str, folder: Path | None) -> Entry:
    """The entry of a part or of several, with every ``file`` in it led back to the folder of
    the file that it stands in."""
    if isinstance(entry.content, list):
        several = [located_part(one, catalogue_section, folder) for one in entry.content]
        return replace(entry, content=several)
    entry = spelled_out(entry, catalogue_section)
    content = entry.content
    if not isinstance(content, dict) or "type" not in content:
        return entry
    word = content["type"].plain
    if word in list(file_readers(catalogue_section)) and "file" in content:
        file = content["file"]
        path = located_file(file.plain, folder)
        return replace(entry, content={**content, "file": replace(file, content=str(path))})
    within = {
        key: located_part(content[key], inner, folder)
        for key, inner in _sections_within(word, catalogue_section).items()
        if key in content
    }
    return replace(entry, content={**content, **within}) if within else entry


def _sections_within(word: object, catalogue_section: str) -> dict[str, str]:
    """The fields of a part that hold parts themselves, with their sections of the catalogue."""
    words = section(catalogue_section) if catalogue_section else {}
    if not isinstance(word, str) or word not in words:
        return {}
    fields = declared_fields(load("part", word, words)).items()
    return {key: item.kind.section for key, item in fields if item.kind.section}


LIBRARIES = "AXLETREE_PATH"  # folders, as $PATH lists them, that a user lets models read from


def library_folders() -> list[Path]:
    """Folders that the user of this machine names: files in them may be used by any model."""
    return list(_folders_of(os.environ.get(LIBRARIES, "")))


@lru_cache(maxsize=8)
def _folders_of(listed: str) -> tuple[Path, ...]:
    """The folders of a list; those that are not there are warned of, once for each list."""
    named = [folder for folder in listed.split(os.pathsep) if folder.strip()]
    folders = tuple(Path(os.path.expanduser(folder)) for folder in named)
    missing = [str(folder) for folder in folders if not os.path.isdir(folder)]
    if missing:
        warnings.warn(
            f"${LIBRARIES} names {few_names(missing)}, where there is no folder; expected folders "
            f"of tyres, roads or models, separated by {os.pathsep!r}",
            stacklevel=2,
        )
    return folders


def located_file(name: object, folder: Path | None) -> Path:
    """The path of a file beside a model or below, or in a library that the user names.

    ``folder`` is that of the model, None for one that has none. What a model names by a relative
    path is looked for beside it first, then in the libraries in their order.
    """
    if not isinstance(name, str) or not name:
        raise ModelError(f"file: expected a path, got {shown(name)}")
    libraries = library_folders()
    if folder is None and not libraries:
        raise ModelError(f"file: {shown(name)} cannot be found: this model has no folder")
    allowed = [*([] if folder is None else [folder]), *libraries]
    try:
        inside = [
            place / name for place in allowed
            if (place / name).resolve().is_relative_to(place.resolve())
        ]  # fmt: skip
        found = next((path for path in inside if path.exists()), None)
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(f"file: {shown(name)} is no path: {error}") from None
    if not inside:
        raise ModelError(
            f"file: {shown(name)} is outside the folder of the model; put the file beside the "
            f"model, or below, and give its path from there, or name its folder by ${LIBRARIES} or "
            "--library"
        )
    path = found or inside[0]
    if (located := _LOCATED.get()) is not None:
        located.append(path)
    return path


_LOCATED: ContextVar[list[Path] | None] = ContextVar("located", default=None)


@contextmanager
def located_files() -> Iterator[list[Path]]:
    """The paths that are located meanwhile, in a list that grows."""
    found: list[Path] = []
    token = _LOCATED.set(found)
    try:
        yield found
    finally:
        _LOCATED.reset(token)


def written_field(value: Any, where: str) -> Any:
    """A field's value as the file writes it."""
    match value:
        case Frame() | Component():
            return value.name
        case bool():
            return value
        case enum.Enum():
            return value.value
        case Constant():
            return value.value
        case Input(value=0.0):
            return "input"
        case Input():
            raise ModelError(f"{where}: the level of an input cannot be written to a file")
        case TimeFunction():
            return written_expression(value.expression, where)
        case TimeTable():
            kind = {} if value.kind is None else {"kind": value.kind.value}
            return {"times": list(value.times), "values": list(value.values), **kind}
        case Curve():
            return {"x": list(value.x), "y": list(value.y), "kind": value.kind.value}
        case str() | float() | int() | None:
            return value
        case Expr():
            return written_expression(value, where)
        case Part():
            return written_fields(value, where)
        case Mapping():
            return {name: written_field(part, f"{where}.{name}") for name, part in value.items()}
        case Sequence():
            return [written_field(part, where) for part in value]
    raise ModelError(f"{where}: {value!r} cannot be written to a file")


def written_part(
    part: Part, where: str, catalogue_section: str, *, defaults: bool = False
) -> dict[str, Any]:
    """A part as a file writes it: its type, and the fields that are not as they are by default.

    With ``defaults`` those, too, as nothing else says which they were.
    """
    return {"type": part_word(part, catalogue_section), **written_fields(part, where, defaults)}


Writers = Mapping[str, Callable[[Any], Any]]  # by kinds of field


def written_fields(
    owner: Any, where: str, defaults: bool = False, writers: Writers = MappingProxyType({})
) -> dict[str, Any]:
    """Those that are not as they are by default; of a piece, all that a file has of it.

    ``writers`` are for kinds of field that are written otherwise than by ``written_field``.
    """
    content: dict[str, Any] = {}
    for item in declared_fields(type(owner)).values():
        name, held = f"{where}.{item.field}", getattr(owner, item.field)
        usual = not (item.required or defaults)
        if isinstance(held, Input) and usual and held == item.kind.check(item.default):
            continue  # its level has no words of its own
        if item.kind.section:
            written, default = _written_parts(owner, item, name, defaults)
        else:
            write = writers.get(item.kind.word) or partial(written_field, where=name)
            written = write(held)
            default = None if item.required else write(item.kind.check(item.default))
        if item.required or defaults or written != default:
            content[item.key] = written
    return content


def _written_parts(owner: Any, item: Declared, where: str, defaults: bool) -> tuple[Any, Any]:
    """A field of one part or of several as the file writes it, and its default likewise."""
    held, section_name = getattr(owner, item.field), item.kind.section
    if item.kind.word == PARTS:
        rows = [written_part(one, where, section_name, defaults=defaults) for one in held]
        return rows, []
    given = held, None if item.required else item.default
    written, default = (
        None if one is None else written_part(one, where, section_name, defaults=defaults)
        for one in given
    )
    return written, default


def written_expression(expression: Expr, where: str) -> str:
    """The expression as text, checked by reading it again."""
    text = to_text(expression, LONGEST_EXPRESSION)
    known = {found.name: found for found in symbols_of([expression])}
    try:
        same = parse_expression(text, {TIME.name: TIME, **known}) == expression
    except AxletreeError:
        same = False
    if not same:
        raise ModelError(f"{where}: the expression {text} cannot be written to a file")
    return text
