"""``read_model``: from a name, a file of YAML or a Python file to a model."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from axletree.core.errors import ModelError
from axletree.core.registry import section, unknown_name
from axletree.model.build import build_model
from axletree.model.document import LARGEST_FILE
from axletree.model.model import Model
from axletree.model.python_file import model_from_python

M = TypeVar("M", bound=Model)

SUFFIXES = (".yaml", ".yml")


def read_model(source: str | Path, kind: type[M]) -> M:
    """The model that ``source`` names, as an instance of ``kind``.

    ``source`` is the path of a YAML file, a name of the catalogue (``"pendulum"``), or
    ``"file.py:name"``, where name is a model or a function without arguments that returns
    one. A YAML file is data and executes nothing; a Python file is run.
    """
    text = str(source)
    head, colon, name = text.rpartition(":")
    if colon and head.endswith(".py"):
        return model_from_python(Path(head), name, kind)
    if text.endswith(SUFFIXES):
        path = Path(source)
        return build_model(_text_of(path, text), text, path.stem, kind, path.parent)
    if text.endswith(".py"):
        raise ModelError(f"{text}: which model of it? Write {text}:name")
    models = section("MODELS")
    if text not in models:
        error = unknown_name("model", text[:100], models, "the catalogue")
        raise ModelError(f"{error}; or give the path of a file {' or '.join(SUFFIXES)}")
    resource = _resource(models[text])
    return build_model(_text_of(resource, resource.name), resource.name, text, kind)


def _resource(entry: str) -> Traversable:
    """The file of an entry, given as ``"package:file"``."""
    package, _, file = entry.partition(":")
    root, *folders = package.split(".")
    return files(root).joinpath(*folders, file)


def _text_of(path: Path | Traversable, shown: str) -> str:
    try:
        with path.open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise ModelError(f"{shown}: there is no such file") from None
    except IsADirectoryError:
        raise ModelError(f"{shown}: this is a folder; expected a file") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{shown}: cannot be read: {error}") from None
    if len(content) > LARGEST_FILE:
        raise ModelError(f"{shown}: the file is too large; the limit is {LARGEST_FILE // 1024} KiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ModelError(f"{shown}, line {line}: no text in UTF-8; is it a binary file?") from None
