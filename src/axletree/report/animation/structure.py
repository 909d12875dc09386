"""Which bodies hang together and which of them carries a wheel, where joints are seen, how large
wheels are, and the ground below them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from axletree.components.bodies import BodyOfRevolution, RigidBody
from axletree.components.edges import MotionLaw
from axletree.components.frames import GROUND, Frame
from axletree.components.joints import Prismatic, turn_of
from axletree.model.model import Model
from axletree.report.animation.motion import BodyPoses, RunValues
from axletree.report.animation.scene import ShownTie
from axletree.vehicles.units import full_name
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.contact_geometry import Toroid
from axletree.wheel.soils.soil_wheel import SoilWheel
from axletree.wheel.tyre import Tyre

LEAST_SHARE = 0.15  # of the mass of all that hangs together, of a body that counts as a hull

GroundWheel = Tyre | SoilWheel


def wheels_of(model: Model) -> list[GroundWheel]:
    """What stands on the ground or on a plate."""
    return [c for c in model if isinstance(c, Tyre | SoilWheel)]


def wheel_body(wheel: GroundWheel, model: Model) -> str:
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


def hulls(model: Model) -> dict[str, list[GroundWheel]]:
    """By heavy body: the wheels that carry it; of a vehicle by axles, its body and trailers'."""
    joined, mass, units = neighbours(model), masses(model), _units(model)
    turning = {wheel_body(wheel, model) for wheel in wheels_of(model)}
    found: dict[str, list[GroundWheel]] = {}
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


USUAL = 0.55  # width of a tyre of unknown width, in radii


@dataclass(frozen=True)
class WheelSize:
    """[m]."""

    radius: float
    width: float


def wheel_size(wheel: Tyre | SoilWheel, model: Model, courses: RunValues) -> WheelSize:
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


def joint_points(model: Model, poses: BodyPoses, body: str, same: float) -> np.ndarray:
    """Where joints and force elements are on a body, each place once [m]."""
    used = {name for c in model for e in c.edges() for name in (e.tail, e.head) if c.name != body}
    used |= {frame.name for c in model for pair in c.measures() for frame in pair}
    frames = [f for f in model.frames.values() if f.body == body and f.name in used]
    points: list[np.ndarray] = []
    for frame in frames:
        place = joint_place(model, poses, frame)
        if all(np.linalg.norm(place - other) > same for other in points):
            points.append(place)
    return np.array(points).reshape(-1, 3)


def joint_place(model: Model, poses: BodyPoses, frame: Frame) -> np.ndarray:
    """A joint may be described anywhere along its axis.

    Where that is below the wheels' centres, as of a steering axis on the road, it is shown where
    the axis is nearest to the body's centre of mass.
    """
    offset, body = poses.courses.offset(frame), model[frame.body]
    heights = [
        (poses.place(w.carrier)[0][2], w) for w in wheels_of(model) if w.carrier.body in poses
    ]
    if not heights or not isinstance(body, RigidBody):
        return offset
    centre, wheel = min(heights, key=lambda pair: pair[0])
    radius = wheel_size(wheel, model, poses.courses).radius
    axis = _axis_through(model, frame)
    if axis is None or poses.place(frame)[0][2] > centre - 0.5 * radius:
        return offset
    along = np.array(frame.turn, dtype=float) @ axis
    return np.asarray(offset + along * (along @ (np.array(body.centre_of_mass) - offset)))


def _axis_through(model: Model, frame: Frame) -> np.ndarray | None:
    for component in model:
        for edge in component.edges():
            law = edge.law
            if frame.name in (edge.tail, edge.head) and isinstance(law, MotionLaw):
                axis = law.freedom if law.dimension == 1 else None
                if axis is not None:
                    return np.array([float(c) for c in axis])
    return None


def slides(model: Model, poses: BodyPoses) -> list[ShownTie]:
    """Telescopes: between the places of a sliding joint on both of its bodies."""
    found = []
    for joint in model:
        if isinstance(joint, Prismatic) and GROUND not in (joint.tail, joint.head):
            ends = [frame for frame in (joint.tail, joint.head) if frame.body in poses]
            if len(ends) == 2 and GROUND.body not in (ends[0].body, ends[1].body):
                found.append(ShownTie(*(_way(model, poses, frame) for frame in ends)))
    return found


def _way(model: Model, poses: BodyPoses, frame: Frame) -> np.ndarray:
    place = joint_place(model, poses, frame)
    return np.asarray(poses.position[frame.body] + poses.turn[frame.body] @ place)


def surface_numbers(wheel: GroundWheel, courses: RunValues) -> dict[str, float]:
    """The numbers of a wheel's surface, as the run had them."""
    own = wheel.surface.numbers
    return {name: courses.number(f"{wheel.name}.surface.{name}", x) for name, x in own.items()}


def on_ground(wheel: GroundWheel, points: np.ndarray, poses: BodyPoses) -> np.ndarray:
    """Places straight below or above points, on the wheel's ground; instants by points by 3."""
    R, road = poses.axes(wheel.road), poses.place(wheel.road)
    local = np.einsum("tji,tkj->tki", R, points - road[:, None, :])
    height = wheel.surface.height(
        local[..., 0], local[..., 1], surface_numbers(wheel, poses.courses)
    )
    local[..., 2] = np.broadcast_to(np.asarray(height, dtype=float), local.shape[:-1])
    return np.asarray(road[:, None, :] + np.einsum("tij,tkj->tki", R, local))
