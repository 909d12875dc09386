"""``axletree doctor``: what this installation has, and whether it works."""

from __future__ import annotations

import ctypes
import math
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import typer

from axletree import __version__
from axletree.code.backends.c import Compiler, find_compiler
from axletree.core.cache import cache_folder
from axletree.core.errors import CompilerError

REQUIRED = (
    "numpy", "scipy", "sympy", "ruamel.yaml", "typer", "rich", "matplotlib", "jinja2",
    "platformdirs", "filelock",
)  # fmt: skip

# What each extra is for, by the distribution that it installs.
EXTRAS = {
    "cc": ("ziglang", "a C compiler for machines that have none"),
    "sundials": ("scikit-sundae", "the CVODE and IDA integrators"),
    "crg": ("pycrg", "roads of OpenCRG files"),
    "fmu": ("fmpy", "FMUs as parts of a run"),
    "casadi": ("casadi", "expressions for optimal control"),
    "control": ("control", "linear systems as objects of python-control"),
    "pandas": ("pandas", "trajectories as data frames"),
    "xarray": ("xarray", "trajectories as datasets with units"),
    "mdf": ("asammdf", "runs as ASAM MDF 4 files"),
    "can": ("cantools", "signals of CAN buses to and from a runner"),
    "parquet": ("pyarrow", "runs as Parquet files"),
    "gym": ("gymnasium", "environments for learning agents"),
    "mpc": ("osqp", "predictive path following"),
    "gpu": ("cupy-cuda13x", "many cars on a CUDA card"),
    "cluster": ("distributed", "sweeps and experiments on the machines of a Dask cluster"),
    "optimise": ("cma", "design optimisation: CMA-ES and NSGA-II"),
    "wasm": ("wasmtime", "models as WebAssembly in a sandbox"),
}

_PROBE = "#include <math.h>\ndouble probe(double x);\ndouble probe(double x) { return exp(x); }\n"
_WIDTH = 16  # characters of the labels
_LIBRARY = 100_000  # bytes of a small model's compiled code
EXIT_FAILED = 1


@dataclass(frozen=True)
class DoctorLine:
    """One line of the report."""

    label: str
    text: str
    failed: bool = False


def doctor() -> None:
    """Show versions, the C compiler and whether it works, the cache, and the extras.

    The exit code is 1 where the C compiler does not work; having none is no failure.

    Example: axletree doctor
    """
    findings = (*_versions(), *_compiler(), *_cache(), *_extras())
    for finding in findings:
        typer.echo(f"{finding.label:<{_WIDTH}}{finding.text}")
    if any(finding.failed for finding in findings):
        raise typer.Exit(EXIT_FAILED)


def _versions() -> Iterator[DoctorLine]:
    yield DoctorLine("axletree", __version__)
    yield DoctorLine("Python", f"{platform.python_version()} ({sys.executable})")
    yield DoctorLine("system", platform.platform())
    for distribution in REQUIRED:
        yield DoctorLine(distribution, _version(distribution) or "missing: install axletree again")


def _compiler() -> Iterator[DoctorLine]:
    try:
        compiler = find_compiler()
        if compiler is None:
            yield DoctorLine("C compiler", "none: generated Python runs instead, much slower")
            return
        yield DoctorLine("C compiler", f"{' '.join(compiler.command)}, found as {compiler.origin}")
        yield DoctorLine("", compiler.version)
        _try_out(compiler)
    except (CompilerError, OSError) as error:
        yield DoctorLine("compile test", f"failed: {error}", failed=True)
    else:
        yield DoctorLine(
            "compile test", "passed: a function was compiled, loaded and gave the right value"
        )


def _try_out(compiler: Compiler) -> None:
    """Compile a small function, load it and compare its value with Python's."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "probe.c"), Path(folder, "probe.so")
        source.write_text(_PROBE, encoding="utf-8")
        compiler.build(str(source), str(library))
        try:
            probe = ctypes.CDLL(str(library)).probe
        except (OSError, AttributeError) as error:
            raise CompilerError(f"what it made cannot be loaded: {error}") from None
        probe.argtypes, probe.restype = [ctypes.c_double], ctypes.c_double
        value = probe(2.0)
    if not math.isclose(value, math.exp(2.0), rel_tol=1e-14):
        raise CompilerError(f"exp(2) came out as {value!r}, expected {math.exp(2.0)!r}")


def _cache() -> Iterator[DoctorLine]:
    try:
        folder = cache_folder()
    except CompilerError as error:
        yield DoctorLine("cache", str(error))
        return
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    yield DoctorLine("cache", f"{folder}: {sum(sizes) / 1e6:.1f} MB")
    try:
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.write(bytes(_LIBRARY))
    except OSError as error:
        yield DoctorLine("", f"nothing can be kept there: {error.strerror or error}", failed=True)


def _extras() -> Iterator[DoctorLine]:
    for extra, (distribution, purpose) in EXTRAS.items():
        version = _version(distribution)
        absent = f"absent; pip install 'axletree[{extra}]' adds {purpose}"
        yield DoctorLine(
            f"extra {extra}", f"{distribution} {version}: {purpose}" if version else absent
        )


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
