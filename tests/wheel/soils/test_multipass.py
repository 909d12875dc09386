"""Passes in one rut."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from axletree.core.errors import ModelError
from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.soil import listed_soil, pass_share, rut_depth, soil_of_pass
from axletree.wheel.soils.wong_reece import WongReece

SOIL = listed_soil("lete-sand-wong", multipass_coefficient=2.0)


def test_the_first_pass_meets_the_soil_as_it_is() -> None:
    assert soil_of_pass(SOIL, 1) == SOIL


def test_the_rut_grows_by_the_shares_of_its_passes() -> None:
    """a = 2: 4 passes make twice the first sinkage."""
    assert rut_depth(0.03, 4, SOIL.numbers) == pytest.approx(0.06)
    shares = [pass_share(k, SOIL.numbers) for k in range(1, 5)]
    assert sum(shares) == pytest.approx(2.0)
    assert shares == sorted(shares, reverse=True)


def test_wheels_one_after_the_other_make_that_rut() -> None:
    soil = dataclasses.replace(SOIL, cohesion=0.0, friction_angle=0.0)
    wheel, sinkages = WheelInSoil(0.6, 0.3), []
    for number in range(1, 10):
        sinkages.append(WongReece(soil_of_pass(soil, number))(300.0, wheel).sinkage)
    assert sum(sinkages) == pytest.approx(rut_depth(sinkages[0], 9, soil.numbers), rel=0.01)


def test_resistance_falls_from_pass_to_pass_to_nothing() -> None:
    wheel = WheelInSoil(0.4, 0.2, 0.05)
    passes = (1, 2, 5, 50, 10**8)
    forces = [WongReece(soil_of_pass(SOIL, number))(3000.0, wheel) for number in passes]
    resistances = np.array([found.compaction_resistance for found in forces])
    assert np.all(np.diff(resistances) < 0.0)
    assert resistances[-1] < 0.02 * resistances[0]


def test_no_pass_is_refused() -> None:
    with pytest.raises(ModelError, match="0 passes; the first wheel makes pass 1"):
        pass_share(0, SOIL.numbers)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_law_of_a_pass_is_that_of_its_soil(number: int) -> None:
    wheel = WheelInSoil(0.4, 0.2, 0.1, 0.05)
    found = WongReece(SOIL, order=8, passes=number)(3000.0, wheel)
    expected = WongReece(soil_of_pass(SOIL, number), order=8)(3000.0, wheel)
    for item in dataclasses.fields(expected):
        assert getattr(found, item.name) == pytest.approx(getattr(expected, item.name), rel=1e-12)
    first = WongReece(SOIL, order=8)(3000.0, wheel).sinkage
    assert found.sinkage == pytest.approx(first * pass_share(number, SOIL.numbers), rel=0.05)


def test_only_whole_passes_count() -> None:
    with pytest.raises(ModelError, match="passes"):
        WongReece(SOIL, passes=1.5)
