"""A model as data that another machine reads: its files with their contents, and nothing else.

What belongs to the package is known there by its version. Files are unpacked into a folder of the
cache that is named after their contents, so that a model is unpacked once on a machine.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from axletree.components.file_entries import LIBRARIES
from axletree.core.cache import cache_folder
from axletree.core.errors import ModelError
from axletree.core.files import whole_file
from axletree.core.registry import section
from axletree.model.model import Model
from axletree.model_files.included_files import (
    LIBRARY_FOLDER,
    PACKAGE_FOLDER,
    SUFFIXES,
    source_files,
)
from axletree.model_files.read import ModelText, read_model, read_model_text


@dataclass(frozen=True, eq=False)
class CarriedModel:
    """The files of a model by their names, its own first.

    Example:
    >>> from pathlib import Path
    >>> from axletree.model_files.carried_model import carried, read_carried
    >>> _ = Path("swing.yaml").write_text("base: pendulum")
    >>> model = carried("swing.yaml")
    >>> Path("swing.yaml").unlink()
    >>> read_carried(model).name
    'swing'
    """

    source: str  # as it was given, for messages
    files: Mapping[str, bytes]

    @cached_property
    def digest(self) -> str:
        whole = hashlib.sha256(self.source.encode())
        for name, content in self.files.items():
            for one in (name.encode(), content):
                whole.update(len(one).to_bytes(8, "big") + one)
        return whole.hexdigest()[:32]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CarriedModel) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def unpacked(self) -> Path:
        """The folder of its files on this machine.

        Example:
        >>> from axletree.model_files.carried_model import CarriedModel
        >>> model = CarriedModel("swing.yaml", {"swing.yaml": b"base: pendulum"})
        >>> [file.name for file in model.unpacked().iterdir()]
        ['swing.yaml']
        """
        folder = cache_folder() / "models" / self.digest
        for name, content in self.files.items():
            place = folder / _inside(name)
            if not place.is_file() or place.read_bytes() != content:
                place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with whole_file(place) as stream:
                    stream.write(content)
        return folder


def _inside(name: str) -> Path:
    """A name that leads out of the folder is none that ``carried`` gives."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise ModelError(f"{name!r} is no file of a model; expected one in its folder, or below")
    return Path(path)


def carried(source: str | CarriedModel) -> str | CarriedModel:
    """A model file with all that it names, as data; a name of the catalogue is known everywhere.

    Files of libraries are laid beside the model, where it finds them by their names.
    """
    if isinstance(source, CarriedModel) or source in section("MODELS"):
        return source
    files = source_files(source)
    own = {name: one for name, one in files.items() if not name.startswith(PACKAGE_FOLDER)}
    found = CarriedModel(source, {n.removeprefix(LIBRARY_FOLDER): one for n, one in own.items()})
    if any(name.startswith(LIBRARY_FOLDER) for name in own):
        _check_without_libraries(found, len(own))
    return found


def _check_without_libraries(found: CarriedModel, count: int) -> None:
    """Whether the model finds all that it names beside itself."""
    advice = "copy the files that it takes from libraries beside the model"
    if len(found.files) < count:
        raise ModelError(f"{found.source}: two of its files have one name; {advice}")
    usual = os.environ.pop(LIBRARIES, "")
    try:
        read_carried(found)
    except ModelError as error:
        raise ModelError(
            f"{found.source} cannot be sent to other machines: {error}; {advice}"
        ) from None
    finally:
        os.environ[LIBRARIES] = usual


def read_carried(
    source: str | CarriedModel | Model, changes: Mapping[str, Any] | None = None
) -> Model:
    """As ``read_model`` reads it where its files are; a model is there already."""
    if isinstance(source, Model):
        if not changes:
            return source
        other = source.with_changes(changes)
        added = {n: one for n, one in source.manoeuvres.items() if n not in other.manoeuvres}
        other.manoeuvres |= added
        return other
    if isinstance(source, str):
        return read_model(source, changes)
    folder, own = source.unpacked(), next(iter(source.files))
    if not own.endswith(SUFFIXES):
        return read_model(f"{folder / own}:{source.source.rpartition(':')[2]}", changes)
    text, stem = source.files[own].decode("utf-8-sig"), Path(source.source).stem
    return read_model_text(ModelText(text, source.source, stem, folder), changes)
