"""Dry friction along the wheel; across it, slip is held at zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import absolute
from axletree.library.friction.grip import Coefficients, Sliding
from axletree.library.friction.slips.speed_curve import SpeedCurve, curve_of
from axletree.library.tyres.contract import Parameters


@dataclass(frozen=True)
class LongitudinalDryFriction(SpeedCurve):
    """Friction of the longitudinal sliding speed, without side slip.

    Andres 2009, eqs. (3.18) to (3.28), with the sign of (3.27). The lateral force is the
    reaction that holds the side slip at zero; friction does not limit it.

    Example:
    >>> import axletree as at
    >>> friction = at.LongitudinalDryFriction(sliding_friction=0.8)
    >>> locked = at.Contact(4000.0, -1.0, 0.0, forward_speed=20.0)  # N, 1, rad, m/s
    >>> print(f"{at.ComposedFriction(friction)(locked).Fx:.0f} N")  # -0.8 * 4000
    -3200 N
    """

    summary: ClassVar[str] = "dry friction along, no slip across"
    holds_lateral: ClassVar[bool] = True

    def coefficients(self, sliding: Sliding, p: Parameters) -> Coefficients:
        x = sliding.longitudinal_speed
        along = -curve_of(p).secant(absolute(x)) * x
        return Coefficients(along, 0.0, p["adhesion_speed"], p["full_sliding_speed"])
