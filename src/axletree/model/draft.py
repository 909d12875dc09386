"""Components and manoeuvres of a model file before they are made: each field by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import load, section, unknown_name
from axletree.library.frame import VALID_NAME
from axletree.model.declaration import Declared, declared_fields
from axletree.model.document import Entry
from axletree.model.part_file import located_part
from axletree.model.problems import Place, Problems, shown
from axletree.model.ready_made import with_ready_made

_KIND = re.compile(r"^[A-Z][A-Za-z0-9]*, (?=[a-z])")  # of a part, before its field

_GROUND_IS_NO_COMPONENT = (
    "the name 'ground' belongs to the inertial frame, which is there without being listed; its "
    "frames go to the key 'ground' at the top of the file, beside 'components': "
    "ground: {frames: {wall: [1, 0, 0]}}"
)


@dataclass(frozen=True)
class Group:
    """What stands by name under one key of the file."""

    key: str  # of the file
    section: str  # of the catalogue: what ``type`` may be
    valid_name: re.Pattern[str]
    advice: str  # what names are made of


COMPONENTS = Group("components", "COMPONENTS", VALID_NAME, "letters, digits and underscores")
MANOEUVRES = Group(
    "manoeuvres", "MANOEUVRES", re.compile(r"[A-Za-z][A-Za-z0-9_-]*"),
    "letters, digits, underscores and hyphens",
)  # fmt: skip


@dataclass(frozen=True)
class Draft:
    """A component or manoeuvre as the file writes it."""

    group: Group
    name: str
    word: str  # of the catalogue: "revolute"
    component_class: Any
    entry: Entry
    fields: Mapping[str, Declared]  # of the class, by key
    sound: bool  # every field that refers to nothing else is right

    @property
    def place(self) -> Place:
        return (self.group.key, self.name)

    def given(self) -> list[tuple[Declared, Entry]]:
        """The fields that the file gives, in its order."""
        items = self.entry.content.items()
        return [(self.fields[key], entry) for key, entry in items if key in self.fields]


def read_drafts(
    entry: Entry, folder: Path | None, problems: Problems, group: Group = COMPONENTS
) -> dict[str, Draft | None]:
    """The drafts by name; None for one that says too little to go on with.

    ``folder`` is where files that the drafts name are looked for.
    """
    if not isinstance(entry.content, dict) or not entry.content:
        text = f"expected {group.key} by name, got {shown(entry.plain)}"
        problems.add(entry.line, (group.key,), text)
        return {}
    items = entry.content.items()
    return {name: _draft(group, name, part, folder, problems) for name, part in items}


def _draft(
    group: Group, name: str, entry: Entry, folder: Path | None, problems: Problems
) -> Draft | None:
    place = (group.key, name)
    if name == "ground" and group is COMPONENTS:
        problems.add(entry.line, place, _GROUND_IS_NO_COMPONENT)
        return None
    if not group.valid_name.fullmatch(name):
        text = f"{name!r} is not a valid name; use {group.advice}, starting with a letter"
        problems.add(entry.line, place, text)
    if not isinstance(entry.content, dict):
        text = f"expected a mapping with the key 'type', got {shown(entry.plain)}"
        problems.add(entry.line, place, text)
        return None
    found = _class_of(group, entry, place, problems)
    if found is None:
        return None
    word, component_class = found
    merged = with_ready_made(entry, word, folder, place, problems)
    if merged is None:
        return None
    entry = merged
    fields = declared_fields(component_class)
    sound = _keys_are_right(word, entry, fields, place, problems)
    draft = Draft(group, name, word, component_class, entry, fields, sound)
    checked = {
        item.key: _checked_field(draft, item, value, folder, problems)
        for item, value in draft.given()
    }
    right = {key: value for key, value in checked.items() if value is not None}
    located = replace(entry, content={**entry.content, **right})
    return replace(draft, entry=located, sound=sound and len(right) == len(checked))


def _class_of(
    group: Group, entry: Entry, place: Place, problems: Problems
) -> tuple[str, Any] | None:
    types = section(group.section)
    if "type" not in entry.content:
        text = f"the key 'type' is missing; `axletree list {group.key}` shows them"
        problems.add(entry.line, place, text)
        return None
    given = entry.content["type"]
    word = str(given.plain)[:100]
    try:
        return word, load("type", word, types)
    except AxletreeError as error:
        problems.add(given.line, (*place, "type"), str(error))
        return None


def _keys_are_right(
    word: str, entry: Entry, fields: Mapping[str, Declared], place: Place, problems: Problems
) -> bool:
    known = ["type", *fields]
    strays = [key for key in entry.content if key not in known]
    for key in strays:
        text = str(unknown_name("key", key, known, f"a {word}"))
        problems.add(entry.content[key].line, (*place, key), text)
    missing = [item for item in fields.values() if item.required and item.key not in entry.content]
    for item in missing:
        unit = f" [{item.kind.unit}]" if item.kind.unit != "1" else ""
        text = f"the key {item.key!r} is missing: {item.kind.description}{unit}"
        problems.add(entry.line, place, text)
    return not strays and not missing


def _checked_field(
    draft: Draft, item: Declared, value: Entry, folder: Path | None, problems: Problems
) -> Entry | None:
    """The field's entry, its file located if it names one; None if something is wrong."""
    place = (*draft.place, item.key)
    if value.content is None:
        problems.add(value.line, place, "no value is given; give one or leave the key out")
        return None
    if item.is_reference:
        return value
    try:
        located = located_part(value, item.kind.section, folder)
        item.kind.check(located.plain)
    except ModelError as error:
        for text in error.problems:
            add_within(value, place, text, problems)
        return None
    return located


def add_within(entry: Entry, place: Place, text: str, problems: Problems) -> None:
    """A problem of a field; a text that begins with a key of it goes to that key's line."""
    text = _KIND.sub("", text)
    key, colon, rest = text.partition(": ")
    if colon and isinstance(entry.content, dict) and key in entry.content:
        add_within(entry.content[key], (*place, key), rest, problems)
    else:
        problems.add(entry.line, place, text)
