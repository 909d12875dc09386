"""The resistance of soil to the flank of a wheel."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from agreement import Agrees
from scipy.integrate import quad

from axletree.wheel.soils.contract import SoilForces, WheelInSoil
from axletree.wheel.soils.rim_stresses import bulldozing
from axletree.wheel.soils.soil import Soil, listed_soil
from axletree.wheel.soils.wong_reece import WongReece

SOIL = listed_soil(
    "lunar-nominal", cohesion=800.0, friction_angle=np.radians(30.0), unit_weight=16e3
)
WHEEL = WheelInSoil(0.3, 0.2, 0.1, np.radians(80.0))


def at(sinkage: float, wheel: WheelInSoil, soil: Soil = SOIL, flank: bool = True) -> SoilForces:
    law = WongReece(soil, bulldozing=flank)
    return law.at_sinkage(sinkage, wheel, law.numbers)


@pytest.mark.validation("soils")
def test_by_hand(agrees: Agrees) -> None:
    """phi = 30 deg: X_c = 30 deg, D_1 = 2 sqrt(3), D_2 = sqrt(3) + 3 / sqrt(3) = 2 sqrt(3)."""
    blade = bulldozing(SOIL.numbers)
    assert blade.linear == pytest.approx(2.0 * np.sqrt(3.0) * 800.0, rel=1e-13)
    assert blade.quadratic == pytest.approx(0.5 * 12.0 * 16e3, rel=1e-13)
    expected = 2.0 * np.sqrt(3.0) * 800.0 * 0.05 + 6.0 * 16e3 * 0.05**2
    agrees(
        "resistance to a flank 50 mm deep", blade.resistance(0.05), expected, rel=1e-13,
        unit="N/m", source="Closed form, friction angle of 30 degrees",
    )  # fmt: skip


@pytest.mark.parametrize("degrees", [0.0, 10.0, 35.0])
@pytest.mark.validation("soils")
def test_the_part_of_cohesion_is_rankines_passive_pressure(degrees: float, agrees: Agrees) -> None:
    soil = dataclasses.replace(SOIL, friction_angle=np.radians(degrees), unit_weight=0.0)
    passive = np.tan(np.radians(45.0 + degrees / 2.0))
    agrees(
        "resistance of cohesion to a flank", bulldozing(soil.numbers).resistance(0.1),
        2.0 * 800.0 * 0.1 * passive, rel=1e-6, unit="N/m", case=f"{degrees:g} degrees of friction",
        source="Closed form, Rankine's passive pressure",
    )  # fmt: skip


@pytest.mark.validation("soils")
def test_the_flank_has_the_integral_of_the_resistance(agrees: Agrees) -> None:
    """At a large drift, where it is in full but for a narrow part near the entry."""
    soil, sinkage = dataclasses.replace(SOIL, shear_modulus=1e-5), 0.06
    blade, r = bulldozing(soil.numbers), WHEEL.radius
    entry = np.arccos(1.0 - sinkage / r)

    def push(theta: float) -> float:
        depth = r * (np.cos(theta) - np.cos(entry))
        return float(blade.resistance(depth) * (r - depth * np.cos(theta)))

    expected = quad(push, 0.0, entry, epsrel=1e-12)[0]
    found = at(sinkage, WHEEL, soil).lateral_force - at(sinkage, WHEEL, soil, False).lateral_force
    agrees(
        "side force of a flank at a great drift", -found, expected, rel=1e-6, unit="N",
        source="SciPy, adaptive quadrature",
    )  # fmt: skip


def test_it_opposes_the_drift_and_grows_with_it() -> None:
    angles = np.radians(np.linspace(-60.0, 60.0, 41))
    wheel = dataclasses.replace(WHEEL, slip_angle=angles)
    with_flank, without = at(0.06, wheel).lateral_force, at(0.06, wheel, SOIL, False).lateral_force
    flank = with_flank - without
    np.testing.assert_allclose(flank, -flank[::-1], atol=1e-9)
    assert np.all(np.diff(flank) < 0.0)
    assert flank[20] == 0.0


def test_it_acts_on_the_side_alone() -> None:
    names = ("normal_force", "gross_traction", "compaction_resistance", "torque")
    pairs = (at(0.06, WHEEL, SOIL, flank) for flank in (True, False))
    both = [[getattr(forces, name) for name in names] for forces in pairs]
    assert both[0] == both[1]


@pytest.mark.parametrize("slip", [-1.0, 0.0, 0.6])
def test_how_fast_the_wheel_turns_does_not_matter(slip: float) -> None:
    wheel = dataclasses.replace(WHEEL, slip=slip)
    soil = dataclasses.replace(SOIL, peak_slope=0.0)
    found = at(0.06, wheel, soil).lateral_force - at(0.06, wheel, soil, False).lateral_force
    usual = at(0.06, WHEEL, soil).lateral_force - at(0.06, WHEEL, soil, False).lateral_force
    assert found == pytest.approx(usual, rel=1e-9)
