"""Wheels that spin and steer, the forces of the ground on them, and what they leave in soil."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.components.frames import Frame
from axletree.components.joints import turn_of
from axletree.model.model import Model
from axletree.report.animation.mesh import axes_along, rim_mark, rim_mesh, tyre_mesh
from axletree.report.animation.motion import BodyPoses
from axletree.report.animation.scene import (
    Actor,
    Rut,
    ShownForce,
    ShownPiece,
    quaternions,
    wheel_colour,
)
from axletree.report.animation.structure import (
    GroundWheel,
    WheelSize,
    on_ground,
    surface_numbers,
    wheel_size,
    wheels_of,
)
from axletree.system.system import System
from axletree.wheel.soils.soil_wheel import SoilWheel
from axletree.wheel.tyre import Tyre

SOIL_WORDS = ("normal_force", "drawbar_pull", "sinkage", "lateral_force", "side_force")


@dataclass(frozen=True, eq=False)
class ShownWheel:
    """A wheel and all that is shown of it."""

    component: GroundWheel
    size: WheelSize
    actor: Actor
    force: ShownForce | None
    rut: Rut | None
    contact: np.ndarray  # by 3 [m], on the ground


def shown_wheels(model: Model, poses: BodyPoses) -> list[ShownWheel]:
    """The wheels whose carriers' poses are known."""
    wheels = [w for w in wheels_of(model) if w.carrier.body in poses and w.road.body in poses]
    return [_shown(wheel, wheel_colour(k), model, poses) for k, wheel in enumerate(wheels)]


def wheel_outputs(model: Model, system: System) -> list[str]:
    """What has to be recorded where forces are those of a step and follow from no state."""
    wheels = {wheel.name for wheel in wheels_of(model)}
    words = (*SOIL_WORDS, "Fx", "Fy", "Fz", "contact_point", "forward", "normal")
    pairs = (d.quantity.name.split(".")[:2] + [d.quantity.name] for d in system.outputs)
    return [name for owner, word, name in pairs if owner in wheels and word in words]


def _shown(wheel: GroundWheel, colour: str, model: Model, poses: BodyPoses) -> ShownWheel:
    edge, along = turn_of(wheel.joint)
    head, axis = model.frames[edge.head], np.array(along, dtype=float)
    size = wheel_size(wheel, model, poses.courses)
    pieces = (
        ShownPiece(tyre_mesh(axis, size.radius, size.width), "tyre"),
        ShownPiece(rim_mesh(axis, size.radius, size.width), colour),
        ShownPiece(rim_mark(axis, size.radius, size.width), "mark"),
    )
    known = head.body in poses
    centre = poses.place(head if known else wheel.carrier)
    spin = _spin(wheel, axis, head, poses) if known else None
    turns = quaternions(poses.axes(wheel.carrier))
    actor = Actor(wheel.name, pieces, centre, turns, tuple(axis.tolist()), spin)
    if isinstance(wheel, SoilWheel):
        return _on_soil(wheel, size, actor, axis, poses)
    force = _tyre_force(wheel, poses)
    contact = centre if force is None else force.point
    return ShownWheel(wheel, size, actor, force, None, contact)


def _spin(wheel: GroundWheel, axis: np.ndarray, head: Frame, poses: BodyPoses) -> np.ndarray:
    """How far the wheel has turned on its carrier [rad], whole turns included."""
    relative = poses.axes(wheel.carrier).transpose(0, 2, 1) @ poses.axes(head)
    across, left = axes_along(axis)[:, 0], axes_along(axis)[:, 1]
    turned = relative @ across
    angle = np.arctan2(turned @ left, turned @ across)
    courses, name = poses.courses, f"{turn_of(wheel.joint)[0].name}.angle"
    if name not in courses.run:
        return np.asarray(np.unwrap(angle))
    whole = np.round((courses.values([name])[name] - angle) / (2.0 * np.pi))
    return np.asarray(angle + 2.0 * np.pi * whole)


def _tyre_force(wheel: Tyre, poses: BodyPoses) -> ShownForce | None:
    """Where it touches the ground, and the force there; in the air the force is nothing."""
    words = ("contact_point", "forward", "normal")
    names = [f"{wheel.name}.{word}.{axis}" for word in words for axis in "xyz"]
    names += [f"{wheel.name}.{word}" for word in ("Fx", "Fy", "Fz")]
    if not poses.courses.has(*names):
        return None
    values = np.stack([v for _, v in _ordered(poses, names)], axis=1)
    point, forward, normal = values[:, 0:3], values[:, 3:6], values[:, 6:9]
    Fx, Fy, Fz = (values[:, k, None] for k in (9, 10, 11))
    vector = Fx * forward + Fy * np.cross(normal, forward) + Fz * normal
    R = poses.axes(wheel.road)
    place = poses.place(wheel.road) + np.einsum("tij,tj->ti", R, point)
    return ShownForce(wheel.name, place, np.nan_to_num(np.einsum("tij,tj->ti", R, vector)))


def _ordered(poses: BodyPoses, names: Sequence[str]) -> list[tuple[str, np.ndarray]]:
    found = poses.courses.values(names)
    return [(name, found[name]) for name in names]


def _on_soil(
    wheel: SoilWheel, size: WheelSize, actor: Actor, axis: np.ndarray, poses: BodyPoses
) -> ShownWheel:
    """The lowest point below the ground, as deep as the wheel has sunk, and its rut."""
    R_road, road = poses.axes(wheel.road), poses.place(wheel.road)
    left = np.einsum("tij,j->ti", poses.axes(wheel.carrier), axis)
    numbers = surface_numbers(wheel, poses.courses)
    local = np.einsum("tji,tj->ti", R_road, actor.position - road)
    parts = wheel.surface.normal(local[:, 0], local[:, 1], numbers)
    normal = np.stack([np.broadcast_to(np.asarray(n, float), len(local)) for n in parts], axis=1)
    normal = np.einsum("tij,tj->ti", R_road, normal)
    forward = _unit(np.cross(left, normal))
    names = [f"{wheel.name}.{word}" for word in SOIL_WORDS]
    names, side = names[:3], names[3:]
    names.append(next((name for name in side if poses.courses.has(name)), names[0]))
    Fz, Fx, sinkage, Fy = (np.nan_to_num(value) for _, value in _ordered(poses, names))
    if names[3] == names[0]:
        Fy = np.zeros_like(Fz)
    up = _unit(normal - np.sum(normal * left, axis=1, keepdims=True) * left)
    lowest = actor.position - size.radius * up
    across = np.cross(normal, forward)
    vector = Fx[:, None] * forward + Fy[:, None] * across + Fz[:, None] * normal
    rut = _rut(wheel, size, lowest, across, np.maximum(sinkage, 0.0), poses)
    force = ShownForce(wheel.name, rut.top.mean(axis=1), vector)
    return ShownWheel(wheel, size, actor, force, rut, force.point)


def _rut(
    wheel: SoilWheel,
    size: WheelSize,
    lowest: np.ndarray,
    across: np.ndarray,
    sinkage: np.ndarray,
    poses: BodyPoses,
) -> Rut:
    half = 0.5 * size.width * across
    edges = np.stack([lowest - half, lowest + half], axis=1)
    top = on_ground(wheel, edges, poses)
    down = poses.axes(wheel.road)[:, :, 2]
    floor = top - sinkage[:, None, None] * down[:, None, :]
    return Rut(wheel.name, top, floor, sinkage)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
