"""Small functions that analytic surfaces are made of; all have continuous slopes."""

from __future__ import annotations

from typing import Any

from axletree.core.expr import maximum, minimum

Value = Any  # float, numpy.ndarray or Expr


def clamped(value: Value, low: Value, high: Value) -> Value:
    """The value, or the limit that it exceeds."""
    return minimum(maximum(value, low), high)


def smooth_step(value: Value) -> Value:
    """From 0 at 0 to 1 at 1, level at both and beyond: t^2 (3 - 2 t)."""
    t = clamped(value, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def rounded_rise(distance: Value, length: Value) -> Value:
    """0 up to 0, from ``length`` on a slope of 1, a parabola between them."""
    start = clamped(distance, 0.0, length)
    return start * start / (2.0 * length) + maximum(distance, length) - length
