"""What each axle carries of a vehicle that stands as it is designed."""

from __future__ import annotations

import numpy as np

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.vehicle import Vehicle


def design_loads(vehicle: Vehicle) -> dict[str, float]:
    """The weight [N] of the body on the springs of each axle, without the loads in it.

    Forces and moments balance. Of more than two axles those are taken that go with the stiffness
    of their springs: those of a stiff body that settles on all of them.
    """
    return _settled(vehicle, vehicle.body.mass, 0.0)


def sprung_loads(vehicle: Vehicle) -> dict[str, float]:
    """Likewise [N], with the loads in the body."""
    moment = sum(load.mass * load.position[0] for load in vehicle.loads.values())
    return _settled(vehicle, vehicle.sprung_mass, moment)


def _settled(vehicle: Vehicle, mass: float, moment: float) -> dict[str, float]:
    """By the mass [kg] and its moment [kg m] about the body's centre, forward."""
    right = STANDARD_GRAVITY * np.array([mass, moment])
    x = np.array([axle.position for axle in vehicle.axles.values()])
    k = np.array([axle.suspension.wheel_rate() for axle in vehicle.axles.values()])
    rows = np.array([np.ones(len(x)), x])
    settled = np.linalg.solve(rows * k @ rows.T, right)
    return dict(zip(vehicle.axles, (k * (rows.T @ settled)).tolist(), strict=True))


def wheel_loads(vehicle: Vehicle) -> dict[str, float]:
    """The load [N] of each wheel of an axle on the ground: the mean of left and right."""
    sprung = sprung_loads(vehicle)
    return {
        name: 0.5 * (sprung[name] + axle.unsprung_mass * STANDARD_GRAVITY)
        for name, axle in vehicle.axles.items()
    }


def wheel_heights(vehicle: Vehicle) -> dict[str, float]:
    """The height [m] of the wheels' centres of each axle above the ground."""
    loads = wheel_loads(vehicle)
    return {
        name: axle.wheel.radius - loads[name] / axle.tyre.stiffness
        for name, axle in vehicle.axles.items()
    }
