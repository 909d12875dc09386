"""Mobility: numbers by which wheels on soft ground are compared, and the vehicle cone index."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.expr import maximum, power, sqrt, where
from axletree.expr.functions import Value

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
