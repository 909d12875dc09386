"""Friction against the sliding speed, whatever the wheel's rolling."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

from axletree.library.fields import parameter
from axletree.library.friction.peaked_curve import PeakedCurve
from axletree.library.friction.slips.contract import FrictionSlip, peak_problems
from axletree.library.tyres.contract import Parameters


@dataclass(frozen=True)
class SpeedCurve(FrictionSlip, ABC):
    """One curve for all directions (Andres 2009, eqs. 3.20 to 3.26).

    The slope at rest is in proportion to the peak; Andres fixes it at 2 / v_Adhesion, which is
    the same for a peak of 1. The curve is well behaved whether the wheel rolls or not, and
    right for a narrow range of rolling speeds.
    """

    adhesion_speed: float = parameter(
        "m/s", "sliding speed of the peak, v_Adhesion", default=0.3, lower=0.0, above=True
    )
    full_sliding_speed: float = parameter(
        "m/s", "speed from which friction is that of sliding, v_Slide", default=1.0, lower=0.0
    )
    peak_friction: float = parameter(
        "1", "greatest friction coefficient, mu_max", default=1.0, lower=0.0, above=True
    )
    sliding_friction: float = parameter(
        "1", "friction coefficient of full sliding, mu_min", default=0.6, lower=0.0
    )
    steepness: float = parameter(
        "1", "slope at rest over peak_friction / adhesion_speed", default=2.0, lower=0.0, above=True
    )

    def problems(self) -> list[str]:
        found = []
        if self.full_sliding_speed <= self.adhesion_speed:
            found.append("full_sliding_speed must be greater than adhesion_speed")
        return [*found, *peak_problems(self, "")]


def curve_of(p: Parameters) -> PeakedCurve:
    """The curve of a SpeedCurve with these parameters."""
    return PeakedCurve(
        slope=p["steepness"] * p["peak_friction"] / p["adhesion_speed"],
        peak_slip=p["adhesion_speed"],
        peak=p["peak_friction"],
        sliding_slip=p["full_sliding_speed"],
        sliding=p["sliding_friction"],
    )
