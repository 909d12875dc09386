"""How far the steering wheel has to be turned, by the description of a vehicle alone."""

from __future__ import annotations

import math

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.tilting import mass_height
from axletree.vehicles.vehicle import Vehicle

LEAST_SHARE = 0.3  # of the angle without slip; a vehicle that oversteers needs less and less


def steering_wheel_angle(vehicle: Vehicle, speed: float, acceleration: float) -> float:
    """The angle [rad] for a lateral acceleration [m/s^2] at a speed [m/s], with linear tyres.

    ratio (L / R + K a) with the radius R = v^2 / a and the understeer gradient K of the data sheet.
    """
    ratio = next(a.steering.ratio for a in vehicle.axles.values() if a.steering is not None)
    gradient = math.radians(data_sheet(vehicle)["understeer gradient"]) / STANDARD_GRAVITY
    geometric = vehicle.wheelbase * acceleration / speed**2
    angle = geometric + gradient * acceleration
    return abs(ratio) * max(angle, LEAST_SHARE * geometric)


def tipping_acceleration(vehicle: Vehicle) -> float:
    """The lateral acceleration [m/s^2] at which a stiff vehicle would leave the ground.

    Of a vehicle with trailers, the first of its units.
    """
    ratios = (
        min(axle.track for axle in unit.axles.values()) / mass_height(vehicle, name)
        for name, unit in vehicle.units.items()
    )
    return 0.5 * STANDARD_GRAVITY * min(ratios)
