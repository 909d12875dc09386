"""Folders of results that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from axletree.core.errors import FileError


@contextmanager
def whole_folder(folder: str | Path, stale: Iterable[str] = ()) -> Iterator[Path]:
    """A new folder beside ``folder``, whose files are moved there when all of them are written.

    In the same step ``stale`` files that are not written anew are removed; names are relative. All
    else in the folder stays. Whoever is interrupted before leaves the folder as it was.
    """
    target = Path(os.path.realpath(folder))
    try:
        if target.exists() and not target.is_dir():
            raise FileError(f"cannot write {folder}: it is a file; expected a folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=_place(target), prefix=f".{target.name}."))
        try:
            yield made
            with _uninterrupted():
                _move(made, target, stale)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise FileError(f"cannot write {folder}: {error.strerror or error}") from None


def _place(target: Path) -> Path:
    """Beside the target, or in it, where files cannot be moved from beside."""
    parent = target.parent
    beside = os.access(parent, os.W_OK) and not os.path.ismount(target)
    return parent if beside or not target.is_dir() else target


def _move(made: Path, target: Path, stale: Iterable[str]) -> None:
    places = {
        file: target / file.relative_to(made) for file in sorted(made.rglob("*")) if file.is_file()
    }
    for place in places.values():
        if place.is_dir():
            raise FileError(f"cannot write {place}: it is a folder; expected a file")
    for place in places.values():
        place.parent.mkdir(parents=True, exist_ok=True)
    for name in stale:
        old = target / name
        if old not in places.values() and old.is_file():
            old.unlink()
    for file, place in places.items():
        os.replace(file, os.path.realpath(place))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """An interrupt takes effect at the end; only the main thread is interrupted at all."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
    if came:
        raise KeyboardInterrupt
