"""Components and manoeuvres of a model file: drafts, of which each field is checked by itself, and
components made of them, references resolved in whatever order the file has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from axletree.components.bodies import FramedBody, MasslessBody
from axletree.components.fields import VALID_NAME
from axletree.components.file_entries import FRAME_WORD, Declared, declared_fields, located_part
from axletree.components.joints import Joint
from axletree.components.signals import MOTION, SIGNAL, names_in
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.problems import KeyPath, Problems, shown
from axletree.core.registry import load, section, unknown_name
from axletree.core.yaml_document import Entry
from axletree.model.model import Model
from axletree.model_files.included_files import with_ready_made

_KIND = re.compile(r"^[A-Z][A-Za-z0-9]*, (?=[a-z])")  # of a part, before its field

_GROUND_IS_NO_COMPONENT = (
    "the name 'ground' belongs to the inertial frame, which is there without being listed; its "
    "frames go to the key 'ground' at the top of the file, beside 'components': "
    "ground: {frames: {wall: [1, 0, 0]}}"
)


@dataclass(frozen=True)
class DraftGroup:
    """What stands by name under one key of the file."""

    key: str  # of the file
    section: str  # of the catalogue: what ``type`` may be
    valid_name: re.Pattern[str]
    advice: str  # what names are made of


COMPONENT_GROUP = DraftGroup(
    "components", "COMPONENTS", VALID_NAME, "letters, digits and underscores"
)
MANOEUVRE_GROUP = DraftGroup(
    "manoeuvres", "MANOEUVRES", re.compile(r"[A-Za-z][A-Za-z0-9_-]*"),
    "letters, digits, underscores and hyphens",
)  # fmt: skip


@dataclass(frozen=True)
class Draft:
    """A component or manoeuvre as the file writes it."""

    group: DraftGroup
    name: str
    word: str  # of the catalogue: "revolute"
    component_class: Any
    entry: Entry
    fields: Mapping[str, Declared]  # of the class, by key
    sound: bool  # every field that refers to nothing else is right

    @property
    def place(self) -> KeyPath:
        return (self.group.key, self.name)

    def given(self) -> list[tuple[Declared, Entry]]:
        """The fields that the file gives, in its order."""
        items = self.entry.content.items()
        return [(self.fields[key], entry) for key, entry in items if key in self.fields]


def read_drafts(
    entry: Entry, folder: Path | None, problems: Problems, group: DraftGroup = COMPONENT_GROUP
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
    group: DraftGroup, name: str, entry: Entry, folder: Path | None, problems: Problems
) -> Draft | None:
    place = (group.key, name)
    if name == "ground" and group is COMPONENT_GROUP:
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
    group: DraftGroup, entry: Entry, place: KeyPath, problems: Problems
) -> tuple[str, Any] | None:
    types = section(group.section)
    if "type" not in entry.content:
        text = f"the key 'type' is missing; `axletree list {group.key}` shows them"
        problems.add(entry.line, place, text)
        return None
    given = entry.content["type"]
    word = str(given.plain)[:100]
    with problems.gathered(given.line, (*place, "type")):
        return word, load("type", word, types)
    return None


def _keys_are_right(
    word: str, entry: Entry, fields: Mapping[str, Declared], place: KeyPath, problems: Problems
) -> bool:
    known = ["type", *fields]
    strays = [key for key in entry.content if key not in known]
    for key in strays:
        unknown = unknown_name("key", key, known, f"a {word}")
        problems.add(entry.content[key].line, (*place, key), unknown)
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


def add_within(entry: Entry, place: KeyPath, text: str, problems: Problems) -> None:
    """A problem of a field; a text that begins with a key of it goes to that key's line."""
    text = _KIND.sub("", text)
    key, colon, rest = text.partition(": ")
    if colon and isinstance(entry.content, dict) and key in entry.content:
        add_within(entry.content[key], (*place, key), rest, problems)
    else:
        problems.add(entry.line, place, text)


_LONGEST_NAME = 200  # characters of a reference


def connect(model: Model, drafts: Mapping[str, Draft | None], problems: Problems) -> None:
    """Add a component for each draft, those that it refers to before it."""
    for name in _order(drafts, problems):
        draft = drafts[name]
        if draft is not None:
            _connect_one(model, draft, drafts, problems)


def _order(drafts: Mapping[str, Draft | None], problems: Problems) -> list[str]:
    """The file's order, but what a component refers to comes before it."""
    done: dict[str, None] = {}
    for first in drafts:
        # The path from `first` down, each with the references that are still to be visited.
        path = [(first, _references(drafts[first], drafts))]
        while path:
            name, rest = path[-1]
            following = next((other for other in rest if other not in done), None)
            names = [step for step, _ in path]
            if following is None:
                path.pop()
                done[name] = None
            elif following in names:
                _add_cycle([*names[names.index(following) :], following], drafts, problems)
            else:
                path.append((following, _references(drafts[following], drafts)))
    return list(done)


def _references(draft: Draft | None, drafts: Mapping[str, Draft | None]) -> Iterator[str]:
    if draft is None:
        return
    for item, value in draft.given():
        if not isinstance(value.content, str):
            continue
        named = [value.content] if item.is_reference else []
        if item.kind.word in (SIGNAL, MOTION):
            named = names_in(value.content)
        targets = (name.partition(".")[0] for name in named)
        yield from (target for target in targets if target in drafts)


def _add_cycle(names: list[str], drafts: Mapping[str, Draft | None], problems: Problems) -> None:
    draft = drafts[names[0]]
    assert draft is not None  # a draft without content refers to nothing
    text = f"the references run in a circle: {' - '.join(names)}"
    problems.add(draft.entry.line, draft.place, text)


def _connect_one(
    model: Model, draft: Draft, drafts: Mapping[str, Draft | None], problems: Problems
) -> None:
    values: dict[str, Any] = {}
    complete = draft.sound
    for item, entry in draft.given():
        if not item.is_reference:
            values[item.field] = entry.plain
            continue
        try:
            values[item.field] = _target(model, item, entry.plain, drafts)
        except ModelError as error:
            problems.add(entry.line, (*draft.place, item.key), str(error))
        complete = complete and values.get(item.field) is not None
    if not complete:
        return
    try:
        model.add(draft.component_class(draft.name, **values))
    except ModelError as error:
        for text in error.problems:
            _add_own(draft, text, problems)


def _add_own(draft: Draft, text: str, problems: Problems) -> None:
    """What a component says of itself begins with its name, which the place has already."""
    own = text.removeprefix(f"{draft.name}: ")
    for item, entry in draft.given():
        prefix = f"{draft.name}.{item.field}: "
        if text.startswith(prefix):
            problems.add(entry.line, (*draft.place, item.key), text.removeprefix(prefix))
            return
    problems.add(draft.entry.line, draft.place, own)


def _target(model: Model, item: Declared, value: Any, drafts: Mapping[str, Draft | None]) -> Any:
    """The frame or component; None where it has problems of its own."""
    if item.kind.word == FRAME_WORD:
        return _frame(model, value, drafts)
    if not isinstance(value, str) or len(value) > _LONGEST_NAME:
        raise ModelError(f"expected the name of a joint, got {shown(value)}")
    if value not in drafts and value not in model:
        known = [draft.name for draft in drafts.values() if draft and _suits(item, draft, model)]
        raise ModelError(str(unknown_name("component", value, known, "this model")))
    return next((component for component in model if component.name == value), None)


def _suits(item: Declared, draft: Draft, model: Model) -> bool:
    """Whether a field may name this component, as one of its class between two frames tells."""
    if not issubclass(draft.component_class, Joint):
        return False
    try:
        item.kind.check(draft.component_class(draft.name, model.ground, MasslessBody("body")))
    except (AxletreeError, TypeError):  # the field wants others, or the class has more to be given
        return False
    return True


def _frame(model: Model, value: Any, drafts: Mapping[str, Draft | None]) -> Any:
    if not isinstance(value, str) or len(value) > _LONGEST_NAME:
        raise ModelError(f"expected a frame such as ground, rod or rod.tip, got {shown(value)}")
    name, _, label = value.partition(".")
    draft = drafts.get(name)
    if name != "ground" and name not in drafts and name not in model:
        known = ["ground", *_bodies(drafts)]
        raise ModelError(str(unknown_name("body", name, known, "this model")))
    if draft is not None and not issubclass(draft.component_class, FramedBody):
        raise ModelError(f"{name} is a {draft.word}, which has no frames; name a body or ground")
    if name != "ground" and name not in model:
        _check_label(label, draft)
        return None
    body = model.ground if name == "ground" else model[name]
    if not isinstance(body, FramedBody):
        raise ModelError(f"{name} has no frames; name a body or ground")
    return body.frame(label) if label else body.main_frame


def _check_label(label: str, draft: Draft | None) -> None:
    """That a body which could not be made would have this frame."""
    frames = draft.entry.content.get("frames") if draft is not None else None
    if frames is None or not isinstance(frames.content, dict) or not label:
        return
    if label not in frames.content:
        listed = ", ".join(frames.content) or "none"
        raise ModelError(f"the body has no frame called {label!r}; its frames: {listed}")


def _bodies(drafts: Mapping[str, Draft | None]) -> list[str]:
    return [
        name
        for name, draft in drafts.items()
        if draft is not None and issubclass(draft.component_class, FramedBody)
    ]
