"""From a vehicle to the components of a model, with the hook that it pulls at on soft ground.

A driver put into a vehicle knows some of its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from axletree.components.bodies import BodyOfRevolution, RigidBody
from axletree.components.drivers import DriverControls, SpeedDriver
from axletree.components.edges import Basis
from axletree.components.frames import Frame
from axletree.components.joints import Free, Planar, Revolute, Weld
from axletree.components.loads import Aerodynamics, ForceDriver
from axletree.components.motion_laws import XYZ
from axletree.components.sensors import MotionSensor
from axletree.components.signals import Constant, Curve, Input, Interpolation
from axletree.core.errors import ModelError
from axletree.expr import Expr
from axletree.ground.path_driver import PathDriver
from axletree.model.model import STANDARD_GRAVITY, Model
from axletree.vehicles.batteries import battery_shares
from axletree.vehicles.linear_single_track import (
    add_linear_forces,
    linear_body,
    linear_single_track,
    tyre_slopes,
)
from axletree.vehicles.linkages.components import add_linkage
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.pieces import Driver
from axletree.vehicles.statics import design_loads, wheel_heights, wheel_loads
from axletree.vehicles.steer_estimate import TyreUse, rigid_rollover_acceleration, understeer_at
from axletree.vehicles.suspensions import SIDES, AxlePlace, add_steer_compliance
from axletree.vehicles.units import Axle, Trailer, VehicleUnit, full_name, turning_place
from axletree.vehicles.vehicle import Fidelity, Vehicle
from axletree.vehicles.wheel_loads import add_wheel_loads
from axletree.vehicles.wheels import add_kingpin, add_tyre, start_in_soil, steer_angle, turn_kingpin
from axletree.wheel.carcass import Carcass
from axletree.wheel.slip import ConstantLag

_DRIVER, _VEHICLE = "driver", "vehicle"
_Y = XYZ[1]


def assemble_vehicle(vehicle: Vehicle, model: Model) -> None:
    """Add a vehicle to a model; it begins standing as it is designed.

    The body is ``body``, its joint to the ground ``chassis``, the driver's inputs are those of
    ``driver``, and ``vehicle`` tells how the body moves. What belongs to a wheel begins with the
    axle's name and the side: ``front_left_tyre``. What belongs to a trailer begins with its name:
    ``caravan_body``, ``caravan_hitch``; ``caravan`` alone tells how its body moves.
    """
    body = model.add(_body(vehicle, ""))
    _add_driver(model, vehicle, body)
    vehicle.controls.add_steering(model)
    if vehicle.brake_lines is not None:
        vehicle.brake_lines.add(model, {k: axle.brakes for k, axle in vehicle.axles.items()})
    if vehicle.fidelity.is_planar:
        above = model.ground.point(0.0, 0.0, vehicle.body.centre_height, "level")
        model.add(Planar("chassis", above, body.main_frame))
    else:
        model.add(Free("chassis", model.ground.main_frame, body.main_frame))
        model.start["chassis.z"] = vehicle.body.centre_height
    _equip(model, vehicle, "", body)
    if vehicle.is_on_soil:
        add_hook(model, vehicle, body)
        model.start.update(start_in_soil(vehicle))
    towing: VehicleUnit = vehicle
    for name, trailer in vehicle.trailers.items():
        towed = model.add(_body(vehicle, name))
        _hitch(model, vehicle, name, (towing, body), (trailer, towed))
        _equip(model, vehicle, name, towed)
        towing, body = trailer, towed
    if vehicle.coupling is not None and vehicle.fidelity is not Fidelity.LINEAR:
        places = {name: axle.position for name, axle in vehicle.axles.items()}
        ends = max(places, key=places.__getitem__), min(places, key=places.__getitem__)
        vehicle.coupling.add(model, *ends)
    if vehicle.battery is not None and vehicle.fidelity is not Fidelity.LINEAR:
        vehicle.battery.add(model)


def _body(vehicle: Vehicle, name: str) -> RigidBody:
    """Of the vehicle, or of the trailer of this name."""
    own, word = vehicle.units[name].body, full_name(name, "body")
    if vehicle.fidelity is Fidelity.LINEAR:
        return linear_body(vehicle, name, word)
    return RigidBody(word, own.mass, own.inertia)


def _equip(model: Model, vehicle: Vehicle, name: str, body: RigidBody) -> None:
    """Add all that a body of the train carries, and what tells how it moves."""
    unit = vehicle.units[name]
    model.add(MotionSensor(name or _VEHICLE, model.ground.main_frame, body.main_frame))
    if vehicle.fidelity is Fidelity.LINEAR:
        add_linear_forces(model, vehicle, name, body)
        return
    if vehicle.fidelity is Fidelity.TWO_TRACK:
        add_wheel_loads(model, vehicle, name, body)
    places = list(_places(vehicle, name, body))
    if vehicle.controls.steering_torque:  # whose steering wheel has the pedals that others follow
        places.sort(key=lambda place: vehicle.every_axle[place.name].steering is None)
    for place in places:
        hubs = _hubs(vehicle, model, place)
        _add_wheels(model, vehicle, place, hubs)
        vehicle.controls.add_suspension(model, place, hubs)
    _add_loads(model, unit, name, body)
    _add_air(model, unit, name, body)


def _hitch(
    model: Model, vehicle: Vehicle, name: str, tows: tuple[VehicleUnit, RigidBody],
    towed: tuple[Trailer, RigidBody],
) -> None:  # fmt: skip
    (towing, front), (trailer, rear) = tows, towed
    hitch, word = trailer.hitch, f"{name}_hitch"
    tail = front.point(hitch.position, 0.0, hitch.height - towing.body.centre_height, word)
    head = rear.point(hitch.coupling, 0.0, hitch.height - trailer.body.centre_height, "coupling")
    add = hitch.add_planar if vehicle.fidelity.is_planar else hitch.add
    add(model, word, tail, head)


def _add_driver(model: Model, vehicle: Vehicle, body: RigidBody) -> None:
    if vehicle.controls.steering_torque:
        return  # the steering wheel comes with the kingpins that it feels
    if vehicle.driver is None:
        lever = Input() if vehicle.reverses else Constant(0.0)
        model.add(DriverControls(_DRIVER, reverse=lever))
        return
    frames = model.ground.main_frame, body.main_frame
    if vehicle.driver.path is None:
        model.add(SpeedDriver(_DRIVER, *frames))
        return
    model.add(path_driver(_DRIVER, vehicle.driver, vehicle, *frames))


def _places(vehicle: Vehicle, name: str, body: RigidBody) -> Iterator[AxlePlace]:
    springs = design_loads(vehicle)
    # In the plane nothing sinks: wheels are pressed as far as they are under the loads.
    stands = vehicle if vehicle.fidelity.is_planar else _without_loads(vehicle)
    heights, unit = wheel_heights(stands), vehicle.units[name]
    for axle_name, axle in unit.axles.items():
        full = full_name(name, axle_name)
        yield AxlePlace(
            name=full,
            body=body,
            x=axle.position,
            z=heights[full] - unit.body.centre_height,
            track=0.0 if vehicle.fidelity is Fidelity.SINGLE_TRACK else axle.track,
            carried=0.5 * springs[full],
            seats=vehicle.seat_forces[full],
        )


def _without_loads(vehicle: Vehicle) -> Vehicle:
    """Empty, and so are its trailers."""
    trailers = {name: replace(trailer, loads={}) for name, trailer in vehicle.trailers.items()}
    return replace(vehicle, loads={}, trailers=trailers)


def _hubs(vehicle: Vehicle, model: Model, place: AxlePlace) -> Mapping[str, Frame]:
    """What the wheels of an axle turn on, by side."""
    axle, fidelity = vehicle.every_axle[place.name], vehicle.fidelity
    suspension = axle.suspension
    if fidelity.has_links and isinstance(suspension, LinkedSuspension):
        soft = fidelity is Fidelity.BUSHINGS
        steering = None if axle.steering is None else vehicle.controls.column_of(axle.steering)
        return add_linkage(
            model, place, suspension, steering, bushings=soft, hand=vehicle.controls.hand_angle,
            wheel=vehicle.controls.add_geared_wheel if vehicle.controls.steering_torque else None,
        ).hubs  # fmt: skip
    if fidelity.is_planar:
        carriers = suspension.add_rigid(model, place)
    else:
        plain = fidelity is Fidelity.FOURTEEN
        carriers = (suspension.plain() if plain else suspension).add(model, place)
    compliance = suspension.steer_compliance
    if compliance is not None:
        carriers = {
            side: add_steer_compliance(model, compliance, f"{place.name}_{side}", side, one)
            for side, one in carriers.items()
        }
    if axle.steering is None:
        return carriers
    chassis = place.body.main_frame
    hubs = {
        side: add_kingpin(model, vehicle, place.name, side, one) for side, one in carriers.items()
    }
    if vehicle.controls.steering_torque:
        kingpins = [model[f"{place.name}_{side}_kingpin"] for side in hubs]
        angles = [steer_angle(vehicle, vehicle.axles[place.name], SIDES[side]) for side in hubs]
        steering = vehicle.controls.column_of(axle.steering)
        vehicle.controls.add_steering_wheel(model, steering, kingpins, angles)
    for side in hubs:
        turn_kingpin(model, vehicle, place.name, side, chassis)
    return hubs


def _add_wheels(
    model: Model, vehicle: Vehicle, place: AxlePlace, hubs: Mapping[str, Frame]
) -> None:
    axle_name, axle = place.name, vehicle.every_axle[place.name]
    turning = {}
    for side, hub in hubs.items():
        own, name = axle.wheel, f"{axle_name}_{side}"
        wheel = BodyOfRevolution(
            f"{name}_wheel", own.mass, own.spin_inertia, own.transverse_inertia, axis=_Y
        )
        model.add(wheel)
        turns = model.add(Revolute(f"{name}_axle", hub, wheel.main_frame, axis=_Y))
        add_tyre(model, vehicle, axle_name, side, turns)
        turning[side] = turns
    source = None if axle.drive is None else axle.drive.source
    recuperates = source is not None and source.recuperates
    recuperated: Mapping[str, Expr] = {}
    if recuperates:  # its brakes follow what it takes of their torque
        recuperated = _add_drive(model, vehicle, place, turning)
    if axle.brakes is not None:
        radius, inertia = wheel_heights(vehicle)[axle_name], axle.wheel.spin_inertia
        lines = vehicle.brake_lines if axle_name in vehicle.axles else None
        pressures = None if lines is None else lines.pressures(axle_name)
        axle.brakes.add(
            model, axle_name, turning, radius, inertia, vehicle.controls, recuperated,
            pressures=pressures,
        )  # fmt: skip
    if recuperates:
        return
    if axle.drive is not None:
        _add_drive(model, vehicle, place, turning)
    vehicle.controls.add_motors(model, axle_name, turning)


def _add_drive(
    model: Model, vehicle: Vehicle, place: AxlePlace, turning: Mapping[str, Revolute]
) -> Mapping[str, Expr]:
    """What it takes of the torque of brakes, by side."""
    axle = vehicle.every_axle[place.name]
    assert axle.drive is not None
    by_shafts = axle.suspension.wheels_wind_up and vehicle.fidelity.has_curves
    body = place.body.main_frame if by_shafts else None
    share = None
    if vehicle.battery is not None:
        shares = battery_shares({name: a.drive for name, a in vehicle.every_axle.items()})
        share = shares.get(place.name)
    return axle.drive.add(model, place.name, turning, body, vehicle.controls, axle.brakes, share)


def _add_loads(model: Model, unit: VehicleUnit, name: str, body: RigidBody) -> None:
    for own, load in unit.loads.items():
        x, y, z = load.position
        word = full_name(name, f"load_{own}")
        mass = model.add(RigidBody(word, load.mass, (0.0, 0.0, 0.0)))
        at = body.point(x, y, z - unit.body.centre_height, word)
        model.add(Weld(f"{word}_weld", at, mass.main_frame))


def _add_air(model: Model, unit: VehicleUnit, name: str, body: RigidBody) -> None:
    air = unit.air
    if air is None:
        return
    at = body.point(unit.air_position, 0.0, -unit.body.centre_height, "air")
    # Lift at the axles is lift between them and a moment about that place, nose down if positive.
    pitch = 0.5 * (air.rear_lift - air.front_lift)
    acts = Aerodynamics(
        full_name(name, "air"), model.ground.main_frame, at, air.area, air.drag,
        air.front_lift + air.rear_lift, air.side, 0.0, pitch, air.yaw_moment, unit.wheelbase,
    )  # fmt: skip
    model.add(acts)


HOOK = "hook"
HOOK_FORCE = f"{HOOK}.force"
HOOK_OVERHANG = 0.8  # m, behind the last axle


def add_hook(model: Model, vehicle: Vehicle, body: RigidBody) -> None:
    """Behind the last axle, as high as the centres of its wheels; its force is an input."""
    last = min(vehicle.axles, key=lambda name: vehicle.axles[name].position)
    height = wheel_heights(vehicle)[last] - vehicle.body.centre_height
    at = body.point(vehicle.axles[last].position - HOOK_OVERHANG, 0.0, height, HOOK)
    model.add(ForceDriver(HOOK, model.ground.main_frame, at, direction=XYZ[0], basis=Basis.HEAD))


_GENTLE = 0.2  # m/s^2, of a turn in which tyres are stiff
HARD = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)  # m/s^2, of turns in which they are softer
UPRIGHT = 0.8  # of the acceleration at which a vehicle would tip, up to which turns are looked at
HARDEST = 11.0  # m/s^2, that a driver without a pace expects of a path
_LEAST = 1e-9  # of numbers that are found better once the vehicle rolls; 0 has no symbol


def path_driver(
    name: str, driver: Driver, vehicle: Vehicle, ground: Frame, body: Frame
) -> PathDriver:
    """Who leads the body's frame along the path, and knows the vehicle by its description."""
    assert driver.path is not None
    steered = [axle for axle in vehicle.axles.values() if axle.steering is not None]
    if not steered or steered[0].steering is None:
        raise ModelError("driver: no axle has a steering, so that no path can be followed")
    behind = turning_place(vehicle.axles.values())
    response, keenness = _answer(vehicle, driver.speed)
    return PathDriver(
        name, ground, body, driver.path, driver.speed,
        wheelbase=abs(steered[0].position - behind),
        ratio=steered[0].steering.ratio,
        # Beyond the critical speed of a vehicle no gain would steady it.
        understeer=max(understeer_at(vehicle, _GENTLE), _LEAST),
        rear=-behind,
        tyre_lag=_tyre_lag(vehicle),
        response=response,
        keenness=keenness,
        softening=_softening(vehicle),
        growth=_growth(vehicle),
        hardest=HARDEST if driver.pace is None else driver.pace.hardest,
        look_ahead=driver.look_ahead,
        speeds=_speeds(driver),
        hands_off=Input() if vehicle.controls.steering else Constant(0.0),
    )  # fmt: skip


def _speeds(driver: Driver) -> Curve | None:
    """Those that the pace allows, over station."""
    if driver.pace is None or driver.path is None:
        return None
    line = driver.path.line
    found = driver.pace.speeds(line.station, line.curvature)
    return Curve(tuple(line.station.tolist()), tuple(found.tolist()), Interpolation.LINEAR)


def _tyre_lag(vehicle: Vehicle) -> float:
    """The mean relaxation length of tyres, as far as it is known [m]."""
    loads = wheel_loads(vehicle)
    lengths = [_relaxation_length(axle, loads[name]) for name, axle in vehicle.axles.items()]
    return sum(lengths) / len(lengths)


def _relaxation_length(axle: Axle, load: float) -> float:
    slip = axle.tyre.relaxed_slip
    if isinstance(slip, Carcass):
        return tyre_slopes(axle, load).cornering_stiffness / slip.lateral_stiffness
    return slip.lateral_length if isinstance(slip, ConstantLag) else 0.0


def _answer(vehicle: Vehicle, speed: float) -> tuple[float, float]:
    """``response`` [s^2/m] and ``keenness`` [s^4/m^2] of the linear single-track model.

    From the angle of the wheels to the curvature of the path it has the denominator
    1 + d1 s + d2 s^2 and the numerator 1 + n1 s + n2 s^2. With m and J mass and yaw inertia, C and
    x stiffness and place of an axle, L the wheelbase, b and Cr place and stiffness of the last one,
    det = sum C sum C x^2 - (sum C x)^2 and U = 1 + understeer v^2 / L,

        d1 = v (J sum C + m sum C x^2) / (det U),   d2 = v^2 m J / (det U),
        n1 = b / v,   n2 = J / (L Cr).

    Its gain is 1 / (1 + c w^2) for low frequencies w, with c = (d1^2 - n1^2) / 2 - d2 + n2, of
    which keenness is all but n1.
    """
    own = linear_single_track(vehicle)
    axles = sorted(
        ((axle.position - own.centre, axle.stiffness) for axle in own.axles.values()), reverse=True
    )
    zeroth, first, second = (sum(C * x**power for x, C in axles) for power in range(3))
    det, m, J, v = zeroth * second - first**2, own.mass, own.yaw_inertia, speed
    front = axles[0][0]
    stiffer = 1.0 - m * v * v * first / det
    response = (J * zeroth + m * second) / det
    d1, d2 = response * v / stiffer, m * J * v * v / (det * stiffer)
    less = 0.5 * d1 * d1 - d2 + J / (front * zeroth - first)
    return response, max(less * stiffer / (v * v), _LEAST)


def _levels(vehicle: Vehicle) -> list[float]:
    """Lateral accelerations [m/s^2] of turns that a vehicle does not tip in."""
    steepest = UPRIGHT * rigid_rollover_acceleration(vehicle)
    return [a for a in HARD if a < steepest] or [0.5 * steepest]


def _softening(vehicle: Vehicle) -> Curve:
    """Slip angles over those of tyres as stiff as at small angles, by lateral acceleration."""
    levels, loads, shares = _levels(vehicle), wheel_loads(vehicle), []
    for name, axle in vehicle.axles.items():
        carried = 2.0 * loads[name] / STANDARD_GRAVITY
        stiff = 0.5 * carried / tyre_slopes(axle, loads[name]).cornering_stiffness
        use = TyreUse(axle, loads[name], shifted=0.0)
        shares.append([use.slip_angle(carried * a) / (a * stiff) for a in levels])
    means = [sum(column) / len(shares) for column in zip(*shares, strict=True)]
    return Curve((0.0, *levels), (1.0, *(max(mean, 1.0) for mean in means)))


def _growth(vehicle: Vehicle) -> Curve:
    """Understeer beyond that of gentle turns [rad/(m/s^2)], by lateral acceleration."""
    levels, gentle = _levels(vehicle), understeer_at(vehicle, _GENTLE)
    more = [understeer_at(vehicle, a) - gentle for a in levels]
    return Curve((0.0, *levels), (0.0, *more))
