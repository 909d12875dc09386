"""The C compiler of this machine, and the private cache of what it compiled.

The compiler is $AXLETREE_CC, $CC, cc, gcc, clang, or the ziglang package. The cache is keyed by
content, written atomically under a lock, and checked by a digest before anything of it is loaded.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import hashlib
import importlib.util
import os
import platform
import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from axletree.core.cache import cache_folder, digest_of, own_bytes, reason_of
from axletree.core.errors import CompilerError
from axletree.core.progress import doing

NO_COMPILER: Final = "none"  # as $AXLETREE_CC: do not compile, run generated Python
# -O2: the usual optimiser; -O3 made generated straight-line code no quicker. No -ffast-math,
# and no contraction of a*b + c: results equal those of direct evaluation but for the rounding
# of library functions. errno is not read, and without it sqrt is an instruction. A routine
# cannot be replaced from outside, so the loop may hold it inline. Loops over lanes become
# vector instructions: comparisons then raise no floating-point exceptions, which nobody reads.
OPTIMISE: Final = (
    "-O2", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off",
    "-fopenmp-simd", "-DAXL_LANES",
    "-fno-semantic-interposition",
)  # fmt: skip
STANDARD: Final = ("-std=c99",)
SHARED_LIBRARY: Final = ("-fPIC", "-shared")
FLAGS: Final = (*STANDARD, *OPTIMISE, *SHARED_LIBRARY)
NATIVE: Final = "-march=native"  # code is made for the machine that it runs on


@dataclass(frozen=True)
class Compiler:
    """How the compiler is called, and how it was found."""

    command: tuple[str, ...]
    origin: str
    version: str
    processor: str  # what the compiler makes of -march=native, "" where it knows no such flag
    further: tuple[str, ...] = ()  # flags, which come last

    @property
    def flags(self) -> tuple[str, ...]:
        return (*FLAGS, *((NATIVE,) if self.processor else ()), *self.further)

    def build(self, source: str, target: str) -> None:
        """Compile a C file into a shared library."""
        arguments = [*self.command, *self.flags, "-o", target, source, "-lm"]
        try:
            result = subprocess.run(arguments, capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise CompilerError(f"it cannot be run: {error.strerror or error}") from None
        if result.returncode != 0:
            raise CompilerError(result.stderr or result.stdout)


def find_compiler() -> Compiler | None:
    """The first compiler that is there, or None; a wrong $AXLETREE_CC is an error."""
    return _find(os.environ.get("AXLETREE_CC", ""), os.environ.get("CC", ""))


@functools.lru_cache(maxsize=8)
def _find(chosen: str, usual: str) -> Compiler | None:
    if chosen.strip() == NO_COMPILER:
        return None
    if chosen.strip():
        command = _words("$AXLETREE_CC", chosen)
        if shutil.which(command[0]) is None:
            raise CompilerError(
                f"$AXLETREE_CC is {chosen!r}, but there is no program {command[0]!r}; "
                f"expected a C compiler, or {NO_COMPILER!r} to run generated Python"
            )
        return _described(command, "$AXLETREE_CC")
    candidates = [("$CC", _words("$CC", usual))] if usual.strip() else []
    candidates += [(name, (name,)) for name in ("cc", "gcc", "clang")]
    for origin, command in candidates:
        if shutil.which(command[0]) is not None:
            return _described(command, origin)
    if importlib.util.find_spec("ziglang") is not None:
        return _described((sys.executable, "-m", "ziglang", "cc"), "ziglang")
    return None


def _words(variable: str, text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise CompilerError(
            f"{variable} is {text!r}, which is no command line ({error}); expected a C compiler"
        ) from None


def _described(command: tuple[str, ...], origin: str) -> Compiler:
    """The compiler with its version, which is part of the key of what it makes."""
    try:
        result = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, errors="replace"
        )
    except OSError as error:
        raise CompilerError(
            f"the compiler {' '.join(command)!r} (found as {origin}) cannot be run: "
            f"{error.strerror}; set $AXLETREE_CC to another one, or to {NO_COMPILER!r}"
        ) from None
    lines = result.stdout.splitlines()
    version = lines[0] if lines else "unknown version"
    return Compiler(command, origin, version, _processor(command))


def _processor(command: tuple[str, ...]) -> str:
    """The line in which the compiler spells out -march=native: what code for it may use."""
    arguments = [*command, NATIVE, "-E", "-v", "-x", "c", os.devnull]
    result = subprocess.run(arguments, capture_output=True, text=True, errors="replace")
    lines = [line for line in result.stderr.splitlines() if "cc1" in line or "-target-cpu" in line]
    return " ".join(lines) if result.returncode == 0 else ""


_LINES_SHOWN: Final = 12


def load_library(source: str, compiler: Compiler) -> ctypes.CDLL:
    """The library compiled from a C source, now or on an earlier day.

    A file that a crash, a full disk or another hand left is not what the digest beside it says:
    it is never loaded, which could end Python, and is made anew.
    """
    folder = cache_folder()
    library = folder / f"{_key(source, compiler)}.so"
    if not _is_whole(library):
        _build(source, compiler, library)
    try:
        return ctypes.CDLL(str(library))
    except OSError:  # as after a change of the system's libraries
        _forget(library)
        _build(source, compiler, library)
    try:
        return ctypes.CDLL(str(library))
    except OSError as error:
        raise CompilerError(
            f"compiled code cannot be loaded: {error}; set $AXLETREE_CACHE to a folder from which "
            "programs may run, or AXLETREE_CC=none to run generated Python"
        ) from None


def kept_library(key: str) -> ctypes.CDLL | None:
    """The library that was compiled on an earlier day, by its key; None if there is none."""
    library = cache_folder() / f"{key}.so"
    if not _is_whole(library):
        return None
    try:
        return ctypes.CDLL(str(library))
    except OSError:
        return None


def library_key(library: ctypes.CDLL) -> str:
    """By which a library that was loaded from the cache is found there again."""
    return Path(library._name).stem


def _is_whole(library: Path) -> bool:
    """Whether the library is the one that this user put there under this name."""
    try:
        digest = own_bytes(_digest_file(library))
        return digest.decode("ascii", "replace") == digest_of(library.stem, own_bytes(library))
    except OSError:
        return False


def _digest_file(library: Path) -> Path:
    return library.with_suffix(".sha256")


def _forget(library: Path) -> None:
    with _cache_messages(library.parent):
        _digest_file(library).unlink(missing_ok=True)


def _key(source: str, compiler: Compiler) -> str:
    parts = (source, *compiler.command, compiler.version, *compiler.flags)
    parts += (compiler.processor, platform.machine())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def _build(source: str, compiler: Compiler, library: Path) -> None:
    """Compile beside the target and move it there; of several processes one does the work."""
    from filelock import FileLock

    with (
        _cache_messages(library.parent),
        FileLock(library.with_suffix(".lock"), mode=0o600),
    ):
        if _is_whole(library):
            return
        for left in library.parent.glob(f"{library.stem}*.making"):
            shutil.rmtree(left, ignore_errors=True)
        # Under a new name: the compiler of a program that was killed may still be writing.
        work = library.with_suffix(f".{secrets.token_hex(4)}.making")
        work.mkdir(mode=0o700)
        try:
            with doing(f"compiling the equations ({compiler.command[0]})"):
                _compile(source, compiler, work, library.with_suffix(".c"))
            _store(work / "model.so", library)
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _compile(source: str, compiler: Compiler, work: Path, kept: Path) -> None:
    text = work / "model.c"
    text.write_text(source, encoding="utf-8")
    try:
        compiler.build(str(text), str(work / "model.so"))
        if not (work / "model.so").is_file():
            raise CompilerError("(it ended without an error, and made no file)")
    except CompilerError as error:
        if os.strerror(errno.ENOSPC) in str(error):
            full = f"{os.strerror(errno.ENOSPC)}, there or among the compiler's temporary files"
            raise OSError(errno.ENOSPC, full) from None
        os.replace(text, kept)
        raise CompilerError(_failure(str(error), compiler, kept)) from None


def _store(made: Path, library: Path) -> None:
    """The library, then its digest, each on the disk before it has its name."""
    content = made.read_bytes()
    digest = made.with_suffix(".sha256")
    digest.write_text(digest_of(library.stem, content), encoding="ascii")
    for file, place in ((made, library), (digest, _digest_file(library))):
        file.chmod(0o700)
        with file.open("rb+") as stream:
            os.fsync(stream.fileno())
        os.replace(file, place)


@contextmanager
def _cache_messages(folder: Path) -> Iterator[None]:
    """A disk that is full or read-only, or has no locks, is named with what to do."""
    try:
        yield
    except (OSError, NotImplementedError) as error:
        raise CompilerError(
            f"compiled code cannot be kept in the cache folder {folder}: {reason_of(error)}; set "
            "$AXLETREE_CACHE to a folder of your own on a disk with space, or AXLETREE_CC=none to "
            "run generated Python"
        ) from None


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
