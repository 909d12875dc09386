"""A driver put into a vehicle, with what he knows of it."""

from __future__ import annotations

from axletree.core.errors import ModelError
from axletree.library.curve import Curve, Interpolation
from axletree.library.drivers.path_driver import PathDriver
from axletree.library.frame import Frame
from axletree.library.tyres.slip import ConstantLag
from axletree.vehicles.data_sheet import DataSheet, data_sheet
from axletree.vehicles.driver import Driver
from axletree.vehicles.turn_of_wheel import understeer_at
from axletree.vehicles.vehicle import Vehicle

KNOWN = 4.0  # m/s^2, of the lateral acceleration at which he knows how it understeers
SUSPENSIONS = 1.25  # times of that, with what suspensions turn and lean by themselves
USED = 0.85  # of the stiffness at small angles, that tyres have where a path is worth preview


def path_driver(
    name: str, driver: Driver, vehicle: Vehicle, ground: Frame, body: Frame
) -> PathDriver:
    """Who leads the body's frame along the path, and knows the vehicle by its data sheet."""
    steered = [axle for axle in vehicle.axles.values() if axle.steering is not None]
    if not steered or steered[0].steering is None:
        raise ModelError("driver: no axle has a steering, so that no path can be followed")
    others = [axle.position for axle in vehicle.axles.values() if axle.steering is None]
    behind = sum(others) / len(others) if others else 0.0
    sheet = data_sheet(vehicle)
    gradient = SUSPENSIONS * understeer_at(vehicle, KNOWN)
    return PathDriver(
        name, ground, body, driver.path, driver.speed,
        wheelbase=abs(steered[0].position - behind),
        ratio=steered[0].steering.ratio,
        understeer=max(gradient, 0.0),  # beyond its critical speed no gain would steady it
        rear=-behind,
        tyre_lag=_tyre_lag(vehicle),
        response=_response(vehicle, sheet),
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


def _response(vehicle: Vehicle, sheet: DataSheet) -> float:
    """By what the lag of the path's curvature behind the steering grows with speed [s^2/m].

    Of the single-track model, with m and J mass and yaw inertia, C and x stiffness and place of an
    axle: (J sum C + m sum C x^2) / (sum C sum C x^2 - (sum C x)^2). In a curve that asks for much
    tyres are softer than at small angles.
    """
    axles = vehicle.axles.items()
    stiffness = [
        (2.0 * USED * sheet[f"{name} cornering stiffness"], axle.position) for name, axle in axles
    ]
    zeroth, first, second = (sum(C * x**power for C, x in stiffness) for power in range(3))
    inertia = vehicle.body.inertia[2]
    inertia += sum(axle.unsprung_mass * axle.position**2 for axle in vehicle.axles.values())
    return (inertia * zeroth + vehicle.mass * second) / (zeroth * second - first**2)
