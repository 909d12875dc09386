"""The private cache of compiled code: keyed by content, written atomically under a lock."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Final

from axletree.code.compiler import Compiler
from axletree.core.errors import CompilerError

_LINES_SHOWN: Final = 12


def cache_folder() -> Path:
    """$AXLETREE_CACHE, or the user's cache folder; made if absent, private to the user."""
    chosen = os.environ.get("AXLETREE_CACHE", "")
    if chosen:
        folder = Path(chosen).expanduser().absolute()
    else:
        from platformdirs import user_cache_path

        folder = user_cache_path("axletree", appauthor=False) / "code"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_private(folder)
    except OSError as error:
        raise CompilerError(
            f"the cache folder {folder} cannot be used: {error.strerror or error}; "
            "set $AXLETREE_CACHE to a folder of your own"
        ) from None
    return folder


def _make_private(folder: Path) -> None:
    """Compiled code is loaded from here, so nobody else may write here."""
    status = folder.stat()
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        raise PermissionError(0, "it belongs to another user")
    if stat.S_IMODE(status.st_mode) & 0o077:
        folder.chmod(0o700)


def load_library(source: str, compiler: Compiler) -> ctypes.CDLL:
    """The library compiled from a C source, now or on an earlier day."""
    folder = cache_folder()
    key = _key(source, compiler)
    library = folder / f"{key}.so"
    if not library.exists():
        _build(source, compiler, library)
    try:
        return ctypes.CDLL(str(library))
    except OSError:
        # A file that a full disk or a crash left unusable is made anew, once.
        library.unlink(missing_ok=True)
        _build(source, compiler, library)
    try:
        return ctypes.CDLL(str(library))
    except OSError as error:
        raise CompilerError(
            f"compiled code cannot be loaded: {error}; set $AXLETREE_CACHE to a folder from which "
            "programs may run, or AXLETREE_CC=none to run generated Python"
        ) from None


def _key(source: str, compiler: Compiler) -> str:
    parts = (source, *compiler.command, compiler.version, *compiler.flags)
    parts += (compiler.processor, platform.machine())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def _build(source: str, compiler: Compiler, library: Path) -> None:
    """Compile beside the target and move it there; of several processes one does the work."""
    from filelock import FileLock

    with FileLock(library.with_suffix(".lock"), mode=0o600):
        if library.exists():
            return
        work = Path(tempfile.mkdtemp(dir=library.parent))
        try:
            text = work / "model.c"
            text.write_text(source, encoding="utf-8")
            try:
                compiler.build(str(text), str(work / "model.so"))
            except CompilerError as error:
                kept = library.with_suffix(".c")
                os.replace(text, kept)
                raise CompilerError(_failure(str(error), compiler, kept)) from None
            (work / "model.so").chmod(0o700)
            os.replace(work / "model.so", library)
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _failure(output: str, compiler: Compiler, kept: Path) -> str:
    lines = output.strip().splitlines() or ["(it printed nothing)"]
    shown = "\n".join(f"  {line}" for line in lines[:_LINES_SHOWN])
    if len(lines) > _LINES_SHOWN:
        shown += f"\n  ... and {len(lines) - _LINES_SHOWN} more lines"
    return (
        f"the C compiler {' '.join(compiler.command)!r} failed on generated code:\n{shown}\n"
        f"The source is kept at {kept}. Try another compiler by $AXLETREE_CC, or "
        "AXLETREE_CC=none to run generated Python."
    )
