"""The data sheet of a mechanism, against sums by hand."""

from __future__ import annotations

import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.reports.data_sheet import mechanism_sheet


def test_the_car_of_the_tables_by_hand() -> None:
    """Body and four wheels of Morency 2007, appendix A.1; both sides are alike."""
    sheet = mechanism_sheet(at.read_model("car"), shipped_system("car"))
    rows = {row.name: row.value for row in sheet}
    assert rows["mass"] == pytest.approx(2077.0 + 4 * 38.0)
    assert rows["weight"] == pytest.approx(9.80665 * rows["mass"])
    assert rows["y of the centre of mass"] == 0.0
    loads = [rows[f"initial load of {wheel} tyre"] for wheel in ("front left", "front right")]
    assert loads[0] == pytest.approx(loads[1])
    assert not any("_" in name for name in rows)
