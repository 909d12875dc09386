"""``axletree doctor``: what this installation has, and whether it works."""

from __future__ import annotations

import platform
from importlib import metadata

from rich.console import Console
from rich.table import Table

import axletree


def doctor() -> None:
    """Show Python, package versions and the optional extras.

    Example: axletree doctor
    """
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_row("axletree", axletree.__version__)
    table.add_row("Python", f"{platform.python_version()} on {platform.platform()}")
    for package in ("numpy", "scipy", "sympy"):
        table.add_row(package, metadata.version(package))
    Console().print(table)
