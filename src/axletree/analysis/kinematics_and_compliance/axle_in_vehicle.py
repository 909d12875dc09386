"""An axle of a vehicle, taken to the rig: ``kinematics_and_compliance``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from axletree.analysis.kinematics_and_compliance.load_cases import LOAD_CASES, RigRanges
from axletree.analysis.kinematics_and_compliance.measured_axle import (
    AxleInVehicle,
    measure_axle,
)
from axletree.analysis.kinematics_and_compliance.metrics import roll_stiffness
from axletree.analysis.kinematics_and_compliance.result import KinematicsAndCompliance
from axletree.analysis.kinematics_and_compliance.rig import AxleRig
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.registry import few_names, unknown_name
from axletree.model.model import Model
from axletree.model_files.read import model_of
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.statics import design_loads, mass_height
from axletree.vehicles.units import Axle
from axletree.vehicles.vehicle import Vehicle

_ROLL = tuple(case for case in LOAD_CASES if case.name == "roll")


def kinematics_and_compliance(
    model: Model | str | Path,
    axle: str = "front",
    *,
    bushings: bool | None = None,
    ranges: RigRanges | None = None,
) -> KinematicsAndCompliance:
    """Take an axle by hard points through all cases of a kinematics and compliance rig.

    ``bushings``: with those of its joints, or with ideal joints; if not given, with them where the
    axle has any. The vehicle gives loads, tyre, wheelbase, height of the centre of mass, shares of
    brakes and drive, steering gear, and the roll stiffness of the other axles.

    Example:
    >>> import axletree as at
    >>> found = at.kinematics_and_compliance("double-wishbone-sports-car", "front")
    >>> print(f"{found['caster'].left:.2f} deg, {found['anti_dive'].left:.1f} %")
    6.23 deg, 20.6 %
    """
    check_arguments(kinematics_and_compliance, locals())
    described = model_of(model)
    vehicle = vehicle_of(described)
    rig = rig_of(vehicle, axle, bushings)
    place = place_of(vehicle, axle)
    others = [k for k in vehicle.axles if k != axle]
    stiffnesses = [_roll_stiffness(vehicle, k, bushings) for k in others]
    place = replace(place, other_roll_stiffness=sum(stiffnesses) if stiffnesses else None)
    name = f"{described.name.replace('_', ' ')}, {axle} axle"
    return KinematicsAndCompliance(replace(measure_axle(rig, place, ranges), name=name))


def vehicle_of(model: Model) -> Vehicle:
    """The vehicle of a model by body and axles."""
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        raise ModelError(
            f"{model.name} is no vehicle by body and axles; a rig takes vehicles whose axles have "
            "hard points"
        )
    return vehicle


def linked_suspension(vehicle: Vehicle, name: str) -> LinkedSuspension:
    """The suspension of an axle, which has to be by hard points."""
    axles: Mapping[str, Axle] = vehicle.every_axle
    if name not in axles:
        raise unknown_name("axle", name, axles, "the vehicle")
    suspension = axles[name].suspension
    if isinstance(suspension, LinkedSuspension):
        return suspension
    linked = [k for k, a in axles.items() if isinstance(a.suspension, LinkedSuspension)]
    others = f"those that have are {few_names(linked)}" if linked else "no axle of it has any"
    raise ModelError(
        f"the axle {name} has a suspension without hard points, and a rig needs links; {others}"
    )


def rig_of(vehicle: Vehicle, name: str, bushings: bool | None = None) -> AxleRig:
    """The rig with an axle of a vehicle."""
    linkage = linked_suspension(vehicle, name).in_axle
    if bushings and not linkage.has_bushings():
        raise ModelError(
            f"the axle {name} has no bushings; give its joints mounts, or leave bushings out"
        )
    elastic = linkage.has_bushings() if bushings is None else bushings
    load = 0.5 * design_loads(vehicle)[name]
    radius = vehicle.every_axle[name].wheel.radius
    return AxleRig(linkage, radius, load, elastic=elastic, name=f"{name} axle")


def place_of(vehicle: Vehicle, name: str) -> AxleInVehicle:
    """What the rest of the vehicle is to an axle."""
    axle = vehicle.every_axle[name]
    gear = None if axle.steering is None else axle.steering.travel
    column = None if axle.steering is None else axle.steering.column
    known = AxleInVehicle(tyre_stiffness=axle.tyre.stiffness, rack_per_angle=gear, column=column)
    if name not in vehicle.axles or len(vehicle.axles) != 2:
        return known
    first = max(vehicle.axles, key=lambda k: vehicle.axles[k].position)
    driven = [k for k, a in vehicle.axles.items() if a.drive is not None]
    drive = float(driven == [name]) if len(driven) == 1 else None
    return replace(
        known, is_front=name == first, wheelbase=vehicle.wheelbase,
        centre_height=mass_height(vehicle, ""), brake_share=_brake_share(vehicle, name),
        drive_share=drive,
    )  # fmt: skip


def _brake_share(vehicle: Vehicle, name: str) -> float | None:
    """Of the brake force of all axles at low pressure, before valves and slip limits."""
    forces: dict[str, float] = {}
    for k, axle in vehicle.axles.items():
        brakes = axle.brakes
        if brakes is not None:
            by_pressure = brakes.torque_per_pressure
            torque = brakes.torque if by_pressure is None else by_pressure * brakes.pedal_pressure
            forces[k] = float(torque or 0.0) / axle.wheel.radius
    total = sum(forces.values())
    return forces.get(name, 0.0) / total if total else None


def _roll_stiffness(vehicle: Vehicle, name: str, bushings: bool | None) -> float:
    """Of another axle, by its links where it has any [N m/rad]."""
    axle = vehicle.axles[name]
    if not isinstance(axle.suspension, LinkedSuspension):
        return axle.suspension.roll_rate(axle.track)
    has = axle.suspension.in_axle.has_bushings()
    rig = rig_of(vehicle, name, bushings=has and bushings is not False)
    ranges = RigRanges(roll=float(np.radians(1.0)), positions=5)
    return roll_stiffness(measure_axle(rig, ranges=ranges, cases=_ROLL))
