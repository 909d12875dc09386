"""Controllers that are functions of C, in this process.

A file has, by one name such as ``cruise``, the names of quantities in arrays that end with 0, what
is done before a run, and what is done at each instant:

    const char *cruise_reads[] = {"vehicle.forward_speed", 0};
    const char *cruise_sets[] = {"driver.throttle", 0};
    void cruise_reset(void);
    void cruise_update(double t, const double *measured, double *commands);

in SI units. ``const double cruise_interval = 0.01;`` is its interval [s], if it is there. What it
keeps, it keeps in the library: there is one of it in a process. A function that crashes ends the
process, and one that never returns is not interrupted; an FMU has a process of its own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from pathlib import Path

from axletree.code.backends.c import find_compiler, load_library
from axletree.core.errors import AxletreeError, SimulationError

SHARED_LIBRARIES = (".so", ".dylib", ".dll")
_MOST_NAMES = 10_000


class CController:
    """A controller by the C functions of a file, which is compiled unless it is a library.

    Example:
    >>> import tempfile
    >>> from pathlib import Path
    >>> import axletree as at
    >>> source = (
    ...     'const char *half_reads[] = {"vehicle.forward_speed", 0};'
    ...     'const char *half_sets[] = {"driver.throttle", 0};'
    ...     "void half_reset(void) {}"
    ...     "void half_update(double t, const double *measured, double *commands)"
    ...     "{ commands[0] = measured[0] < 25.0 ? 0.5 : 0.0; }"
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "half.c")
    ...     _ = file.write_text(source)
    ...     half = at.CController(file, "half")
    >>> half.update(0.0, {"vehicle.forward_speed": 20.0})  # m/s
    {'driver.throttle': 0.5}
    """

    def __init__(self, file: str | Path, name: str) -> None:
        self.name, self._place = name, f"{file}: {name}"
        library = _library(Path(file))
        self._check(library)
        self.reads, self.sets = (self._names(library, word) for word in ("reads", "sets"))
        self.interval: float | None = None
        if hasattr(library, f"{name}_interval"):
            self.interval = ctypes.c_double.in_dll(library, f"{name}_interval").value
        numbers = ctypes.POINTER(ctypes.c_double)
        self._reset, self._update = (library[f"{name}_{one}"] for one in ("reset", "update"))
        self._reset.argtypes, self._reset.restype = (), None
        self._update.argtypes = (ctypes.c_double, numbers, numbers)
        self._update.restype = None
        self._library = library  # as long as its functions are there

    def _check(self, library: ctypes.CDLL) -> None:
        words = ("reads", "sets", "reset", "update")
        missing = [w for w in words if not hasattr(library, f"{self.name}_{w}")]
        if missing:
            raise SimulationError(
                f"{self._place}: the file has no {', '.join(f'{self.name}_{w}' for w in missing)}; "
                f"expected {', '.join(f'{self.name}_{w}' for w in words)}, not static"
            )

    def _names(self, library: ctypes.CDLL, word: str) -> tuple[str, ...]:
        first = ctypes.addressof(ctypes.c_char_p.in_dll(library, f"{self.name}_{word}"))
        size = ctypes.sizeof(ctypes.c_char_p)
        found: list[str] = []
        for k in range(_MOST_NAMES):
            text = ctypes.c_char_p.from_address(first + k * size).value
            if text is None:
                return tuple(found)
            found.append(text.decode("utf-8", "replace"))
        raise SimulationError(f"{self._place}_{word} does not end with 0")

    def reset(self) -> None:
        """Before the first instant of a run.

        Example:
        >>> from pathlib import Path
        >>> import axletree as at
        >>> text = (
        ...     'const char *count_reads[] = {"vehicle.yaw_rate", 0};'
        ...     'const char *count_sets[] = {"driver.throttle", 0};'
        ...     "static double n; void count_reset(void) { n = 0.0; }"
        ...     "void count_update(double t, const double *y, double *u) { u[0] = ++n; }"
        ... )
        >>> written = Path("count.c").write_text(text)
        >>> count = at.CController("count.c", "count")
        >>> [count.update(0.0, {"vehicle.yaw_rate": 0.0}) for k in range(2)][-1]
        {'driver.throttle': 2.0}
        >>> count.reset()
        >>> count.update(0.0, {"vehicle.yaw_rate": 0.0})
        {'driver.throttle': 1.0}
        """
        self._reset()

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        """Commands at t [s], in SI units; those that it does not set are nan, and refused.

        Example:
        >>> from pathlib import Path
        >>> import axletree as at
        >>> text = (
        ...     'const char *count_reads[] = {"vehicle.yaw_rate", 0};'
        ...     'const char *count_sets[] = {"driver.throttle", 0};'
        ...     "static double n; void count_reset(void) { n = 0.0; }"
        ...     "void count_update(double t, const double *y, double *u) { u[0] = ++n; }"
        ... )
        >>> written = Path("count.c").write_text(text)
        >>> count = at.CController("count.c", "count")
        >>> count.reset()
        >>> count.update(0.0, {"vehicle.yaw_rate": 0.0})
        {'driver.throttle': 1.0}
        """
        seen = (ctypes.c_double * max(len(self.reads), 1))(*(measured[one] for one in self.reads))
        given = (ctypes.c_double * max(len(self.sets), 1))(*(float("nan") for _ in self.sets))
        self._update(t, seen, given)
        return dict(zip(self.sets, given, strict=False))


def _library(file: Path) -> ctypes.CDLL:
    if not file.is_file():
        raise SimulationError(f"there is no file {file}; expected C, or a library of it")
    if file.suffix in SHARED_LIBRARIES:
        try:
            return ctypes.CDLL(str(file.resolve()))
        except OSError as error:
            raise SimulationError(f"{file} is no library that can be loaded: {error}") from None
    compiler = find_compiler()
    if compiler is None:
        raise SimulationError(
            f"{file} needs a C compiler, and none is found; see `axletree doctor`, or give a "
            f"library ({', '.join(SHARED_LIBRARIES)})"
        )
    try:
        return load_library(file.read_text(encoding="utf-8"), compiler)
    except (AxletreeError, UnicodeDecodeError) as error:
        raise SimulationError(f"{file} is not compiled: {error}") from None
