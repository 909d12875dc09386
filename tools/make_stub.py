"""Writes ``src/axletree/__init__.pyi``: the names of the package, as editors and type checkers see
them.

    python tools/make_stub.py

The package itself loads a name when it is first used, which tools that read the source cannot
follow. ``tests/test_public.py`` compares the file with what this program would write.
"""

from __future__ import annotations

from pathlib import Path

import axletree

STUB = Path(__file__).parent.parent / "src" / "axletree" / "__init__.pyi"
HEAD = '''"""Names of the package and where they are defined: made by ``tools/make_stub.py``."""

# ruff: noqa: E501, I001 - a name is a line
# fmt: off

'''


def stub_text() -> str:
    """An import for each name, in the order of modules."""
    places = sorted(place.partition(":")[::2] for place in axletree.PLACES.values())
    imports = "".join(f"from {module} import {name} as {name}\n" for module, name in places)
    return f"{HEAD}{imports}\nPLACES: dict[str, str]\n__version__: str\n"


if __name__ == "__main__":
    STUB.write_text(stub_text(), encoding="utf-8")
