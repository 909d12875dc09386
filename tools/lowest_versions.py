"""Constraints for pip: every dependency of pyproject.toml at its lowest version.

    python tools/lowest_versions.py > lowest.txt

`make test-lowest` installs these and runs the quick tests, so that lower bounds are true.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
_TOOLS = ("dev", "docs", "cross-check")  # for developers alone
BOUND = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(\[[^]]*\])?\s*>=\s*(?P<version>[0-9.]+)")


def lowest_versions() -> dict[str, str]:
    """Names and lowest versions of what users install; tools of developers are left out."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    bounds = list(project["dependencies"])
    bounds += [bound for extra, listed in extras.items() if extra not in _TOOLS for bound in listed]
    found = {}
    for bound in bounds:
        match = BOUND.match(bound)
        if match is None:
            raise SystemExit(f"pyproject.toml: {bound!r} has no lower bound; give it one by >=")
        found[match["name"]] = match["version"]
    return found


if __name__ == "__main__":
    for name, version in lowest_versions().items():
        print(f"{name}=={version}")
