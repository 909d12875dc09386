"""The data sheet of a vehicle: what follows from its numbers alone, and what of it is unusual."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from axletree.components.differentials import OpenDifferential
from axletree.core.registry import unknown_name
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles import statics
from axletree.vehicles.linear_single_track import tyre_slopes
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.soil_mobility import soil_mobility
from axletree.vehicles.steer_estimate import understeer_gradient
from axletree.vehicles.suspensions import Independent
from axletree.vehicles.units import VehicleUnit, full_name
from axletree.vehicles.vehicle import Vehicle
from axletree.vehicles.wheels import static_sinkages

_SAME = 1e-9  # of a load: by less both wheels of an axle do not differ


@dataclass(frozen=True)
class SheetRow:
    """A number of the sheet, in the unit that is said with it."""

    name: str
    value: float
    unit: str

    @property
    def in_words(self) -> str:
        """Four digits, and no exponent of what people write in full, such as 74960 N/rad."""
        return f"{float(f'{self.value:.4g}'):.7g}"


@dataclass(frozen=True)
class DataSheet:
    """Numbers of a vehicle by name, and sentences about those that vehicles rarely have.

    Example:
    >>> from axletree.vehicles.data_sheet import DataSheet, SheetRow
    >>> sheet = DataSheet((SheetRow("wheelbase", 2.85, "m"),), ("it is long",))
    >>> sheet["wheelbase"], sheet.rows[0].unit, len(sheet.warnings)
    (2.85, 'm', 1)
    """

    rows: tuple[SheetRow, ...]
    warnings: tuple[str, ...]

    def __getitem__(self, name: str) -> float:
        values = {row.name: row.value for row in self.rows}
        if name not in values:
            raise unknown_name("row", name, values, "this data sheet")
        return values[name]


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
    return DataSheet(tuple(rows), tuple(implausibilities(vehicle, values)))


def _whole(vehicle: Vehicle) -> Iterator[SheetRow]:
    yield SheetRow("mass", vehicle.mass, "kg")
    if vehicle.trailers:
        yield SheetRow("mass with trailers", vehicle.train_mass, "kg")
    yield SheetRow("sprung mass", vehicle.sprung_mass, "kg")
    yield SheetRow("wheelbase", vehicle.wheelbase, "m")
    yield SheetRow("height of the centre of mass", statics.mass_height(vehicle, ""), "m")
    yield SheetRow("rollover threshold", statics.rollover_threshold(vehicle, ""), "g")
    yield SheetRow("roll stiffness", math.radians(_roll_stiffness(vehicle)), "N*m/deg")
    yield SheetRow("roll gradient", statics.roll_gradient(vehicle, ""), "deg/g")
    per_g = math.degrees(STANDARD_GRAVITY)
    level, leaning = (understeer_gradient(vehicle, leans=leans) for leans in (False, True))
    yield SheetRow("understeer gradient", per_g * level.angle, "deg/g")
    yield SheetRow("understeer gradient of the tyres", per_g * level.tyres, "deg/g")
    if not (_resists_turns(vehicle) or _is_assisted(vehicle)):
        yield SheetRow("understeer gradient with roll", per_g * leaning.angle, "deg/g")


def _resists_turns(vehicle: Vehicle) -> bool:
    """Whether a differential that locks adds understeer that no sheet of tyres and springs has."""
    drives = (axle.drive for axle in vehicle.axles.values() if axle.drive is not None)
    return any(not isinstance(drive.differential, OpenDifferential) for drive in drives)


def _is_assisted(vehicle: Vehicle) -> bool:
    """Whether what the column is twisted by is so little that air, drive and loads on the kingpins,
    which no sheet has, count as much."""
    steered = (axle.steering for axle in vehicle.axles.values() if axle.steering is not None)
    return any(one.assist is not None for one in steered)


def _of_soil(vehicle: Vehicle) -> Iterator[SheetRow]:
    if not vehicle.is_on_soil:
        return
    able = soil_mobility(vehicle)
    for name, sinkage in static_sinkages(vehicle).items():
        yield SheetRow(f"{name} sinkage", 1e3 * sinkage, "mm")
    yield SheetRow("motion resistance on the soil", able.resistance, "N")
    yield SheetRow("maximum drawbar pull on the soil", able.maximum_pull, "N")
    yield SheetRow("gradeability on the soil", math.degrees(able.steepest), "deg")


def _of_trailer(vehicle: Vehicle, name: str) -> Iterator[SheetRow]:
    trailer = vehicle.trailers[name]
    hitch = statics.hitch_loads(vehicle)[name]
    yield SheetRow(f"{name} mass", trailer.mass, "kg")
    yield SheetRow(f"{name} hitch load", hitch, "N")
    share = 100.0 * hitch / (hitch + statics.ground_load(vehicle, name))
    yield SheetRow(f"{name} share of the weight on the hitch", share, "%")
    yield SheetRow(f"{name} wheelbase", trailer.wheelbase, "m")
    yield SheetRow(f"{name} height of the centre of mass", statics.mass_height(vehicle, name), "m")
    yield SheetRow(f"{name} roll stiffness", math.radians(_roll_stiffness(trailer)), "N*m/deg")
    if not trailer.hitch.couples_roll:
        threshold = statics.rollover_threshold(vehicle, name)
        yield SheetRow(f"{name} rollover threshold", threshold, "g")
        yield SheetRow(f"{name} roll gradient", statics.roll_gradient(vehicle, name), "deg/g")


def _roll_stiffness(unit: VehicleUnit) -> float:
    """On springs alone [N m/rad]."""
    return sum(axle.suspension.roll_rate(axle.track) for axle in unit.axles.values())


def _roll_centre(vehicle: Vehicle, name: str) -> float:
    """Above the ground where the vehicle stands [m]."""
    axle = vehicle.every_axle[name]
    height, travel = statics.wheel_heights(vehicle)[name], statics.spring_travels(vehicle)[name]
    return axle.suspension.roll_centre(axle.track, height, travel)


def _of_axles(vehicle: Vehicle, unit: str) -> Iterator[SheetRow]:
    for name in vehicle.units[unit].axles:
        yield from _of_axle(vehicle, unit, full_name(unit, name))


def _of_sides(vehicle: Vehicle, name: str, load: float) -> Iterator[SheetRow]:
    """Loads of both wheels of an axle, where they differ from the mean [N]."""
    shifted = statics.shifted_loads(vehicle)[name]
    if abs(shifted) > _SAME * load:
        yield SheetRow(f"{name} left wheel load", load - shifted, "N")
        yield SheetRow(f"{name} right wheel load", load + shifted, "N")


def _of_axle(vehicle: Vehicle, unit: str, name: str) -> Iterator[SheetRow]:
    axle, load = vehicle.every_axle[name], statics.wheel_loads(vehicle)[name]
    sprung = 0.5 * statics.sprung_loads(vehicle)[name] / STANDARD_GRAVITY
    unsprung = 0.5 * axle.unsprung_mass
    spring, tyre = axle.suspension.wheel_rate(), axle.tyre.stiffness
    ride = spring * tyre / (spring + tyre)
    yield SheetRow(f"{name} wheel load", load, "N")
    yield from _of_sides(vehicle, name, load)
    share = 2.0 * load / statics.ground_load(vehicle, unit)
    yield SheetRow(f"{name} share of the weight", 100.0 * share, "%")
    yield SheetRow(f"{name} tyre deflection", 1e3 * load / tyre, "mm")
    yield SheetRow(f"{name} ride frequency", math.sqrt(ride / sprung) / (2.0 * math.pi), "Hz")
    hop = math.sqrt((spring + tyre) / unsprung) / (2.0 * math.pi)
    yield SheetRow(f"{name} wheel hop frequency", hop, "Hz")
    damping = axle.suspension.damping_rate()
    yield SheetRow(f"{name} damping ratio", damping / (2.0 * math.sqrt(spring * sprung)), "1")
    roll = math.radians(axle.suspension.roll_rate(axle.track))
    yield SheetRow(f"{name} roll stiffness", roll, "N*m/deg")
    yield SheetRow(f"{name} roll centre height", 1e3 * _roll_centre(vehicle, name), "mm")
    yield SheetRow(
        f"{name} cornering stiffness", tyre_slopes(axle, load).cornering_stiffness, "N/rad"
    )
    yield from _of_drive(vehicle, name)


def _of_drive(vehicle: Vehicle, name: str) -> Iterator[SheetRow]:
    """Of a torque converter, against wheels that stand: at full throttle, and as it idles."""
    axle = vehicle.every_axle[name]
    drive = axle.drive
    full, idle = (None, None) if drive is None else (drive.stalled(), drive.stalled(pedal=0.0))
    if full is None or idle is None:
        return
    yield SheetRow(f"{name} stall speed", _RPM * full.rate, "rpm")
    yield SheetRow(f"{name} stall force at the wheels", full.torque / axle.wheel.radius, "N")
    yield SheetRow(f"{name} creep force at rest", idle.torque / axle.wheel.radius, "N")


_RPM = 30.0 / math.pi  # rpm in a rad/s
_HEAVY = 3500.0  # kg, of vehicles above which
LIGHT_THRESHOLD, HEAVY_THRESHOLD = 0.6, 0.3  # g, of rollover; few light and heavy ones have less


def implausibilities(vehicle: Vehicle, values: Mapping[str, float]) -> Iterator[str]:
    """Sentences about values of the data sheet, by the names of its rows."""
    derived = ((name, values[name], unit, a, b) for name, unit, a, b in _expected(vehicle))
    for name, value, unit, low, high in (*_given(vehicle), *derived):
        if not low <= value <= high:
            shown = f"{value:.3g} {unit}".removesuffix(" 1")
            yield f"{name} is {shown}; vehicles have {low:g} to {high:g}"
    Jz, places = vehicle.body.inertia[2], [axle.position for axle in vehicle.axles.values()]
    index = -Jz / (vehicle.body.mass * max(places) * min(places))
    if not 0.5 <= index <= 2.0:
        yield f"yaw inertia over m a b is {index:.3g}; vehicles have 0.5 to 2"
    yield from _of_hard_points(vehicle)


_OFF_HEIGHT = 0.01  # m, between wheel centres by points and by tyres


def _of_hard_points(vehicle: Vehicle) -> Iterator[str]:
    heights = statics.wheel_heights(vehicle)
    for name, axle in vehicle.every_axle.items():
        linked = axle.suspension
        if not isinstance(linked, LinkedSuspension):
            continue
        yield from (
            f"{name} suspension: {note}" for note in (*linked.notes, *linked.notes_on_curves)
        )
        if not vehicle.fidelity.has_links:
            yield from (f"{name} suspension: {note}" for note in linked.notes_on_beam)
        stated, stands = linked.wheel_centre_height, heights[name]
        if abs(stated - stands) > _OFF_HEIGHT:
            yield (
                f"{name} wheel centres are {stated:.4g} m high in the hard points, and "
                f"{stands:.4g} m on their tyres under the load; the points move with them"
            )


def _given(vehicle: Vehicle) -> Iterator[tuple[str, float, str, float, float]]:
    """Names, values and units of what the file gives itself, and bounds."""
    if vehicle.air is not None:
        yield "frontal area", vehicle.air.area, "m^2", 0.2, 15.0
    for name, axle in vehicle.every_axle.items():
        yield f"{name} track", axle.track, "m", 0.5, 3.0
        yield f"{name} wheel radius", axle.wheel.radius, "m", 0.1, 1.2
        yield f"{name} wheel mass", axle.wheel.mass, "kg", 1.0, 0.05 * vehicle.train_mass
        if axle.steering is not None:
            yield f"{name} steering ratio", abs(axle.steering.ratio), "1", 2.5, 40.0
        if isinstance(axle.suspension, Independent | LinkedSuspension):
            camber, toe = axle.suspension.static_camber, axle.suspension.static_toe
            yield f"{name} static camber", math.degrees(camber), "deg", -8.0, 8.0
            yield f"{name} static toe", math.degrees(toe), "deg", -3.0, 3.0


def _expected(vehicle: Vehicle) -> Iterator[tuple[str, str, float, float]]:
    """Names and units of values, and bounds."""
    yield "mass", "kg", 50.0, 60e3
    yield "height of the centre of mass", "m", 0.15, 2.5
    threshold = HEAVY_THRESHOLD if vehicle.mass > _HEAVY else LIGHT_THRESHOLD
    yield "rollover threshold", "g", threshold, 4.0
    yield "roll gradient", "deg/g", 0.0, 12.0
    for name, trailer in vehicle.trailers.items():
        low, high = trailer.hitch.usual_share
        yield f"{name} share of the weight on the hitch", "%", 100.0 * low, 100.0 * high
        if not trailer.hitch.couples_roll:
            yield f"{name} rollover threshold", "g", HEAVY_THRESHOLD, 4.0
            yield f"{name} roll gradient", "deg/g", 0.0, 12.0
    for name, axle in vehicle.every_axle.items():
        yield f"{name} ride frequency", "Hz", 0.7, 6.0
        yield f"{name} wheel hop frequency", "Hz", 5.0, 25.0
        yield f"{name} tyre deflection", "mm", 3.0, 80.0
        if axle.drive is not None and axle.drive.converter is not None:
            yield f"{name} stall speed", "rpm", 1000.0, 4500.0
        if name in vehicle.axles:
            yield f"{name} share of the weight", "%", 15.0, 85.0
        if isinstance(axle.suspension, Independent | LinkedSuspension):
            yield f"{name} damping ratio", "1", 0.1, 1.0
