"""Binaries of an FMU: by the compiler at hand for this machine, by ziglang for others.

Code runs on any processor of its kind (no ``-march=native``), and what stands in a binary are
the functions of the standard alone.
"""

from __future__ import annotations

import importlib.util
import platform
import struct
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from axletree.code.backends import c
from axletree.core.cores import usable_cores
from axletree.core.errors import CompilerError, ModelWarning
from axletree.core.files import temporary_files
from axletree.core.progress import Progress, doing
from axletree.core.registry import unknown_name
from axletree.export.fmu.sources import COMPILED
from axletree.simulation.fmu.archive import FmuError


@dataclass(frozen=True)
class Platform:
    """A kind of machine, as the standard and as ziglang know it."""

    folder: str  # of FMI 3
    folder_2: str  # of FMI 2
    target: str  # of ziglang; libraries of 2012 and later
    ending: str


PLATFORMS: Final = {
    one.folder: one
    for one in (
        Platform("x86_64-linux", "linux64", "x86_64-linux-gnu.2.17", "so"),
        Platform("x86_64-windows", "win64", "x86_64-windows-gnu", "dll"),
        Platform("aarch64-linux", "aarch64-linux", "aarch64-linux-gnu.2.17", "so"),
        Platform("x86_64-darwin", "darwin64", "x86_64-macos", "dylib"),
        Platform("aarch64-darwin", "darwin64", "aarch64-macos", "dylib"),
    )
}
_SYSTEMS: Final = {"Linux": "linux", "Darwin": "darwin", "Windows": "windows"}
_MACHINES: Final = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}


def this_platform() -> str:
    """The name of this machine's kind; "" if the standard's folders have none."""
    system, machine = _SYSTEMS.get(platform.system()), _MACHINES.get(platform.machine())
    return f"{machine}-{system}" if f"{machine}-{system}" in PLATFORMS else ""


def has_ziglang() -> bool:
    return importlib.util.find_spec("ziglang") is not None


def chosen_platforms(names: Sequence[str] | None) -> tuple[str, ...]:
    """Those that are asked for; unless given, all that can be compiled for here."""
    own = this_platform()
    if names is None:
        if has_ziglang():
            return tuple(PLATFORMS)
        if own and c.find_compiler() is not None:
            return (own,)
        warnings.warn(
            "there is no C compiler here for a binary: the FMU has C sources alone", ModelWarning,
            stacklevel=3,
        )  # fmt: skip
        return ()
    for name in names:
        if name not in PLATFORMS:
            raise unknown_name("platform", name, PLATFORMS, "FMUs")
        if name != own and not has_ziglang():
            raise FmuError(
                f"a binary for {name} is compiled by ziglang, which is not installed; "
                "pip install axletree[cc]"
            )
    if own in names and c.find_compiler() is None:
        raise FmuError("there is no C compiler for a binary; see `axletree doctor`")
    return tuple(dict.fromkeys(names))


def fmu_binaries(
    texts: Mapping[str, str], identifier: str, version: int, names: Sequence[str]
) -> dict[str, bytes]:
    """The binaries by their places in the archive."""
    found: dict[str, bytes] = {}
    parts: dict[str, list[bytes]] = {}
    with temporary_files(), tempfile.TemporaryDirectory(prefix="axletree-fmu-") as folder:
        for name, text in texts.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        platforms = [PLATFORMS[name] for name in names]
        for one, content in zip(platforms, _all_compiled(platforms, Path(folder)), strict=True):
            place = one.folder_2 if version == 2 else one.folder
            parts.setdefault(f"binaries/{place}/{identifier}.{one.ending}", []).append(content)
    for place, contents in parts.items():
        found[place] = contents[0] if len(contents) == 1 else universal_binary(contents)
    return found


def _all_compiled(platforms: Sequence[Platform], folder: Path) -> list[bytes]:
    """Compilers run side by side, one to a core."""
    if len(platforms) == 1:
        with doing(f"compiling the FMU for {platforms[0].folder}"):
            return [_compiled(platforms[0], folder)]
    with (
        ThreadPoolExecutor(min(usable_cores(), max(len(platforms), 1))) as several,
        Progress(len(platforms), "compiling the FMU,", "platforms done") as progress,
    ):
        running = [several.submit(_compiled, one, folder) for one in platforms]
        while waiting := wait(running, _LOOK).not_done:
            progress.show(len(platforms) - len(waiting))
        return [one.result() for one in running]


_LOOK: Final = 0.5  # s between two looks at what is done


def _compiled(one: Platform, folder: Path) -> bytes:
    compiler, zig = c.find_compiler(), (sys.executable, "-m", "ziglang", "cc")
    if one.folder == this_platform() and compiler is not None:
        command = list(compiler.command)
    else:
        command = [*zig, "-target", one.target, *_OF_ZIG]
    made = folder / f"{one.folder}.{one.ending}"
    flags = [flag for flag in c.FLAGS if flag not in _NOT_EVERYWHERE]
    arguments = [*command, *flags, "-fvisibility=hidden", "-o", made.name, COMPILED, "-lm"]
    result = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, errors="replace")
    if result.returncode != 0 or not made.is_file():
        lines = (result.stderr or result.stdout).strip().splitlines()[:8]
        shown = "\n".join(f"  {line}" for line in lines)
        raise CompilerError(f"the FMU is not compiled for {one.folder}:\n{shown}")
    return made.read_bytes()


# Lanes of the compiler at hand are those of its own mathematics library, which others have not.
_OF_ZIG: Final = ("-g0",)  # which writes what debuggers want unless it is told not to
_NOT_EVERYWHERE: Final = ("-fopenmp-simd", "-DAXL_LANES", "-fno-semantic-interposition")

_FAT_MAGIC: Final = 0xCAFEBABE
_PAGE: Final = 14  # 2**14 bytes, pages of Apple's processors


def universal_binary(parts: Sequence[bytes]) -> bytes:
    """Mach-O files of several processors as one (Apple, mach-o/fat.h).

    Example:
    >>> import struct
    >>> from axletree.export.fmu.binaries import universal_binary
    >>> part = struct.pack("<III", 0xFEEDFACF, 0x0100000C, 0)
    >>> len(universal_binary([part])) == 2**14 + len(part)
    True
    """
    head = struct.pack(">II", _FAT_MAGIC, len(parts))
    size = 1 << _PAGE
    places, end = [], size
    for part in parts:
        processor, kind = struct.unpack_from("<II", part, 4)
        head += struct.pack(">IIIII", processor, kind, end, len(part), _PAGE)
        places.append(end)
        end += -(-len(part) // size) * size
    content = bytearray(head.ljust(size, b"\0"))
    for place, part in zip(places, parts, strict=True):
        content = content.ljust(place, b"\0") + part
    return bytes(content)
