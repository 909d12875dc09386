"""Dry friction, in the direction of sliding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import maximum, sqrt
from axletree.library.friction.grip import Coefficients, Sliding
from axletree.library.friction.slips.speed_curve import SpeedCurve, curve_of
from axletree.library.tyres.contract import Parameters

SMALLEST_SQUARE = 1e-24  # of a sliding speed [m/s]; below it a root would have no slope


@dataclass(frozen=True)
class DryFriction(SpeedCurve):
    """Friction by the size of the sliding velocity, against its direction.

    Andres 2009, eqs. (3.27) to (3.30); the curve is (3.20).

    Example:
    >>> import axletree as at
    >>> friction = at.DryFriction(peak_friction=1.0, sliding_friction=0.8)
    >>> locked = at.Contact(4000.0, -1.0, 0.0, forward_speed=20.0)  # N, 1, rad, m/s
    >>> print(f"{at.ComposedFriction(friction)(locked).Fx:.0f} N")  # -0.8 * 4000
    -3200 N
    """

    summary: ClassVar[str] = "dry friction, by the sliding velocity"

    def coefficients(self, sliding: Sliding, p: Parameters) -> Coefficients:
        x, y = sliding.longitudinal_speed, sliding.lateral_speed
        secant = curve_of(p).secant(sqrt(maximum(x * x + y * y, SMALLEST_SQUARE)))
        return Coefficients(-secant * x, -secant * y, p["adhesion_speed"], p["full_sliding_speed"])
