"""The private cache: what was worked out on an earlier day, checked before it is used.

Compiled code is loaded from here, and prepared runs are read. Entries are keyed by all that they
follow from; a file that a crash, a full disk or another hand left is not what its digest says, and
counts as absent. Nothing in an entry is executed when it is read: it is JSON.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import secrets
import stat
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

from axletree.core.errors import CompilerError


def cache_folder() -> Path:
    """$AXLETREE_CACHE, or the user's cache folder; made if absent, private to the user.

    Compiled code is loaded from here, so nobody else may write here. A folder that was there and is
    open to others, or is another user's, stays as it is: the cache is a private folder inside it.
    """
    chosen = os.environ.get("AXLETREE_CACHE", "")
    folder = Path(chosen)
    try:
        if chosen:
            folder = folder.expanduser().absolute()
        else:
            from platformdirs import user_cache_path

            folder = user_cache_path("axletree", appauthor=False) / "code"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_private(folder.stat()) else _private_folder(folder)
    except (OSError, RuntimeError) as error:
        raise CompilerError(
            f"the cache folder {folder} cannot be used: {reason_of(error)}; "
            "set $AXLETREE_CACHE to a folder of your own"
        ) from None


def _private_folder(shared: Path) -> Path:
    """The first of some names; what was open to others, and may hold their links, is left alone."""
    for name in ("", *(f"-{number}" for number in range(2, _NAMES + 1))):
        folder = shared / f"axletree-{_user()}{name}"
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()  # a link may be anybody's
        if _is_private(status):
            return folder
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != _user():
            raise PermissionError(0, f"{folder} inside it is not a folder of yours")
    raise PermissionError(0, f"{folder} and others inside it are open to others")


_NAMES = 9  # of private folders


def _is_private(status: os.stat_result) -> bool:
    is_mine = stat.S_ISDIR(status.st_mode) and status.st_uid == _user()
    return is_mine and not stat.S_IMODE(status.st_mode) & 0o077


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0  # Windows numbers files with 0, too


def own_bytes(path: Path) -> bytes:
    """A file's content, if nobody but this user can have written it."""
    with open(path, "rb", opener=_open_at_once) as stream:
        status = os.fstat(stream.fileno())
        if status.st_uid != _user() or status.st_mode & 0o022 or not stat.S_ISREG(status.st_mode):
            raise PermissionError(0, "it may be another user's", str(path))
        return stream.read()


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe has no writer


def digest_of(key: str, content: bytes) -> str:
    """Of the name, too: a library that is moved to another's name is not that one."""
    return hashlib.sha256(key.encode() + b"\0" + content).hexdigest()


def reason_of(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def key_of(*parts: object) -> str:
    """The name of an entry: a digest of what it follows from, which ``repr`` tells apart.

    Example:
    >>> from axletree.core.cache import key_of
    >>> key_of("sedan", 1.0) == key_of("sedan", 1.0), key_of("sedan", 1.0) == key_of("sedan", 2.0)
    (True, False)
    """
    return hashlib.sha256(repr((package_digest(), parts)).encode()).hexdigest()[:40]


@functools.cache
def package_digest() -> str:
    """Of the program itself: another version of it, or a changed file, works anew."""
    found = [platform.python_version(), platform.machine()]
    top = Path(str(files("axletree")))
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            status = os.stat(os.path.join(folder, name))
            found.append(f"{folder}/{name} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def read_entry(key: str) -> Any:
    """What was kept under a key; None if nothing was, or what is there is not whole."""
    try:
        place = _entry(key)
        content = own_bytes(place)
        os.utime(place)  # it is in use
    except (OSError, CompilerError):
        return None
    digest, _, text = content.partition(b"\n")
    if digest.decode("ascii", "replace") != digest_of(key, text):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def write_entry(key: str, content: Any) -> None:
    """Keep what JSON can say; where the disk does not take it, nothing is kept."""
    text = json.dumps(content, separators=(",", ":")).encode()
    try:
        place = _entry(key)
        made = place.with_suffix(f".{secrets.token_hex(4)}.making")
        try:
            with open(made, "xb", opener=_open_private) as stream:
                stream.write(digest_of(key, text).encode() + b"\n" + text)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(made, place)
        finally:
            made.unlink(missing_ok=True)
        _forget_unused(place.parent)
    except (OSError, CompilerError):
        return


_LONGEST_UNUSED = 30 * 86400.0  # s; entries of an earlier version are not asked for any more


def _forget_unused(folder: Path) -> None:
    now = time.time()
    for path in folder.glob("*.json"):
        if now - path.stat().st_mtime > _LONGEST_UNUSED:
            path.unlink(missing_ok=True)


def _entry(key: str) -> Path:
    return cache_folder() / f"{key}.json"


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
