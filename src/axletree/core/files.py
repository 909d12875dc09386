"""Files that are written whole or not at all.

They are written beside their place and moved there, so that a reader never sees half a
file, and an interrupted writer leaves the old one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from axletree.core.errors import FileError


@contextmanager
def replaced(path: str | Path) -> Iterator[IO[bytes]]:
    """A new file that takes the place of ``path`` when all of it is written.

    Folders on the way to it are made. Where ``path`` is a link, what it leads to is replaced.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.is_dir():
            raise FileError(f"cannot write {path}: it is a folder; expected a file")
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                yield stream
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror or error}") from None


def write_text(path: str | Path, text: str) -> None:
    """The text in UTF-8, by ``replaced``."""
    with replaced(path) as stream:
        stream.write(text.encode())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
