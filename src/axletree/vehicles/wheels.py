"""Wheels of a vehicle as components of a model: kingpins, tyres, posts and soil wheels.

The kingpins of a steered axle and what turns them; what wheels stand on, a road, posts or soft
ground; and how deep they stand in soft ground.
"""

from __future__ import annotations

import numpy as np

from axletree.components.bodies import FramedBody, MasslessBody
from axletree.components.contract import Component
from axletree.components.drivers import ElasticRotationDriver, RotationDriver, TranslationDriver
from axletree.components.frames import Frame
from axletree.components.joints import Prismatic, Revolute
from axletree.components.motion_laws import XYZ
from axletree.components.signals import Constant, Curve, TimeFunction
from axletree.components.steering_gears import ArmSteeringGear
from axletree.core.errors import ModelError
from axletree.expr import Expr, Value, atan, tan
from axletree.model.model import Model
from axletree.vehicles.pieces import SoftGround, Steering
from axletree.vehicles.statics import wheel_heights, wheel_loads
from axletree.vehicles.suspensions import SIDES
from axletree.vehicles.units import Axle, turning_place
from axletree.vehicles.vehicle import Fidelity, Vehicle
from axletree.vehicles.wheel_loads import load_state
from axletree.wheel.axis_systems import TyreSide
from axletree.wheel.normal_forces import FollowedLoad, LinearNormalForce, NormalForce
from axletree.wheel.slip import KinematicSlip
from axletree.wheel.soils import contract
from axletree.wheel.soils.soil_wheel import SoilWheel
from axletree.wheel.soils.supports import (
    FollowedSoilLoad,
    GivenLoad,
    OwnSupport,
    SoilSupport,
    SoilUnderneath,
    YieldingGround,
)
from axletree.wheel.tyre import Tyre
from axletree.wheel.tyres.ideal_laws import LinearTyre

_Z = XYZ[2]
LEAST_BEARING = 1e-3  # of a load, that may be missing


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
    normal_force: NormalForce = LinearNormalForce(own.stiffness, own.damping)
    if vehicle.fidelity is Fidelity.TWO_TRACK:
        normal_force = FollowedLoad(load_state(vehicle, axle_name, side))
    ground, law, slip, surface = model.ground.main_frame, own.law, own.relaxed_slip, vehicle.road
    if vehicle.posts:
        law, slip = LinearTyre(slip_stiffness=0.0, cornering_stiffness=0.0), KinematicSlip()
        ground = _add_post(
            model, name, vehicle.axle_places[axle_name], SIDES[side] * 0.5 * axle.track
        )
    tyre = Tyre(
        f"{name}_tyre", turns, ground, axle.wheel.radius, normal_force, law, slip,
        side=TyreSide(side), surface=surface,
    )  # fmt: skip
    model.add(tyre)


def _add_post(model: Model, name: str, x: float, y: float) -> Frame:
    """A plate at a place [m] of the ground, up to the height of the input."""
    plate = model.add(MasslessBody(f"{name}_plate"))
    at = model.ground.point(x, y, 0.0, f"{name}_post")
    shaker = model.add(Prismatic(f"{name}_shaker", at, plate.main_frame, axis=_Z))
    model.add(TranslationDriver(f"{name}_post", shaker))
    return plate.main_frame


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
        assert isinstance(body, FramedBody)
        carrier = body.point(x + steering.trail, y, z, f"{side}_kingpin")
        head = knuckle.point(-steering.trail, 0.0, 0.0, "wheel")
    model.add(Revolute(f"{name}_kingpin", carrier, knuckle.main_frame, axis=_Z))
    return head


def turn_kingpin(model: Model, vehicle: Vehicle, axle: str, side: str, chassis: Frame) -> None:
    """Add what turns it by the angle of the steering wheel, if its axle is steered."""
    steering, name = vehicle.axles[axle].steering, f"{axle}_{side}"
    if steering is None:
        return
    kingpin = model[f"{name}_kingpin"]
    assert isinstance(kingpin, Revolute)
    steering = vehicle.controls.column_of(steering)
    angle = steer_angle(vehicle, vehicle.axles[axle], SIDES[side])
    frames, hand = (model.ground.main_frame, chassis), vehicle.controls.hand_angle
    model.add(_steers(f"{name}_steer", kingpin, steering, (angle, hand), frames))


def _steers(
    name: str,
    kingpin: Revolute,
    steering: Steering,
    angles: tuple[Value, Expr],
    frames: tuple[Frame, Frame],
) -> Component:
    """What turns a kingpin to an angle, by that of the steering wheel; of a column that gives way,
    each has a half.

    Half of the stiffness at the wheels, i^2 c with the pinion's angle by theirs i, is that of one
    torsion bar between them where both stay behind alike. So is a gear on each with half of the
    bar and half of the assist over half of the torque.
    """
    (angle, hand), ratio = angles, steering.pinion_ratio
    if steering.column_stiffness is None:
        return RotationDriver(name, kingpin, angle=TimeFunction(angle))
    if steering.assist is None:
        half = 0.5 * ratio * ratio
        stiffness, damping = half * steering.column_stiffness, half * steering.column_damping
        return ElasticRotationDriver(name, kingpin, stiffness, TimeFunction(angle), damping)
    return ArmSteeringGear(
        name, kingpin, *frames, ratio=1.0 / ratio, stiffness=0.5 * steering.column_stiffness,
        angle=TimeFunction(ratio * angle), hand=TimeFunction(hand),
        hand_ratio=Constant(steering.share * steering.straight_ahead),
        damping=0.5 * steering.column_damping, assist=_halved(steering.assist.both_ways()),
        share=steering.assist_over_speed,
    )  # fmt: skip


def _halved(points: Curve) -> Curve:
    x, y = (tuple(0.5 * value for value in values) for values in (points.x, points.y))
    return Curve(x, y, points.kind)


def steer_angle(vehicle: Vehicle, axle: Axle, sign: float) -> Value:
    """Of a wheel [rad]: that of the middle, or of a wheel that turns about the common point.

    With L the distance of the axle from the unsteered ones and t the track, the wheel on the inside
    has tan = L tan(middle) / (L - t / 2 tan(middle)).
    """
    assert axle.steering is not None
    middle = vehicle.controls.hand_angle / axle.steering.ratio
    if not axle.steering.ackermann:
        return middle
    length = axle.position - turning_place(vehicle.axles.values())
    slope = tan(middle)
    ideal = atan(length * slope / (length - sign * 0.5 * axle.track * slope))
    return middle + axle.steering.ackermann * (ideal - middle)


def add_soil_wheel(
    model: Model, vehicle: Vehicle, axle_name: str, side: str, turns: Revolute, soil: SoftGround
) -> None:
    """Add what a wheel meets of soft ground, by the joint that it turns on."""
    axle = vehicle.every_axle[axle_name]
    carried: SoilSupport
    if vehicle.fidelity is Fidelity.TWO_TRACK:
        carried = FollowedSoilLoad(load_state(vehicle, axle_name, side))
    elif vehicle.fidelity.is_planar:
        carried = GivenLoad(wheel_loads(vehicle)[axle_name])
    else:
        carried = _soil_support(axle, soil)
    wheel = SoilWheel(
        f"{axle_name}_{side}_soil", turns, model.ground.main_frame, axle.wheel.radius,
        _width(axle), soil.law, carried, soil.scheme, vehicle.road,
    )  # fmt: skip
    model.add(wheel)


def _soil_support(axle: Axle, soil: SoftGround) -> SoilSupport:
    if soil.normal_force is not None:
        return soil.normal_force
    if soil.law.knows_sinkage:
        return OwnSupport()
    return YieldingGround(axle.tyre.stiffness, axle.tyre.damping)


def _width(axle: Axle) -> float:
    assert axle.wheel.width is not None  # on soft ground a description without it is refused
    return axle.wheel.width


def law_wheel(axle: Axle, **motion: Value) -> contract.WheelInSoil:
    """A wheel of an axle as soil laws know it, at the place where the vehicle starts."""
    return contract.WheelInSoil(axle.wheel.radius, _width(axle), x=axle.position, **motion)


def static_sinkages(vehicle: Vehicle) -> dict[str, float]:
    """How deep the wheels of each axle stand [m], where a law tells it."""
    loads, found = wheel_loads(vehicle), {}
    for name, axle in vehicle.every_axle.items():
        soil = vehicle.soil_under(name)
        if soil is None:
            continue
        support = _soil_support(axle, soil)
        law = support.law if isinstance(support, SoilUnderneath) else soil.law
        if law.knows_sinkage:
            found[name] = _static_sinkage(name, axle, law, loads[name])
    return found


def _static_sinkage(name: str, axle: Axle, law: contract.SoilLaw, load: float) -> float:
    """Where the soil carries a load [N]."""
    forces = law(load, law_wheel(axle))
    carried = float(forces.normal_force)
    if carried < load * (1.0 - LEAST_BEARING):
        raise ModelError(
            f"axles: {name}: the soil, {type(law).__name__}, cannot carry its wheels: under "
            f"{load:.0f} N each they sink in to the axle, where it carries {carried:.0f} N; take "
            "wider or larger wheels, less load, or a firmer soil"
        )
    return float(forces.sinkage)


def start_in_soil(vehicle: Vehicle) -> dict[str, float]:
    """First values of the chassis: as it is designed, but as deep as its wheels stand."""
    heights, sinkages = wheel_heights(vehicle), static_sinkages(vehicle)
    if not sinkages or vehicle.fidelity.is_planar:
        return {}
    places = [axle.position for axle in vehicle.axles.values()]
    rises = [
        axle.wheel.radius - sinkages[name] - heights[name] if name in sinkages else 0.0
        for name, axle in vehicle.axles.items()
    ]
    slope, middle = np.polyfit(places, rises, 1)
    return {
        "chassis.z": vehicle.body.centre_height + float(middle),
        "chassis.pitch": -float(np.arctan(slope)),
    }
