"""Wheels of a vehicle on soft ground: their components, and how deep they stand."""

from __future__ import annotations

import numpy as np

from axletree.library.contacts.soil_wheel import SoilWheel
from axletree.library.joints.revolute import Revolute
from axletree.library.soils import contract
from axletree.library.soils.given_load import GivenLoad
from axletree.library.soils.soil import Value
from axletree.library.soils.stress_support import OwnSupport, SoilUnderneath
from axletree.library.soils.support import SoilSupport
from axletree.library.soils.yielding_ground import YieldingGround
from axletree.model.model import Model
from axletree.vehicles.soft_ground import SoftGround
from axletree.vehicles.static_loads import wheel_heights, wheel_loads
from axletree.vehicles.unit import Axle
from axletree.vehicles.vehicle import Vehicle


def add_soil_wheel(
    model: Model, vehicle: Vehicle, axle_name: str, side: str, turns: Revolute, soil: SoftGround
) -> None:
    """Add what a wheel meets of soft ground, by the joint that it turns on."""
    axle = vehicle.every_axle[axle_name]
    carried: SoilSupport
    if vehicle.fidelity.is_planar:
        carried = GivenLoad(wheel_loads(vehicle)[axle_name])
    else:
        carried = _carried(axle, soil)
    wheel = SoilWheel(
        f"{axle_name}_{side}_soil", turns, model.ground.main_frame, axle.wheel.radius,
        _width(axle), soil.law, carried, soil.scheme, vehicle.road,
    )  # fmt: skip
    model.add(wheel)


def _carried(axle: Axle, soil: SoftGround) -> SoilSupport:
    if soil.normal_force is not None:
        return soil.normal_force
    if soil.law.knows_sinkage:
        return OwnSupport()
    return YieldingGround(axle.tyre.stiffness, axle.tyre.damping)


def _width(axle: Axle) -> float:
    assert axle.wheel.width is not None  # on soft ground a description without it is refused
    return axle.wheel.width


def law_wheel(axle: Axle, **motion: Value) -> contract.Wheel:
    """A wheel of an axle as soil laws know it, at the place where the vehicle starts."""
    return contract.Wheel(axle.wheel.radius, _width(axle), x=axle.position, **motion)


def standing_sinkages(vehicle: Vehicle) -> dict[str, float]:
    """How deep the wheels of each axle stand [m], where a law tells it."""
    loads, found = wheel_loads(vehicle), {}
    for name, axle in vehicle.every_axle.items():
        soil = vehicle.soil_under(name)
        if soil is None:
            continue
        support = _carried(axle, soil)
        law = support.law if isinstance(support, SoilUnderneath) else soil.law
        if law.knows_sinkage:
            found[name] = float(law(loads[name], law_wheel(axle)).sinkage)
    return found


def sunk_start(vehicle: Vehicle) -> dict[str, float]:
    """First values of the chassis: as it is designed, but as deep as its wheels stand."""
    heights, sinkages = wheel_heights(vehicle), standing_sinkages(vehicle)
    if not sinkages or vehicle.fidelity.is_planar:
        return {}
    places = [axle.position for axle in vehicle.axles.values()]
    rises = [
        axle.wheel.radius - sinkages[name] - heights[name] if name in sinkages else 0.0
        for name, axle in vehicle.axles.items()
    ]
    slope, middle = np.polyfit(places, rises, 1)
    return {
        "chassis.z": vehicle.body.centre_height + float(middle),
        "chassis.pitch": -float(np.arctan(slope)),
    }
