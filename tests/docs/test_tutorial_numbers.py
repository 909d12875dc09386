"""Numbers that tutorials show of commands, by a second source."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import axletree as at
from axletree.vehicles.data_sheet import data_sheet
from axletree.wheel.soils.contract import WheelInSoil

DOCS = Path(__file__).parent.parent.parent / "docs"


def text_of(name: str) -> str:
    return (DOCS / "tutorials" / name).read_text(encoding="utf-8")


def number(text: str, before: str) -> float:
    found = re.search(rf"^ *{re.escape(before)} +(-?[\d.]+)", text, re.MULTILINE)
    assert found is not None, before
    return float(found[1])


def test_the_pulls_on_sand_are_those_of_the_law() -> None:
    """Of the wheel in the bin by the law alone, of the car by its data sheet."""
    page = text_of("soft-soil.md")
    sand = at.WongReece(soil="lete-sand-wong")
    pulls = sand(4000.0, WheelInSoil(0.4, 0.25, np.linspace(-0.6, 0.8, 141))).drawbar_pull
    assert number(page, "maximum drawbar pull") == pytest.approx(pulls.max(), rel=2e-3)
    assert pulls.argmax() == 140
    law = {"type": "wong-reece", "soil": "lete-sand-wong"}
    suv = at.read_model("suv", {"vehicle": {"fidelity": "single-track", "soil": {"law": law}}})
    sheet = data_sheet(suv.described["vehicle"])  # type: ignore[arg-type]
    shown = number(page, "maximum sum of wheel pulls while moving")
    assert shown == pytest.approx(sheet["maximum drawbar pull on the soil"], rel=2e-3)
