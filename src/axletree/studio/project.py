"""The folder that a studio works in: its model files, and no file outside of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from axletree.core.errors import AxletreeError
from axletree.core.files import write_text
from axletree.core.yaml_document import LARGEST_FILE, text_of
from axletree.model_files.included_files import SUFFIXES

RESULTS_FOLDER: Final = "out"  # the folder of results, which has no models
_MOST_FILES: Final = 500  # that are listed
_DEEPEST: Final = 4  # folders within one another
_LONGEST: Final = 200  # characters of a path


class StudioError(AxletreeError):
    """What a studio cannot do."""


@dataclass(frozen=True)
class Project:
    """A folder with model files; names of files are paths in it, with slashes."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.resolve().name

    def files(self) -> list[str]:
        """Names of files that may be models, those in folders last."""
        found: list[str] = []
        top = os.fspath(self.folder)
        for at, folders, names in os.walk(top):
            inner = Path(at).relative_to(top)
            deep = len(inner.parts) + 1 >= _DEEPEST
            skipped = {RESULTS_FOLDER} if not inner.parts else set()
            folders[:] = sorted(
                name for name in folders
                if not deep and not name.startswith((".", "__")) and name not in skipped
            )  # fmt: skip
            found += [
                (inner / name).as_posix() for name in sorted(names) if name.endswith(SUFFIXES)
            ]
            if len(found) > _MOST_FILES:
                break
        return sorted(found[:_MOST_FILES], key=lambda name: (name.count("/"), name))

    def path(self, name: object) -> Path:
        """Of a file in the folder; links that lead out of it are refused, too."""
        if not isinstance(name, str) or not 0 < len(name) <= _LONGEST:
            raise StudioError("expected the name of a file in the project's folder")
        pure = PurePosixPath(name)
        is_plain = all(part.isprintable() and part not in ("..", ".") for part in pure.parts)
        is_plain &= pure.as_posix() == name  # one name for each file, whose text is open once
        if pure.is_absolute() or not is_plain or any(sign in name for sign in '\\:*?"<>|'):
            raise StudioError(f"{name!r} is no name of a file in the project's folder")
        found = self.folder / pure
        try:
            inside = found.resolve().is_relative_to(self.folder.resolve())
        except (OSError, RuntimeError):
            inside = False
        if not inside:
            raise StudioError(f"{name!r} leads out of the project's folder")
        return found

    def model_path(self, name: object) -> Path:
        """Of a model file."""
        found = self.path(name)
        if found.suffix not in SUFFIXES or found.name.startswith("."):
            raise StudioError(f"{name!r} is no model file; expected a name in {SUFFIXES[0]}")
        return found

    def read(self, name: str) -> str:
        """The text of a model file, which keeps its ends of lines."""
        return text_of(self.model_path(name), name, LARGEST_FILE)

    def read_if_there(self, name: str) -> str | None:
        return self.read(name) if self.model_path(name).exists() else None

    def write(self, name: str, text: str) -> None:
        """A file that is written whole or not at all."""
        write_text(self.model_path(name), text)
