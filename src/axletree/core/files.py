"""Files and folders of results that are written whole or not at all.

They are written beside their place and moved there, so that a reader never sees half of one, and
an interrupted writer leaves the old one. What a writer that was killed leaves is removed by the
next one.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
import signal
import stat
import sys
import tempfile
import threading
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

from axletree.core.errors import FileError, FullDiskError

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

_LONGEST = 200  # bytes of a name within that of the file beside it; systems allow 255
_MARK = ".axletree-"  # in the names of files and folders that are being written
_FULL = (errno.ENOSPC, errno.EDQUOT)
_MOST_RESULTS = 100_000_000  # bytes, enough for the results of most runs
# Of files of results, which are not meant for names of folders.
_ENDINGS = frozenset(
    (
        ".png",
        ".gif",
        ".svg",
        ".pdf",
        ".html",
        ".csv",
        ".npz",
        ".json",
        ".mat",
        ".mf4",
        ".tir",
        ".yaml",
    )
)


@contextmanager
def whole_file(path: str | Path, size: int = _MOST_RESULTS) -> Iterator[IO[bytes]]:
    """A new file that takes the place of ``path`` when all of it is written.

    A disk that is full is told with folders that have space for ``size`` bytes [1].

    Folders on the way to it are made. Where ``path`` is a link, what it leads to is replaced, but
    never a device or a pipe, which others use. What a killed program left there is removed.
    """
    target = Path(os.path.realpath(path))
    with _messages(path, size):
        if target.is_dir():
            raise FileError(f"cannot write {path}: it is a folder; expected a file")
        if target.exists() and not target.is_file():
            raise FileError(f"cannot write {path}: it is a device or a pipe; expected a file")
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(target.parent)
        # Made by open, and not by mkstemp, so that its mode is what others' files have.
        with _reserved(target.parent, target.name, lambda made: made.touch(exist_ok=False)) as made:
            try:
                with made.open("wb") as stream:
                    yield stream
                os.replace(made, target)
            except BaseException:
                made.unlink(missing_ok=True)
                raise


def check_writable(folder: str | Path) -> None:
    """That files can be written in a folder, or that it can be made where it is absent."""
    target = Path(os.path.realpath(folder))
    if target.suffix.lower() in _ENDINGS and not target.exists():
        raise FileError(
            f"cannot write {folder}: this is the name of a file, and results are several of them "
            f"in a folder; try {Path(folder).with_suffix('')}"
        )
    with _messages(folder):
        place = next(path for path in (target, *target.parents) if path.exists())
        if not place.is_dir():
            raise FileError(f"cannot write {folder}: {place} is no folder")
        remove_leftovers(place)
        with _reserved(place, "check", lambda made: made.touch(exist_ok=False)) as made:
            made.unlink()


@contextmanager
def _messages(path: str | Path, size: int = _MOST_RESULTS) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        said = f"cannot write {path}: {error.strerror or error}"
        if error.errno not in _FULL:
            raise FileError(said) from None
        places = ", ".join(map(str, folders_with_space(size)))
        raise FullDiskError(f"{said}; there is space in {places}" if places else said) from None


@contextmanager
def _reserved(folder: Path, name: str, make: Callable[[Path], object]) -> Iterator[Path]:
    """A new place that others leave alone while this program lives: whoever has a lock on it."""
    short = os.fsencode(name)[:_LONGEST].decode(errors="ignore")
    while True:
        made = folder / f".{short}{_MARK}{secrets.token_hex(4)}"
        make(made)
        lock = _locked(made)
        try:
            if made.exists():  # else somebody who tidied up was faster than the lock
                yield made
                return
        finally:
            if lock is not None:
                os.close(lock)


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock; None where somebody else has it, or there are no locks."""
    if fcntl is None:
        return None
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(number)
        return None
    return number


def remove_leftovers(folder: Path) -> None:
    """What a program that was killed had begun to write; looked for once in each folder."""
    if folder in _TIDIED:
        return
    _TIDIED.add(folder)
    with suppress(OSError):
        for path in [path for path in folder.iterdir() if _LEFT.fullmatch(path.name)]:
            lock = _locked(path)
            if lock is None:
                continue
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            os.close(lock)


_TIDIED: set[Path] = set()
_LEFT = re.compile(rf"\..+{re.escape(_MARK)}[0-9a-f]{{8}}")


def write_text(path: str | Path, text: str) -> None:
    """The text in UTF-8, by ``whole_file``."""
    with whole_file(path) as stream:
        stream.write(text.encode())


def read_json(path: Path) -> Any:
    """What a file of JSON says; an ``OSError`` or a ``ValueError`` where it says nothing.

    A pipe, which would be waited for, is no such file.
    """
    with open(path, "rb", opener=_open_at_once) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(errno.EINVAL, "this is no plain file, but a pipe or a device", str(path))
        text = stream.read().decode()
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("lists or tables are nested too deep") from None


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


@contextmanager
def whole_folder(folder: str | Path, stale: Iterable[str] = ()) -> Iterator[Path]:
    """A new folder beside ``folder``, whose files are moved there when all of them are written.

    In the same step ``stale`` files that are not written anew are removed; names are relative. All
    else in the folder stays. Whoever is interrupted or terminated before leaves the folder as it
    was, and nothing beside it.
    """
    target = Path(os.path.realpath(folder))
    with _messages(folder):
        if target.exists() and not target.is_dir():
            raise FileError(f"cannot write {folder}: it is a file; expected a folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        place = _place(target)
        remove_leftovers(place)
        with _terminable(), _reserved(place, target.name, lambda made: made.mkdir(0o700)) as made:
            try:
                yield made
                with _uninterrupted():
                    _move(made, target, stale)
            except FileError as error:  # of a file by its name in the new folder
                raise type(error)(str(error).replace(str(made), str(folder))) from None
            finally:
                shutil.rmtree(made, ignore_errors=True)


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
        # Of a link to a device or a pipe, which others use, the link is replaced.
        is_special = place.exists() and not place.is_file()
        os.replace(file, place if is_special else os.path.realpath(place))


@contextmanager
def temporary_files() -> Iterator[None]:
    """A message where temporary files cannot be written, from a disk that is full or read-only."""
    try:
        yield
    except OSError as error:
        nowhere = error.errno == errno.ENOENT and "temporary" in (error.strerror or "")
        if not nowhere and error.errno not in (*_FULL, errno.EROFS):
            raise
        place = "" if nowhere else f" to {tempfile.gettempdir()}"
        raise FullDiskError(
            f"cannot write temporary files{place}: {error.strerror}; set $TMPDIR to a folder on a "
            "disk with space"
        ) from None


def folders_with_space(size: int) -> list[Path]:
    """Where so many bytes [1] may be written: for temporary files, the user's own, and here."""
    found: dict[Path, None] = {}
    for named in (tempfile.gettempdir, Path.home, Path.cwd):
        with suppress(OSError, RuntimeError):  # no such folder at all
            place = Path(named()).resolve()
            if os.access(place, os.W_OK) and shutil.disk_usage(place).free > size:
                found[place] = None
    return list(found)


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
