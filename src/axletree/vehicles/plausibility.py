"""Plausibility: values of a vehicle's description and data sheet that vehicles rarely have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from axletree.vehicles.suspensions import Independent
from axletree.vehicles.vehicle import Vehicle

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
        if isinstance(axle.suspension, Independent):
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
        if name in vehicle.axles:
            yield f"{name} share of the weight", "%", 15.0, 85.0
        if isinstance(axle.suspension, Independent):
            yield f"{name} damping ratio", "1", 0.1, 1.0
