"""The page on ready-made tyres: its tables are those of the catalogue."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import axletree as at
from axletree import catalogue
from axletree.core.registry import load

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "ready-made-tyres.md"
COLUMNS = {
    "contact": "disc",
    "normal_force": "linear",
    "belt": "rigid",
    "contact_dynamics": "none",
    "law": "",
}


def rows() -> list[list[str]]:
    text = PAGE.read_text(encoding="utf-8")
    lines = re.findall(r"^\|.*\|$", text, re.M)
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


@pytest.mark.parametrize("name", catalogue.READY_TYRES)
def test_the_parts_of_each_are_in_its_row(name: str) -> None:
    fields = at.ready_tyre(name)
    words = [fields.get(key, {"type": default})["type"] for key, default in COLUMNS.items()]
    assert [f"`{word}`" for word in (name, *words)] in rows()


@pytest.mark.parametrize("name", catalogue.BENCHES)
def test_each_bench_has_its_row(name: str) -> None:
    bench = load("bench", name, catalogue.BENCHES)
    assert [f"`{name}`", bench.summary] in rows()
