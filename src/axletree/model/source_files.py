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
LAW = "law"  # the key of a tyre law, which may be the path of a property file alone
PACKAGE = "package/"  # where copies of the package's models are, beside a user's own


def source_files(source: str | Path) -> dict[str, bytes]:
    """Their contents by name: the model's own first, then those that it names.

    Names are relative to the folder of the model; models of the package that it
    is based on are in the folder ``package``. What else belongs to the package is known by its
    version.
    """
    text = str(source)
    if text.endswith(SUFFIXES):
        path = Path(source)
        return dict(_found(path, path.parent))
    if text in section("MODELS"):
        return dict(_shipped(text))
    path = Path(text.rpartition(":")[0] or text)
    return {path.name: path.read_bytes()}


def _found(path: Path, top: Path) -> Iterator[tuple[str, bytes]]:
    content = path.read_bytes()
    yield path.relative_to(top).as_posix(), content
    if path.suffix not in SUFFIXES:
        return
    document = read_document(content.decode("utf-8-sig"), Problems(path.name)).plain
    for name in _named(document):
        if name in section("MODELS"):
            yield from ((PACKAGE + key, found) for key, found in _shipped(name))
            continue
        try:
            further = located(name, path.parent)
        except ModelError:
            continue  # a name of the catalogue, or what is no path at all
        if further.is_file():
            yield from _found(further, top)


def _shipped(name: str) -> Iterator[tuple[str, bytes]]:
    """A model of the package, and those that it is based on."""
    file = resource(section("MODELS")[name])
    content = file.read_bytes()
    yield file.name, content
    document = read_document(content.decode("utf-8-sig"), Problems(file.name)).plain
    for further in _named(document):
        if further in section("MODELS"):
            yield from _shipped(further)


def _named(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in (BASE, FILE, LAW) and isinstance(inner, str):
                yield inner
            yield from _named(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner)
