"""Parts that stand in files of their own: where a model file may look for them.

A path is relative to the file that names it and stays within its folder: whoever sends a
model cannot make it read elsewhere.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePath

from axletree.core.errors import ModelError
from axletree.core.registry import load, section
from axletree.library.part_words import part_file_readers
from axletree.model.declaration import declared_fields
from axletree.model.document import Entry
from axletree.model.problems import shown

# Types of part that a path alone says, by its ending.
WORDS = {("TYRES", ending): "property-file" for ending in (".tir", ".yaml", ".yml")}


def part_file_words(catalogue_section: str) -> list[str]:
    """The types of part that a file is read for, in a section of the catalogue."""
    return list(part_file_readers(catalogue_section))


def spelled_out(entry: Entry, catalogue_section: str) -> Entry:
    """A path alone, such as ``my.tir``, as ``{type: property-file, file: my.tir}``."""
    if not isinstance(entry.content, str):
        return entry
    word = WORDS.get((catalogue_section, PurePath(entry.content).suffix.lower()))
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
    if word in part_file_words(catalogue_section) and "file" in content:
        file = content["file"]
        path = located(file.plain, folder)
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
    if word not in words:
        return {}
    fields = declared_fields(load("part", str(word), words)).items()
    return {key: item.kind.section for key, item in fields if item.kind.section}


def located(name: object, folder: Path | None) -> Path:
    """The path of a file beside a model or below; its folder is None for one that has none."""
    if not isinstance(name, str) or not name:
        raise ModelError(f"file: expected a path, got {shown(name)}")
    if folder is None:
        raise ModelError(f"file: {shown(name)} cannot be found: this model has no folder")
    try:
        path = folder / name
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(f"file: {shown(name)} is no path: {error}") from None
    if not inside:
        raise ModelError(
            f"file: {shown(name)} is outside the folder of the model; put the file beside the "
            "model, or below, and give its path from there"
        )
    return path
