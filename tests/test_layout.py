"""A concept is found by its name: folders say what is in them, files are nouns, and a public name
means one thing in the package."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "axletree"
MODULES = sorted(SOURCE.rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES})
EMPTY_NAMES = {"utils", "helpers", "common", "base", "manager", "misc"}
# Participles say how something is and not what it is; gerunds (braking, steering) are nouns.
PARTICIPLE = re.compile(
    r"[a-z]+ed|told|held|made|found|kept|left|taken|given|driven|chosen|known|seen|shown|written|built"
)
FORMS_OF_WORDS = {"projected", "paved"}  # words of the catalogue, each with a class of that name
# The analyst's language is a vocabulary of its own: its names are written without a module.
OWN_VOCABULARIES = {"language"}
PROGRAMS = {"__main__"}


def room(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else ""


def test_names_say_what_is_inside() -> None:
    names = [path.relative_to(SOURCE).with_suffix("") for path in MODULES]
    assert [str(name) for name in names if EMPTY_NAMES & set(name.parts)] == []


def test_file_names_are_nouns() -> None:
    names = {path.stem for path in MODULES} | {path.name for path in FOLDERS}
    assert {name for name in names if PARTICIPLE.fullmatch(name)} <= FORMS_OF_WORDS


@pytest.mark.parametrize(
    "folder", FOLDERS, ids=lambda folder: str(folder.relative_to(SOURCE.parent))
)
def test_a_folder_tells_what_is_in_it(folder: Path) -> None:
    """The docstring of its ``__init__`` names its files and folders."""
    plate = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    files = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")}
    folders = {path.parent.name for path in folder.glob("*/__init__.py")}
    named = set(re.findall(r"\w+", plate))
    assert sorted((files | folders) - named) == []


def test_a_public_name_is_defined_once() -> None:
    places: dict[str, set[str]] = {}
    for path in MODULES:
        if room(path) not in OWN_VOCABULARIES and path.stem not in PROGRAMS:
            for name in public_names(path.read_text(encoding="utf-8")):
                places.setdefault(name, set()).add(str(path.relative_to(SOURCE)))
    shared = {name: sorted(found) for name, found in places.items() if len(found) > 1}
    assert shared == {}


def test_all_kinds_of_names_are_seen() -> None:
    text = "class A: ...\ndef f(): ...\nX, _Y = 1, 2\nV: int = 3\nfor i in (): ...\n"
    assert list(public_names(text)) == ["A", "f", "X", "V"]


def public_names(text: str) -> Iterator[str]:
    """Classes, functions and constants at the top of a module."""
    for node in ast.parse(text).body:
        found: list[str] = []
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            within = (inner for target in targets for inner in ast.walk(target))
            found = [inner.id for inner in within if isinstance(inner, ast.Name)]
        yield from (name for name in found if not name.startswith("_"))
