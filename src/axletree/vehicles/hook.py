"""The hook at the rear of a vehicle, at which it pulls on soft ground."""

from __future__ import annotations

from axletree.library.bodies import RigidBody
from axletree.library.drivers.force_driver import ForceDriver
from axletree.library.edge import Basis
from axletree.library.motion.translation import XYZ
from axletree.model.model import Model
from axletree.vehicles.static_loads import wheel_heights
from axletree.vehicles.vehicle import Vehicle

HOOK = "hook"
HOOK_FORCE = f"{HOOK}.force"
BEHIND = 0.8  # m, behind the last axle


def add_hook(model: Model, vehicle: Vehicle, body: RigidBody) -> None:
    """Behind the last axle, as high as the centres of its wheels; its force is an input."""
    last = min(vehicle.axles, key=lambda name: vehicle.axles[name].position)
    height = wheel_heights(vehicle)[last] - vehicle.body.centre_height
    at = body.point(vehicle.axles[last].position - BEHIND, 0.0, height, HOOK)
    model.add(ForceDriver(HOOK, model.ground.main_frame, at, direction=XYZ[0], basis=Basis.HEAD))
