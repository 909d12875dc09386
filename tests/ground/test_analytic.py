"""Analytic surfaces against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from axletree.core.errors import ModelError
from axletree.ground.surfaces import BankedCurve, Bump, Hill, Ramp, Sine, Step, Surface, SurfaceSum


def height(surface: Surface, x: float, y: float) -> float:
    return float(surface.height(x, y, surface.numbers))


def slopes(surface: Surface, x: float, y: float) -> tuple[float, float]:
    return surface.slopes(x, y, surface.numbers)


def test_a_bump() -> None:
    bump = Bump(0.1, 2.0, x=5.0)
    assert [height(bump, x, 7.0) for x in (4.0, 5.0, 5.5, 6.0, 6.5, 7.0, 9.0)] == pytest.approx(
        [0.0, 0.0, 0.05, 0.1, 0.05, 0.0, 0.0], abs=1e-16
    )
    assert slopes(bump, 5.5, -1.0) == pytest.approx((0.05 * math.pi, 0.0))


def test_a_bump_across_another_direction() -> None:
    bump = Bump(0.1, 2.0, heading=math.pi / 2.0)
    assert height(bump, 33.0, 1.0) == pytest.approx(0.1)
    assert slopes(bump, 33.0, 0.5) == pytest.approx((0.0, 0.05 * math.pi), abs=1e-12)


def test_a_step_down() -> None:
    step = Step(-0.2, 1.0)
    assert [height(step, x, 0.0) for x in (-1.0, 0.5, 1.0, 8.0)] == pytest.approx(
        [0.0, -0.1, -0.2, -0.2]
    )
    assert slopes(step, 0.5, 0.0)[0] == pytest.approx(-0.1 * math.pi)


def test_a_ramp_has_the_rise_and_a_constant_slope_between_its_edges() -> None:
    ramp = Ramp(0.9, 10.0, 1.0)
    assert height(ramp, 30.0, 0.0) == pytest.approx(0.9)
    assert height(ramp, 5.0, 0.0) == pytest.approx(0.45)
    for x in (1.0, 3.0, 8.9999):
        assert slopes(ramp, x, 0.0)[0] == pytest.approx(0.1)
    assert slopes(ramp, 0.5, 0.0)[0] == pytest.approx(0.05)
    assert slopes(ramp, 9.5, 0.0)[0] == pytest.approx(0.05)
    assert height(ramp, 1.0, 0.0) == pytest.approx(0.05)  # half of slope times edge


def test_waves() -> None:
    wave = Sine(0.05, 4.0, phase=math.pi / 2.0, x=1.0)
    assert [height(wave, x, 0.0) for x in (1.0, 2.0, 3.0, 5.0)] == pytest.approx(
        [0.05, 0.0, -0.05, 0.05], abs=1e-15
    )


def test_a_pothole() -> None:
    hole = Hill(-0.08, 0.5, x=1.0, y=2.0)
    assert height(hole, 1.0, 2.0) == -0.08
    assert slopes(hole, 1.0, 2.0) == (0.0, 0.0)
    assert height(hole, 1.3, 2.4) == pytest.approx(0.0, abs=1e-15)  # the rim: 3, 4, 5
    assert height(hole, 1.25, 2.0) == pytest.approx(-0.08 * 0.75**3)
    assert height(hole, 3.0, 2.0) == 0.0


def test_heights_add_up_and_factors_on_friction_multiply() -> None:
    icy = Sine(0.1, 4.0, friction_map={"type": "uniform", "factor": 0.5})
    both = SurfaceSum([icy, Ramp(1.0, 2.0, 0.5)], friction_map={"type": "uniform", "factor": 0.4})
    assert height(both, 5.0, 0.0) == pytest.approx(0.1 + 1.0)
    assert both.friction(5.0, 0.0, both.numbers) == pytest.approx(0.2)


CURVE = BankedCurve(50.0, math.pi / 2.0, math.radians(10.0), 8.0, 20.0, 4.0)
BANK = math.tan(math.radians(10.0))


def on_arc(angle: float, inward: float, radius: float = 50.0) -> tuple[float, float]:
    out = radius - inward
    return out * math.sin(angle), radius - out * math.cos(angle)


@pytest.mark.parametrize("angle", [0.0, 0.3, 0.8, 1.5])
@pytest.mark.parametrize("inward", [-4.0, -1.0, 0.0, 2.0, 4.0])
def test_the_arc_is_a_cone_about_its_centre(angle: float, inward: float) -> None:
    x, y = on_arc(angle, inward)
    assert height(CURVE, x, y) == pytest.approx(-BANK * inward, abs=1e-13)
    along, across = slopes(CURVE, x, y)
    if 0.0 < angle < math.pi / 2.0 and abs(inward) < 4.0:
        # Uphill is away from the centre: sin(angle), -cos(angle) in x and y.
        assert (along, across) == pytest.approx(
            (BANK * math.sin(angle), -BANK * math.cos(angle)), abs=1e-12
        )


def test_the_bank_grows_along_the_straight_and_goes_back() -> None:
    assert height(CURVE, -20.0, 3.0) == 0.0
    assert height(CURVE, -10.0, 3.0) == pytest.approx(-BANK * 3.0 * 0.5)
    assert height(CURVE, -5.0, -2.0) == pytest.approx(BANK * 2.0 * 0.75**2 * 1.5)
    # Behind the arc the road runs along y at x = 50; the inner side is at smaller x.
    assert height(CURVE, 47.0, 60.0) == pytest.approx(-BANK * 3.0 * 0.5)
    assert height(CURVE, 47.0, 71.0) == 0.0


def test_beside_the_road_the_ground_comes_back() -> None:
    x, y = on_arc(0.7, 6.0)
    assert height(CURVE, x, y) == pytest.approx(-BANK * 6.0 * 0.5)
    assert height(CURVE, *on_arc(0.7, -8.0)) == pytest.approx(0.0, abs=1e-13)
    assert height(CURVE, 0.0, 50.0) == 0.0  # the centre
    assert slopes(CURVE, 0.0, 50.0) == (0.0, 0.0)
    assert height(CURVE, *on_arc(-2.0, 1.0)) == 0.0  # the rest of the circle is no road


def test_a_curve_to_the_right_is_the_mirror_image() -> None:
    right = BankedCurve(-50.0, math.pi / 2.0, math.radians(10.0), 8.0, 20.0, 4.0)
    for x, y in np.random.default_rng(2).uniform(-30.0, 60.0, (50, 2)):
        assert height(right, x, -y) == pytest.approx(height(CURVE, x, y), abs=1e-14)


def test_a_curve_may_begin_anywhere() -> None:
    heading, start = 2.0, (3.0, -7.0)
    turned = BankedCurve(50.0, math.pi / 2.0, math.radians(10.0), 8.0, 20.0, 4.0, *start, heading)
    c, s = math.cos(heading), math.sin(heading)
    for x, y in np.random.default_rng(2).uniform(-30.0, 60.0, (50, 2)):
        there = start[0] + c * x - s * y, start[1] + s * x + c * y
        assert height(turned, *there) == pytest.approx(height(CURVE, x, y), abs=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ramp(1.0, 1.0, 0.6), "two edges of 0.6 m are longer than the ramp of 1 m"),
        (lambda: Bump(0.1, 0.0), "length: 0 m is not allowed, it must be greater than 0"),
        (lambda: Sine(0.1, "2 s"), "wavelength: .*2 s"),
        (lambda: BankedCurve(5.0, 1.0, 0.1), "reaches the centre of a curve of 5 m"),
        (lambda: BankedCurve(0.0, 1.0, 0.1), "reaches the centre of a curve of 0 m"),
        (lambda: BankedCurve(15.0, 1.0, 0.1, transition=50.0), "a transition of 50 m is too long"),
        (lambda: BankedCurve(50.0, 4.0, 0.1), "angle: 4 rad is not allowed"),
        (lambda: SurfaceSum([]), "expected a list of parts"),
        (lambda: SurfaceSum([{"type": "hil"}]), "surfaces: 1: .*hil.*hill"),
    ],
)
def test_mistakes(make, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        make()
