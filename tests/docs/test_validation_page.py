"""The validation page lists what tests compare, and what it says is what they find."""

from __future__ import annotations

import ast
import re
import runpy
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from agreement import SUBJECTS, Agrees, Comparison

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "reference" / "validation.md").read_text(encoding="utf-8")
MADE = runpy.run_path(str(ROOT / "docs" / "making" / "make_validation.py"))
RENEW = "tests that compare have changed; run make validation"
CHEAP = (
    "tests/references/test_whipple_bicycle.py::test_published_eigenvalues",
    "tests/references/test_whipple_bicycle.py::test_the_published_matrices",
    "tests/references/test_pendulum.py::test_one_coordinate_runs_like_222",
)


@dataclass(frozen=True)
class Row:
    what: str
    source: str
    file: str
    function: str


def rows_of_the_page() -> list[Row]:
    rows = []
    for part in PAGE.split("\n## ")[1:]:
        tests = {}
        for file, names in re.findall(r"^- `(tests/\S+)`: (.*)$", part, re.MULTILINE):
            tests |= {k: (file, name) for k, name in re.findall(r"(\d+) `(\w+)`", names)}
        for line in re.findall(r"^\| (.*) \|$", part, re.MULTILINE)[2:]:
            what, *_, source, number = line.split(" | ")
            rows.append(Row(what, source, *tests[number]))
    return rows


def pattern(node: ast.expr, constants: dict[str, ast.expr]) -> str:
    """What a text of the program can look like; where a value stands in it, anything."""
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    if isinstance(node, ast.JoinedStr):
        return "".join(pattern(part, constants) for part in node.values)
    if isinstance(node, ast.Name) and node.id in constants:
        return pattern(constants[node.id], constants)
    return ".+"


def comparisons_in(file: Path) -> tuple[set[str], list[tuple[str, str]]]:
    """Names of marked tests, and patterns of what is compared and of its source."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    constants = {ast.unparse(node.targets[0]): node.value for node in assigned}
    marked, found = set(), []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            marks = [ast.unparse(mark) for mark in node.decorator_list]
            if any(mark.startswith("pytest.mark.validation(") for mark in marks):
                marked.add(node.name)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (
            "agrees",
            "agrees.as_equations",
        ):
            (source,) = (word.value for word in node.keywords if word.arg == "source")
            what = pattern(node.args[0], constants) + r"( \[.+\])?( \(\d+ (cases|numbers).*\))?"
            found.append((what, pattern(source, constants)))
    return marked, found


def test_every_comparison_of_the_tests_is_on_the_page_and_no_other() -> None:
    rows = rows_of_the_page()
    assert len(rows) > 200
    assert not re.search(r"shown: [;)]", PAGE)  # rows of one name have cases
    files = {str(file.relative_to(ROOT)): file for file in MADE["files_that_compare"]()}
    assert {row.file for row in rows} == set(files), RENEW
    for name, file in files.items():
        marked, calls = comparisons_in(file)
        of_file = [row for row in rows if row.file == name]
        assert {row.function for row in of_file} == marked, RENEW
        for what, source in calls:
            assert any(fits(row, what, source) for row in of_file), f"{name}: {what}; {RENEW}"
        for row in of_file:
            assert any(fits(row, *call) for call in calls), f"{row}: no longer compared; {RENEW}"


def fits(row: Row, what: str, source: str) -> bool:
    return bool(re.fullmatch(what, row.what) and re.fullmatch(source, row.source))


def test_every_subject_has_comparisons() -> None:
    parts = PAGE.split("\n## ")[1:]
    assert [part.partition("\n")[0] for part in parts] == list(SUBJECTS.values())
    assert all(part.count("\n| ") >= 15 for part in parts)


def test_what_the_page_says_is_found_again() -> None:
    groups = MADE["by_cases"](MADE["compare"](CHEAP, workers=1))
    assert len(groups) >= 10
    for cases in groups:
        assert f"\n| {' | '.join(MADE['cells'](cases))} | " in PAGE


# -- the comparison itself -------------------------------------------------------------------
def comparing(*subject: str) -> tuple[Agrees, Any]:
    mark = SimpleNamespace(args=subject) if subject else None
    item = SimpleNamespace(
        nodeid="tests/test_it.py::test_it[1]", user_properties=[], get_closest_marker=lambda _: mark
    )
    item.session = SimpleNamespace(items=[item])
    return Agrees(item), item  # type: ignore[arg-type]


def test_a_comparison_is_recorded_with_the_pair_that_is_nearest_to_its_bound() -> None:
    agrees, item = comparing("tyres")
    agrees("three", [1.0, 2.001, 4.0], [1.0, 2.0, 4.001], rel=1e-3, source="A", unit="N")
    ((_, row),) = item.user_properties
    cells = MADE["cells"]([Comparison(**row)])
    assert cells[:2] == ("three [N] (3 numbers)", "2.001")
    assert cells[2:] == ("2", "0.0005", "rel. 0.001", "A")
    assert item.user_properties[0][1]["test"] == "tests/test_it.py::test_it"


def test_cases_are_one_row_that_shows_the_worst_or_the_first() -> None:
    agrees, item = comparing("tyres")
    for case, found in (("ice", 1.001), ("snow", 1.002), ("sand", 1.0)):
        agrees("grip", found, 1.0, abs=0.01, source="A", case=case)
    agrees("other", 1.0, 1.0, abs=0.01, source="A")
    rows = [Comparison(**row) for _, row in item.user_properties]
    (grip, other) = MADE["by_cases"](rows)
    assert MADE["cells"](grip)[:4] == ("grip (3 cases; shown: snow)", "1.002", "1", "0.002")
    assert MADE["cells"]([rows[2], rows[2]])[0] == "grip (2 cases; shown: sand)"
    assert MADE["cells"](other)[0] == "other"


@pytest.mark.parametrize(
    ("found", "expected", "bound", "shown"),
    [
        (1.0 + 1e-13, 1.0, {"rel": 1e-6}, ("1", "1", "< 1e-9", "rel. 1e-6")),
        (1.0 + 1e-13, 1.0, {"rel": 1e-11}, ("1", "1", "< 1e-11", "rel. 1e-11")),
        (3e-12, 0.0, {"abs": 1e-9}, ("≈ 0", "0", "< 1e-10", "± 1e-9")),
        (3e-10, 0.0, {"abs": 1e-9}, ("3e-10", "0", "3e-10", "± 1e-9")),
        (54321.98, 54321.0, {"abs": 2.0}, ("54322", "54321", "1", "± 2")),
        (-1.5 + 2j, -1.5 + 2.01j, {"abs": 0.02}, ("-1.5+2i", "-1.5+2.01i", "0.01", "± 0.02")),
        (36, 36, {"abs": 0}, ("36", "36", "0", "exact")),
    ],
)
def test_numbers_are_shown_without_what_other_machines_round_otherwise(
    found: Any, expected: Any, bound: dict[str, float], shown: tuple[str, ...]
) -> None:
    agrees, item = comparing("tyres")
    agrees("it", found, expected, **bound, source="A")
    ((_, row),) = item.user_properties
    assert MADE["cells"]([Comparison(**row)])[1:5] == shown


@pytest.mark.parametrize("found", [[1.0, 1.2], [1.0, float("nan")]])
def test_a_deviation_beyond_the_tolerance_fails_and_says_by_how_much(found: list[float]) -> None:
    agrees, item = comparing("tyres")
    with pytest.raises(AssertionError, match=r"load: found \S+ N, expected 1.0 N \(by hand\)"):
        agrees("load", found, 1.0, rel=0.1, unit="N", source="by hand")
    assert item.user_properties == []


@pytest.mark.parametrize("subject", [(), ("tires",)])
def test_a_test_that_compares_without_a_subject_is_told(subject: tuple[str, ...]) -> None:
    with pytest.raises(pytest.UsageError, match=r"no marker .* subjects are mechanisms, graphs"):
        comparing(*subject)
