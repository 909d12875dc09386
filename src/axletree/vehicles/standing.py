"""What wheels stand on: a road, posts, or soft ground."""

from __future__ import annotations

from axletree.library.bodies import MasslessBody
from axletree.library.drivers.translation_driver import TranslationDriver
from axletree.library.frame import Frame
from axletree.library.joints.prismatic import Prismatic
from axletree.library.joints.revolute import Revolute
from axletree.library.motion.translation import XYZ
from axletree.library.tyres.linear import LinearTyre
from axletree.library.tyres.normal_force import LinearNormalForce
from axletree.library.tyres.side import Side
from axletree.library.tyres.slip import KinematicSlip
from axletree.library.tyres.tyre import Tyre
from axletree.model.model import Model
from axletree.vehicles.soil_wheels import add_soil_wheel
from axletree.vehicles.suspensions.contract import SIDES
from axletree.vehicles.vehicle import Vehicle

Z = XYZ[2]


def add_tyre(model: Model, vehicle: Vehicle, axle_name: str, side: str, turns: Revolute) -> None:
    """Add the tyre of a wheel, by the joint that it turns on, and the post under it, if any.

    The plates of posts are as pads on air bearings: tyres push along their normals alone. On soft
    ground there is a soil wheel in place of the tyre.
    """
    soil = vehicle.soil_under(axle_name)
    if soil is not None:
        add_soil_wheel(model, vehicle, axle_name, side, turns, soil)
        return
    axle, name = vehicle.every_axle[axle_name], f"{axle_name}_{side}"
    own = axle.tyre
    normal_force = LinearNormalForce(own.stiffness, own.damping)
    ground, law, slip, surface = model.ground.main_frame, own.law, own.slip, vehicle.road
    if vehicle.posts:
        law, slip = LinearTyre(slip_stiffness=0.0, cornering_stiffness=0.0), KinematicSlip()
        ground = _add_post(
            model, name, vehicle.axle_places[axle_name], SIDES[side] * 0.5 * axle.track
        )
    tyre = Tyre(
        f"{name}_tyre", turns, ground, axle.wheel.radius, normal_force, law, slip,
        side=Side(side), surface=surface,
    )  # fmt: skip
    model.add(tyre)


def _add_post(model: Model, name: str, x: float, y: float) -> Frame:
    """A plate at a place [m] of the ground, up to the height of the input."""
    plate = model.add(MasslessBody(f"{name}_plate"))
    at = model.ground.point(x, y, 0.0, f"{name}_post")
    shaker = model.add(Prismatic(f"{name}_shaker", at, plate.main_frame, axis=Z))
    model.add(TranslationDriver(f"{name}_post", shaker))
    return plate.main_frame
