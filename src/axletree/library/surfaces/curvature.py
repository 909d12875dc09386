"""Curvature of surfaces, for the bound on it that every surface states.

The bound is the largest second derivative of the height in any direction. It is the largest
curvature where the ground is level, and above it on a slope, where the same second derivative
bends the ground less. Those of surfaces that are added do not exceed their sum.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from axletree.core.expr import as_expr, evaluate, jacobian, number
from axletree.library.surfaces.contract import PLACE, Surface


def hessian_norm(zxx: Any, zxy: Any, zyy: Any) -> Any:
    """The largest second derivative in any direction, from those along x and y [1/m]."""
    mean, half = (zxx + zyy) / 2.0, (zxx - zyy) / 2.0
    return np.abs(mean) + np.sqrt(half * half + zxy * zxy)


def curvature_at(surface: Surface, x: Any, y: Any) -> Any:
    """The largest second derivative of the height in any direction [1/m] at x, y [m]."""
    slopes = [as_expr(slope) for slope in surface.slopes(*PLACE, surface.numbers)]
    second = jacobian(slopes, PLACE)
    wanted = [second.get(place, number(0.0)) for place in ((0, 0), (0, 1), (1, 1))]
    found = evaluate(wanted, dict(zip(PLACE, (np.asarray(x), np.asarray(y)), strict=True)))
    return hessian_norm(*found)


def radius_of(curvature: float) -> float:
    """The radius [m] of a curvature [1/m]."""
    return 1.0 / curvature if curvature > 0.0 else math.inf
