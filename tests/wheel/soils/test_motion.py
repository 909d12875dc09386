"""Slip from speeds, and forces in both directions of travel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axletree.expr import directional_derivative, evaluate, symbol
from axletree.wheel.soils.cone_index_laws import Brixius
from axletree.wheel.soils.contract import SoilLaw, WheelInSoil
from axletree.wheel.soils.soil import listed_soil
from axletree.wheel.soils.wheel_motion import SoilMotion, WheelForces, soil_motion, wheel_forces
from axletree.wheel.soils.wong_reece import WongReece

LAWS: tuple[SoilLaw, ...] = (
    Brixius(cone_index=400e3, section_height=0.14),
    WongReece(listed_soil("lete-sand-wong"), order=8),
)
RADIUS, SLOW = 0.4, 0.05


def motion(rolling: Any, forward: Any, lateral: Any = 0.0) -> SoilMotion:
    return soil_motion(rolling, forward, lateral, SLOW)


def forces(law: SoilLaw, rolling: Any, forward: Any, lateral: Any = 0.0) -> WheelForces:
    moving = motion(rolling, forward, lateral)
    wheel = WheelInSoil(RADIUS, 0.2, moving.slip, lateral_slip=moving.lateral_slip)
    return wheel_forces(law(2500.0, wheel), RADIUS, moving)


@pytest.mark.parametrize(
    ("rolling", "forward", "slip"),
    [
        (2.0, 1.0, 0.5), (-2.0, -1.0, 0.5), (1.0, 2.0, -0.5), (-1.0, -2.0, -0.5),
        (0.0, 2.0, -1.0), (2.0, 0.0, 1.0), (2.0, -1.0, 1.0), (-1.0, 2.0, -1.0), (3.0, 3.0, 0.0),
    ],
)  # fmt: skip
def test_slip_is_of_the_greater_speed_and_clipped(
    rolling: float, forward: float, slip: float
) -> None:
    """Driving is positive and braking negative in both directions of travel."""
    assert motion(rolling, forward).slip == pytest.approx(slip, abs=1e-12)


def test_slip_fades_at_rest_as_printed() -> None:
    for speed in (0.3 * SLOW, SLOW, 3.0 * SLOW):
        expected = 0.25 * (1.0 - np.exp(-((speed / SLOW) ** 2)))
        assert motion(speed, 0.75 * speed).slip == pytest.approx(expected, rel=1e-13)
    assert motion(0.0, 0.0, 0.3) == SoilMotion(0.0, 0.0, 0.0)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("speeds", [(2.0, 1.5, 0.1), (1.0, 2.0, -0.3), (0.0, 2.0, 0.0)])
def test_reverse_is_a_mirror(law: SoilLaw, speeds: tuple[float, float, float]) -> None:
    rolling, forward, lateral = speeds
    ahead, back = forces(law, rolling, forward, lateral), forces(law, -rolling, -forward, lateral)
    assert (back.Fx, back.Fy, back.Fz, back.My) == pytest.approx(
        (-ahead.Fx, ahead.Fy, ahead.Fz, -ahead.My), rel=1e-13
    )


@pytest.mark.parametrize("law", LAWS)
def test_the_moment_about_the_axle_is_the_torque(law: SoilLaw) -> None:
    """Fx at the lowest point turns the wheel by -r Fx."""
    moving = motion(2.0, 1.5)
    soil = law(2500.0, WheelInSoil(RADIUS, 0.2, moving.slip))
    found = wheel_forces(soil, RADIUS, moving)
    assert found.My - RADIUS * found.Fx == pytest.approx(-soil.torque, rel=1e-12)


@pytest.mark.parametrize("law", LAWS)
def test_the_soil_takes_power_and_gives_none(law: SoilLaw) -> None:
    """Fx v + (My - r Fx) omega + Fy v_y, at any speeds."""
    generator = np.random.default_rng(3)
    for _ in range(40):
        rolling, forward, lateral = generator.uniform(-2.0, 2.0, 3)
        found = forces(law, rolling, forward, lateral)
        rate = rolling / RADIUS
        power = found.Fx * (forward - rolling) + found.My * rate + found.Fy * lateral
        assert power <= 1e-9


def test_a_wheel_that_spins_on_the_spot_is_pushed_against_its_drift() -> None:
    found = forces(LAWS[1], 2.0, 0.0, 0.5)
    assert found.Fy < -100.0


@pytest.mark.parametrize(
    "speeds", [(0.0, 0.0, 0.0), (1e-9, 0.0, 0.0), (0.0, -1e-9, 1e-9), (1e6, 0, 0)]
)
def test_slopes_are_finite_at_rest(speeds: tuple[float, float, float]) -> None:
    symbols = symbol("rolling"), symbol("forward"), symbol("lateral")
    moving = motion(*symbols)
    answers = [moving.slip, moving.lateral_slip, moving.direction]
    given = dict(zip(symbols, speeds, strict=True))
    for variable in symbols:
        slopes = evaluate(directional_derivative(answers, {variable: 1.0}), given)
        assert np.all(np.isfinite(slopes))
