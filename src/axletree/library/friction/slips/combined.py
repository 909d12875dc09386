"""Friction by the sliding velocity at low speed, by slip at high speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import absolute
from axletree.library.fields import parameter
from axletree.library.friction.grip import Coefficients, Sliding
from axletree.library.friction.peaked_curve import PeakedCurve
from axletree.library.friction.slips.contract import FrictionSlip, peak_problems
from axletree.library.friction.slips.directional import between, directional_coefficients
from axletree.library.friction.soft_maximum import soft_maximum
from axletree.library.tyres.contract import Parameters, Value


def _speed(text: str, default: float) -> Any:
    return parameter("m/s", text, default=default, lower=0.0, above=True)


def _slip(text: str, default: float) -> Any:
    return parameter("1", text, default=default, lower=0.0, above=True)


def _friction(text: str, default: float) -> Any:
    return parameter("1", f"friction coefficient {text}", default=default, lower=0.0, above=True)


@dataclass(frozen=True)
class CombinedFriction(FrictionSlip):
    """Dry friction and friction by slip, with a soft transition between them.

    Andres 2009, section 3.5.2.5, after Zimmer and Otter 2009: adhesion ends at the sliding speed
    v_Ad, the soft maximum (3.38) of a speed and of a slip times |Omega R|, and likewise for
    full sliding; speeds, slips and coefficients follow the direction of sliding as in (3.31)
    to (3.34). The slope at rest is in proportion to the peak over v_Ad, so that the curve
    keeps its shape at all speeds.

    Example:
    >>> import axletree as at
    >>> friction = at.CombinedFriction(longitudinal_sliding_friction=0.7)
    >>> locked = at.Contact(4000.0, -1.0, 0.0, forward_speed=20.0)
    >>> print(f"{at.ComposedFriction(friction)(locked).Fx:.0f} N")
    -2800 N
    """

    summary: ClassVar[str] = "by sliding velocity when slow, by slip when fast; along and across"

    longitudinal_adhesion_speed: float = _speed("sliding speed of the peak, v_LongAdhesion", 0.3)
    longitudinal_full_sliding_speed: float = _speed("speed of full sliding, v_LongSlide", 1.0)
    longitudinal_adhesion_slip: float = _slip("slip of the peak, s_LongAdhesion", 0.15)
    longitudinal_full_sliding_slip: float = _slip("slip of full sliding, s_LongSlide", 0.4)
    longitudinal_peak_friction: float = _friction("at the peak, mu_LongMax", 1.0)
    longitudinal_sliding_friction: float = _friction("of full sliding, mu_LongMin", 0.6)
    lateral_adhesion_speed: float = _speed("sliding speed of the peak, v_LatAdhesion", 0.4)
    lateral_full_sliding_speed: float = _speed("speed of full sliding, v_LatSlide", 1.2)
    lateral_adhesion_slip: float = _slip("slip of the peak, s_LatAdhesion", 0.2)
    lateral_full_sliding_slip: float = _slip("slip of full sliding, s_LatSlide", 0.5)
    lateral_peak_friction: float = _friction("at the peak, mu_LatMax", 1.0)
    lateral_sliding_friction: float = _friction("of full sliding, mu_LatMin", 0.6)
    steepness: float = parameter(
        "1", "slope at rest over peak friction / v_Ad", default=2.0, lower=0.0, above=True
    )
    tolerance: float = parameter(
        "m/s", "width of the transition, tol", default=0.1, lower=0.0, above=True
    )

    def problems(self) -> list[str]:
        pairs = [
            (f"{axis}_full_sliding_{measure}", f"{axis}_adhesion_{measure}")
            for axis in ("longitudinal", "lateral")
            for measure in ("speed", "slip")
        ]
        found = [
            f"{full_sliding} must be greater than {adhesion}"
            for full_sliding, adhesion in pairs
            if getattr(self, full_sliding) <= getattr(self, adhesion)
        ]
        return [*found, *peak_problems(self, "longitudinal_", "lateral_")]

    def coefficients(self, sliding: Sliding, p: Parameters) -> Coefficients:
        rolling = absolute(sliding.rolling_speed)

        def curve(cos2: Value, sin2: Value) -> PeakedCurve:
            def point(name: str) -> Value:
                return between(p[f"longitudinal_{name}"], p[f"lateral_{name}"], cos2, sin2)

            def speed(name: str) -> Value:
                slow, fast = point(f"{name}_speed"), point(f"{name}_slip") * rolling
                return soft_maximum(slow, fast, p["tolerance"])

            adhesion, peak = speed("adhesion"), point("peak_friction")
            return PeakedCurve(
                slope=p["steepness"] * peak / adhesion,
                peak_slip=adhesion,
                peak=peak,
                sliding_slip=speed("full_sliding"),
                sliding=point("sliding_friction"),
            )

        return directional_coefficients(sliding, curve)
