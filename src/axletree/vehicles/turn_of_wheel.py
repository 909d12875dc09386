"""How far the steering wheel has to be turned, by the description of a vehicle alone."""

from __future__ import annotations

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.linear_tyre import tyre_slopes
from axletree.vehicles.static_loads import wheel_loads
from axletree.vehicles.tilting import mass_height
from axletree.vehicles.tyre_use import slip_angle
from axletree.vehicles.vehicle import Vehicle

SAFE = 0.5  # of the acceleration at which a vehicle would tip, up to which wheels carry something
LEAST_SHARE = 0.3  # of the angle without slip; a vehicle that oversteers needs less and less


def steering_wheel_angle(vehicle: Vehicle, speed: float, acceleration: float) -> float:
    """The angle [rad] for a lateral acceleration [m/s^2] at a speed [m/s].

    ratio (L / R + K a) with the radius R = v^2 / a and the understeer K there.
    """
    ratio = next(a.steering.ratio for a in vehicle.axles.values() if a.steering is not None)
    geometric = vehicle.wheelbase * acceleration / speed**2
    angle = geometric + understeer_at(vehicle, acceleration) * acceleration
    return abs(ratio) * max(angle, LEAST_SHARE * geometric)


def understeer_at(vehicle: Vehicle, acceleration: float) -> float:
    """Further angle of the road wheels over lateral acceleration [rad/(m/s^2)], at one of these.

    That of the tyres, and the turn of an elastic column: side force times trail over the stiffness
    at the wheels, ratio^2 column_stiffness. What suspensions turn and lean by themselves is left
    out.
    """
    return tyre_understeer_at(vehicle, acceleration) + _of_column(vehicle)


def tyre_understeer_at(vehicle: Vehicle, acceleration: float) -> float:
    """Slip angles of the first axle less those of the last over lateral acceleration, of tyres
    under loads as roll stiffnesses shift them [rad/(m/s^2)].

    In a steady turn the side force of a hitch is to its load as lateral acceleration is to
    gravity, so that loads have it in them.
    """
    a = min(acceleration, SAFE * tipping_acceleration(vehicle))
    loads, rates = wheel_loads(vehicle), {}
    for name, axle in vehicle.axles.items():
        rates[name] = axle.suspension.roll_rate(axle.track)
    slips = {}
    for name, axle in vehicle.axles.items():
        carried = 2.0 * loads[name] / STANDARD_GRAVITY
        shifted = rates[name] / sum(rates.values()) * vehicle.mass * mass_height(vehicle, "") * a
        slips[name] = slip_angle(axle, loads[name], shifted / axle.track, carried * a)
    places = {name: axle.position for name, axle in vehicle.axles.items()}
    first, last = max(places, key=places.__getitem__), min(places, key=places.__getitem__)
    return (slips[first] - slips[last]) / a


def _of_column(vehicle: Vehicle) -> float:
    found, loads = 0.0, wheel_loads(vehicle)
    for name, axle in vehicle.axles.items():
        steering = axle.steering
        if steering is not None and steering.column_stiffness is not None:
            trail = steering.trail + tyre_slopes(axle, loads[name]).trail
            carried = 2.0 * loads[name] / STANDARD_GRAVITY
            found += carried * trail / (steering.ratio**2 * steering.column_stiffness)
    return found


def tipping_acceleration(vehicle: Vehicle) -> float:
    """The lateral acceleration [m/s^2] at which a stiff vehicle would leave the ground.

    Of a vehicle with trailers, the first of its units.
    """
    ratios = (
        min(axle.track for axle in unit.axles.values()) / mass_height(vehicle, name)
        for name, unit in vehicle.units.items()
    )
    return 0.5 * STANDARD_GRAVITY * min(ratios)
