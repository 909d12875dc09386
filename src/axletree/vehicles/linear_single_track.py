"""The linear single-track model of a vehicle: its numbers, and its components in a model.

Its axles have the slopes of the tyre laws at small slip angles, under the load that they stand
under.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from axletree.components.bodies import RigidBody
from axletree.components.loads import STANDARD_DENSITY, Aerodynamics, LinearAxle, SpeedKeeper
from axletree.components.signals import Constant, Signal, TimeFunction
from axletree.core.errors import ExpressionError, ModelError, as_model_error
from axletree.expr import Expr, as_expr, directional_derivative, evaluate, symbol
from axletree.model.model import Model
from axletree.vehicles.statics import wheel_loads
from axletree.vehicles.units import Axle, VehicleUnit, full_name
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.contract import Contact, TyreLaw, with_velocities


@dataclass(frozen=True)
class AxleNumbers:
    """Both wheels of an axle; what turns the wheels under load is counted to their stiffness."""

    position: float  # [m] ahead of the body's centre of mass
    stiffness: float  # [N/rad] of side force by slip angle
    trail: float  # [m] of the side force behind the axle
    steer: float  # angle of the wheels by that of the steering wheel


@dataclass(frozen=True)
class AirNumbers:
    """Side force and yaw moment of the air by speed squared and sideslip angle."""

    position: float  # [m] ahead of the body's centre of mass
    side: float  # [N s^2/m^2/rad]
    yaw: float  # [N m s^2/m^2/rad], about the position, the nose away from the wind if positive


@dataclass(frozen=True)
class LinearSingleTrack:
    """A vehicle or a trailer as one body in the plane on axles with linear tyres.

    The mass is in kg, the yaw inertia about the centre of mass in kg m^2, and that centre is so
    many m ahead of the body's own.

    Example:
    >>> from axletree.vehicles.linear_single_track import AxleNumbers, LinearSingleTrack
    >>> front = AxleNumbers(position=1.3, stiffness=9e4, trail=0.03, steer=1 / 16)  # m, N/rad, m
    >>> rear = AxleNumbers(position=-1.5, stiffness=9e4, trail=0.03, steer=0.0)
    >>> car = LinearSingleTrack(1600.0, 2700.0, 0.0, {"front": front, "rear": rear})
    >>> print(f"{car.mass:.0f} kg, {car.axles['front'].position:.1f} m ahead")
    1600 kg, 1.3 m ahead
    """

    mass: float  # [kg]
    yaw_inertia: float  # [kg m^2] about the centre of mass
    centre: float  # [m], of mass, ahead of the body's own
    axles: Mapping[str, AxleNumbers]
    air: AirNumbers | None = None


def linear_single_track(vehicle: Vehicle, unit: str = "") -> LinearSingleTrack:
    """Of the vehicle or of a trailer by its name.

    Masses are as in the single-track model, slopes those of the tyres as they stand.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.linear_single_track import linear_single_track
    >>> own = linear_single_track(at.read_model("sedan").described["vehicle"])
    >>> {name: f"{axle.stiffness / 1e3:.0f} kN/rad" for name, axle in own.axles.items()}
    {'front': '123 kN/rad', 'rear': '142 kN/rad'}
    """
    own, loads = vehicle.units[unit], wheel_loads(vehicle)
    pieces = _masses(own)
    mass = sum(m for m, _, _ in pieces)
    centre = sum(m * x for m, x, _ in pieces) / mass
    inertia = sum(J + m * (x - centre) ** 2 for m, x, J in pieces)
    axles = {}
    for name, axle in own.axles.items():
        with as_model_error(f"axles: {name}: "):
            axles[name] = _axle(axle, loads[full_name(unit, name)])
    return LinearSingleTrack(mass, inertia, centre, axles, _air(own))


def _masses(unit: VehicleUnit) -> list[tuple[float, float, float]]:
    """Mass [kg], place [m] ahead of the body's centre and own yaw inertia [kg m^2] of pieces."""
    found = [(unit.body.mass, 0.0, unit.body.inertia[2])]
    for axle in unit.axles.values():
        yaw = axle.suspension.unsprung_yaw_inertia(0.0) + 2.0 * axle.wheel.transverse_inertia
        found.append((axle.unsprung_mass, axle.position, yaw))
    for load in unit.loads.values():
        x, y, _ = load.position
        found.append((load.mass, x, load.mass * y * y))
    return found


def _axle(axle: Axle, load: float) -> AxleNumbers:
    """Of a column that gives way the force about the kingpin turns the wheels back.

    With k the stiffness of each kingpin, C that of a tyre and n the trail of its force behind the
    kingpin, k (given - angle) = n C (angle - direction), so that of C there is C k / (k + n C).
    Wheels that turn by c F in their bushings have a slip angle that is less by it: C / (1 + c C).
    """
    tyre, steering = tyre_slopes(axle, load), axle.steering
    stiffness = tyre.cornering_stiffness
    soft = axle.suspension.steer_compliance
    if soft is not None:
        stiffness /= 1.0 + soft.out_of_turn(stiffness, -tyre.trail * stiffness)
    if steering is None:
        return AxleNumbers(axle.position, 2.0 * stiffness, tyre.trail, 0.0)
    column = steering.stiffness_at_rest(_SPEED)
    if column is not None:
        held = 0.5 * steering.pinion_ratio**2 * column
        stiffness *= held / (held + (steering.trail + tyre.trail) * stiffness)
    return AxleNumbers(axle.position, 2.0 * stiffness, tyre.trail, 1.0 / steering.ratio)


def _air(unit: VehicleUnit) -> AirNumbers | None:
    air = unit.air
    if air is None or not (air.side or air.yaw_moment):
        return None
    pushed = 0.5 * STANDARD_DENSITY * air.area
    return AirNumbers(
        unit.air_position, pushed * air.side, pushed * air.yaw_moment * unit.wheelbase
    )


_SPEED = 20.0  # m/s, of the slopes, for laws that know of speed
_SMALL_ANGLE = 1e-4  # rad, for laws without derivatives
_ANGLE = symbol("slip angle")


@dataclass(frozen=True)
class TyreSlopes:
    """Of one tyre that rolls straight and free."""

    cornering_stiffness: float  # [N/rad], -dFy / dalpha
    aligning_stiffness: float  # [N m/rad], dMz / dalpha

    @property
    def trail(self) -> float:
        """Of the side force behind the contact point [m]."""
        return self.aligning_stiffness / self.cornering_stiffness


def tyre_slopes(axle: Axle, load: float) -> TyreSlopes:
    """By exact derivatives of the law at a load [N], slip and inclination 0."""
    law = axle.tyre.law
    if law.holds or law.holds_lateral:
        raise ModelError("tyre: law: it lets the tyre not slip, so that it has no stiffness")
    deflection = load / axle.tyre.stiffness
    contact = Contact(
        load, 0.0, _ANGLE, forward_speed=_SPEED, radius=axle.wheel.radius, deflection=deflection
    )
    side, aligning = _slopes(law, contact)
    if not side < 0.0:
        raise ModelError(f"tyre: law: its cornering stiffness is {-side:g} N/rad at {load:g} N")
    return TyreSlopes(-side, aligning)


def _slopes(law: TyreLaw, contact: Contact) -> tuple[float, float]:
    """Of Fy and Mz against the slip angle."""
    found = law(with_velocities(contact))
    forces: list[Expr] = [as_expr(found.Fy), as_expr(found.Mz)]
    try:
        side, aligning = evaluate(directional_derivative(forces, {_ANGLE: 1.0}), {_ANGLE: 0.0})
    except ExpressionError:  # a function of the user's that nobody has differentiated
        left, right = (evaluate(forces, {_ANGLE: sign * _SMALL_ANGLE}) for sign in (1.0, -1.0))
        side, aligning = ((a - b) / (2.0 * _SMALL_ANGLE) for a, b in zip(left, right, strict=True))
    return float(side), float(aligning)


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
            steer = TimeFunction(axle.steer * vehicle.controls.hand_angle)
        place, word = body.point(axle.position, 0.0, 0.0, name), f"{full_name(unit, name)}_tyres"
        if axle.steer and vehicle.controls.steering_torque:
            steered = vehicle.units[unit].axles[name].steering
            assert steered is not None
            trail = axle.trail + steered.trail
            vehicle.controls.add_linear_wheel(
                model, ground, place, axle.stiffness, trail, axle.steer
            )
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
