"""The files that a model is read from, for a copy of them beside its results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from axletree.core.errors import ModelError
from axletree.core.registry import section
from axletree.model.base_file import BASE, SUFFIXES
from axletree.model.document import read_document
from axletree.model.part_file import located
from axletree.model.problems import Problems
from axletree.model.text_file import resource

FILE = "file"  # the key of parts that stand in files of their own


def source_files(source: str | Path) -> dict[str, bytes]:
    """Their contents by name: the model's own first, then those that it names.

    Names are relative to the folder of the model. What belongs to the package is known by its
    version; of that only the model itself is here.
    """
    text = str(source)
    if text.endswith(SUFFIXES):
        path = Path(source)
        return dict(_found(path, path.parent))
    if text in section("MODELS"):
        shipped = resource(section("MODELS")[text])
        return {shipped.name: shipped.read_bytes()}
    path = Path(text.rpartition(":")[0] or text)
    return {path.name: path.read_bytes()}


def _found(path: Path, top: Path) -> Iterator[tuple[str, bytes]]:
    content = path.read_bytes()
    yield path.relative_to(top).as_posix(), content
    if path.suffix not in SUFFIXES:
        return
    document = read_document(content.decode("utf-8-sig"), Problems(path.name)).plain
    for name in _named(document):
        try:
            further = located(name, path.parent)
        except ModelError:
            continue  # a name of the catalogue, or what is no path at all
        if further.is_file():
            yield from _found(further, top)


def _named(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in (BASE, FILE) and isinstance(inner, str):
                yield inner
            yield from _named(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner)
