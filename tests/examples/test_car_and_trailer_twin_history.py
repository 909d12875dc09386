"""A step of the steering wheel: car and trailer from components and by hand, from a level state."""

from __future__ import annotations

import numpy as np
import pytest
from examples.twins import CAR, TRAILER, by_hand, from_components

NAMES = ("r", "v", "phi", "alpha", "Y_L1", "Y_L3")


def distances(delta: float) -> dict[str, float]:
    """The greatest over 3 s at 10 m/s, as shares of the greatest value."""
    u = 10.0
    composed = from_components(True, levelled=True).system.simulate(
        3.0, step=1e-3, method="rk4", inputs={"front.steer": delta},
        initial={"base.vx": u}, parameters={"drive.speed": u},
    )  # fmt: skip
    written = by_hand(True, levelled=True).system.simulate(
        3.0, step=1e-3, method="rk4", inputs={"delta": delta}, parameters={"u": u}
    )
    states, found = CAR | TRAILER, {}
    for name in NAMES:
        apart = np.abs(composed[states[name]] - written[name])
        found[name] = float(np.max(apart) / np.max(np.abs(written[name])))
    return found


@pytest.mark.slow
def test_what_is_left_out_falls_with_the_square_of_the_steering_angle() -> None:
    """Products of small variables in equations of first order: shares of third order over first."""
    assert max(distances(0.04).values()) < 1e-3
    wide, narrow = distances(0.005), distances(0.0025)
    for name in NAMES:
        assert wide[name] / narrow[name] == pytest.approx(4.0, rel=0.02), name
