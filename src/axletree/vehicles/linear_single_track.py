"""The numbers of the linear single-track model of a vehicle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from axletree.core.errors import ModelError
from axletree.library.forces.aerodynamics import STANDARD_DENSITY
from axletree.vehicles.linear_tyre import tyre_slopes
from axletree.vehicles.settling import full_name
from axletree.vehicles.static_loads import wheel_loads
from axletree.vehicles.unit import Axle, Unit
from axletree.vehicles.vehicle import Vehicle


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
    yaw: float  # [N m s^2/m^2/rad], about the position, into the wind if positive


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
        try:
            axles[name] = _axle(axle, loads[full_name(unit, name)])
        except ModelError as error:
            raise ModelError([f"axles: {name}: {text}" for text in error.problems]) from None
    return LinearSingleTrack(mass, inertia, centre, axles, _air(own))


def _masses(unit: Unit) -> list[tuple[float, float, float]]:
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
    """
    tyre, steering = tyre_slopes(axle, load), axle.steering
    stiffness = tyre.cornering_stiffness
    if steering is None:
        return AxleNumbers(axle.position, 2.0 * stiffness, tyre.trail, 0.0)
    if steering.column_stiffness is not None:
        held = 0.5 * steering.ratio**2 * steering.column_stiffness
        stiffness *= held / (held + (steering.trail + tyre.trail) * stiffness)
    return AxleNumbers(axle.position, 2.0 * stiffness, tyre.trail, 1.0 / steering.ratio)


def _air(unit: Unit) -> AirNumbers | None:
    air = unit.air
    if air is None or not (air.side or air.yaw_moment):
        return None
    pushed = 0.5 * STANDARD_DENSITY * air.area
    return AirNumbers(
        unit.air_position, pushed * air.side, pushed * air.yaw_moment * unit.wheelbase
    )
