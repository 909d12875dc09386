"""Laws of the cone index: ratios of force to load by a mobility number.

They are for tyres on cohesive-frictional soil: Wismer and Luth's, and Brixius's for bias-ply tyres.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import fixed_number, parameter
from axletree.components.parts import Parameters
from axletree.expr import absolute, exp, maximum, minimum, sqrt, tanh, where
from axletree.expr.functions import Value
from axletree.wheel.slip import SMALLEST_SQUARE
from axletree.wheel.soils.contract import SoilForces, SoilGrip, SoilLaw, WheelInSoil
from axletree.wheel.soils.mobility import wes_clay_number, wheel_numeric

TRANSITION = 2e-3
SMALLEST_DRIFT = 1e-9  # slip without slip along; below it a wheel goes straight
_LEAST_LOAD = 1e-3  # [N], of a mobility number


def transition_slip() -> Any:
    """A field of these laws."""
    return parameter(
        "1", "slip within which thrust changes its direction", default=TRANSITION, lower=0.0,
        above=True,
    )  # fmt: skip


@dataclass(frozen=True)
class ConeIndexLaw(SoilLaw, ABC):
    """Ratios of thrust and motion resistance to the load, of |slip|.

    Measured with driven wheels on the straight. A braked wheel has the thrust ratio of |i| against
    its travel, and one that drifts has that of the size of its slip, along and across, against the
    direction in which it slides.

    Thrust has a value at no slip where it jumps from one direction to the other: the ratio there is
    a bound. Here it passes through zero within a few times ``transition``; laws that hold a wheel
    at rest take ``thrust_ratio`` for their bounds, that of slip 1 where nothing turns or moves.
    """

    cone_index: float = parameter(
        "Pa", "resistance of the soil to a penetrometer, c_i", lower=0.0, above=True
    )

    @abstractmethod
    def mobility_number(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Value:
        """The number [1] that both ratios go by, under a load [N] that is not zero.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> field, wheel = at.WismerLuth("700 kPa"), WheelInSoil(radius=0.7, width=0.45)  # m
        >>> print(field.mobility_number(symbol("W"), wheel, {"cone_index": symbol("c_i")}))
        0.63*c_i/W
        """

    @abstractmethod
    def thrust_ratio(self, slip: Value, mobility: Value) -> Value:
        """The greatest gross traction over the load [1] at a size of slip from 0 to 1.

        Example:
        >>> import axletree as at
        >>> field = at.WismerLuth("700 kPa")
        >>> [round(field.thrust_ratio(slip, 30.0), 3) for slip in (0.0, 0.1, 0.5)]
        [0.0, 0.445, 0.742]
        """

    @abstractmethod
    def resistance_ratio(self, slip: Value, mobility: Value) -> Value:
        """The motion resistance over the load [1] at a size of slip from 0 to 1.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> print(at.WismerLuth("700 kPa").resistance_ratio(symbol("i"), symbol("C_n")))
        1.2/C_n + 0.04
        """

    @abstractmethod
    def thrust_slope(self, slip: Value, mobility: Value) -> Value:
        """The slope of the thrust ratio against the size of slip [1].

        Example:
        >>> import axletree as at
        >>> print(f"{at.WismerLuth('700 kPa').thrust_slope(0.0, 30.0):.2f}")  # 0.75 * 0.3 * 30
        6.75
        """

    @abstractmethod
    def relative_deflection(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Value:
        """Of the tyre under a load [N], over its section height [1].

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> field, wheel = at.Brixius("700 kPa", section_height=0.3), WheelInSoil(0.7, 0.45)  # m
        >>> print(f"{field.relative_deflection(15e3, wheel, field.numbers):.4f}")
        0.0166
        """

    def compared_by(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Mapping[str, Value]:
        load = maximum(load, _LEAST_LOAD)
        own = load, p["cone_index"], 2.0 * wheel.radius, wheel.width
        deflection = self.relative_deflection(load, wheel, p)
        return {
            "wheel_numeric": wheel_numeric(*own),
            "clay_number": wes_clay_number(*own, deflection),
        }

    def grip_under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
        forces = self.under_load(load, wheel, p)
        load = maximum(load, 0.0)
        mobility = self.mobility_number(maximum(load, _LEAST_LOAD), wheel, p)
        along, across = absolute(wheel.clipped_slip), wheel.slip_across
        size = sqrt(maximum(along * along + across * across, SMALLEST_SQUARE))
        counted = minimum(size, 1.0)
        # Of a wheel that only drifts there is none; one that does not has all, without slip too.
        cosine = where(size > SMALLEST_DRIFT, along / size, 1.0)
        thrust, greatest = (load * self.thrust_ratio(i, mobility) for i in (counted, 1.0))
        aside = where(size > SMALLEST_DRIFT, across / size, 0.0)
        slope = where(size < 1.0, load * self.thrust_slope(counted, mobility), 0.0)
        return SoilGrip(
            forces,
            thrust=thrust * cosine,
            rolling_thrust=0.0,
            free_moment=0.0,
            thrust_slope=slope * cosine * cosine + thrust / size * aside * aside,
            greatest_thrust=greatest,
            side_stiffness=thrust * tanh(size / p["transition"]) / size,
            greatest_side_force=greatest,
            mobility_number=mobility,
        )

    def under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilForces:
        load = maximum(load, 0.0)
        mobility = self.mobility_number(maximum(load, _LEAST_LOAD), wheel, p)
        along, across = wheel.clipped_slip, wheel.slip_across
        size = sqrt(maximum(along * along + across * across, SMALLEST_SQUARE))
        counted = minimum(size, 1.0)
        thrust = load * self.thrust_ratio(counted, mobility) * tanh(size / p["transition"]) / size
        traction = thrust * along
        resistance = load * self.resistance_ratio(absolute(along), mobility)
        return SoilForces(
            sinkage=0.0,
            entry_angle=0.0,
            peak_angle=0.0,
            exit_angle=0.0,
            normal_force=load,
            gross_traction=traction,
            compaction_resistance=resistance,
            rolling_moment=0.0,
            lateral_force=-(thrust * across),
            torque=wheel.radius * traction,  # Peiret et al., eq. (15)
        )


RELATIVE_DEFLECTION = 0.2


@dataclass(frozen=True)
class WismerLuth(ConeIndexLaw):
    """Thrust and motion resistance by the wheel numeric C_n = c_i b D / W.

    Wismer and Luth 1973 ("Off-road traction prediction for wheeled vehicles", Journal of
    Terramechanics 10), for tyres that give some 20 % of their section height.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> field = at.WismerLuth(cone_index="700 kPa")
    >>> print(f"{field(15e3, WheelInSoil(radius=0.7, width=0.45, slip=0.15)).drawbar_pull:.0f} N")
    7041 N
    """

    summary: ClassVar[str] = "tyres by the cone index (Wismer and Luth 1973)"

    transition: float = transition_slip()

    def mobility_number(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Value:
        return wheel_numeric(load, p["cone_index"], 2.0 * wheel.radius, wheel.width)

    def relative_deflection(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Value:
        return RELATIVE_DEFLECTION

    def thrust_ratio(self, slip: Value, mobility: Value) -> Value:
        return 0.75 * (1.0 - exp(-0.3 * mobility * slip))

    def thrust_slope(self, slip: Value, mobility: Value) -> Value:
        return 0.75 * 0.3 * mobility * exp(-0.3 * mobility * slip)

    def resistance_ratio(self, slip: Value, mobility: Value) -> Value:
        return 1.2 / mobility + 0.04


# Brixius's equations for bias-ply tyres on cohesive-frictional soil, by the cone index.
#
# Brixius 1987 ("Traction prediction equations for bias ply tires", ASAE paper 87-1622); numbers of
# equations are those of Peiret et al.


@dataclass(frozen=True)
class Brixius(ConeIndexLaw):
    """Thrust and motion resistance by the mobility number of Brixius 1987.

    Both are of |slip|: for a braked wheel the printed (19) would grow without bounds. The
    deflection of the tyre follows from its pressure and load unless it is given.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> field = at.Brixius(cone_index="700 kPa", section_height=0.3)
    >>> print(f"{field(15e3, WheelInSoil(radius=0.7, width=0.45, slip=0.15)).drawbar_pull:.0f} N")
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

    def deflection(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Value:
        """delta [m] under a load [N].

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> field = at.Brixius("700 kPa", section_height=0.3, inflation_pressure="1 bar")
        >>> print(f"{1e3 * field.deflection(15e3, WheelInSoil(0.7, 0.45), field.numbers):.1f} mm")
        20.1 mm
        """
        if self.deflection_ratio is not None:
            return self.deflection_ratio * p["section_height"]
        return pressure_deflection(load, p["inflation_pressure"], 2.0 * wheel.radius, wheel.width)

    def relative_deflection(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Value:
        return self.deflection(load, wheel, p) / p["section_height"]

    def mobility_number(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Value:
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


LONGEST_PATCH = 0.95  # of the diameter: beyond it the pressure is as if the tyre were flat


def pressure_deflection(load: Value, pressure: Value, diameter: Value, width: Value) -> Value:
    """delta [m] of a tyre under a load [N], from pressure [Pa], diameter and width [m].

    The contact carries b L p, and a disc that is flattened by delta has L = 2 sqrt(D delta -
    delta^2).
    """
    half = 0.5 * maximum(load, 0.0) / (width * pressure)  # of the patch's length
    half = minimum(half, 0.5 * LONGEST_PATCH * diameter)
    return 2.0 * half * half / (diameter + sqrt(diameter * diameter - 4.0 * half * half))
