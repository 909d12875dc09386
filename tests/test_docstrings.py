"""Everything public has a docstring with an example, and every example runs and is true.

An example has what it imports and nothing else, and a folder of its own for the files it writes.
A method that overrides another may leave its example to that one.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import axletree
from axletree import language
from axletree.core.registry import load

MAKING = Path(__file__).parent.parent / "docs" / "making"
CONSTANTS = {  # have no docstrings: the example of their package shows them
    axletree: ("__version__", "TIME"),
    language: ("POINT_MASS", "TIME", "Load"),
}
HEADING = "\nExample:\n>>> "


def offered() -> Iterator[tuple[str, Any]]:
    """What the packages offer by name."""
    for package, constants in CONSTANTS.items():
        for name in package.__all__:
            if name not in constants:
                yield f"{package.__name__}.{name}", getattr(package, name)


def listed() -> Iterator[tuple[str, Any]]:
    """What the reference has: classes, functions, and methods."""
    for thing in in_reference():
        yield f"{thing.__module__}.{thing.__qualname__}", thing
        if inspect.isclass(thing):
            yield from (with_example(thing, name) for name in methods(thing))


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


def methods(kind: type) -> list[str]:
    members = inspect.getmembers(kind, lambda one: inspect.isfunction(one) or inspect.ismethod(one))
    return [name for name, _ in members if not name.startswith("_") and owners(kind, name)]


def owners(kind: type, member: str) -> list[type]:
    """The class itself and those it is derived from, as far as they define the member."""
    own = (one for one in kind.__mro__ if one.__module__.startswith("axletree."))
    return [one for one in own if member in vars(one)]


def with_example(kind: type, method: str) -> tuple[str, Any]:
    """The method, or the nearest one overridden by it that has an example."""
    defining = owners(kind, method)
    having = [one for one in defining if examples_of(getattr(one, method))]
    owner = (having or defining)[0]
    return f"{owner.__module__}.{owner.__qualname__}.{method}", getattr(owner, method)


def public() -> dict[str, Any]:
    """Each thing once, by the name under which it is offered first."""
    packages = ((package.__name__, package) for package in CONSTANTS)
    found: dict[int, tuple[str, Any]] = {}
    for name, thing in (*packages, *offered(), *listed()):
        found.setdefault(id(thing), (name, thing))
    return dict(found.values())


def own_doc(thing: Any) -> str:
    return inspect.cleandoc(thing.__doc__ or "")


def examples_of(thing: Any) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(own_doc(thing))


PUBLIC = public()
ROOMS = [module.name for module in pkgutil.iter_modules(axletree.__path__, "axletree.")]
NEEDS_MORE = {"axletree.export.card.card_batch"}  # a graphics card with its packages


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_has_an_example_that_is_true(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thing = PUBLIC[name]
    assert HEADING in own_doc(thing), f"{name} has no example under 'Example:'"
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTest(examples_of(thing), {}, name, None, None, thing.__doc__)
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert result.failed == 0, "".join(said)


def other_examples(room: str) -> Iterator[doctest.DocTest]:
    """Of what is not public in a package, by the places where it is defined."""
    public_texts = {inspect.unwrap(thing).__doc__ for thing in PUBLIC.values()}
    top = importlib.import_module(room)
    inner = pkgutil.walk_packages(getattr(top, "__path__", ()), f"{room}.")
    for name in (room, *(module.name for module in inner)):
        if name.rpartition(".")[2] == "__main__" or name in NEEDS_MORE:
            continue
        for test in doctest.DocTestFinder().find(importlib.import_module(name), name):
            if test.examples and test.docstring not in public_texts:
                yield test


@pytest.mark.slow  # that of vehicles
@pytest.mark.parametrize("room", ROOMS)
def test_examples_of_all_else_are_true(
    room: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    for k, test in enumerate(other_examples(room)):
        (tmp_path / str(k)).mkdir()
        monkeypatch.chdir(tmp_path / str(k))
        doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("package", CONSTANTS, ids=lambda package: package.__name__)
def test_constants_are_in_the_example_of_their_package(package: ModuleType) -> None:
    code = "".join(example.source for example in examples_of(package))
    assert [name for name in CONSTANTS[package] if name not in code] == []


def test_examples_tell_values() -> None:
    """An example without an answer would be true whatever the code does."""
    silent = [name for name, thing in PUBLIC.items() if not any(e.want for e in examples_of(thing))]
    assert silent == []


def test_properties_say_what_they_are() -> None:
    """Their examples are those of their classes."""
    silent = set()
    for kind in filter(inspect.isclass, in_reference()):
        found = inspect.getmembers(kind, lambda one: isinstance(one, property | cached_property))
        for name, _ in found:
            owner = owners(kind, name)
            if owner and not name.startswith("_") and not any(vars(o)[name].__doc__ for o in owner):
                silent.add(f"{owner[-1].__module__}.{owner[-1].__qualname__}.{name}")
    assert sorted(silent) == []
