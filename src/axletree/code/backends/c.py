"""The C compiler of this machine, and the private cache of what it compiled.

The compiler is $AXLETREE_CC, $CC, cc, gcc, clang, or the ziglang package. The cache is keyed by
content, and written atomically under a lock.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.util
import os
import platform
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from axletree.core.errors import CompilerError

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

    @property
    def flags(self) -> tuple[str, ...]:
        return (*FLAGS, *((NATIVE,) if self.processor else ()))

    def build(self, source: str, target: str) -> None:
        """Compile a C file into a shared library."""
        arguments = [*self.command, *self.flags, "-o", target, source, "-lm"]
        result = subprocess.run(arguments, capture_output=True, text=True, errors="replace")
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
        command = tuple(shlex.split(chosen))
        if shutil.which(command[0]) is None:
            raise CompilerError(
                f"$AXLETREE_CC is {chosen!r}, but there is no program {command[0]!r}; "
                f"expected a C compiler, or {NO_COMPILER!r} to run generated Python"
            )
        return _described(command, "$AXLETREE_CC")
    candidates = [("$CC", tuple(shlex.split(usual)))] if usual.strip() else []
    candidates += [(name, (name,)) for name in ("cc", "gcc", "clang")]
    for origin, command in candidates:
        if shutil.which(command[0]) is not None:
            return _described(command, origin)
    if importlib.util.find_spec("ziglang") is not None:
        return _described((sys.executable, "-m", "ziglang", "cc"), "ziglang")
    return None


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
