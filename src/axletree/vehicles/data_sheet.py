"""The data sheet of a vehicle: what follows from its numbers alone, and what of it is unusual."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.linear_tyre import tyre_slopes
from axletree.vehicles.rolling import shifted_loads
from axletree.vehicles.settling import full_name
from axletree.vehicles.sinking import spring_travels
from axletree.vehicles.soil_ability import soil_ability
from axletree.vehicles.soil_wheels import standing_sinkages
from axletree.vehicles.static_loads import (
    ground_load,
    hitch_loads,
    sprung_loads,
    wheel_heights,
    wheel_loads,
)
from axletree.vehicles.tilting import mass_height, roll_gradient, tipping_acceleration
from axletree.vehicles.turn_of_wheel import understeer_gradient
from axletree.vehicles.unit import Unit
from axletree.vehicles.unusual import unusual
from axletree.vehicles.vehicle import Vehicle

SAME = 1e-9  # of a load: by less both wheels of an axle do not differ


@dataclass(frozen=True)
class Row:
    """A number of the sheet, in the unit that is said with it."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True)
class DataSheet:
    """Numbers of a vehicle by name, and sentences about those that vehicles rarely have.

    Example:
    >>> from axletree.vehicles.data_sheet import DataSheet, Row
    >>> sheet = DataSheet((Row("wheelbase", 2.85, "m"),), ("it is long",))
    >>> sheet["wheelbase"], sheet.rows[0].unit, len(sheet.warnings)
    (2.85, 'm', 1)
    """

    rows: tuple[Row, ...]
    warnings: tuple[str, ...]

    def __getitem__(self, name: str) -> float:
        return next(row.value for row in self.rows if row.name == name)


def data_sheet(vehicle: Vehicle) -> DataSheet:
    """From the description alone: nothing is simulated. Each number has its unit.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.data_sheet import data_sheet
    >>> sheet = data_sheet(at.read_model("sedan").described["vehicle"])
    >>> print(f"{sheet['front wheel load']:.0f} N, {sheet['front ride frequency']:.2f} Hz")
    4067 N, 1.27 Hz
    """
    rows = [*_whole(vehicle), *_of_axles(vehicle, "")]
    for name in vehicle.trailers:
        rows += [*_of_trailer(vehicle, name), *_of_axles(vehicle, name)]
    rows += _of_soil(vehicle)
    values = {row.name: row.value for row in rows}
    return DataSheet(tuple(rows), tuple(unusual(vehicle, values)))


def _whole(vehicle: Vehicle) -> Iterator[Row]:
    yield Row("mass", vehicle.mass, "kg")
    if vehicle.trailers:
        yield Row("mass with trailers", vehicle.train_mass, "kg")
    yield Row("sprung mass", vehicle.sprung_mass, "kg")
    yield Row("wheelbase", vehicle.wheelbase, "m")
    yield Row("height of the centre of mass", mass_height(vehicle, ""), "m")
    yield Row("acceleration that tips it", tipping_acceleration(vehicle, ""), "g")
    yield Row("roll stiffness", math.radians(_roll_stiffness(vehicle)), "N*m/deg")
    yield Row("roll gradient", roll_gradient(vehicle, ""), "deg/g")
    per_g = math.degrees(STANDARD_GRAVITY)
    level, leaning = (understeer_gradient(vehicle, leans=leans) for leans in (False, True))
    yield Row("understeer gradient", per_g * level.angle, "deg/g")
    yield Row("understeer gradient of the tyres", per_g * level.tyres, "deg/g")
    yield Row("understeer gradient with roll", per_g * leaning.angle, "deg/g")


def _of_soil(vehicle: Vehicle) -> Iterator[Row]:
    if not vehicle.is_on_soil:
        return
    able = soil_ability(vehicle)
    for name, sinkage in standing_sinkages(vehicle).items():
        yield Row(f"{name} sinkage", 1e3 * sinkage, "mm")
    yield Row("resistance of the soil", able.resistance, "N")
    yield Row("greatest pull on the soil", able.greatest_pull, "N")
    yield Row("steepest slope on the soil", math.degrees(able.steepest), "deg")


def _of_trailer(vehicle: Vehicle, name: str) -> Iterator[Row]:
    trailer = vehicle.trailers[name]
    hitch = hitch_loads(vehicle)[name]
    yield Row(f"{name} mass", trailer.mass, "kg")
    yield Row(f"{name} hitch load", hitch, "N")
    share = 100.0 * hitch / (hitch + ground_load(vehicle, name))
    yield Row(f"{name} share of the weight on the hitch", share, "%")
    yield Row(f"{name} wheelbase", trailer.wheelbase, "m")
    yield Row(f"{name} height of the centre of mass", mass_height(vehicle, name), "m")
    yield Row(f"{name} roll stiffness", math.radians(_roll_stiffness(trailer)), "N*m/deg")
    if not trailer.hitch.couples_roll:
        tips = tipping_acceleration(vehicle, name)
        yield Row(f"{name} acceleration that tips it", tips, "g")
        yield Row(f"{name} roll gradient", roll_gradient(vehicle, name), "deg/g")


def _roll_stiffness(unit: Unit) -> float:
    """On springs alone [N m/rad]."""
    return sum(axle.suspension.roll_rate(axle.track) for axle in unit.axles.values())


def _roll_centre(vehicle: Vehicle, name: str) -> float:
    """Above the ground where the vehicle stands [m]."""
    axle = vehicle.every_axle[name]
    height, travel = wheel_heights(vehicle)[name], spring_travels(vehicle)[name]
    return axle.suspension.roll_centre(axle.track, height, travel)


def _of_axles(vehicle: Vehicle, unit: str) -> Iterator[Row]:
    for name in vehicle.units[unit].axles:
        yield from _of_axle(vehicle, unit, full_name(unit, name))


def _of_sides(vehicle: Vehicle, name: str, load: float) -> Iterator[Row]:
    """Loads of both wheels of an axle, where they differ from the mean [N]."""
    shifted = shifted_loads(vehicle)[name]
    if abs(shifted) > SAME * load:
        yield Row(f"{name} left wheel load", load - shifted, "N")
        yield Row(f"{name} right wheel load", load + shifted, "N")


def _of_axle(vehicle: Vehicle, unit: str, name: str) -> Iterator[Row]:
    axle, load = vehicle.every_axle[name], wheel_loads(vehicle)[name]
    sprung = 0.5 * sprung_loads(vehicle)[name] / STANDARD_GRAVITY
    unsprung = 0.5 * axle.unsprung_mass
    spring, tyre = axle.suspension.wheel_rate(), axle.tyre.stiffness
    ride = spring * tyre / (spring + tyre)
    yield Row(f"{name} wheel load", load, "N")
    yield from _of_sides(vehicle, name, load)
    share = 2.0 * load / ground_load(vehicle, unit)
    yield Row(f"{name} share of the weight", 100.0 * share, "%")
    yield Row(f"{name} tyre deflection", 1e3 * load / tyre, "mm")
    yield Row(f"{name} ride frequency", math.sqrt(ride / sprung) / (2.0 * math.pi), "Hz")
    hop = math.sqrt((spring + tyre) / unsprung) / (2.0 * math.pi)
    yield Row(f"{name} wheel hop frequency", hop, "Hz")
    damping = getattr(axle.suspension, "damping", 0.0)
    yield Row(f"{name} damping ratio", damping / (2.0 * math.sqrt(spring * sprung)), "1")
    roll = math.radians(axle.suspension.roll_rate(axle.track))
    yield Row(f"{name} roll stiffness", roll, "N*m/deg")
    yield Row(f"{name} roll centre height", 1e3 * _roll_centre(vehicle, name), "mm")
    yield Row(f"{name} cornering stiffness", tyre_slopes(axle, load).cornering_stiffness, "N/rad")
