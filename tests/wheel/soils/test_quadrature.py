"""Integrals of fixed order against adaptive ones, for every soil of the list."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from agreement import Agrees
from oracles.wheel_in_soil import adaptive_forces

from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.rim_stresses import graded_points
from axletree.wheel.soils.soil import Soil, listed_soil, soil_records
from axletree.wheel.soils.wong_reece import ORDER, WongReece

SLIPS = (-1.0, -0.99, -0.9, -0.5, -0.2, -0.05, 0.0, 0.05, 0.3, 1.0)
ANGLES = tuple(float(a) for a in np.radians((0.0, 0.1, 2.0, 15.0, 60.0)))


def error(soil: Soil, sinkage: float, wheel: WheelInSoil, order: int = ORDER) -> float:
    """The greatest error of a force over the resultant of all."""
    law = WongReece(soil, order=order, bulldozing=False)
    found = law.at_sinkage(sinkage, wheel, law.numbers)
    forces = np.array([
        found.normal_force, found.gross_traction, found.compaction_resistance,
        found.torque / wheel.radius, found.lateral_force,
    ])  # fmt: skip
    expected = adaptive_forces(soil, sinkage, wheel)
    return float(np.max(np.abs(forces - expected)) / np.linalg.norm(expected))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", soil_records())
def test_forces_are_right_to_a_millionth(name: str) -> None:
    """From a rover's wheel to a tractor's, sinkages from 1e-3 to 1/2 of the radius."""
    generator = np.random.default_rng(sum(map(ord, name)))
    worst = 0.0
    for slip in SLIPS:
        radius = generator.choice((0.1, 0.3, 0.9))
        wheel = WheelInSoil(
            radius, radius * generator.choice((0.3, 0.8)), slip, generator.choice(ANGLES)
        )
        soil = listed_soil(
            name, shear_modulus=generator.choice((0.005, 0.018, 0.04)),
            rebound=generator.choice((0.0, 0.1)),
        )  # fmt: skip
        worst = max(worst, error(soil, radius * 10.0 ** generator.uniform(-3.0, -0.302), wheel))
    assert worst < 1e-6


# The hardest: shear that changes its sign, a small drift, a thin layer in which shear builds up.
HARDEST = (
    ("lete-sand-wong", 0.464, WheelInSoil(0.9, 0.3, -0.2, 1.75e-4), 0.005),
    ("snow-us", 0.471, WheelInSoil(0.5, 0.2, -0.3, 1.75e-3), 0.04),
    ("snow-us", 0.16, WheelInSoil(0.9, 0.3, -0.1, 1.75e-3), 0.01),
    ("heavy-clay-wes-40", 0.154, WheelInSoil(0.5, 0.2, -0.99), 0.005),
    ("upland-sandy-loam-wong", 0.3959, WheelInSoil(0.9, 0.72, -0.2, 0.0349), 0.005),
    ("clayey-soil-thailand-38", 0.318, WheelInSoil(0.3, 0.24, -0.15, 1.75e-3), 0.005),
    ("dry-sand-lll", 0.0015, WheelInSoil(0.1, 0.03, -0.999, 1.4), 0.025),
)


@pytest.mark.parametrize(("name", "depth", "wheel", "modulus"), HARDEST)
@pytest.mark.validation("soils")
def test_the_hardest_cases(
    name: str, depth: float, wheel: WheelInSoil, modulus: float, agrees: Agrees
) -> None:
    soil = listed_soil(name, shear_modulus=modulus)
    agrees(
        "stresses of Wong and Reece, hardest cases: error of forces over their resultant",
        error(soil, depth * wheel.radius, wheel), 0.0, abs=1e-6,
        case=f"{name}, slip of {wheel.slip:g}",
        source="SciPy, adaptive quadrature of stresses that are written out",
    )  # fmt: skip


def test_the_error_falls_with_the_order() -> None:
    """For each doubling by far more than a fixed power; 10 points are not enough, 20 are."""
    cases = [(listed_soil(n, shear_modulus=K), d * w.radius, w) for n, d, w, K in HARDEST]
    by_order = [max(error(*case, order=order) for case in cases) for order in (5, 10, 20)]
    assert by_order[0] > 30.0 * by_order[1] > 900.0 * by_order[2]
    assert by_order[1] > 1e-6 > by_order[2]


@pytest.mark.parametrize("split", [0.25, 0.5, 0.98])
@pytest.mark.parametrize("exponent", [0.11, 0.5, 1.6])
def test_points_integrate_powers_and_kinks(split: float, exponent: float) -> None:
    points = list(graded_points(split, 16))
    assert sum(w for _, w in points) == pytest.approx(1.0, rel=1e-13)
    power = sum(w * s**exponent for s, w in points)
    assert power == pytest.approx(1.0 / (1.0 + exponent), rel=1e-10)
    kink = split**4
    bent = sum(w * abs(s - kink) for s, w in points)
    assert bent == pytest.approx((kink**2 + (1.0 - kink) ** 2) / 2.0, rel=1e-12)


@pytest.mark.parametrize("exponent", [0.3, 0.5, 1.0, 1.6])
@pytest.mark.validation("soils")
def test_compaction_resistance_is_the_work_of_pressing_a_rut(
    exponent: float, agrees: Agrees
) -> None:
    """F_c = b k z^(n+1) / (n+1) where the greatest pressure is below the axle."""
    soil = dataclasses.replace(
        listed_soil("dry-sand-lll"), sinkage_exponent=exponent, peak_offset=0.0, peak_slope=0.0
    )
    law, wheel, z = WongReece(soil), WheelInSoil(0.4, 0.2, 0.3), 0.07
    k = soil.cohesive_modulus / 0.2 + soil.frictional_modulus
    expected = 0.2 * k * z ** (exponent + 1.0) / (exponent + 1.0)
    found = law.at_sinkage(z, wheel, law.numbers).compaction_resistance
    agrees(
        "compaction resistance", found, expected, rel=1e-10, unit="N",
        case=f"sinkage exponent of {exponent:g}", source="Closed form, work of pressing a rut",
    )  # fmt: skip
