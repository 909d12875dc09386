"""From the entries of a model file to a model, with every problem reported at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from axletree.components.bodies import Ground
from axletree.components.fields import VALID_NAME, checked_name
from axletree.components.frames import checked_acceleration, checked_frames
from axletree.core.errors import ModelError
from axletree.core.problems import Problems, shown
from axletree.core.registry import load, section, unknown_name
from axletree.core.yaml_document import Entry, read_document
from axletree.model.model import Model
from axletree.model_files.declaration import TOP_LEVEL
from axletree.model_files.drafts import add_within, connect, read_drafts
from axletree.model_files.included_files import entry_of, merged, with_base
from axletree.model_files.settings import read_manoeuvres, read_plots, read_settings


def build_model(
    text: str,
    file: str,
    stem: str,
    folder: Path | None = None,
    changes: Mapping[str, Any] | None = None,
) -> Model:
    """The model that the text of a file describes.

    ``file`` is how messages call it, ``stem`` the name of a model that has none, and
    ``folder`` where it is, for files that it names. ``changes`` come before what the file says.
    """
    problems = Problems(file)
    document = with_base(read_document(text, problems), folder, problems)
    if changes:
        _refuse_absent_sections(document, changes, problems)
        document = merged(entry_of(changes), document)
    top = _top_level(document, problems)
    model = _bare_model(top, _name_from(stem), problems)
    sections = section("FILE_SECTIONS")
    for key in sections:
        if key in top:
            load("section", key, sections).read(model, top[key], folder, problems)
            problems.raise_any()  # what else the file says is of components that are not there
    drafts = read_drafts(top["components"], folder, problems) if "components" in top else {}
    connect(model, drafts, problems)
    unbuilt = {name for name in drafts if name not in model}
    settings = {key: _without(unbuilt, entry) for key, entry in top.items()}
    read_settings(model, settings, problems)
    if "manoeuvres" in settings:
        manoeuvres = read_manoeuvres(model, settings["manoeuvres"], unbuilt, problems, folder)
        model.manoeuvres.update(manoeuvres)
    if "plots" in top:
        model.plots = read_plots(model, top["plots"], unbuilt, problems)
    problems.raise_any()
    return model


def _refuse_absent_sections(
    document: Entry, changes: Mapping[str, Any], problems: Problems
) -> None:
    """Changes of a section are for files that have it."""
    present = document.content if isinstance(document.content, dict) else {}
    for key in section("FILE_SECTIONS"):
        if key in changes and key not in present:
            wanted = ", ".join(map(repr, changes[key]))
            problems.stop(
                0, (), f"there is no section {key!r} in which {wanted} could be changed; take a "
                f"file that describes a {key}, such as sedan",
            )  # fmt: skip


def _top_level(document: Entry, problems: Problems) -> Mapping[str, Entry]:
    if not isinstance(document.content, dict):
        problems.stop(
            document.line, (),
            f"expected a mapping with the key 'components', got {shown(document.plain)}",
        )  # fmt: skip
    for key, entry in document.content.items():
        if key not in TOP_LEVEL:
            unknown = unknown_name("key", key, TOP_LEVEL, "a model file")
            problems.add(entry.line, (key,), unknown)
    if not {"components", "vehicle"} & set(document.content):
        problems.add(0, (), "the key 'components' is missing, or 'vehicle'")
    found: dict[str, Entry] = document.content
    return found


def _bare_model(top: Mapping[str, Entry], default_name: str, problems: Problems) -> Model:
    """A model without components: name, gravity, ground."""
    model = Model(default_name)
    if "name" in top:
        model.name = _checked(top["name"], ("name",), checked_name, problems) or default_name
    if "gravity" in top:
        gravity = _checked(top["gravity"], ("gravity",), checked_acceleration, problems)
        model.gravity = gravity or model.gravity
    if "description" in top:
        model.description = _checked(top["description"], ("description",), _text, problems) or ""
    if "ground" in top:
        model.ground = _ground(top["ground"], problems)
    return model


def _checked(
    entry: Entry, place: tuple[str, ...], check: Callable[[Any], Any], problems: Problems
) -> Any:
    try:
        return check(entry.plain)
    except ModelError as error:
        for text in error.problems:
            add_within(entry, place, text, problems)
        return None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ModelError(f"expected a sentence, got {shown(value)}")
    return value


def _ground(entry: Entry, problems: Problems) -> Ground:
    place = ("ground",)
    if not isinstance(entry.content, dict):
        text = f"expected a mapping with the key 'frames', got {shown(entry.plain)}"
        problems.add(entry.line, place, text)
        return Ground()
    for key, value in entry.content.items():
        if key != "frames":
            unknown = unknown_name("key", key, ["frames"], "the ground")
            problems.add(value.line, (*place, key), unknown)
    if "frames" not in entry.content:
        return Ground()
    frames = entry.content["frames"]
    return _checked(frames, (*place, "frames"), _ground_with, problems) or Ground()


def _ground_with(frames: Any) -> Ground:
    checked_frames(frames)
    return Ground(frames_at=frames)


def _without(owners: Set[str], entry: Entry) -> Entry:
    """What names none of these components; their own problems have been reported."""
    if isinstance(entry.content, dict):
        kept = {
            key: _without(owners, part)
            for key, part in entry.content.items()
            if key.partition(".")[0] not in owners
        }
        return replace(entry, content=kept)
    if isinstance(entry.content, list):
        parts = [p for p in entry.content if str(p.content).partition(".")[0] not in owners]
        return replace(entry, content=parts)
    return entry


def _name_from(stem: str) -> str:
    """A file's name as a model's: "slider-crank" is slider_crank."""
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in stem)
    return name if VALID_NAME.fullmatch(name) else "model"
