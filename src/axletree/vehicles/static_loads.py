"""What each axle carries of a vehicle that stands as it is designed."""

from __future__ import annotations

import numpy as np

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.vehicle import Vehicle


def sprung_loads(vehicle: Vehicle) -> dict[str, float]:
    """The weight [N] of the body on the springs of each axle.

    Forces and moments balance. Of more than two axles those are taken that go with the stiffness
    of their springs: those of a stiff body that settles on all of them.
    """
    weight = vehicle.body.mass * STANDARD_GRAVITY
    x = np.array([axle.position for axle in vehicle.axles.values()])
    k = np.array([axle.suspension.wheel_rate() for axle in vehicle.axles.values()])
    rows = np.array([np.ones(len(x)), x])
    settled = np.linalg.solve(rows * k @ rows.T, np.array([weight, 0.0]))
    return dict(zip(vehicle.axles, (k * (rows.T @ settled)).tolist(), strict=True))


def wheel_loads(vehicle: Vehicle) -> dict[str, float]:
    """The load [N] of each wheel of an axle on the ground."""
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
