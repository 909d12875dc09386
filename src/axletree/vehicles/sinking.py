"""How far loads make a vehicle sink."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from axletree.vehicles.settling import full_name
from axletree.vehicles.static_loads import design_loads, sprung_loads
from axletree.vehicles.vehicle import Vehicle


def spring_travels(vehicle: Vehicle) -> dict[str, float]:
    """Travel [m] of the springs of each axle by loads in the bodies, up if they sink."""
    empty, laden = design_loads(vehicle), sprung_loads(vehicle)
    return {
        name: 0.5 * (laden[name] - empty[name]) / axle.suspension.wheel_rate()
        for name, axle in vehicle.every_axle.items()
    }


def heights_of_masses(vehicle: Vehicle, unit: str) -> Iterator[tuple[float, float]]:
    """Mass [kg] and height [m] of the body of a unit and of the loads in it, once it has sunk."""
    own, (depth, slope) = vehicle.units[unit], _sunk(vehicle, unit)
    yield own.body.mass, own.body.centre_height - depth
    for load in own.loads.values():
        x, _, z = load.position
        yield load.mass, z - depth - slope * x


def _sunk(vehicle: Vehicle, unit: str) -> tuple[float, float]:
    """How deep [m] below its design position the body's centre is, and how much more by each metre
    ahead of it [1]: on springs and tyres, level where it has one axle."""
    empty, laden, travels = design_loads(vehicle), sprung_loads(vehicle), spring_travels(vehicle)
    places, depths = [], []
    for own, axle in vehicle.units[unit].axles.items():
        name = full_name(unit, own)
        places.append(axle.position)
        depths.append(travels[name] + 0.5 * (laden[name] - empty[name]) / axle.tyre.stiffness)
    if len(places) == 1:
        return depths[0], 0.0
    slope, depth = np.polyfit(places, depths, 1)
    return float(depth), float(slope)
