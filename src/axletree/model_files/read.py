"""``read_model``: from a name, a file of YAML or a Python file to a model.

A Python file is run on purpose, because its user says so.
"""

from __future__ import annotations

import difflib
import importlib.util
import inspect
import os
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from axletree.core.arguments import check_arguments
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.problems import Problems
from axletree.core.registry import section, unknown_name
from axletree.core.yaml_document import Entry, read_document, resource, text_of
from axletree.model.model import Model, ModelSource, what_files_say
from axletree.model_files.build import build_model
from axletree.model_files.included_files import SUFFIXES, entry_of, merged, with_base


def read_model(source: str | Path, changes: Mapping[str, Any] | None = None) -> Model:
    """The model of a YAML file, of a name of the catalogue, or of ``"file.py:name"``.

    ``source`` is the path of a YAML file, a name of the catalogue (``"pendulum"``), or
    ``"file.py:name"``, where name is a model or a function without arguments that returns
    one. A YAML file is data and executes nothing; a Python file is run. ``changes`` are keys of
    the file with other values, parts of them key by key:
    ``{"vehicle": {"body": {"mass": 1300}}}``.

    Example:
    >>> import axletree as at
    >>> at.read_model("pendulum", {"components": {"rod": {"mass": "2 kg"}}})["rod"].mass  # kg
    2.0
    """
    check_arguments(read_model, locals())
    text = str(source)
    head, colon, name = text.rpartition(":")
    if colon and head.endswith(".py"):
        if changes:
            raise ModelError(f"{text}: a Python file says what the model is; change it there")
        return model_from_python(Path(head), name)
    return read_model_text(model_text(source), changes)


def model_of(model: Model | str | Path) -> Model:
    """A model as it is; of a name or a file, the one that ``read_model`` reads.

    Example:
    >>> from axletree.model_files.read import model_of
    >>> model_of("pendulum").name
    'pendulum'
    """
    return model if isinstance(model, Model) else read_model(model)


def join_mappings(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Mappings in one another; what the second says holds."""
    both = dict(first)
    for key, value in second.items():
        inner: Any = both.get(key)
        is_deep = isinstance(inner, Mapping) and isinstance(value, Mapping)
        both[key] = join_mappings(inner, value) if is_deep else value
    return both


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


def read_model_text(found: ModelText, changes: Mapping[str, Any] | None = None) -> Model:
    """The model of a text, as if it stood in its file.

    Example:
    >>> from axletree.model_files.read import ModelText, read_model_text
    >>> read_model_text(ModelText("base: pendulum", "swing.yaml", "swing", None)).name
    'swing'
    """
    model = build_model(found.text, found.file, found.stem, found.folder, changes)
    model.source = ModelSource(
        found.file,
        lambda further: read_model_text(found, join_mappings(changes or {}, further)),
        lambda: merged(entry_of(changes), found.entries()) if changes else found.entries(),
        found.stem if found.folder is None else found.file,
        what_files_say(model),
    )
    return model


def model_text(source: str | Path) -> ModelText:
    """The text of a YAML file, or of a name of the catalogue."""
    text = str(source)
    if text.endswith(SUFFIXES):
        path = Path(source)
        if not os.path.exists(text):  # false for what no path can be
            raise ModelError(f"{text}: there is no such file{_files_like(path)}")
        return ModelText(text_of(path, text), text, path.stem, path.parent)
    if text.endswith(".py"):
        raise ModelError(f"{text}: which model of it? Write {text}:name")
    models = section("MODELS")
    if text not in models and os.path.exists(text):  # false for what no path can be
        kind = "folder" if Path(text).is_dir() else "file of another kind"
        raise ModelError(
            f"{text} is a {kind}; expected the path of a model file {' or '.join(SUFFIXES)}, or a "
            "name of `axletree list models`"
        )
    if text not in models:
        own = [text + suffix for suffix in SUFFIXES if os.path.isfile(text + suffix)]
        if own:
            raise ModelError(f"unknown model {text!r} in the catalogue; did you mean {own[0]!r}?")
        error = unknown_name("model", text[:100], models, "the catalogue")
        raise ModelError(f"{error}; or give the path of a file {' or '.join(SUFFIXES)}")
    shipped = resource(models[text])
    return ModelText(text_of(shipped, shipped.name), shipped.name, text, None)


def _files_like(path: Path) -> str:
    """The model files beside one that is not there, as a question."""
    try:
        names = [one.name for one in path.parent.iterdir() if one.name.endswith(SUFFIXES)]
    except (OSError, ValueError):  # no folder, or one that must not be looked into
        return ""
    near = difflib.get_close_matches(path.name, names, n=2)
    return (
        f"; did you mean {' or '.join(repr(str(path.parent / n)) for n in near)}?" if near else ""
    )


def model_from_python(path: Path, name: str) -> Model:
    """The model of this name in the file, or what the function of this name returns."""
    found = object_from_python(path, name)
    if isinstance(found, Model):
        return found
    raise ModelError(
        f"{path}: {name} is no model but {type(found).__name__}; expected an axletree.Model or a "
        "function that returns one"
    )


def _is_own(module: ModuleType, word: str, thing: object) -> bool:
    """Whether a file made it, other than a class: what is imported is no model, and no class is."""
    if word.startswith("_") or isinstance(thing, type | ModuleType):
        return False
    return not callable(thing) or getattr(thing, "__module__", "") == module.__name__


def object_from_python(path: Path, name: str) -> object:
    """What has this name in the file, or what the function of this name returns."""
    module = _executed(path)
    if not hasattr(module, name):
        own = [word for word, thing in vars(module).items() if _is_own(module, word, thing)]
        raise ModelError(str(unknown_name("name", name, own, str(path))))
    found: object = getattr(module, name)
    is_function = inspect.isfunction(found) or hasattr(found, "__wrapped__")  # lru_cache wraps
    return _called(path, name, found) if callable(found) and is_function else found


def _executed(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ModelError(f"{path}: no Python file of this name")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except AxletreeError:
        raise
    except (Exception, SystemExit) as error:  # whatever the user's own code raises
        raise ModelError(_failure(path, error)) from error
    return module


def _called(path: Path, name: str, function: Callable[[], object]) -> object:
    try:
        return function()
    except AxletreeError:
        raise
    except (Exception, SystemExit) as error:  # whatever the user's own code raises
        raise ModelError(f"{name}() in {_failure(path, error)}") from error


def _failure(path: Path, error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{path}, line {error.lineno}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).absolute() == path.absolute()]
    line = f", line {own[-1].lineno}" if own else ""
    return f"{path}{line}: {type(error).__name__}: {error}"
