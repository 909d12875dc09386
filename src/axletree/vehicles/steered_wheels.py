"""Kingpins of a steered axle, and what turns them."""

from __future__ import annotations

from axletree.core.expr import Expr, atan, symbol, tan
from axletree.library.bodies import MasslessBody, RigidBody
from axletree.library.drivers.elastic_rotation_driver import ElasticRotationDriver
from axletree.library.drivers.rotation_driver import RotationDriver
from axletree.library.frame import Frame
from axletree.library.joints.revolute import Revolute
from axletree.library.motion.translation import XYZ
from axletree.library.signal import TimeFunction
from axletree.model.model import Model
from axletree.vehicles.suspensions.contract import SIDES
from axletree.vehicles.unit import Axle
from axletree.vehicles.vehicle import Vehicle

Z = XYZ[2]


def add_kingpin(model: Model, vehicle: Vehicle, axle: str, side: str, carrier: Frame) -> Frame:
    """Add the kingpin of a wheel to what carries it; the frame that the wheel turns on."""
    steering, name = vehicle.axles[axle].steering, f"{axle}_{side}"
    if steering is None:
        return carrier
    knuckle = model.add(MasslessBody(f"{name}_knuckle"))
    head = knuckle.main_frame
    if steering.trail:
        x, y, z = carrier.position
        body = model[carrier.body]
        assert isinstance(body, RigidBody)
        carrier = body.point(x + steering.trail, y, z, f"{side}_kingpin")
        head = knuckle.point(-steering.trail, 0.0, 0.0, "wheel")
    kingpin = model.add(Revolute(f"{name}_kingpin", carrier, knuckle.main_frame, axis=Z))
    angle = TimeFunction(_steer_angle(vehicle, vehicle.axles[axle], SIDES[side]))
    if steering.column_stiffness is None:
        model.add(RotationDriver(f"{name}_steer", kingpin, angle=angle))
    else:
        half = 0.5 * steering.ratio * steering.ratio
        stiffness, damping = half * steering.column_stiffness, half * steering.column_damping
        model.add(ElasticRotationDriver(f"{name}_steer", kingpin, stiffness, angle, damping))
    return head


def _steer_angle(vehicle: Vehicle, axle: Axle, sign: float) -> Expr:
    """Of a wheel [rad]: that of the middle, or of a wheel that turns about the common point.

    With L the distance of the axle from the unsteered ones and t the track, the wheel on the inside
    has tan = L tan(middle) / (L - t / 2 tan(middle)).
    """
    assert axle.steering is not None
    middle = symbol("driver.steering") / axle.steering.ratio
    if not axle.steering.ackermann:
        return middle
    others = [a.position for a in vehicle.axles.values() if a.steering is None]
    behind = sum(others) / len(others) if others else 0.0
    length = axle.position - behind
    slope = tan(middle)
    ideal = atan(length * slope / (length - sign * 0.5 * axle.track * slope))
    angle: Expr = middle + axle.steering.ackermann * (ideal - middle)
    return angle
