"""Radius and width of a wheel, by what its component and its vehicle tell."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.library.contacts.soil_wheel import SoilWheel
from axletree.library.tyres.contact_geometry import Toroid
from axletree.library.tyres.tyre import Tyre
from axletree.model.model import Model
from axletree.report.animation.courses import Courses
from axletree.vehicles.settling import full_name
from axletree.vehicles.vehicle import Vehicle

USUAL = 0.55  # width of a tyre of which nothing is told, in radii


@dataclass(frozen=True)
class WheelSize:
    """[m]."""

    radius: float
    width: float


def wheel_size(wheel: Tyre | SoilWheel, model: Model, courses: Courses) -> WheelSize:
    """As it was in the run."""
    if isinstance(wheel, SoilWheel):
        radius = courses.number(f"{wheel.name}.radius", wheel.radius)
        return WheelSize(radius, courses.number(f"{wheel.name}.width", wheel.width))
    radius = courses.number(f"{wheel.name}.unloaded_radius", wheel.unloaded_radius)
    if isinstance(wheel.contact, Toroid):
        crown = courses.number(f"{wheel.name}.contact.crown_radius", wheel.contact.crown_radius)
        return WheelSize(radius, max(2.0 * crown, 0.1 * radius))
    return WheelSize(radius, _described_width(wheel.name, model) or USUAL * radius)


def _described_width(name: str, model: Model) -> float | None:
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        return None
    for unit, described in vehicle.units.items():
        for axle, own in described.axles.items():
            if name.startswith(f"{full_name(unit, axle)}_"):
                return own.wheel.width
    return None
