"""Everything public has a docstring with an example, and every example runs and is true.

An example has what it imports and nothing else, and a folder of its own for the files it writes.
"""

from __future__ import annotations

import doctest
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import axletree
from axletree import language
from axletree.core.registry import load
from axletree.library.contract import Component
from axletree.library.part import Part
from axletree.system.form import Form

MAKING = Path(__file__).parent.parent / "docs" / "making"
CONSTANTS = {  # have no docstrings: the example of their package shows them
    axletree: ("__version__", "TIME"),
    language: ("POINT_MASS", "TIME", "Load"),
}
CONTRACTS = Component, Part, Form  # their methods are for those who write one
HEADING = "\nExample:\n>>> "


def offered() -> Iterator[tuple[str, Any]]:
    """What the packages offer by name."""
    for package, constants in CONSTANTS.items():
        for name in package.__all__:
            if name not in constants:
                yield f"{package.__name__}.{name}", getattr(package, name)


def listed() -> Iterator[tuple[str, Any]]:
    """What the reference has: classes, functions, and methods; of the language those that have an
    example, for its classes show the others."""
    for thing in in_reference():
        yield f"{thing.__module__}.{thing.__qualname__}", thing
        if inspect.isclass(thing) and not issubclass(thing, CONTRACTS):
            of_language = thing.__module__.startswith(language.__name__)
            yield from (m for m in methods(thing) if not of_language or examples_of(m[1]))


def in_reference() -> Iterator[Any]:
    sys.path.insert(0, str(MAKING))
    try:
        from reference_contents import PAGES
        from reference_fields import pieces_of
        from reference_page import Entries, Pieces, Python
    finally:
        sys.path.remove(str(MAKING))
    for section in (section for page in PAGES for section in page.sections):
        match section:
            case Python():
                yield from section.things
            case Entries():
                yield from (load("entry", name, section.things) for name in section.things)
            case Pieces():
                yield from pieces_of(section.outermost)


def methods(kind: type) -> Iterator[tuple[str, Any]]:
    for name, member in inspect.getmembers(kind, inspect.isfunction):
        if not name.startswith("_"):
            yield f"{kind.__module__}.{kind.__qualname__}.{name}", member


def public() -> dict[str, Any]:
    """Each thing once, by the name under which it is offered first."""
    packages = ((package.__name__, package) for package in CONSTANTS)
    found: dict[int, tuple[str, Any]] = {}
    for name, thing in (*packages, *offered(), *listed()):
        found.setdefault(id(thing), (name, thing))
    return dict(found.values())


def examples_of(thing: Any) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(inspect.getdoc(thing) or "")


PUBLIC = public()


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_has_an_example_that_is_true(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thing = PUBLIC[name]
    assert HEADING in (inspect.getdoc(thing) or ""), f"{name} has no example under 'Example:'"
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTest(examples_of(thing), {}, name, None, None, thing.__doc__)
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize("package", CONSTANTS, ids=lambda package: package.__name__)
def test_constants_are_in_the_example_of_their_package(package: ModuleType) -> None:
    code = "".join(example.source for example in examples_of(package))
    assert [name for name in CONSTANTS[package] if name not in code] == []


def test_examples_tell_values() -> None:
    """An example without an answer would be true whatever the code does."""
    silent = [name for name, thing in PUBLIC.items() if not any(e.want for e in examples_of(thing))]
    assert silent == []
