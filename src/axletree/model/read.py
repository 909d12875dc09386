"""``read_model``: from a name, a file of YAML or a Python file to a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from axletree.core.errors import ModelError
from axletree.core.registry import section, unknown_name
from axletree.model.base_file import with_base
from axletree.model.build import build_model
from axletree.model.document import Entry, read_document
from axletree.model.model import Model
from axletree.model.problems import Problems
from axletree.model.python_file import model_from_python
from axletree.model.text_file import resource, text_of

M = TypeVar("M", bound=Model)

SUFFIXES = (".yaml", ".yml")


def read_model(source: str | Path, kind: type[M], changes: Mapping[str, Any] | None = None) -> M:
    """The model that ``source`` names, as an instance of ``kind``.

    ``source`` is the path of a YAML file, a name of the catalogue (``"pendulum"``), or
    ``"file.py:name"``, where name is a model or a function without arguments that returns
    one. A YAML file is data and executes nothing; a Python file is run. ``changes`` are keys of
    the file with other values, parts of them key by key:
    ``{"vehicle": {"body": {"mass": 1300}}}``.
    """
    text = str(source)
    head, colon, name = text.rpartition(":")
    if colon and head.endswith(".py"):
        if changes:
            raise ModelError(f"{text}: a Python file says what the model is; change it there")
        return model_from_python(Path(head), name, kind)
    found = model_text(source)
    return build_model(found.text, found.file, found.stem, kind, found.folder, changes)


@dataclass(frozen=True)
class ModelText:
    """A model file: ``file`` is how messages call it, ``folder`` where its own files are."""

    text: str
    file: str
    stem: str
    folder: Path | None

    def entries(self) -> Entry:
        """What it says, with what it is based on."""
        problems = Problems(self.file)
        document = with_base(read_document(self.text, problems), self.folder, problems)
        problems.raise_any()
        return document


def model_text(source: str | Path) -> ModelText:
    """The text of a YAML file, or of a name of the catalogue."""
    text = str(source)
    if text.endswith(SUFFIXES):
        path = Path(source)
        return ModelText(text_of(path, text), text, path.stem, path.parent)
    if text.endswith(".py"):
        raise ModelError(f"{text}: which model of it? Write {text}:name")
    models = section("MODELS")
    if text not in models:
        error = unknown_name("model", text[:100], models, "the catalogue")
        raise ModelError(f"{error}; or give the path of a file {' or '.join(SUFFIXES)}")
    shipped = resource(models[text])
    return ModelText(text_of(shipped, shipped.name), shipped.name, text, None)
