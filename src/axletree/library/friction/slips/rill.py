"""Friction by slip, the sliding velocity over the speed of rolling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import absolute, maximum
from axletree.library.fields import parameter
from axletree.library.friction.grip import Coefficients, Sliding
from axletree.library.friction.peaked_curve import PeakedCurve
from axletree.library.friction.slips.contract import FrictionSlip, peak_problems
from axletree.library.friction.slips.directional import between, directional_coefficients
from axletree.library.tyres.contract import Parameters, Value


@dataclass(frozen=True)
class RillFriction(FrictionSlip):
    """Friction by slip, with curves of their own along and across.

    Andres 2009, eqs. (3.8) to (3.10) and (3.31) to (3.37), after Rill 2007, with the slips of full
    sliding in (3.32) and a force against the sliding in (3.37). Slip is over |Omega R|, and
    below ``lowest_speed`` over that. Stiffness goes with one over it: Andres has 1e-6 m/s, at
    which no fixed step follows a wheel that stops; 0.5 m/s asks for some 0.1 ms.

    Example:
    >>> import axletree as at
    >>> friction = at.RillFriction(longitudinal_sliding_friction=0.7)
    >>> locked = at.Contact(4000.0, -1.0, 0.0, forward_speed=20.0)
    >>> print(f"{at.ComposedFriction(friction)(locked).Fx:.0f} N")
    -2800 N
    """

    summary: ClassVar[str] = "by slip, along and across"

    longitudinal_adhesion_slip: float = parameter(
        "1", "slip of the peak, s_LongAdhesion", default=0.15, lower=0.0, above=True
    )
    longitudinal_full_sliding_slip: float = parameter(
        "1", "slip from which all slides, s_LongSlide", default=0.4, lower=0.0
    )
    longitudinal_peak_friction: float = parameter(
        "1", "greatest friction coefficient, mu_LongMax", default=1.0, lower=0.0, above=True
    )
    longitudinal_sliding_friction: float = parameter(
        "1", "friction coefficient of full sliding, mu_LongMin", default=0.9, lower=0.0, above=True
    )
    lateral_adhesion_slip: float = parameter(
        "1", "slip of the peak, s_LatAdhesion", default=0.15, lower=0.0, above=True
    )
    lateral_full_sliding_slip: float = parameter(
        "1", "slip from which all slides, s_LatSlide", default=0.4, lower=0.0
    )
    lateral_peak_friction: float = parameter(
        "1", "greatest friction coefficient, mu_LatMax", default=1.0, lower=0.0, above=True
    )
    lateral_sliding_friction: float = parameter(
        "1", "friction coefficient of full sliding, mu_LatMin", default=0.6, lower=0.0, above=True
    )
    steepness: float = parameter(
        "1", "slope at no slip over peak_friction / adhesion_slip", default=5.0, lower=0.0,
        above=True,
    )  # fmt: skip
    lowest_speed: float = parameter(
        "m/s", "rolling speed below which slip is as if rolling at it, v_RotMin", default=0.5,
        lower=0.0, above=True,
    )  # fmt: skip

    def problems(self) -> list[str]:
        found = []
        if self.longitudinal_full_sliding_slip <= self.longitudinal_adhesion_slip:
            found.append("longitudinal_full_sliding_slip must exceed longitudinal_adhesion_slip")
        if self.lateral_full_sliding_slip <= self.lateral_adhesion_slip:
            found.append("lateral_full_sliding_slip must exceed lateral_adhesion_slip")
        return [*found, *peak_problems(self, "longitudinal_", "lateral_")]

    def coefficients(self, sliding: Sliding, p: Parameters) -> Coefficients:
        rolling = maximum(absolute(sliding.rolling_speed), p["lowest_speed"])

        def curve(cos2: Value, sin2: Value) -> PeakedCurve:
            def point(name: str) -> Value:
                return between(p[f"longitudinal_{name}"], p[f"lateral_{name}"], cos2, sin2)

            def slope(axis: str) -> Value:
                return p["steepness"] * p[f"{axis}_peak_friction"] / p[f"{axis}_adhesion_slip"]

            initial = between(slope("longitudinal"), slope("lateral"), cos2, sin2)  # (3.35)
            # Against the sliding speed, not slip: the same curve, without a second division.
            return PeakedCurve(
                slope=initial / rolling,
                peak_slip=point("adhesion_slip") * rolling,  # (3.31)
                peak=point("peak_friction"),  # (3.33)
                sliding_slip=point("full_sliding_slip") * rolling,  # (3.32)
                sliding=point("sliding_friction"),  # (3.34)
            )

        return directional_coefficients(sliding, curve)
