"""The linear single-track model of a vehicle, as components of a model."""

from __future__ import annotations

from axletree.core.expr import symbol
from axletree.library.bodies import RigidBody
from axletree.library.drivers.speed_keeper import SpeedKeeper
from axletree.library.forces.aerodynamics import Aerodynamics
from axletree.library.forces.linear_axle import LinearAxle
from axletree.library.signal import Constant, Signal, TimeFunction
from axletree.model.model import Model
from axletree.vehicles.linear_single_track import linear_single_track
from axletree.vehicles.settling import full_name
from axletree.vehicles.vehicle import Vehicle


def linear_body(vehicle: Vehicle, unit: str, name: str) -> RigidBody:
    """All of a unit as one body, in the frame that the unit's body has in other models."""
    own = linear_single_track(vehicle, unit)
    inertia = (own.yaw_inertia, own.yaw_inertia, own.yaw_inertia)
    return RigidBody(name, own.mass, inertia, (own.centre, 0.0, 0.0))


def add_linear_forces(model: Model, vehicle: Vehicle, unit: str, body: RigidBody) -> None:
    """Add what acts on the body of a unit: linear tyres, the air, and what keeps the speed."""
    own, ground = linear_single_track(vehicle, unit), model.ground.main_frame
    for name, axle in own.axles.items():
        steer: Signal = Constant(0.0)
        if axle.steer:
            steer = TimeFunction(axle.steer * symbol("driver.steering"))
        place, word = body.point(axle.position, 0.0, 0.0, name), f"{full_name(unit, name)}_tyres"
        model.add(LinearAxle(word, ground, place, axle.stiffness, axle.trail, steer))
    air = vehicle.units[unit].air
    if own.air is not None and air is not None:
        pushes = Aerodynamics(
            full_name(unit, "air"), ground, body.point(own.air.position, 0.0, 0.0, "air"),
            air.area, drag=0.0, side=air.side, yaw_moment=air.yaw_moment,
            length=vehicle.units[unit].wheelbase,
        )  # fmt: skip
        model.add(pushes)
    if not unit:
        model.add(SpeedKeeper("speed_keeper", ground, body.main_frame, own.mass, own.centre))
