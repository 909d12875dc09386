"""``axletree doctor``: what this installation has, and whether it works."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib import metadata

import typer

from axletree import __version__

REQUIRED = ("numpy", "scipy", "sympy", "ruamel.yaml", "typer", "rich", "matplotlib")
REQUIRED += ("platformdirs", "filelock")

# What each extra is for, by the distribution that it installs.
EXTRAS = {
    "cc": ("ziglang", "a C compiler for machines that have none"),
    "sundials": ("scikit-sundae", "the CVODE and IDA integrators"),
    "casadi": ("casadi", "expressions for optimal control"),
    "pandas": ("pandas", "trajectories as data frames"),
}


def doctor() -> None:
    """Show versions, the C compiler and whether it works, the cache, and the extras.

    Example: axletree doctor
    """
    for label, finding in (*_versions(), *_extras()):
        typer.echo(f"{label:<22}{finding}")


def _versions() -> Iterator[tuple[str, str]]:
    yield "axletree", __version__
    yield "Python", f"{platform.python_version()} ({sys.executable})"
    yield "system", platform.platform()
    for distribution in REQUIRED:
        yield distribution, _version(distribution) or "missing: install axletree again"


def _extras() -> Iterator[tuple[str, str]]:
    for extra, (distribution, purpose) in EXTRAS.items():
        version = _version(distribution)
        absent = f"absent; pip install 'axletree[{extra}]' adds {purpose}"
        yield f"extra {extra}", f"{distribution} {version}: {purpose}" if version else absent


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
