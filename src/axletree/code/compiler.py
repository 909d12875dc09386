"""The C compiler of this machine: $AXLETREE_CC, $CC, cc, gcc, clang, or the ziglang package."""

from __future__ import annotations

import functools
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Final

from axletree.core.errors import CompilerError

NONE: Final = "none"  # as $AXLETREE_CC: do not compile, run generated Python
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
SHARED: Final = ("-fPIC", "-shared")
FLAGS: Final = (*STANDARD, *OPTIMISE, *SHARED)
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
    if chosen.strip() == NONE:
        return None
    if chosen.strip():
        command = tuple(shlex.split(chosen))
        if shutil.which(command[0]) is None:
            raise CompilerError(
                f"$AXLETREE_CC is {chosen!r}, but there is no program {command[0]!r}; "
                f"expected a C compiler, or {NONE!r} to run generated Python"
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
            f"{error.strerror}; set $AXLETREE_CC to another one, or to {NONE!r}"
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
