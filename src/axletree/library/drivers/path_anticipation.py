"""What a driver makes of a curve that comes, so that the vehicle is in it at the right time.

Hands and vehicle answer a curve that comes at a frequency w late, by a time T, and less, by a
factor 1 / (1 + c w^2). So the driver looks ahead by T and sees the curvature

    k = k(T) + c / h^2 (2 k(T) - k(T - h) - k(T + h)),    h^2 = max(-2 c, (0.12 s)^2),
    T = reaction + 2 hand_damping / hand_rate + S (response v / U + tyre_lag / v) - rear / v,
    c = keenness v^2 / U - (rear / v)^2 / 2
        + (reaction^2 + (4 hand_damping^2 - 2) / hand_rate^2) / 2,
    U = 1 + understeer v^2 / wheelbase,

for a slow vehicle turns about its rear axle, so that c is negative and what comes is smoothed, and
a fast one swings. S is the softening of tyres:
slip angles over those of stiff tyres, at 1 / sqrt(2) of the greatest lateral acceleration that the
path asks for at the speed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from axletree.core.expr import Beyond, Expr, interpolate, maximum, minimum, sqrt
from axletree.library.curve import Curve, table_through

if TYPE_CHECKING:
    from axletree.library.drivers.path_driver import PathDriver

BESIDE = 0.12  # s, at least, between places of a curve by which its change is seen


def curvature_ahead(driver: PathDriver, station: Expr, v: Expr) -> Expr:
    """k [1/m] as it is seen at a station [m] and a speed [m/s]."""
    stiffer = 1.0 + driver.symbol("understeer") * v * v / driver.symbol("wheelbase")
    z, w, lag = (driver.symbol(name) for name in ("hand_damping", "hand_rate", "reaction"))
    early = driver.symbol("rear") / v
    late = lag + 2.0 * z / w - early
    late += at_level(driver, driver.softening, v, 1.0) * (
        driver.symbol("response") * v / stiffer + driver.symbol("tyre_lag") / v
    )
    less = driver.symbol("keenness") * v * v / stiffer
    less += 0.5 * (lag * lag + (4.0 * z * z - 2.0) / (w * w) - early * early)
    square = maximum(-2.0 * less, BESIDE * BESIDE)  # so that no place counts less than nothing
    apart = sqrt(square)
    curvatures = driver.path.line.curvatures
    before, there, after = (
        interpolate(curvatures, station + v * (late + k * apart)) for k in (-1.0, 0.0, 1.0)
    )
    seen: Expr = there + less / square * (2.0 * there - before - after)
    return seen


def at_level(driver: PathDriver, points: Curve | None, v: Expr, missing: float) -> Expr | float:
    """A curve over lateral acceleration, where it counts for the path at a speed [m/s]."""
    if points is None:
        return missing
    table = table_through(points.x, points.y, points.kind, Beyond.VALUE_HELD)
    peak = float(np.abs(driver.path.line.curvature).max())
    level = minimum(v * v * peak, driver.symbol("hardest")) / math.sqrt(2.0)
    found: Expr = interpolate(table, level)
    return found
