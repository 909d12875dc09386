"""Slip over the speed of rolling, from velocities by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from axletree.wheel.contract import Contact
from axletree.wheel.slip import direction, theoretical_slip


@pytest.mark.parametrize(
    ("forward", "rolling", "lateral"),
    [(20.0, 21.0, 0.5), (20.0, 5.0, -2.0), (-8.0, -9.0, 0.3), (-8.0, -2.0, 1.0), (10.0, -4.0, 1.0)],
)
def test_is_sliding_over_rolling(forward: float, rolling: float, lateral: float) -> None:
    """``rolling`` is Omega R; the contact slides at (forward - rolling, lateral)."""
    S = -(forward - rolling) / abs(forward)
    alpha = math.atan(lateral / abs(forward))
    slip = theoretical_slip(Contact(4000.0, S, alpha, forward_speed=forward))
    expected = -(forward - rolling) / abs(rolling), -lateral / abs(rolling)
    assert slip == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("forward", [10.0, -10.0])
def test_a_locked_wheel_slides_along_its_motion(forward: float) -> None:
    S = -math.copysign(1.0, forward)
    sx, sy = theoretical_slip(Contact(4000.0, S, 0.2, forward_speed=forward))
    assert math.isfinite(sx)
    assert abs(sx) > 1e6
    assert sy / abs(sx) == pytest.approx(-math.tan(0.2))
    assert math.copysign(1.0, sx) == S


def test_passes_through_standstill_without_a_jump() -> None:
    speeds = np.linspace(-0.2, 0.2, 4001)
    sx, sy = theoretical_slip(Contact(4000.0, 0.3, 0.1, forward_speed=speeds))
    assert np.abs(np.diff(sx)).max() < 2e-3
    assert np.abs(np.diff(sy)).max() < 2e-3
    assert sx[2000] == pytest.approx(0.3)


def test_direction_is_a_sign_that_is_continuous() -> None:
    speeds = np.array([-5.0, -0.1, -0.05, 0.0, 0.025, 0.1, 7.0])
    np.testing.assert_allclose(direction(speeds, 0.1), [-1.0, -1.0, -0.5, 0.0, 0.25, 1.0, 1.0])
