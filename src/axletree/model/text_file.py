"""The text of files that describe something: of the package, or of a user."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from axletree.core.errors import ModelError
from axletree.model.document import LARGEST_FILE


def resource(entry: str) -> Traversable:
    """The file of a catalogue's entry, given as ``"package:file"``."""
    package, _, file = entry.partition(":")
    root, *folders = package.split(".")
    return files(root).joinpath(*folders, file)


def text_of(path: Path | Traversable, shown: str) -> str:
    """The text of a file, which messages call as ``shown``."""
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
