"""What pages tell readers to import is in the reference, and so has an example."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from docs.page_blocks import PAGES, blocks_of
from test_docstrings import CONSTANTS, PUBLIC

WITHOUT_ENTRIES = {
    "axletree.catalogue": "tables of names, which `axletree list` and the reference show",
    "axletree.gym": "registers environments, which have a page of the reference of their own",
    "axletree.examples": "results of a shipped example, which nothing is built upon",
}


def imports() -> Iterator[tuple[str, str, str]]:
    """Page, module and name; the blocks of CONTRIBUTING are written into the package itself."""
    for page in (page for page in PAGES if page != "CONTRIBUTING.md"):
        for block in blocks_of(page):
            nodes = ast.walk(ast.parse(block.text)) if block.language == "python" else ()
            for node in nodes:
                if isinstance(node, ast.ImportFrom):
                    yield from ((page, node.module or "", alias.name) for alias in node.names)
                elif isinstance(node, ast.Import):
                    yield from ((page, alias.name, "") for alias in node.names)


def imported(module: str, name: str) -> Any:
    found = import_module(module)
    if not name:
        return found
    return getattr(found, name) if hasattr(found, name) else import_module(f"{module}.{name}")


def is_public(module: str, name: str) -> bool:
    """In the reference, an object of a class that is, or a constant that a package offers."""
    thing = imported(module, name)
    place = thing.__name__ if isinstance(thing, ModuleType) else module
    if any(f"{place}.".startswith(f"{left_out}.") for left_out in WITHOUT_ENTRIES):
        return True
    classes = tuple(one for one in PUBLIC.values() if isinstance(one, type))
    return (
        any(thing is one for one in PUBLIC.values())
        or isinstance(thing, classes)
        or name in CONSTANTS.get(import_module(module), ())
    )


def test_pages_import_what_the_reference_has() -> None:
    own = {one for one in imports() if one[1].partition(".")[0] == "axletree"}
    assert len(own) > 100
    assert sorted(one for one in own if not is_public(*one[1:])) == []


def test_what_is_inside_is_not_public() -> None:
    assert not is_public("axletree.expr.traversal", "rebuild")
    assert not is_public("axletree.expr.traversal", "")
    assert is_public("axletree.expr.expression", "ONE")
