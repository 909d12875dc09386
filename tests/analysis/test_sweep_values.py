"""Ranges and lists of a sweep, with units."""

from __future__ import annotations

import pytest

from axletree.analysis.studies.sweep_plan import SweepError, read_swept_values


@pytest.mark.parametrize(
    ("text", "values", "unit"),
    [
        ("1200:1800:7", (1200.0, 1300.0, 1400.0, 1500.0, 1600.0, 1700.0, 1800.0), ""),
        ("0.1:0.5:5", (0.1, 0.2, 0.3, 0.4, 0.5), ""),  # to the last bit
        ("5:-5:3 ", (5.0, 0.0, -5.0), ""),
        ("0:90 km/h:4", (0.0, 30.0, 60.0, 90.0), "km/h"),
        ("900 kg:1.2 t:2", (0.9, 1.2), "t"),
        ("20,30,40 km/h", (20.0, 30.0, 40.0), "km/h"),
        ("1e-3", (0.001,), ""),
        ("full, 14-dof", ("full", "14-dof"), ""),
    ],
)
def test_values_are_read(text: str, values: tuple[float, ...], unit: str) -> None:
    found = read_swept_values("x", text)
    assert (found.of, found.unit) == (values, unit)


def test_values_can_be_written_into_a_file() -> None:
    assert read_swept_values("x", "1:2 m:3").texts == ("1.0 m", "1.5 m", "2.0 m")


def test_units_of_different_things_make_no_range() -> None:
    with pytest.raises(SweepError, match="kg and m are units of different things"):
        read_swept_values("x", "1 kg:2 m:3")
