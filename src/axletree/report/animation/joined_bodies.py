"""Which bodies hang together, and which of them carries a wheel."""

from __future__ import annotations

from collections.abc import Mapping

from axletree.library.bodies import BodyOfRevolution, RigidBody
from axletree.library.contacts.soil_wheel import SoilWheel
from axletree.library.frame import GROUND
from axletree.library.joint_reference import turn_of
from axletree.library.tyres.tyre import Tyre
from axletree.model.model import Model
from axletree.vehicles.settling import full_name
from axletree.vehicles.vehicle import Vehicle

LEAST_SHARE = 0.15  # of the mass of all that hangs together, of a body that counts as a hull

Wheel = Tyre | SoilWheel


def wheels_of(model: Model) -> list[Wheel]:
    """What stands on the ground or on a plate."""
    return [c for c in model if isinstance(c, Tyre | SoilWheel)]


def wheel_body(wheel: Wheel, model: Model) -> str:
    return model.frames[turn_of(wheel.joint)[0].head].body


def masses(model: Model) -> dict[str, float]:
    """By body [kg]."""
    return {c.name: c.mass for c in model if isinstance(c, RigidBody | BodyOfRevolution)}


def neighbours(model: Model) -> dict[str, set[str]]:
    """By body: those that it is joined to; the ground and tyres join nothing."""
    of_frame = {frame.name: frame.body for frame in model.frames.values()}
    found: dict[str, set[str]] = {body: set() for body in of_frame.values() if body != GROUND.body}
    for component in model:
        if isinstance(component, Tyre | SoilWheel):
            continue
        for edge in component.edges():
            a, b = of_frame.get(edge.tail), of_frame.get(edge.head)
            if a in found and b in found and a != b:
                found[a].add(b)
                found[b].add(a)
    return found


def together(body: str, joined: Mapping[str, set[str]]) -> list[str]:
    """The bodies that hang on a body, the nearest first and itself before them."""
    order, seen = [body], {body}
    for one in order:
        further = sorted(joined.get(one, set()) - seen)
        seen.update(further)
        order += further
    return order


def hulls(model: Model) -> dict[str, list[Wheel]]:
    """By heavy body: the wheels that carry it; of a vehicle by axles, its body and trailers'."""
    joined, mass, units = neighbours(model), masses(model), _units(model)
    turning = {wheel_body(wheel, model) for wheel in wheels_of(model)}
    found: dict[str, list[Wheel]] = {}
    for wheel in wheels_of(model):
        group = together(wheel_body(wheel, model), joined)
        whole = sum(mass.get(body, 0.0) for body in group)
        heavy = (b for b in group if b not in turning and mass.get(b, 0.0) > LEAST_SHARE * whole)
        body = next((b for b in group if b in units), None) or next(heavy, None)
        if body is not None:
            found.setdefault(body, []).append(wheel)
    return found


def _units(model: Model) -> set[str]:
    """A tractor may be light beside its trailer."""
    vehicle = model.described.get("vehicle")
    return {full_name(u, "body") for u in vehicle.units} if isinstance(vehicle, Vehicle) else set()
