"""What results depend on, as short texts that change when it does."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from axletree.analysis.sweep.plan import Plan, is_python
from axletree.core.errors import ModelError
from axletree.model.document import Entry, read_document
from axletree.model.problems import Problems
from axletree.model.read import SUFFIXES, model_text

PACKAGES = ("axletree", "numpy", "scipy")
DIGITS = 20
DEEPEST = 8  # files that name files


def of_model(source: str) -> str:
    """Of a model file, what it is based on, and every file beside it that it names.

    Of a Python file, its text; not of what it imports.
    """
    if is_python(source):
        path = Path(source.rpartition(":")[0])
        if not path.is_file():
            raise ModelError(f"{path}: no Python file of this name")
        return _digest([path.read_bytes()])
    found = model_text(source)
    entries = found.entries()
    text = json.dumps(entries.plain, default=str)
    return _digest([found.stem.encode(), text.encode(), *_files(entries, found.folder, DEEPEST)])


def of_plan(plan: Plan) -> dict[str, Any]:
    """All that the results of a plan depend on but for its points."""
    return {
        "model": plan.digest,
        "changes": json.loads(json.dumps(plan.changes)),
        "manoeuvre": [plan.manoeuvre or "", _digest([plan.driven.encode()])],
        "settings": json.loads(json.dumps(vars(plan.settings))),
        "versions": {"python": platform.python_version(), **_versions()},
    }


def of_point(values: Mapping[str, float | str]) -> str:
    """The same in any order and in any grid."""
    return _digest([json.dumps(sorted(values.items())).encode()])


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # used from its sources
            found[name] = "not installed"
    return found


def _digest(parts: list[bytes]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big"))
        whole.update(part)
    return whole.hexdigest()[:DIGITS]


def _files(entries: Entry, folder: Path | None, depth: int) -> Iterator[bytes]:
    """The content of files that texts of these entries name, and of those that they name."""
    if folder is None or not depth:
        return
    for text in _texts(entries.plain):
        path = folder / text
        if "\0" in text or len(text) > 255 or not path.is_file():
            continue
        content = path.read_bytes()
        yield content
        if text.endswith(SUFFIXES):
            inner = read_document(content.decode("utf-8", "replace"), Problems(text))
            yield from _files(inner, path.parent, depth - 1)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
