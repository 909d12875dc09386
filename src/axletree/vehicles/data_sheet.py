"""The data sheet of a vehicle: what follows from its numbers alone, and what of it is unusual."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from axletree.library.tyres.contract import Contact, Value, with_velocities
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.static_loads import sprung_loads, wheel_heights, wheel_loads
from axletree.vehicles.suspensions.independent import Independent
from axletree.vehicles.vehicle import Axle, Vehicle

SMALL_ANGLE = 1e-4  # rad, by which a cornering stiffness is found
SPEED = 20.0  # m/s, at which it is found


@dataclass(frozen=True)
class Row:
    """A number of the sheet."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True)
class DataSheet:
    """Numbers of a vehicle, and sentences about those that vehicles rarely have."""

    rows: tuple[Row, ...]
    warnings: tuple[str, ...]

    def __getitem__(self, name: str) -> float:
        return next(row.value for row in self.rows if row.name == name)


def data_sheet(vehicle: Vehicle) -> DataSheet:
    """From the description alone: nothing is simulated."""
    rows = (*_whole(vehicle), *(row for name in vehicle.axles for row in _of_axle(vehicle, name)))
    return DataSheet(rows, tuple(_unusual(vehicle, {row.name: row.value for row in rows})))


def _whole(vehicle: Vehicle) -> Iterator[Row]:
    heights = wheel_heights(vehicle)
    masses = [(vehicle.sprung_mass, _sprung_height(vehicle))]
    masses += [(axle.unsprung_mass, heights[name]) for name, axle in vehicle.axles.items()]
    yield Row("mass", vehicle.mass, "kg")
    yield Row("sprung mass", vehicle.sprung_mass, "kg")
    yield Row("wheelbase", vehicle.wheelbase, "m")
    height = sum(m * h for m, h in masses) / vehicle.mass
    yield Row("height of the centre of mass", height, "m")
    stiffness = sum(a.suspension.roll_rate(a.track) for a in vehicle.axles.values())
    yield Row("roll stiffness", math.radians(stiffness), "N*m/deg")
    yield Row("roll gradient", _roll_gradient(vehicle), "deg/g")
    yield Row("understeer gradient", _understeer(vehicle), "deg/g")


def _sprung_height(vehicle: Vehicle) -> float:
    """Of the centre of mass of the body with its loads [m], before they make it sink."""
    masses = [(vehicle.body.mass, vehicle.body.centre_height)]
    masses += [(load.mass, load.position[2]) for load in vehicle.loads.values()]
    return sum(m * h for m, h in masses) / vehicle.sprung_mass


def _roll_gradient(vehicle: Vehicle) -> float:
    """[deg/g], on springs and tyres, about the axis through the roll centres of the axles."""
    sprung, heights = sprung_loads(vehicle), wheel_heights(vehicle)
    weight = vehicle.sprung_mass * STANDARD_GRAVITY
    stiffness = axis = 0.0
    for name, axle in vehicle.axles.items():
        springs = axle.suspension.roll_rate(axle.track)
        tyres = 0.5 * axle.tyre.stiffness * axle.track * axle.track
        stiffness += springs * tyres / (springs + tyres)
        axis += sprung[name] / weight * axle.suspension.roll_centre(axle.track, heights[name])
    lever = weight * (_sprung_height(vehicle) - axis)
    return math.inf if stiffness <= lever else math.degrees(lever / (stiffness - lever))


def _of_axle(vehicle: Vehicle, name: str) -> Iterator[Row]:
    axle, load = vehicle.axles[name], wheel_loads(vehicle)[name]
    sprung = 0.5 * sprung_loads(vehicle)[name] / STANDARD_GRAVITY
    unsprung = 0.5 * axle.unsprung_mass
    spring, tyre = axle.suspension.wheel_rate(), axle.tyre.stiffness
    ride = spring * tyre / (spring + tyre)
    yield Row(f"{name} wheel load", load, "N")
    share = 2.0 * load / (vehicle.mass * STANDARD_GRAVITY)
    yield Row(f"{name} share of the weight", 100.0 * share, "%")
    yield Row(f"{name} ride frequency", math.sqrt(ride / sprung) / (2.0 * math.pi), "Hz")
    hop = math.sqrt((spring + tyre) / unsprung) / (2.0 * math.pi)
    yield Row(f"{name} wheel hop frequency", hop, "Hz")
    damping = getattr(axle.suspension, "damping", 0.0)
    yield Row(f"{name} damping ratio", damping / (2.0 * math.sqrt(spring * sprung)), "1")
    roll = math.radians(axle.suspension.roll_rate(axle.track))
    yield Row(f"{name} roll stiffness", roll, "N*m/deg")
    yield Row(f"{name} cornering stiffness", _cornering_stiffness(axle, load), "N/rad")


def _cornering_stiffness(axle: Axle, load: float) -> float:
    """Of one tyre at its static load [N/rad]."""

    def side_force(angle: float) -> Value:
        state = Contact(load, 0.0, angle, forward_speed=SPEED, radius=axle.wheel.radius)
        return axle.tyre.law(with_velocities(state)).Fy

    return float(side_force(-SMALL_ANGLE) - side_force(SMALL_ANGLE)) / (2.0 * SMALL_ANGLE)


def _understeer(vehicle: Vehicle) -> float:
    """Of the first axle against the last [deg/g], by tyres alone: W_f / C_f - W_r / C_r.

    Gillespie 1992 ("Fundamentals of Vehicle Dynamics"), chapter 6.
    """
    loads = wheel_loads(vehicle)
    places = {name: axle.position for name, axle in vehicle.axles.items()}
    angles = [
        loads[name] / _cornering_stiffness(vehicle.axles[name], loads[name])
        for name in (max(places, key=places.__getitem__), min(places, key=places.__getitem__))
    ]
    return math.degrees(angles[0] - angles[1])


def _unusual(vehicle: Vehicle, values: dict[str, float]) -> Iterator[str]:
    expected = [("mass", "kg", 50.0, 60e3), ("roll gradient", "deg/g", 0.0, 12.0)]
    for name in vehicle.axles:
        expected += [
            (f"{name} ride frequency", "Hz", 0.7, 6.0),
            (f"{name} wheel hop frequency", "Hz", 5.0, 25.0),
            (f"{name} share of the weight", "%", 15.0, 85.0),
        ]
        if isinstance(vehicle.axles[name].suspension, Independent):
            expected.append((f"{name} damping ratio", "1", 0.1, 1.0))
    for name, unit, low, high in expected:
        if not low <= values[name] <= high:
            shown = f"{values[name]:.3g} {unit}".removesuffix(" 1")
            yield f"{name} is {shown}; vehicles have {low:g} to {high:g}"
    Jz, places = vehicle.body.inertia[2], [axle.position for axle in vehicle.axles.values()]
    index = -Jz / (vehicle.body.mass * max(places) * min(places))
    if not 0.5 <= index <= 2.0:
        yield f"yaw inertia over m a b is {index:.3g}; vehicles have 0.5 to 2"
