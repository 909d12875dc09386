"""Vehicles by hard points in standard manoeuvres, with all of their links."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms.shipped_run import LINKED

import axletree as at


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(LINKED))
def test_a_step_of_the_steering_wheel_ends_in_the_turn_that_is_asked_for(name: str) -> None:
    """ISO 7401: the lateral acceleration settles near 4 m/s^2 at 80 km/h, where yaw rate times
    speed is that acceleration; and links agree with curves."""
    car = at.read_model(name)
    run = car.drive("iso-7401-step")
    rate, speed = run["vehicle.yaw_rate"], run["vehicle.forward_speed"]
    last = run["vehicle.lateral_acceleration"][-1]
    assert last == pytest.approx(rate[-1] * speed[-1], rel=0.02)
    assert last == pytest.approx(4.0, rel=0.12)
    curves = at.read_model(name, {"vehicle": {"fidelity": "full"}}).drive("iso-7401-step")
    other = curves["vehicle.yaw_rate"]
    assert other[-1] == pytest.approx(rate[-1], rel=0.05)
    assert np.abs(rate).max() == pytest.approx(np.abs(other).max(), rel=0.06)
