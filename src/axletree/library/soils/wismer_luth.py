"""Wismer and Luth's equations for tyres on cohesive-frictional soil, by the cone index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import exp
from axletree.library.soils.cone_index_law import ConeIndexLaw, transition_slip
from axletree.library.soils.contract import Wheel
from axletree.library.soils.mobility_numbers import wheel_numeric
from axletree.library.soils.soil import Parameters, Value

RELATIVE_DEFLECTION = 0.2


@dataclass(frozen=True)
class WismerLuth(ConeIndexLaw):
    """Thrust and motion resistance by the wheel numeric C_n = c_i b D / W.

    Wismer and Luth 1973 ("Off-road traction prediction for wheeled vehicles", Journal of
    Terramechanics 10), for tyres that give some 20 % of their section height.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> field = at.WismerLuth(cone_index="700 kPa")
    >>> print(f"{field(15e3, Wheel(radius=0.7, width=0.45, slip=0.15)).drawbar_pull:.0f} N")
    7041 N
    """

    summary: ClassVar[str] = "tyres by the cone index (Wismer and Luth 1973)"

    transition: float = transition_slip()

    def mobility_number(self, load: Value, wheel: Wheel, p: Parameters) -> Value:
        return wheel_numeric(load, p["cone_index"], 2.0 * wheel.radius, wheel.width)

    def relative_deflection(self, load: Value, wheel: Wheel, p: Parameters) -> Value:
        return RELATIVE_DEFLECTION

    def thrust_ratio(self, slip: Value, mobility: Value) -> Value:
        return 0.75 * (1.0 - exp(-0.3 * mobility * slip))

    def thrust_slope(self, slip: Value, mobility: Value) -> Value:
        return 0.75 * 0.3 * mobility * exp(-0.3 * mobility * slip)

    def resistance_ratio(self, slip: Value, mobility: Value) -> Value:
        return 1.2 / mobility + 0.04
