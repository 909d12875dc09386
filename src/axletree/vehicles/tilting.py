"""How high the masses of a vehicle are, and how far they make it roll."""

from __future__ import annotations

import math
from collections.abc import Iterator

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.settling import full_name
from axletree.vehicles.static_loads import hitch_loads, sprung_loads, wheel_heights, wheel_loads
from axletree.vehicles.trailer import Trailer
from axletree.vehicles.unit import Unit
from axletree.vehicles.vehicle import Vehicle


def mass_height(vehicle: Vehicle, name: str) -> float:
    """Of the centre of mass of a unit [m], as it is designed."""
    heights, unit = wheel_heights(vehicle), vehicle.units[name]
    moment = unit.sprung_mass * _sprung_height(unit)
    moment += sum(a.unsprung_mass * heights[full_name(name, k)] for k, a in unit.axles.items())
    return moment / unit.mass


def _sprung_height(unit: Unit) -> float:
    """Of the centre of mass of the body with its loads [m], before they make it sink."""
    masses = [(unit.body.mass, unit.body.centre_height)]
    masses += [(load.mass, load.position[2]) for load in unit.loads.values()]
    return sum(m * h for m, h in masses) / unit.sprung_mass


def tipping_acceleration(vehicle: Vehicle, first: str) -> float:
    """Lateral acceleration that lifts the inner wheels of a unit and of those behind it that
    have to roll with it [g], if they do not lean.

    Moments about the outer wheels: half of the track times the load of each axle against mass times
    height. What springs and tyres give way makes it less.
    """
    resists = tips = 0.0
    for name in rolling_together(vehicle, first):
        unit = vehicle.units[name]
        axles = unit.axles.items()
        resists += sum(wheel_loads(vehicle)[full_name(name, k)] * axle.track for k, axle in axles)
        tips += unit.mass * STANDARD_GRAVITY * mass_height(vehicle, name)
    return resists / tips


def roll_gradient(vehicle: Vehicle, first: str) -> float:
    """[deg/g] of a unit and of those behind it that have to roll with it, on springs and tyres.

    Each axle holds its side force at the height of its roll centre, each hitch at its own; these
    forces are shared as the loads are.
    """
    stiffness = lever = 0.0
    for name in rolling_together(vehicle, first):
        unit = vehicle.units[name]
        lever += unit.sprung_mass * STANDARD_GRAVITY * _sprung_height(unit)
        for k, axle in unit.axles.items():
            full = full_name(name, k)
            springs = axle.suspension.roll_rate(axle.track)
            tyres = 0.5 * axle.tyre.stiffness * axle.track * axle.track
            stiffness += springs * tyres / (springs + tyres)
            centre = axle.suspension.roll_centre(axle.track, wheel_heights(vehicle)[full])
            lever -= sprung_loads(vehicle)[full] * centre
    lever += _of_hitches(vehicle, tuple(rolling_together(vehicle, first)))
    return math.inf if stiffness <= lever else math.degrees(lever / (stiffness - lever))


def rolling_together(vehicle: Vehicle, first: str) -> Iterator[str]:
    """The names of a unit and of those behind it that hitches make roll with it."""
    begun = False
    for name, unit in vehicle.units.items():
        if begun and isinstance(unit, Trailer) and not unit.hitch.couples_roll:
            return
        begun = begun or name == first
        if begun:
            yield name


def _of_hitches(vehicle: Vehicle, together: tuple[str, ...]) -> float:
    """The moment [N m] by g of what is hitched to these units, or they to others."""
    loads, units = hitch_loads(vehicle), list(vehicle.units)
    found = 0.0
    for name, trailer in vehicle.trailers.items():
        towing = units[units.index(name) - 1]
        if (name in together) != (towing in together):
            sign = 1.0 if towing in together else -1.0
            found += sign * loads[name] * trailer.hitch.height
    return found
