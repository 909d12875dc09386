"""Mobility numbers by hand, in the units that they were published in."""

from __future__ import annotations

import dataclasses

import pytest
from agreement import Agrees

from axletree.wheel.soils.cone_index_laws import (
    INCH,
    POUND,
    PSI,
    WheeledVehicle,
    fifty_pass_cone_index,
    mean_maximum_pressure,
    mobility_index,
    one_pass_cone_index,
    wes_clay_number,
    wes_sand_number,
    wheel_numeric,
)

# A lorry of 20 000 lb on three axles and six tyres of 11 in by 40 in.
LORRY = WheeledVehicle(
    weight=20e3 * POUND, axles=3, tyres=6, tyre_diameter=40.0 * INCH, tyre_width=11.0 * INCH,
    clearance=12.0 * INCH, power_by_weight=0.5, has_manual_gearbox=True,
)  # fmt: skip


@pytest.mark.validation("soils")
def test_numbers_of_the_waterways_experiment_station(agrees: Agrees) -> None:
    assert wheel_numeric(5000.0, 300e3, 1.0, 0.25) == pytest.approx(15.0)
    agrees(
        "mobility number on clay", wes_clay_number(5000.0, 300e3, 1.0, 0.25, 0.16),
        15.0 * 0.4 / 1.125, rel=1e-6, source="Closed form, Waterways Experiment Station",
    )  # fmt: skip
    assert wes_sand_number(5000.0, 2e6, 1.0, 0.25, 0.2) == pytest.approx(400.0 * 0.125 * 0.2)


def test_mean_maximum_pressure() -> None:
    """A tyre of 1 m by 1 m that gives by a quarter of its diameter: K W / (2 / 2)."""
    assert mean_maximum_pressure(1e4, 1.0, 1.0, 0.25) == pytest.approx(3.66e4)
    wide, narrow = (mean_maximum_pressure(1e4, 1.0, b, 0.05) for b in (0.4, 0.2))
    assert narrow / wide == pytest.approx(2.0**0.85)


@pytest.mark.validation("soils")
def test_mobility_index_by_hand(agrees: Agrees) -> None:
    """Pressure 20000 / (11 x 20 x 6), weight 0.033 x 6.667 + 1.05, tyre 0.21, wheel load 3.333."""
    expected = (20e3 / 1320.0) * (0.033 * 20.0 / 3.0 + 1.05) / 0.21 + 20.0 / 6.0 - 1.2
    agrees(
        "mobility index of a lorry of 20 000 lb", mobility_index(LORRY), expected * 1.05 * 1.05,
        rel=1e-12, source="Closed form, in pounds and inches",
    )  # fmt: skip
    strong = dataclasses.replace(LORRY, power_by_weight=2.0, has_manual_gearbox=False)
    assert mobility_index(strong) == pytest.approx(expected, rel=1e-12)
    chains = dataclasses.replace(strong, has_chains=True)
    assert mobility_index(chains) < mobility_index(strong)


@pytest.mark.parametrize(
    ("kips", "factor"), [(1.0, 0.553), (10.0, 1.38), (15.0, 1.71), (30.0, 5.225)]
)
def test_weight_factor_by_the_load_of_an_axle(kips: float, factor: float) -> None:
    vehicle = dataclasses.replace(
        LORRY, weight=3e3 * kips * POUND, power_by_weight=2.0, has_manual_gearbox=False
    )
    loaded = mobility_index(vehicle) - kips / 2.0 + 1.2
    assert loaded == pytest.approx(3e3 * kips / 1320.0 * factor / 0.21, rel=1e-12)


def test_vehicle_cone_index() -> None:
    M = mobility_index(LORRY)
    one = 11.48 + 0.2 * M - 39.2 / (M + 3.74)
    fifty = 28.23 + 0.43 * M - 92.67 / (M + 3.67)
    assert one_pass_cone_index(LORRY) == pytest.approx(one * PSI, rel=1e-12)
    assert fifty_pass_cone_index(LORRY) == pytest.approx(fifty * PSI, rel=1e-12)
    soft = dataclasses.replace(LORRY, deflection_ratio=0.3)
    assert one_pass_cone_index(soft) == pytest.approx(one * PSI * 0.5**0.25, rel=1e-12)


def test_the_curve_of_one_pass_goes_on_as_a_power() -> None:
    """Near its change of formula at 115 the two differ by less than a tenth."""
    heavy = dataclasses.replace(LORRY, weight=26e3 * POUND)
    for weight in (21e3, 22e3, 24e3, 26e3):
        vehicle = dataclasses.replace(heavy, weight=weight * POUND)
        M = mobility_index(vehicle)
        usual = 11.48 + 0.2 * M - 39.2 / (M + 3.74)
        assert one_pass_cone_index(vehicle) / PSI == pytest.approx(usual, rel=0.15)
