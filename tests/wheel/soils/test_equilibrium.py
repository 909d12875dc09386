"""Sinkage under load: the soil carries the load, from nothing to as much as it can."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from scipy.optimize import brentq

from axletree.expr import directional_derivative, evaluate, symbol
from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.soil import listed_soil, soil_records
from axletree.wheel.soils.wong_reece import WongReece, plain_sinkage

SOILS = tuple(soil_records())


def law_on(name: str, **fields: Any) -> WongReece:
    return WongReece(listed_soil(name, **fields), bulldozing=False)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SOILS)
def test_the_soil_carries_the_load(name: str) -> None:
    """To 1e-9 of it, at sinkages up to half the radius, however the wheel moves."""
    generator, law = np.random.default_rng(7), law_on(name)
    count = 400
    radius = generator.choice((0.1, 0.25, 0.5, 0.9), count)
    wheel = WheelInSoil(
        radius,
        radius * generator.choice((0.3, 0.8), count),
        generator.choice((-1.0, -0.999, -0.9, -0.5, -0.2, 0.0, 0.05, 0.3, 0.8, 1.0), count),
        np.radians(generator.choice((0.0, 0.5, 15.0, 45.0), count)),
    )
    load = wheel.width * radius * 10.0 ** generator.uniform(2.0, 5.3, count)
    found = law(load, wheel)
    shallow = found.sinkage < 0.5 * radius
    assert np.count_nonzero(shallow) > count / 4
    assert np.max(np.abs(found.normal_force / load - 1.0)[shallow]) < 1e-9


@pytest.mark.parametrize("slip", [-0.3, 0.0, 0.25])
@pytest.mark.validation("soils")
def test_the_sinkage_is_that_of_a_root_finder(slip: float, agrees: Agrees) -> None:
    law, wheel = law_on("upland-sandy-loam-wong"), WheelInSoil(0.45, 0.2, slip, 0.1)

    def excess(sinkage: float) -> float:
        return float(law.at_sinkage(sinkage, wheel, law.numbers).normal_force) - 5000.0

    expected = brentq(excess, 1e-4, 0.2, xtol=1e-14, rtol=1e-14)
    agrees(
        "sinkage of a wheel under 5 kN", law(5000.0, wheel).sinkage, expected, rel=1e-9, unit="m",
        case=f"slip of {slip:g}", source="SciPy, root finder",
    )  # fmt: skip


@pytest.mark.validation("soils")
def test_the_estimate_is_bekkers(agrees: Agrees) -> None:
    """n = 1: z = (3 W / (2 b k sqrt(D)))^(2/3), by hand."""
    soil = listed_soil("lunar-nominal")
    k = 1400.0 / 0.2 + 820e3
    expected = (3.0 * 500.0 / (2.0 * 0.2 * k * np.sqrt(0.5))) ** (2.0 / 3.0)
    found = plain_sinkage(500.0, WheelInSoil(0.25, 0.2), soil.numbers)
    agrees(
        "first estimate of the sinkage in lunar soil", found, expected, rel=1e-13, unit="m",
        source="Closed form, Bekker",
    )  # fmt: skip


def test_without_shear_and_little_sunk_it_is_nearly_the_estimate() -> None:
    soil = dataclasses.replace(
        listed_soil("lete-sand-wong"), cohesion=0.0, friction_angle=0.0, peak_offset=0.0,
        peak_slope=0.0,
    )  # fmt: skip
    law, wheel = WongReece(soil), WheelInSoil(0.5, 0.2)
    found, estimate = law(100.0, wheel).sinkage, plain_sinkage(100.0, wheel, soil.numbers)
    assert found == pytest.approx(estimate, rel=0.03)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SOILS)
def test_sinkage_falls_with_width_and_diameter_and_grows_with_load(name: str) -> None:
    law = law_on(name)
    sizes = np.linspace(0.15, 0.4, 12)
    assert np.all(np.diff(law(1000.0, WheelInSoil(0.4, sizes, 0.1)).sinkage) < 0.0)
    assert np.all(np.diff(law(1000.0, WheelInSoil(2.0 * sizes, 0.3, 0.1)).sinkage) < 0.0)
    assert np.all(
        np.diff(law(np.linspace(10.0, 3000.0, 40), WheelInSoil(0.5, 0.4, 0.1)).sinkage) > 0.0
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SOILS)
def test_drawbar_pull_of_a_load_rises_then_saturates(name: str) -> None:
    """Most of what slip can win is won in its first third, on ground that is not too soft."""
    law, slips = law_on(name), np.array([0.0, 0.15, 0.3, 0.6])
    load = law.at_sinkage(0.01, WheelInSoil(0.4, 0.3), law.numbers).normal_force
    pull = law(load, WheelInSoil(0.4, 0.3, slips)).drawbar_pull
    assert pull[0] < pull[1] < pull[2]
    assert abs(pull[3] - pull[2]) < pull[2] - pull[0]


def test_a_wheel_that_sinks_deep_digs_itself_in() -> None:
    """On snow slip adds more to the resistance of 1 kN than to its traction."""
    pull = law_on("snow-us")(
        1000.0, WheelInSoil(0.4, 0.3, np.array([0.0, 0.2, 0.4, 0.6]))
    ).drawbar_pull
    assert np.all(np.diff(pull) < 0.0)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["heavy-clay-wes-25", "dry-sand-lll", "snow-sweden"])
@pytest.mark.parametrize("slip", [-1.0, 0.0, 0.4, 1.0])
def test_no_load_has_no_force_and_slopes_are_finite(name: str, slip: float) -> None:
    law, load = WongReece(listed_soil(name), order=3), symbol("load")
    forces = law.under_load(load, WheelInSoil(0.4, 0.2, slip, 0.1), law.numbers)
    expressions = [
        forces.normal_force, forces.gross_traction, forces.compaction_resistance,
        forces.lateral_force, forces.torque, forces.sinkage,
    ]  # fmt: skip
    slopes = directional_derivative(expressions, {load: 1.0})
    for none in (0.0, -100.0):
        assert evaluate(expressions, {load: none}) == [0.0] * 6
        assert np.all(np.isfinite(evaluate(slopes, {load: none})))


def test_expressions_sink_as_numbers_do() -> None:
    law = WongReece(listed_soil("sandy-loam-michigan-11"), order=5)
    load, slip = symbol("load"), symbol("slip")
    symbols = {name: symbol(f"law.{name}") for name in law.numbers}
    forces = law.under_load(load, WheelInSoil(0.4, 0.2, slip, 0.1), symbols)
    given = {symbols[name]: value for name, value in law.numbers.items()}
    given |= {load: 4000.0, slip: -0.3}
    expected = law(4000.0, WheelInSoil(0.4, 0.2, -0.3, 0.1))
    both = (forces.sinkage, forces.lateral_force)
    found = evaluate(both, given)
    assert found == pytest.approx([expected.sinkage, expected.lateral_force], rel=1e-10)
    (slope,) = evaluate(directional_derivative([forces.sinkage], {load: 1.0}), given)
    above, below = (law(4000.0 + s, WheelInSoil(0.4, 0.2, -0.3, 0.1)).sinkage for s in (1.0, -1.0))
    assert slope == pytest.approx((above - below) / 2.0, rel=1e-6)


def test_a_load_that_is_too_much_sinks_the_wheel_to_its_axle() -> None:
    found = law_on("snow-sweden")(1e6, WheelInSoil(0.4, 0.2, 0.2))
    assert found.sinkage == pytest.approx(0.4)
    assert 0.0 < found.normal_force < 1e6
