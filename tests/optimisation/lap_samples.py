"""A ring, and a car whose limits are given: laps with closed forms."""

from __future__ import annotations

from functools import cached_property

import numpy as np

import axletree as at
from axletree.optimisation.lap_time.envelope import CarEnvelope
from axletree.vehicles.performance_limits import OwnPace, PerformanceLimits

RADIUS, HALF = 60.0, 5.0  # m


def ring(radius: float = RADIUS, half: float = HALF, count: int = 48) -> at.Track:
    turn = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    points = radius * np.column_stack([np.cos(turn), np.sin(turn)])
    return at.Track.through("ring", points, half, half, smoothing=0.0, spacing=5.0)


class GivenLimits(OwnPace):
    """Of a car with 10 m/s^2 across, more by wings, and 60 W/kg."""

    @cached_property
    def limits(self) -> PerformanceLimits:
        speeds = np.array([5.0, 20.0, 40.0])
        grip, shares = (8.0 * self.weight + 0.002 * speeds**2) * self.grip, np.full(3, 0.7)
        return PerformanceLimits(speeds, grip, 60.0 / speeds, 1.1 * grip, shares, shares)


def given_envelope() -> CarEnvelope:
    vehicle = at.read_model("van").described["vehicle"]
    return CarEnvelope("car", GivenLimits(share=1.0, top=120.0, vehicle=vehicle), 1.9)
