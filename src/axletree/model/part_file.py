"""Parts that stand in files of their own: where a model file may look for them.

A path is relative to the file that names it and stays within its folder: whoever sends a
model cannot make it read elsewhere.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from axletree.core.errors import ModelError
from axletree.library.part import part_file_readers
from axletree.model.document import Entry
from axletree.model.problems import shown


def part_file_words(catalogue_section: str) -> list[str]:
    """The types of part that a file is read for, in a section of the catalogue."""
    return list(part_file_readers(catalogue_section))


def located_part(entry: Entry, catalogue_section: str, folder: Path | None) -> Entry:
    """The entry of a part, its ``file`` led back to the folder of the file that it stands in."""
    content = entry.content
    if not isinstance(content, dict) or "type" not in content or "file" not in content:
        return entry
    if content["type"].plain not in part_file_words(catalogue_section):
        return entry
    file = content["file"]
    path = _located(file.plain, folder)
    return replace(entry, content={**content, "file": replace(file, content=str(path))})


def _located(name: object, folder: Path | None) -> Path:
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
