"""The notebooks run, and show what is kept in them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parent.parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NUMBER = re.compile(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?")

sys.path.insert(0, str(ROOT / "tools"))

from run_notebooks import executed  # noqa: E402 (a program beside the package)


def shown(notebook: Any) -> Iterator[list[str]]:
    """What each cell shows: the kinds of its outputs, and its text with marks for numbers."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            yield [
                NUMBER.sub("#", one.text)
                if one.output_type == "stream"
                else ", ".join(sorted(one.data))
                for one in cell.outputs
            ]


def test_there_are_at_least_ten_and_the_index_lists_them() -> None:
    index = (ROOT / "docs" / "notebooks" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"\(\.\./\.\./notebooks/([^)]+)\)", index)
    assert listed == [path.name for path in NOTEBOOKS]
    assert len(listed) >= 10


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_shows_what_is_kept(path: Path, tmp_path: Path) -> None:
    kept = nbformat.read(path, as_version=4)
    assert list(shown(executed(path, tmp_path))) == list(shown(kept))
