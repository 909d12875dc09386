"""Wheels that spin and steer, the forces of the ground on them, and what they leave in soil."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from axletree.components.frames import Frame
from axletree.model.model import Model
from axletree.reports.animation.bodies import WheelSize, on_ground, wheel_size
from axletree.reports.animation.mesh import axes_along, rim_mark, rim_mesh, tyre_mesh
from axletree.reports.animation.motion import BodyPoses
from axletree.reports.animation.scene import (
    Actor,
    Rut,
    ShownForce,
    ShownPiece,
    quaternions,
    wheel_colour,
)
from axletree.system.system import System
from axletree.wheel.wheel import Wheel, wheels_of


@dataclass(frozen=True, eq=False)
class ShownWheel:
    """A wheel and all that is shown of it."""

    component: Wheel
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
    shown = {f"{wheel.name}.{word}" for wheel in wheels_of(model) for word in wheel.outputs.names}
    return [d.quantity.name for d in system.outputs if d.quantity.name in shown]


def _shown(wheel: Wheel, colour: str, model: Model, poses: BodyPoses) -> ShownWheel:
    head, axis = wheel.rim_frame, np.array(wheel.axis, dtype=float)
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
    contact = _told_contact(wheel, poses) or _contact_below(wheel, size, actor, poses)
    force = _force(wheel, contact, poses)
    rut = None if force is None else _rut(wheel, size, contact, poses)
    return ShownWheel(wheel, size, actor, force, rut, centre if force is None else contact.point)


def _spin(wheel: Wheel, axis: np.ndarray, head: Frame, poses: BodyPoses) -> np.ndarray:
    """How far the wheel has turned on its carrier [rad], whole turns included."""
    relative = poses.axes(wheel.carrier).transpose(0, 2, 1) @ poses.axes(head)
    across, left = axes_along(axis)[:, 0], axes_along(axis)[:, 1]
    turned = relative @ across
    angle = np.arctan2(turned @ left, turned @ across)
    courses, name = poses.courses, f"{wheel.axle.name}.angle"
    if name not in courses.run:
        return np.asarray(np.unwrap(angle))
    whole = np.round((courses.values([name])[name] - angle) / (2.0 * np.pi))
    return np.asarray(angle + 2.0 * np.pi * whole)


@dataclass(frozen=True)
class _Contact:
    """Where a wheel touches the ground or would come down, in ground axes; rows are instants."""

    point: np.ndarray  # [m]
    forward: np.ndarray  # unit vectors
    normal: np.ndarray
    lowest: np.ndarray  # [m], of the wheel

    @property
    def left(self) -> np.ndarray:
        return np.cross(self.normal, self.forward)


def _told_contact(wheel: Wheel, poses: BodyPoses) -> _Contact | None:
    """By the wheel's own outputs, if it has them."""
    names = wheel.contact_names()
    if not names or not poses.courses.has(*names):
        return None
    values = np.stack(_columns(poses, names), axis=1)
    R = poses.axes(wheel.road)
    point, forward, normal = (
        np.einsum("tij,tj->ti", R, values[:, k : k + 3]) for k in (0, 3, 6)
    )  # fmt: skip
    point = poses.place(wheel.road) + point
    return _Contact(point, forward, normal, point)


def _contact_below(wheel: Wheel, size: WheelSize, actor: Actor, poses: BodyPoses) -> _Contact:
    """By the pose: below the lowest point, on the ground where nobody has driven."""
    R_road, road = poses.axes(wheel.road), poses.place(wheel.road)
    aside = np.einsum("tij,j->ti", poses.axes(wheel.carrier), np.array(actor.axis))
    numbers = wheel.values_of("surface", poses.courses.facts.parameters)
    local = np.einsum("tji,tj->ti", R_road, actor.position - road)
    parts = wheel.surface.normal(local[:, 0], local[:, 1], numbers)
    normal = np.stack([np.broadcast_to(np.asarray(n, float), len(local)) for n in parts], axis=1)
    normal = np.einsum("tij,tj->ti", R_road, normal)
    up = _unit(normal - np.sum(normal * aside, axis=1, keepdims=True) * aside)
    lowest = actor.position - size.radius * up
    found = _Contact(lowest, _unit(np.cross(aside, normal)), normal, lowest)
    return replace(found, point=_edges(wheel, size, found, poses).mean(axis=1))


def _edges(wheel: Wheel, size: WheelSize, contact: _Contact, poses: BodyPoses) -> np.ndarray:
    """Right and left of the contact by half of the wheel's width, on the ground [m]."""
    half = 0.5 * size.width * contact.left
    return on_ground(wheel, np.stack([contact.lowest - half, contact.lowest + half], axis=1), poses)


def _force(wheel: Wheel, contact: _Contact, poses: BodyPoses) -> ShownForce | None:
    """In the air it is nothing."""
    names = wheel.force_names(poses.courses.known)
    if not poses.courses.has(*names):
        return None
    directions = (contact.normal, contact.forward, contact.left)
    vector = np.zeros_like(contact.point)
    for force, direction in zip(_columns(poses, names), directions, strict=False):
        vector = vector + np.nan_to_num(force)[:, None] * direction
    return ShownForce(wheel.name, contact.point, np.nan_to_num(vector))


def _rut(wheel: Wheel, size: WheelSize, contact: _Contact, poses: BodyPoses) -> Rut | None:
    """As deep as the wheel has sunk."""
    name = f"{wheel.name}.{wheel.outputs.sinkage}"
    if wheel.outputs.sinkage is None or not poses.courses.has(name):
        return None
    sinkage = np.maximum(np.nan_to_num(_columns(poses, [name])[0]), 0.0)
    top, up = _edges(wheel, size, contact, poses), poses.axes(wheel.road)[:, None, :, 2]
    return Rut(wheel.name, top, top - sinkage[:, None, None] * up, sinkage)


def _columns(poses: BodyPoses, names: Sequence[str]) -> list[np.ndarray]:
    found = poses.courses.values(names)
    return [found[name] for name in names]


def _unit(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
