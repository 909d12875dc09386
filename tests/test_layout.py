"""Files and functions stay small enough to read at once, and are named after what they hold."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "axletree"
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_FILE = 250  # lines
LONGEST_BODY = 40  # lines of a function, without its docstring
EMPTY_NAMES = {"utils", "helpers", "common", "base", "manager", "misc"}


def test_names_say_what_is_inside() -> None:
    names = [path.relative_to(SOURCE).with_suffix("") for path in MODULES]
    assert [str(name) for name in names if EMPTY_NAMES & set(name.parts)] == []


def test_files_are_short() -> None:
    lengths = {path.relative_to(SOURCE): len(read(path).splitlines()) for path in MODULES}
    too_long = [f"{path}: {lines} lines" for path, lines in lengths.items() if lines > LONGEST_FILE]
    assert too_long == []


def test_functions_are_short() -> None:
    too_long = [
        f"{path.relative_to(SOURCE)}:{node.name}: {body_length(node)} lines"
        for path in MODULES
        for node in ast.walk(ast.parse(read(path)))
        if isinstance(node, ast.FunctionDef) and body_length(node) > LONGEST_BODY
    ]
    assert too_long == []


def test_the_docstring_is_no_part_of_a_body() -> None:
    text = 'def f():\n    """One\n\n    two.\n    """\n    a = 1\n\n    return a\n'
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    assert body_length(function) == 3


def body_length(function: ast.FunctionDef) -> int:
    statements = function.body
    if ast.get_docstring(function) is not None and len(statements) > 1:
        statements = statements[1:]
    end = statements[-1].end_lineno
    assert end is not None
    return end - statements[0].lineno + 1


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
