"""Stresses by angle against formulas written out, and against the integrals."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.wheel_in_soil import stresses
from scipy.integrate import trapezoid

from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.rim_stresses import rim_stresses, whole_contact
from axletree.wheel.soils.soil import listed_soil, soil_records
from axletree.wheel.soils.wong_reece import WongReece


@pytest.mark.parametrize("slip", [-0.2, 0.0, 0.4])
@pytest.mark.parametrize("name", soil_records())
def test_stresses_are_those_written_out(name: str, slip: float) -> None:
    soil, wheel = listed_soil(name, rebound=0.1), WheelInSoil(0.4, 0.2, slip, 0.1)
    expected, edges = stresses(soil, 0.06, wheel)
    angles = np.linspace(edges[0] + 1e-9, edges[-1] - 1e-9, 50)
    found = rim_stresses(angles, 0.06, wheel, soil.numbers)
    written = np.array([expected(float(angle)) for angle in angles]).T
    for one, other in zip((found.pressure, found.forward, found.left), written, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8 * np.abs(other).max())


def test_there_is_none_outside_the_contact() -> None:
    soil = listed_soil("dry-sand-lll")
    found = rim_stresses(
        np.array([-0.1, -1e-9, 1.5]), 0.06, WheelInSoil(0.4, 0.2, 0.3, 0.1), soil.numbers
    )
    for stress in (found.pressure, found.forward, found.left):
        assert not np.any(stress)


def test_their_sum_is_the_force() -> None:
    law, wheel = WongReece("dry-sand-lll"), WheelInSoil(0.4, 0.2, 0.3)
    found = whole_contact(0.06, wheel, law.soil.numbers, points=20_001)
    total = 0.4 * 0.2 * trapezoid(found.forward, found.angle)
    expected = law.at_sinkage(0.06, wheel, law.numbers).torque / 0.4
    assert total == pytest.approx(expected, rel=1e-6)
