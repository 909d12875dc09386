"""How high the masses of a vehicle are, and how far they make it roll."""

from __future__ import annotations

import math

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.rolling import rolling_together, turning_roll
from axletree.vehicles.settling import full_name
from axletree.vehicles.static_loads import wheel_heights, wheel_loads
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
    """[deg/g] of a unit and of those behind it that have to roll with it, on springs and tyres, in
    a slow turn; infinite of one that falls over."""
    found = turning_roll(vehicle, first, STANDARD_GRAVITY)
    return math.inf if found is None else math.degrees(found.body)
