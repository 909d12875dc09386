"""Models from Python files: the file is run on purpose, because its user says so."""

from __future__ import annotations

import importlib.util
import inspect
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import unknown_name
from axletree.model.model import Model

M = TypeVar("M", bound=Model)


def model_from_python(path: Path, name: str, kind: type[M]) -> M:
    """The model of this name in the file, or what the function of this name returns."""
    found = object_from_python(path, name)
    if isinstance(found, kind):
        return found
    raise ModelError(
        f"{path}: {name} is no model but {type(found).__name__}; expected an axletree.Model or a "
        "function that returns one"
    )


def object_from_python(path: Path, name: str) -> object:
    """What has this name in the file, or what the function of this name returns."""
    module = _executed(path)
    if not hasattr(module, name):
        public = [word for word in vars(module) if not word.startswith("_")]
        raise ModelError(str(unknown_name("name", name, public, str(path))))
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
    except Exception as error:  # whatever the user's own code raises
        raise ModelError(_failure(path, error)) from error
    return module


def _called(path: Path, name: str, function: Callable[[], object]) -> object:
    try:
        return function()
    except AxletreeError:
        raise
    except Exception as error:  # whatever the user's own code raises
        raise ModelError(f"{name}() in {_failure(path, error)}") from error


def _failure(path: Path, error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"{path}, line {error.lineno}: {error.msg}"
    own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    line = f", line {own[-1].lineno}" if own else ""
    return f"{path}{line}: {type(error).__name__}: {error}"
