"""Manoeuvres that every vehicle can drive, for its inputs have the same names."""

from __future__ import annotations

import math

from axletree.model.manoeuvres.coasting import Coasting
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.manoeuvres.sine_steer import SineSteer
from axletree.model.manoeuvres.step_steer import StepSteer
from axletree.vehicles.vehicle import Vehicle

SPEED = 80.0 / 3.6  # m/s, that of ISO 7401
FORWARD, STEERING, THROTTLE = "chassis.vx", "driver.steering", "driver.throttle"
TURN = math.radians(30.0)  # of the steering wheel; some 3 m/s^2 for a car


def standard_manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    """By name; a file of a vehicle may have others, and others of these names."""
    drives = any(axle.drive is not None for axle in vehicle.axles.values())
    steers = any(axle.steering is not None for axle in vehicle.axles.values())
    keeps = (THROTTLE,) if drives else ()
    found: dict[str, Manoeuvre] = {
        "coasting": Coasting(speed=SPEED, forward=FORWARD),
    }
    if steers:
        found["step-steer"] = StepSteer(
            speed=SPEED, forward=FORWARD, driven_by=keeps, steering=(STEERING,), angle=TURN,
            duration=6.0,
        )  # fmt: skip
        found["sine-steer"] = SineSteer(
            speed=SPEED, forward=FORWARD, driven_by=keeps, steering=(STEERING,), amplitude=TURN,
            period=2.0, duration=6.0,
        )  # fmt: skip
    return found
