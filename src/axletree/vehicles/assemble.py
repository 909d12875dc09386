"""From a vehicle to the components of a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from axletree.core.expr import Expr, atan, symbol, tan
from axletree.library.bodies import BodyOfRevolution, MasslessBody, RigidBody
from axletree.library.drivers.driver_controls import DriverControls
from axletree.library.drivers.friction_brake import FrictionBrake
from axletree.library.drivers.joint_torque import JointTorque
from axletree.library.drivers.rotation_driver import RotationDriver
from axletree.library.forces.aerodynamics import Aerodynamics
from axletree.library.frame import Frame
from axletree.library.joints.free import Free
from axletree.library.joints.planar import Planar
from axletree.library.joints.revolute import Revolute
from axletree.library.motion.translation import XYZ
from axletree.library.sensors.motion_sensor import MotionSensor
from axletree.library.signal import TimeFunction
from axletree.library.tyres.normal_force import LinearNormalForce
from axletree.library.tyres.side import Side
from axletree.library.tyres.tyre import Tyre
from axletree.model.model import Model
from axletree.vehicles.static_loads import sprung_loads, wheel_heights
from axletree.vehicles.suspensions.contract import SIDES, AxlePlace
from axletree.vehicles.vehicle import Axle, Fidelity, Vehicle

DRIVER = "driver"
PLANAR = (Fidelity.TWO_TRACK, Fidelity.SINGLE_TRACK)
Y = XYZ[1]
Z = XYZ[2]


def assemble_vehicle(vehicle: Vehicle, model: Model) -> None:
    """Add a vehicle to a model; it begins standing as it is designed.

    The body is ``body``, its joint to the ground ``chassis``, the driver's inputs are those of
    ``driver``, and ``vehicle`` tells how the body moves. What belongs to a wheel begins with the
    axle's name and the side: ``front_left_tyre``.
    """
    model.add(DriverControls(DRIVER))
    body = model.add(RigidBody("body", vehicle.body.mass, vehicle.body.inertia))
    if vehicle.fidelity in PLANAR:
        above = model.ground.point(0.0, 0.0, vehicle.body.centre_height, "level")
        model.add(Planar("chassis", above, body.main_frame))
    else:
        model.add(Free("chassis", model.ground.main_frame, body.main_frame))
        model.start["chassis.z"] = vehicle.body.centre_height
    model.add(MotionSensor("vehicle", model.ground.main_frame, body.main_frame))
    for place in _places(vehicle, body):
        for side, carrier in _suspended(vehicle, model, place).items():
            _add_wheel(model, vehicle, place.name, side, carrier)
    _add_air(model, vehicle, body)


def _places(vehicle: Vehicle, body: RigidBody) -> Iterator[AxlePlace]:
    sprung, heights = sprung_loads(vehicle), wheel_heights(vehicle)
    for name, axle in vehicle.axles.items():
        yield AxlePlace(
            name=name,
            body=body,
            x=axle.position,
            z=heights[name] - vehicle.body.centre_height,
            track=0.0 if vehicle.fidelity is Fidelity.SINGLE_TRACK else axle.track,
            carried=0.5 * sprung[name],
        )


def _suspended(vehicle: Vehicle, model: Model, place: AxlePlace) -> Mapping[str, Frame]:
    suspension = vehicle.axles[place.name].suspension
    if vehicle.fidelity in PLANAR:
        return suspension.add_rigid(model, place)
    plain = vehicle.fidelity is Fidelity.FOURTEEN
    return (suspension.plain() if plain else suspension).add(model, place)


def _add_wheel(model: Model, vehicle: Vehicle, axle_name: str, side: str, carrier: Frame) -> None:
    axle, name = vehicle.axles[axle_name], f"{axle_name}_{side}"
    if axle.steering is not None:
        knuckle = model.add(MasslessBody(f"{name}_knuckle"))
        kingpin = model.add(Revolute(f"{name}_kingpin", carrier, knuckle.main_frame, axis=Z))
        angle = _steer_angle(vehicle, axle, SIDES[side])
        model.add(RotationDriver(f"{name}_steer", kingpin, angle=TimeFunction(angle)))
        carrier = knuckle.main_frame
    own = axle.wheel
    wheel = BodyOfRevolution(
        f"{name}_wheel", own.mass, own.spin_inertia, own.transverse_inertia, axis=Y
    )
    model.add(wheel)
    turns = model.add(Revolute(f"{name}_axle", carrier, wheel.main_frame, axis=Y))
    tyre = Tyre(
        f"{name}_tyre", turns, model.ground.main_frame, own.radius,
        LinearNormalForce(axle.tyre.stiffness, axle.tyre.damping), axle.tyre.law, axle.tyre.slip,
        side=Side(side),
    )  # fmt: skip
    model.add(tyre)
    if axle.brakes is not None:
        torque = axle.brakes.torque * symbol(f"{DRIVER}.brake")
        model.add(FrictionBrake(f"{name}_brake", turns, torque=TimeFunction(torque)))
    if axle.drive is not None:
        torque = axle.drive.torque * symbol(f"{DRIVER}.throttle")
        model.add(JointTorque(f"{name}_drive", turns, torque=TimeFunction(torque)))


def _steer_angle(vehicle: Vehicle, axle: Axle, sign: float) -> Expr:
    """Of a wheel [rad]: that of the middle, or of a wheel that turns about the common point.

    With L the distance of the axle from the unsteered ones and t the track, the wheel on the inside
    has tan = L tan(middle) / (L - t / 2 tan(middle)).
    """
    assert axle.steering is not None
    middle = symbol(f"{DRIVER}.steering") / axle.steering.ratio
    if not axle.steering.ackermann:
        return middle
    others = [a.position for a in vehicle.axles.values() if a.steering is None]
    behind = sum(others) / len(others) if others else 0.0
    length = axle.position - behind
    slope = tan(middle)
    ideal = atan(length * slope / (length - sign * 0.5 * axle.track * slope))
    angle: Expr = middle + axle.steering.ackermann * (ideal - middle)
    return angle


def _add_air(model: Model, vehicle: Vehicle, body: RigidBody) -> None:
    air = vehicle.air
    if air is None:
        return
    places = [axle.position for axle in vehicle.axles.values()]
    middle = 0.5 * (max(places) + min(places))
    at = body.point(middle, 0.0, -vehicle.body.centre_height, "air")
    # Lift at the axles is lift between them and a moment about that place, nose down if positive.
    pitch = 0.5 * (air.rear_lift - air.front_lift)
    acts = Aerodynamics(
        "air", model.ground.main_frame, at, air.area, air.drag, air.front_lift + air.rear_lift,
        air.side, 0.0, pitch, air.yaw_moment, vehicle.wheelbase,
    )  # fmt: skip
    model.add(acts)
