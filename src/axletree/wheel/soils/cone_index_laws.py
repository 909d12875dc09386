"""Laws of the cone index: ratios of force to load by a mobility number.

They are for tyres on cohesive-frictional soil: Wismer and Luth's, and Brixius's for bias-ply tyres.
Mobility numbers compare wheels on soft ground, and so does the vehicle cone index.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import Parameters, fixed_number, positive
from axletree.expr import Value, absolute, exp, maximum, minimum, power, sqrt, tanh, where
from axletree.wheel.slip import SMALLEST_SQUARE
from axletree.wheel.soils.contract import SoilForces, SoilGrip, SoilLaw, WheelInSoil

TRANSITION = 2e-3
SMALLEST_DRIFT = 1e-9  # slip without slip along; below it a wheel goes straight
_LEAST_LOAD = 1e-3  # [N], of a mobility number


def transition_slip() -> Any:
    """A field of these laws."""
    return positive("1", "slip within which thrust changes its direction", default=TRANSITION)


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

    cone_index: float = positive("Pa", "resistance of the soil to a penetrometer, c_i")

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
        # A drift turns the direction of what does not grow with slip, with the slope dry / size. Of
        # the thrust at no slip that has no bound near there, and a step goes far beyond: it is
        # taken over the slip at which the tangent there has the greatest thrust, at least.
        dry = maximum(thrust - slope * size, 0.0)
        first, whole = load * self.thrust_ratio(0.0, mobility), self._rise(mobility)
        turned = maximum(dry - first, 0.0) / size + first / maximum(size, whole)
        return SoilGrip(
            forces=forces,
            thrust=thrust * cosine,
            thrust_slope=slope + turned * aside * aside,
            greatest_thrust=greatest,
            side_stiffness=thrust * tanh(size / p["transition"]) / size,
            greatest_side_force=greatest,
            mobility_number=mobility,
        )

    def _rise(self, mobility: Value) -> Value:
        """The slip at which the tangent at no slip has the greatest thrust [1]."""
        first, greatest = (self.thrust_ratio(i, mobility) for i in (0.0, 1.0))
        return (greatest - first) / self.thrust_slope(0.0, mobility)

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
            normal_force=load,
            gross_traction=traction,
            compaction_resistance=resistance,
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

    section_height: float = positive("m", "height of the tyre's section, H")
    inflation_pressure: float = positive("Pa", "p, from which the deflection follows", default=2e5)
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


# Numbers by which wheels on soft ground are compared: greater ones get further.
#
# Loads in N, lengths in m, cone index in Pa. The Waterways Experiment Station's (WES) are those of
# Turnage 1972; the mean maximum pressure is that of Rowland 1972.


def wheel_numeric(load: Value, cone_index: Value, diameter: Value, width: Value) -> Value:
    """C_n = c_i b D / W [1]."""
    return cone_index * width * diameter / load


def wes_clay_number(
    load: Value, cone_index: Value, diameter: Value, width: Value, deflection_ratio: Value
) -> Value:
    """(c_i b D / W) sqrt(delta / H) / (1 + b / (2 D)) [1]."""
    numeric = wheel_numeric(load, cone_index, diameter, width)
    return numeric * sqrt(deflection_ratio) / (1.0 + 0.5 * width / diameter)


def wes_sand_number(
    load: Value, cone_gradient: Value, diameter: Value, width: Value, deflection_ratio: Value
) -> Value:
    """(G (b D)^(3/2) / W) delta / H [1], with the growth G of the cone index with depth [Pa/m]."""
    return cone_gradient * power(width * diameter, 1.5) * deflection_ratio / load


def mean_maximum_pressure(
    load: Value, diameter: Value, width: Value, deflection: Value, factor: float = 3.66
) -> Value:
    """Pressure [Pa] under a driven wheel: K W / (2 b^0.85 D^1.15 sqrt(delta / D)).

    W is the load of an axle with two wheels; K is 3.66 where both of two axles are
    driven, after Rowland 1972. Smaller is better here.
    """
    size = power(width, 0.85) * power(diameter, 1.15) * sqrt(deflection / diameter)
    return factor * load / (2.0 * size)


# The vehicle cone index: the least cone index that lets a wheeled vehicle pass.
#
# The mobility index and the curve of fifty passes are those of the NATO Reference Mobility Model
# for
# vehicles with all wheels driven on fine-grained soil; the curve of one pass and the correction by
# the tyres' deflection are as in Priddy and Willoughby 2006 ("Clarification of vehicle cone index
# with reference to mean maximum pressure", Journal of Terramechanics 43). All are empirical and in
# pounds and inches, and are converted here.

POUND = 4.4482216152605  # N
INCH = 0.0254  # m
PSI = POUND / INCH**2  # Pa
_STEEP = 115.0  # mobility index above which the first pass follows a power


@dataclass(frozen=True)
class WheeledVehicle:
    """What the mobility index asks of a vehicle; SI units."""

    weight: Value  # [N]
    axles: int
    tyres: int
    tyre_diameter: Value  # [m]
    tyre_width: Value  # [m]
    clearance: Value  # [m]
    deflection_ratio: Value = 0.15  # of tyres, over their section height
    has_chains: bool = False
    power_by_weight: Value = 1e2  # [W/N]; an engine counts as weak below 0.82
    has_manual_gearbox: bool = False


WEAK_ENGINE = 10.0 * 745.7 / (2000.0 * POUND)  # [W/N]: ten horsepower to the short ton


def mobility_index(vehicle: WheeledVehicle) -> Value:
    """(pressure x weight / (tyre x grouser) + wheel load - clearance) x engine x gearbox [1]."""
    pounds, width = vehicle.weight / POUND, vehicle.tyre_width / INCH
    patch = width * (0.5 * vehicle.tyre_diameter / INCH) * vehicle.tyres
    kips = pounds / 1000.0
    pressure = pounds / patch
    grouser = 1.05 if vehicle.has_chains else 1.0
    tyre = (10.0 + width) / 100.0
    loaded = pressure * _weight_factor(kips / vehicle.axles) / (tyre * grouser)
    clearance = vehicle.clearance / INCH / 10.0
    engine = where(vehicle.power_by_weight < WEAK_ENGINE, 1.05, 1.0)
    gearbox = 1.05 if vehicle.has_manual_gearbox else 1.0
    return (loaded + kips / vehicle.tyres - clearance) * engine * gearbox


def _weight_factor(kips: Value) -> Value:
    """Of the load of an axle in thousands of pounds."""
    light = where(kips < 2.0, 0.553 * kips, 0.033 * kips + 1.050)
    heavy = where(kips <= 20.0, 0.142 * kips - 0.420, 0.278 * kips - 3.115)
    return where(kips <= 13.5, light, heavy)


def one_pass_cone_index(vehicle: WheeledVehicle) -> Value:
    """VCI_1 [Pa], for one pass."""
    index = maximum(mobility_index(vehicle), 0.0)
    usual = 11.48 + 0.2 * index - 39.2 / (index + 3.74)
    return _by_deflection(where(index <= _STEEP, usual, 4.1 * power(index, 0.446)), vehicle)


def fifty_pass_cone_index(vehicle: WheeledVehicle) -> Value:
    """VCI_50 [Pa], for fifty passes in one rut."""
    index = maximum(mobility_index(vehicle), 0.0)
    return _by_deflection(28.23 + 0.43 * index - 92.67 / (index + 3.67), vehicle)


def _by_deflection(psi: Value, vehicle: WheeledVehicle) -> Value:
    return psi * PSI * power(0.15 / vehicle.deflection_ratio, 0.25)
