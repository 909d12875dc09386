"""What each axle carries of a vehicle that stands as it is designed, with what it tows."""

from __future__ import annotations

from collections.abc import Mapping

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.settling import full_name, settled
from axletree.vehicles.vehicle import Vehicle


def design_loads(vehicle: Vehicle) -> Mapping[str, float]:
    """The weight [N] of bodies on the springs of each axle, without the loads in them.

    Forces and moments balance. Of more than two axles those are taken that go with the stiffness
    of their springs: those of a stiff body that settles on all of them.
    """
    return settled(vehicle.units, loaded=False).axles


def sprung_loads(vehicle: Vehicle) -> Mapping[str, float]:
    """Likewise [N], with the loads in the bodies."""
    return settled(vehicle.units, loaded=True).axles


def hitch_loads(vehicle: Vehicle) -> Mapping[str, float]:
    """The load [N] of each trailer on what tows it, down if positive, with all loads."""
    return settled(vehicle.units, loaded=True).hitches


def wheel_loads(vehicle: Vehicle) -> dict[str, float]:
    """The load [N] of each wheel of an axle on the ground: the mean of left and right.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.static_loads import wheel_loads
    >>> sedan = at.read_model("sedan").described["vehicle"]
    >>> loads = wheel_loads(sedan)
    >>> {name: round(load) for name, load in loads.items()}  # N
    {'front': 4067, 'rear': 3788}
    >>> print(f"{2 * sum(loads.values()) / 9.80665:.0f} kg of {sedan.mass:.0f} kg")
    1602 kg of 1602 kg
    """
    sprung = sprung_loads(vehicle)
    return {
        name: 0.5 * (sprung[name] + axle.unsprung_mass * STANDARD_GRAVITY)
        for name, axle in vehicle.every_axle.items()
    }


def ground_load(vehicle: Vehicle, unit: str) -> float:
    """The load [N] of all wheels of a unit, by its name."""
    loads = wheel_loads(vehicle)
    return 2.0 * sum(loads[full_name(unit, axle)] for axle in vehicle.units[unit].axles)


def wheel_heights(vehicle: Vehicle) -> dict[str, float]:
    """The height [m] of the wheels' centres of each axle above the ground.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.static_loads import wheel_heights
    >>> sedan = at.read_model("sedan").described["vehicle"]
    >>> height, radius = wheel_heights(sedan)["front"], sedan.axles["front"].wheel.radius
    >>> print(f"{1e3 * height:.0f} mm with a radius of {1e3 * radius:.0f} mm")
    307 mm with a radius of 325 mm
    """
    loads = wheel_loads(vehicle)
    return {
        name: axle.wheel.radius - loads[name] / axle.tyre.stiffness
        for name, axle in vehicle.every_axle.items()
    }
