"""A maximum without a kink."""

from __future__ import annotations

from axletree.core.expr import absolute, exp, log, maximum
from axletree.library.tyres.contract import Value


def soft_maximum(left: Value, right: Value, tolerance: Value) -> Value:
    """tolerance log(exp(left / tolerance) + exp(right / tolerance)): Andres 2009, eq. (3.38).

    In the form that cannot overflow. It exceeds the greater of both by tolerance log(2) where
    they are equal, and by nothing far from there.
    """
    gap = absolute(left - right) / tolerance
    return maximum(left, right) + tolerance * log(1.0 + exp(-gap))
