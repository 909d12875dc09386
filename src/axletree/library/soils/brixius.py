"""Brixius's equations for bias-ply tyres on cohesive-frictional soil, by the cone index.

Brixius 1987 ("Traction prediction equations for bias ply tires", ASAE paper 87-1622); numbers of
equations are those of Peiret et al.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import exp, sqrt
from axletree.library.fields import fixed_number, parameter
from axletree.library.soils.cone_index_law import ConeIndexLaw, transition_slip
from axletree.library.soils.contract import Wheel
from axletree.library.soils.soil import Parameters, Value
from axletree.library.soils.tyre_deflection import pressure_deflection


@dataclass(frozen=True)
class Brixius(ConeIndexLaw):
    """Thrust and motion resistance by the mobility number of Brixius 1987.

    Both are of |slip|: for a braked wheel the printed (19) would grow without bounds. The
    deflection of the tyre follows from its pressure and load unless it is given.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> field = at.Brixius(cone_index="700 kPa", section_height=0.3)
    >>> print(f"{field(15e3, Wheel(radius=0.7, width=0.45, slip=0.15)).drawbar_pull:.0f} N")
    5947 N
    """

    summary: ClassVar[str] = "bias-ply tyres by the cone index (Brixius 1987)"

    section_height: float = parameter("m", "height of the tyre's section, H", lower=0.0, above=True)
    inflation_pressure: float = parameter(
        "Pa", "p, from which the deflection follows", default=2e5, lower=0.0, above=True
    )
    deflection_ratio: float | None = fixed_number(
        "1", "deflection over section height; from pressure and load if it is not given",
        default=None, lower=0.0,
    )  # fmt: skip
    transition: float = transition_slip()

    def deflection(self, load: Value, wheel: Wheel, p: Parameters) -> Value:
        """delta [m] under a load [N].

        Example:
        >>> import axletree as at
        >>> from axletree.library.soils.contract import Wheel
        >>> field = at.Brixius("700 kPa", section_height=0.3, inflation_pressure="1 bar")
        >>> print(f"{1e3 * field.deflection(15e3, Wheel(0.7, 0.45), field.numbers):.1f} mm")
        20.1 mm
        """
        if self.deflection_ratio is not None:
            return self.deflection_ratio * p["section_height"]
        return pressure_deflection(load, p["inflation_pressure"], 2.0 * wheel.radius, wheel.width)

    def relative_deflection(self, load: Value, wheel: Wheel, p: Parameters) -> Value:
        return self.deflection(load, wheel, p) / p["section_height"]

    def mobility_number(self, load: Value, wheel: Wheel, p: Parameters) -> Value:
        D, b = 2.0 * wheel.radius, wheel.width
        yielding = 1.0 + 5.0 * self.relative_deflection(load, wheel, p)
        return (p["cone_index"] * D * b / load) * yielding / (1.0 + 3.0 * b / D)  # (18)

    def thrust_ratio(self, slip: Value, mobility: Value) -> Value:
        strength = 1.0 - exp(-0.1 * mobility)
        return 0.88 * strength * (1.0 - exp(-7.5 * slip)) + 0.04  # (19)

    def thrust_slope(self, slip: Value, mobility: Value) -> Value:
        return 7.5 * 0.88 * (1.0 - exp(-0.1 * mobility)) * exp(-7.5 * slip)

    def resistance_ratio(self, slip: Value, mobility: Value) -> Value:
        return 1.0 / mobility + 0.5 * slip / sqrt(mobility) + 0.04  # (20)
