"""The list of soils: complete, within its bounds, and by name in parts."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from agreement import Agrees

from axletree.catalogue import SOIL_LAWS, SOILS
from axletree.components.fields import part_word
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.wheel.soils import soil as listed
from axletree.wheel.soils.soil import Soil, class_name, listed_soil, soil_records
from axletree.wheel.soils.wong_reece import WongReece


def test_every_soil_of_the_list_is_in_the_catalogue() -> None:
    assert ["bekker", *soil_records()] == list(SOILS)
    for name in soil_records():
        assert SOILS[name] == f"axletree.wheel.soils.soil:{class_name(name)}"


@pytest.mark.parametrize("name", soil_records())
def test_a_row_becomes_a_soil(name: str) -> None:
    record, soil = soil_records()[name], listed_soil(name)
    assert isinstance(soil, Soil)
    assert record.values.items() <= soil.numbers.items()
    assert type(soil) is load("soil", name, SOILS)
    assert part_word(soil, "SOILS") == name
    assert record.source
    assert "generic" in record.uncertainty
    assert record.moisture is None or 0.0 <= record.moisture < 1.0
    assert len(record.values) == len(dataclasses.fields(Soil)) - 1  # no soil's rebound is told


@pytest.mark.validation("soils")
def test_a_value_as_it_is_printed(agrees: Agrees) -> None:
    """Dry sand of the Land Locomotion Laboratory: kN, m and degrees."""
    soil = listed_soil("dry-sand-lll")
    found = soil.cohesive_modulus, soil.frictional_modulus, soil.sinkage_exponent, soil.cohesion
    agrees(
        "dry sand: moduli, exponent, cohesion", found, (0.99e3, 1528.43e3, 1.1, 1.04e3), abs=0.0,
        source="Table of the Land Locomotion Laboratory",
    )  # fmt: skip
    agrees(
        "dry sand: friction angle", np.degrees(soil.friction_angle), 28.0, rel=1e-6, unit="deg",
        source="Table of the Land Locomotion Laboratory",
    )  # fmt: skip


def test_a_soil_is_named_where_a_part_is_asked_for() -> None:
    assert WongReece("snow-us").soil == listed_soil("snow-us")
    changed = WongReece({"type": "snow-us", "cohesion": "2 kPa"}).soil
    assert changed.cohesion == 2000.0
    assert changed.frictional_modulus == listed_soil("snow-us").frictional_modulus


def test_mistakes_are_named() -> None:
    with pytest.raises(ModelError, match="unknown soil 'snow-uk'.*did you mean 'snow-us'"):
        listed_soil("snow-uk")
    with pytest.raises(ModelError, match="cohesion: -1 Pa is not allowed"):
        listed_soil("snow-us", cohesion=-1.0)
    with pytest.raises(ModelError, match="peak_offset \\+ peak_slope is 1.2"):
        listed_soil("snow-us", peak_offset=0.6, peak_slope=0.6)
    with pytest.raises(AttributeError, match="no attribute 'Gravel'"):
        _ = listed.Gravel


def test_every_law_says_what_it_is() -> None:
    for name in SOIL_LAWS:
        assert load("law", name, SOIL_LAWS).summary
