"""Numbers that tutorials show of commands are those that the commands print."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app
from axletree.library.soils.contract import Wheel
from axletree.vehicles.data_sheet import data_sheet

DOCS = Path(__file__).parent.parent.parent / "docs"


def text_of(name: str) -> str:
    return (DOCS / "tutorials" / name).read_text(encoding="utf-8")


def number(text: str, before: str) -> float:
    found = re.search(rf"^ *{re.escape(before)} +(-?[\d.]+)", text, re.MULTILINE)
    assert found is not None, before
    return float(found[1])


@pytest.mark.slow
def test_the_first_drive_compares_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its table, the picture's command, and the run before it, which is that of the sedan."""
    monkeypatch.chdir(tmp_path)
    maker = runpy.run_path(str(DOCS / "making" / "make_first_drive_picture.py"))
    Path("laden.yaml").write_text(maker["described"](), encoding="utf-8")
    result = CliRunner().invoke(app, maker["comparison"]())
    assert result.exit_code == 0, result.output
    page = text_of("first-drive.md")
    rows = re.findall(r"^([a-z][\w :]+?)  +(-?[\d.]+) +(-?[\d.]+)  \S+ +[-+]", page, re.MULTILINE)
    assert len(rows) == 3
    for name, sedan, laden in rows:
        printed = re.search(rf"^{name} +(-?[\d.]+) +(-?[\d.]+)", result.stdout, re.MULTILINE)
        assert printed is not None
        assert np.array(printed.groups(), float) == pytest.approx(
            [float(sedan), float(laden)], rel=1e-4
        )
        assert number(page, name) == pytest.approx(float(sedan), rel=1e-4)
    assert Path("out/compare/comparison.png").stat().st_size > 1000


def test_the_tyres_of_the_page_compare_as_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = text_of("own-tyre.md")
    for name, text in re.findall(r'Path\("([\w.]+)"\)\.write_text\("""(.*?)"""\)', page, re.DOTALL):
        Path(name).write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["tyre", "compare", "mine.tir", "summer.yaml"])
    assert result.exit_code == 0, result.output
    shown = page.partition("axletree tyre compare mine.tir summer.yaml\n```\n```\n")[2]
    lines = shown.partition("...")[0].splitlines()
    assert len(lines) == 4
    assert "\n".join(lines) in result.stdout


def test_the_pulls_on_sand_are_those_of_the_law() -> None:
    """Of the wheel in the bin by the law alone, of the car by its data sheet."""
    page = text_of("soft-soil.md")
    sand = at.WongReece(soil="lete-sand-wong")
    pulls = sand(4000.0, Wheel(0.4, 0.25, np.linspace(-0.6, 0.8, 141))).drawbar_pull
    assert number(page, "greatest drawbar pull") == pytest.approx(pulls.max(), rel=2e-3)
    assert pulls.argmax() == 140
    law = {"type": "wong-reece", "soil": "lete-sand-wong"}
    suv = at.read_model("suv", {"vehicle": {"fidelity": "single-track", "soil": {"law": law}}})
    sheet = data_sheet(suv.described["vehicle"])  # type: ignore[arg-type]
    shown = number(page, "greatest pull of its wheels as it advances")
    assert shown == pytest.approx(sheet["greatest pull on the soil"], rel=2e-3)
