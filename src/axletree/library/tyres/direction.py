"""The sign of a speed, made continuous through rest."""

from __future__ import annotations

from axletree.core.expr import absolute, maximum
from axletree.library.tyres.contract import Value

SLOW_TRAVEL = 0.1  # m/s
SLOW_SPIN = 0.1  # rad/s


def direction(speed: Value, slow: float) -> Value:
    """-1 or 1, in proportion to the speed below ``slow``: a sign that an integrator can pass."""
    return speed / maximum(absolute(speed), slow)
