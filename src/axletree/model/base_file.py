"""Model files that start from another one: ``base`` names it, and the file says what differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from axletree.core.errors import ModelError
from axletree.core.registry import section, unknown_name
from axletree.model.document import Entry, read_document
from axletree.model.part_file import located
from axletree.model.problems import Problems, shown
from axletree.model.ready_made import merged, on_line
from axletree.model.text_file import resource, text_of

BASE = "base"
OWN = ("name", "description")  # keys that a file does not take over
LONGEST_CHAIN = 8
SUFFIXES = (".yaml", ".yml")


def with_base(
    document: Entry, folder: Path | None, problems: Problems, chain: Sequence[str] = ()
) -> Entry:
    """The document, merged key by key with what it is based on; shown on the line of ``base``.

    ``folder`` is where the file is: a base is one of the package, or stands there or below.
    """
    if not isinstance(document.content, dict) or BASE not in document.content:
        return document
    given = document.content[BASE]
    own = replace(document, content={k: v for k, v in document.content.items() if k != BASE})
    name = given.plain
    try:
        if name in chain:
            raise ModelError(f"the files run in a circle: {' - '.join([*chain, name])}")
        if len(chain) >= LONGEST_CHAIN:
            raise ModelError(f"more than {LONGEST_CHAIN} files, each based on the next")
        text, below = _text(name, folder)
    except ModelError as error:
        problems.stop(given.line, (BASE,), "; ".join(error.problems))
    inner = Problems(str(name))
    other = read_document(text, inner)
    inner.raise_any()
    if not isinstance(other.content, dict):
        problems.stop(given.line, (BASE,), f"{shown(name)} is no model file")
    kept = {key: value for key, value in other.content.items() if key not in OWN}
    whole = with_base(replace(other, content=kept), below, problems, [*chain, name])
    return merged(own, on_line(whole, given.line))


def _text(name: object, folder: Path | None) -> tuple[str, Path | None]:
    """The text of a base, and the folder of its own files."""
    models = section("MODELS")
    if isinstance(name, str) and name in models:
        file = resource(models[name])
        return text_of(file, file.name), None
    if not isinstance(name, str) or not name.endswith(SUFFIXES):
        error = unknown_name("model", shown(name), models, "the catalogue")
        raise ModelError(f"{error}; or give a file {' or '.join(SUFFIXES)}")
    path = located(name, folder)
    if path.stem in models and not path.exists():
        told = f"{path.stem!r} of the package is `base: {path.stem}`"
        raise ModelError(f"{name}: there is no such file; {told}")
    return text_of(path, name), path.parent
