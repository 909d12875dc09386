"""Files and folders of results that are written whole or not at all.

They are written beside their place and moved there, so that a reader never sees half of one, and
an interrupted writer leaves the old one.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

from axletree.core.errors import FileError

_LONGEST = 200  # letters of a name within that of the file beside it; systems allow 255 bytes


@contextmanager
def whole_file(path: str | Path) -> Iterator[IO[bytes]]:
    """A new file that takes the place of ``path`` when all of it is written.

    Folders on the way to it are made. Where ``path`` is a link, what it leads to is replaced.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.is_dir():
            raise FileError(f"cannot write {path}: it is a folder; expected a file")
        target.parent.mkdir(parents=True, exist_ok=True)
        # Made by open, and not by mkstemp, so that its mode is what others' files have.
        made = target.with_name(f".{target.name[:_LONGEST]}.{secrets.token_hex(4)}")
        try:
            with open(made, "xb") as stream:
                yield stream
            os.replace(made, target)
        except BaseException:
            made.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror or error}") from None


def write_text(path: str | Path, text: str) -> None:
    """The text in UTF-8, by ``whole_file``."""
    with whole_file(path) as stream:
        stream.write(text.encode())


@contextmanager
def whole_folder(folder: str | Path, stale: Iterable[str] = ()) -> Iterator[Path]:
    """A new folder beside ``folder``, whose files are moved there when all of them are written.

    In the same step ``stale`` files that are not written anew are removed; names are relative. All
    else in the folder stays. Whoever is interrupted or terminated before leaves the folder as it
    was, and nothing beside it.
    """
    target = Path(os.path.realpath(folder))
    try:
        if target.exists() and not target.is_dir():
            raise FileError(f"cannot write {folder}: it is a file; expected a folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        with _terminable():
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


def package_table(package: str, name: str) -> dict[str, Any]:
    """What a TOML file of a package says."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM, which by itself ends a program at once, lets it tidy up; exit code as of a shell."""
    if not _is_main() or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """What ends the program takes effect at the end; only the main thread is interrupted at all."""
    if not _is_main():
        yield
        return
    came: list[int] = []
    ends = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(end, lambda number, _: came.append(number)) for end in ends]
    try:
        yield
    finally:
        for end, handler in zip(ends, before, strict=True):
            signal.signal(end, handler or signal.SIG_DFL)
    for number in came:
        signal.raise_signal(number)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
