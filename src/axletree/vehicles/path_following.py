"""A driver put into a vehicle, with what a driver knows of it."""

from __future__ import annotations

from axletree.components.curves import Curve, Interpolation
from axletree.components.frames import Frame
from axletree.core.errors import ModelError
from axletree.ground.path_driver import PathDriver
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.linear_single_track import linear_single_track, tyre_slopes
from axletree.vehicles.pieces import Driver
from axletree.vehicles.statics import wheel_loads
from axletree.vehicles.steer_estimate import TyreUse, rigid_rollover_acceleration, understeer_at
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.slip import ConstantLag

_GENTLE = 0.2  # m/s^2, of a turn in which tyres are stiff
HARD = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)  # m/s^2, of turns in which they are softer
UPRIGHT = 0.8  # of the acceleration at which a vehicle would tip, up to which turns are looked at
HARDEST = 11.0  # m/s^2, that a driver without a pace expects of a path
_LEAST = 1e-9  # of numbers that are found better once the vehicle rolls; 0 has no symbol


def path_driver(
    name: str, driver: Driver, vehicle: Vehicle, ground: Frame, body: Frame
) -> PathDriver:
    """Who leads the body's frame along the path, and knows the vehicle by its description."""
    steered = [axle for axle in vehicle.axles.values() if axle.steering is not None]
    if not steered or steered[0].steering is None:
        raise ModelError("driver: no axle has a steering, so that no path can be followed")
    others = [axle.position for axle in vehicle.axles.values() if axle.steering is None]
    behind = sum(others) / len(others) if others else 0.0
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
        hardest=HARDEST if driver.pace is None else driver.pace.lateral,
        look_ahead=driver.look_ahead,
        speeds=_speeds(driver),
    )  # fmt: skip


def _speeds(driver: Driver) -> Curve | None:
    """Those that the pace allows, over station."""
    if driver.pace is None:
        return None
    line = driver.path.line
    found = driver.pace.speeds(line.station, line.curvature)
    return Curve(tuple(line.station.tolist()), tuple(found.tolist()), Interpolation.LINEAR)


def _tyre_lag(vehicle: Vehicle) -> float:
    """The mean relaxation length of tyres that have a constant one [m]."""
    slips = [axle.tyre.slip for axle in vehicle.axles.values()]
    lengths = [slip.lateral_length if isinstance(slip, ConstantLag) else 0.0 for slip in slips]
    return sum(lengths) / len(lengths)


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
