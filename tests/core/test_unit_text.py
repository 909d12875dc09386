"""Printed units: what the parser reads back is the same unit."""

from __future__ import annotations

import pytest

from axletree.core.units import DIMENSION_NAMES, parse_unit, printed_unit


@pytest.mark.parametrize("unit", [*DIMENSION_NAMES.values(), "s^2*rad/m", "km/h", "1/rad^2"])
def test_a_printed_unit_is_the_same_unit(unit: str) -> None:
    printed = printed_unit(unit)
    assert not set("^*") & set(printed)
    assert parse_unit(printed) == parse_unit(unit)


def test_other_exponents() -> None:
    assert printed_unit("s^4/m^-12") == "s⁴/m⁻¹²"
    assert printed_unit("m/s^1.75") == "m/s¹·⁷⁵"
