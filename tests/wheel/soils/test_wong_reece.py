"""The rigid wheel of Wong and Reece: identities, limits, trends, all kinds of values."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from agreement import Agrees

from axletree.expr import directional_derivative, evaluate, symbol
from axletree.wheel.soils.contract import SoilForces, WheelInSoil, tractive_efficiency
from axletree.wheel.soils.soil import Soil, listed_soil, pressure, soil_records
from axletree.wheel.soils.wong_reece import WongReece

SOILS = tuple(soil_records())
FORCES = (
    "normal_force", "gross_traction", "compaction_resistance", "rolling_moment",
    "lateral_force", "torque",
)  # fmt: skip
WHEEL = WheelInSoil(radius=0.4, width=0.25)
SAND = listed_soil("dry-sand-lll")


def moving(slip: Any = 0.0, slip_angle: Any = 0.0, **other: Any) -> WheelInSoil:
    return dataclasses.replace(WHEEL, slip=slip, slip_angle=slip_angle, **other)


def at(sinkage: Any, wheel: WheelInSoil, soil: Soil = SAND, bulldozing: bool = False) -> SoilForces:
    law = WongReece(soil, bulldozing=bulldozing)
    return law.at_sinkage(sinkage, wheel, law.numbers)


def values(forces: SoilForces) -> np.ndarray:
    return np.array([getattr(forces, name) for name in FORCES], dtype=float)


def contact_area(sinkage: float, wheel: WheelInSoil) -> float:
    return float(wheel.width * wheel.radius * np.arccos(1.0 - sinkage / wheel.radius))


@pytest.mark.parametrize("slip", [-1.0, -0.3, 0.0, 0.2, 1.0])
@pytest.mark.parametrize("name", SOILS)
def test_torque_is_that_of_traction_and_of_rolling_resistance(name: str, slip: float) -> None:
    found = at(0.05, moving(slip, 0.1), listed_soil(name))
    expected = WHEEL.radius * found.gross_traction + found.rolling_moment
    assert found.torque == pytest.approx(expected, rel=1e-12, abs=1e-9)


@pytest.mark.validation("soils")
def test_pressure_is_that_of_a_plate(agrees: Agrees) -> None:
    """Bekker's formula by hand: (990 / 0.25 + 1528430) 0.1^1.1."""
    agrees(
        "pressure below a plate in dry sand", pressure(0.1, 0.25, SAND.numbers),
        1532390.0 * 0.1**1.1, rel=1e-14, unit="Pa", source="Closed form, Bekker",
    )  # fmt: skip
    assert pressure(-0.1, 0.25, SAND.numbers) == 0.0


def test_braking_turns_the_shear_round_and_keeps_it_within_the_strength() -> None:
    """As printed the stress of a negative displacement would grow like exp(|j| / K)."""
    slips = np.linspace(-1.0, -0.3, 15)
    found = at(0.04, moving(slips))
    strength = SAND.cohesion * contact_area(0.04, WHEEL)
    strength += (
        np.tan(SAND.friction_angle) * pressure(0.04, 0.25, SAND.numbers) * contact_area(0.04, WHEEL)
    )
    assert np.all(found.gross_traction < 0.0)
    assert np.all(np.abs(found.torque) / WHEEL.radius < strength)


@pytest.mark.parametrize("name", SOILS)
def test_a_locked_wheel_slides_with_the_whole_strength_against_its_travel(name: str) -> None:
    """T / r = -(c A + tan(phi) N) with N the integral of the pressure, at i = -1 and at i = 1."""
    soil = listed_soil(name, shear_modulus=1e-6)
    frictionless = dataclasses.replace(soil, cohesion=0.0, friction_angle=0.0)
    weightless = dataclasses.replace(soil, cohesion=0.0, friction_angle=np.arctan(1.0))
    pressed = abs(at(0.05, moving(1.0), weightless).torque) / WHEEL.radius
    assert at(0.05, moving(1.0), frictionless).torque == 0.0
    area = contact_area(0.05, WHEEL)
    expected = soil.cohesion * area + np.tan(soil.friction_angle) * pressed
    for slip in (-1.0, 1.0):
        found = at(0.05, moving(slip), soil)
        assert found.torque / WHEEL.radius == pytest.approx(slip * expected, rel=1e-5)


@pytest.mark.parametrize("name", SOILS)
def test_side_force_is_odd_and_saturates(name: str) -> None:
    """At c A + tan(phi) N, N being the integral of the pressure over the contact."""
    soil = listed_soil(name)
    angles = np.radians(np.linspace(0.0, 89.9, 200))
    right, left = at(0.05, moving(0.1, angles), soil), at(0.05, moving(0.1, -angles), soil)
    np.testing.assert_allclose(right.lateral_force, -left.lateral_force, rtol=1e-12)
    assert np.all(np.diff(right.lateral_force) < 1e-9 * abs(right.lateral_force[-1]))
    plain = dataclasses.replace(soil, cohesion=0.0, friction_angle=np.arctan(1.0))
    pressed = -at(0.05, moving(0.1, angles[-1]), plain).lateral_force
    limit = soil.cohesion * contact_area(0.05, WHEEL) + np.tan(soil.friction_angle) * pressed
    assert -right.lateral_force[-1] == pytest.approx(limit, rel=1e-3)
    assert -right.lateral_force[-1] <= limit * (1.0 + 1e-12)


def test_traction_gives_way_to_side_force() -> None:
    found = at(0.05, moving(0.3, np.radians(np.linspace(0.0, 60.0, 30))))
    assert np.all(np.diff(found.gross_traction) < 0.0)
    assert np.all(np.diff(found.lateral_force) < 0.0)


@pytest.mark.parametrize("name", SOILS)
def test_drawbar_pull_rises_and_saturates_with_slip(name: str) -> None:
    soil = listed_soil(name, peak_slope=0.0)
    slips = np.linspace(0.0, 1.0, 41)
    pull = at(0.04, moving(slips), soil).drawbar_pull
    gain = np.diff(pull)
    assert np.all(gain > 0.0)
    assert np.all(np.diff(gain) < 0.0)
    assert gain[-1] < 0.25 * gain[0]


def test_efficiency_has_a_peak_at_little_slip() -> None:
    wheel = moving(np.linspace(0.0, 1.0, 101))
    soil = listed_soil("lete-sand-wong")
    share = tractive_efficiency(at(0.01, wheel, soil), wheel)
    assert 0.02 <= np.argmax(share) / 100.0 <= 0.4
    assert 0.3 < share.max() < 1.0
    assert share[-1] == 0.0
    towed = moving(-0.2)
    assert tractive_efficiency(at(0.01, towed, soil), towed) == 0.0


@pytest.mark.parametrize("slip", [-1.0, -0.4, 0.0, 0.4, 1.0])
def test_slip_counts_up_to_one(slip: float) -> None:
    outside = moving(slip * 3.0 if abs(slip) == 1.0 else slip)
    np.testing.assert_array_equal(values(at(0.05, outside)), values(at(0.05, moving(slip))))


@pytest.mark.parametrize("name", ["heavy-clay-wes-40", "sandy-loam-lll-22", "snow-us"])
def test_forces_are_continuous_and_have_slopes(name: str) -> None:
    """The slopes of the expressions are those of differences, on both sides of no slip."""
    soil = listed_soil(name, rebound=0.05)
    law = WongReece(soil, order=8)
    z, i, a = symbol("z"), symbol("i"), symbol("a")
    forces = law.at_sinkage(z, moving(i, a), law.numbers)
    expressions = [getattr(forces, name) for name in FORCES]
    cases = [(0.03, s, b) for s in (-1.0, -0.5, -1e-9, 0.0, 1e-9, 0.4) for b in (0.0, 0.2)]
    for variable in (z, i, a):
        slopes = directional_derivative(expressions, {variable: 1.0})
        for case in cases:
            if variable is i and case[1] in (-1.0, 0.0):
                continue
            given = dict(zip((z, i, a), case, strict=True))
            step = 1e-10 if abs(case[1]) == 1e-9 and variable is i else 1e-7
            beside = (given | {variable: given[variable] + s * step} for s in (-1.0, 1.0))
            low, high = (np.array(evaluate(expressions, one)) for one in beside)
            found = np.array(evaluate(slopes, given))
            scale = np.abs(found).max() + np.abs(high).max()
            np.testing.assert_allclose(found, (high - low) / (2.0 * step), atol=3e-5 * scale)


@pytest.mark.parametrize("name", SOILS)
def test_no_jump_at_no_slip_at_touch_down_or_to_the_axle(name: str) -> None:
    soil = listed_soil(name)
    for low, high in ((-1e-9, 1e-9), (-1e-9, 0.0)):
        before, after = (values(at(0.05, moving(s, 0.1), soil)) for s in (low, high))
        np.testing.assert_allclose(before, after, rtol=1e-6, atol=1e-6 * before.max())
    for depth in (1e-6, 1.0):
        z = depth * WHEEL.radius
        before, after = (values(at(z * f, moving(0.2, 0.1), soil)) for f in (1 - 1e-9, 1 + 1e-9))
        np.testing.assert_allclose(before, after, rtol=1e-7, atol=1e-9)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("slip", [-1.0, 0.0, 0.5, 1.0])
@pytest.mark.parametrize("sinkage", [-0.1, 0.0])
def test_a_wheel_in_the_air_has_no_force(sinkage: float, slip: float) -> None:
    for name in ("heavy-clay-wes-40", "dry-sand-lll"):
        law = WongReece(listed_soil(name))
        z = symbol("z")
        forces = law.at_sinkage(z, moving(slip, 0.1), law.numbers)
        expressions = [getattr(forces, name) for name in FORCES]
        assert evaluate(expressions, {z: sinkage}) == [0.0] * len(FORCES)
        slopes = directional_derivative(expressions, {z: 1.0})
        assert np.all(np.isfinite(evaluate(slopes, {z: sinkage})))


def test_floats_arrays_and_expressions_agree() -> None:
    law = WongReece(listed_soil("sandy-loam-michigan-11", rebound=0.1))
    slips, depths = np.array([-1.0, -0.2, 0.0, 0.3, 1.0]), np.array([0.0, 1e-4, 0.02, 0.1, 0.5])
    arrays = law.at_sinkage(depths, moving(slips, 0.2), law.numbers)
    symbols = {name: symbol(f"law.{name}") for name in law.numbers}
    z, i = symbol("z"), symbol("i")
    written = law.at_sinkage(z, moving(i, 0.2), symbols)
    numbers = {symbols[name]: value for name, value in law.numbers.items()}
    for k, (depth, slip) in enumerate(zip(depths, slips, strict=True)):
        one = law.at_sinkage(float(depth), moving(float(slip), 0.2), law.numbers)
        for name in FORCES:
            expected = getattr(one, name)
            (graph,) = evaluate([getattr(written, name)], numbers | {z: depth, i: slip})
            assert getattr(arrays, name)[k] == pytest.approx(expected, rel=1e-11, abs=1e-9)
            assert graph == pytest.approx(expected, rel=1e-11, abs=1e-9)


def test_elastic_ground_costs_nothing() -> None:
    """With full rebound pressure is alike ahead and behind: no compaction resistance."""
    soil = dataclasses.replace(SAND, rebound=1.0, peak_offset=0.0, peak_slope=0.0)
    found = at(0.05, moving(0.0), soil)
    assert abs(found.compaction_resistance) < 1e-12 * found.normal_force
    assert found.exit_angle == -found.entry_angle


def test_rebound_lessens_resistance_and_carries_more() -> None:
    found = [at(0.05, moving(0.1), dataclasses.replace(SAND, rebound=x)) for x in (0, 0.02, 0.1)]
    assert found[0].exit_angle == 0.0
    resistances = [f.compaction_resistance / f.normal_force for f in found]
    assert resistances == sorted(resistances, reverse=True)
    carried = [f.normal_force for f in found]
    assert carried == sorted(carried)
    little = at(0.05, moving(0.1), dataclasses.replace(SAND, rebound=1e-14))
    np.testing.assert_allclose(values(little), values(found[0]), rtol=1e-5)


def test_the_angles_are_those_of_the_circle() -> None:
    found = at(0.1, moving(-0.5), dataclasses.replace(SAND, rebound=0.2))
    assert found.entry_angle == pytest.approx(np.arccos(0.75), rel=1e-14)
    assert found.exit_angle == pytest.approx(-np.arccos(1.0 - 0.02 / 0.4), rel=1e-14)
    assert found.peak_angle == pytest.approx((0.43 + 0.16) * np.arccos(0.75), rel=1e-14)
