"""The cubic that a brush of bristles under a parabolic pressure follows until it slides.

Fiala's law, the brush model and Calspan's law share it (Pacejka 2012, section 3.2.1): with
n the force that the undisturbed bristles would carry, over the friction limit,

    g(n) = n - n|n| / 3 + n^3 / 27   for |n| < 3,   sign(n) beyond.

It meets the limit with value, slope and curvature.
"""

from __future__ import annotations

from typing import Any

from axletree.core.expr import absolute, maximum, where

Value = Any  # float, numpy.ndarray, Expr or a SymPy expression

SLIDING = 3.0  # |n| from which every bristle slides
SMALLEST_LIMIT = 1e-9  # N; friction limits below it divide nothing


def demand(force: Value, limit: Value) -> Value:
    """n: a force over the friction limit [N], also where the tyre is in the air."""
    return force / maximum(limit, SMALLEST_LIMIT)


def saturated(n: Value) -> Value:
    """g(n) in [-1, 1]; written as n times a secant, so that the slope at 0 is exact."""
    size = absolute(n)
    adhering = 1.0 - size / 3.0 + size * size / 27.0
    return n * where(size < SLIDING, adhering, 1.0 / maximum(size, SLIDING))


def adhesion(n: Value) -> Value:
    """1 - |n|/3: the part of the contact length that adheres, in [0, 1]."""
    return maximum(1.0 - absolute(n) / SLIDING, 0.0)
