"""A car on double wishbones in motion, described by plain numbers for an independent solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from mechanisms.description import Drive, Mechanism, Spring
from oracles.newton_euler import GROUND, Body, Joint, Motion, Place

import axletree as at

KINDS = ("Free", "Revolute", "Prismatic", "Spherical", "Rod")


def motion_outputs(model: Any) -> list[str]:
    """Names of the outputs that say how all bodies move."""
    found = []
    for body in _bodies(model):
        for kind in ("position", "velocity", "angular_velocity"):
            found += [f"{body.name}.{kind}.{axis}" for axis in "xyz"]
        found += [f"{body.name}.rotation.{i}{j}" for i in "123" for j in "123"]
    return found


def described_car(
    model: Any, moved: Mapping[str, float], rack: tuple[float, float, float]
) -> tuple[Mechanism, list[str]]:
    """The model where outputs have these values, and the names of its joints in their order.

    ``rack`` is its position, rate and acceleration.
    """
    bodies = _bodies(model)
    m = Mechanism(np.array(model.gravity))
    place = {"ground": GROUND} | {body.name: k for k, body in enumerate(bodies)}

    def on(frame: Any) -> Place:
        return Place(place[frame.body], np.array(frame.position), np.array(frame.turn))

    for body in bodies:
        m.bodies.append(_body(body))
        m.body_options.append({})
        m.motions.append(_motion(body.name, moved))
    joints = [c for c in model if type(c).__name__ in KINDS and not c.name.endswith("_turn")]
    hung = {joint.head.body for joint in joints}
    joints.sort(key=lambda c: type(c).__name__ == "Rod" or c.name.endswith("_top"))
    assert hung >= {body.name for body in bodies}
    for joint in joints:
        axis = np.array(getattr(joint, "axis", (0.0, 0.0, 1.0)), dtype=float)
        length = getattr(joint, "length", 0.0)
        kind = type(joint).__name__
        m.joints.append(Joint(kind, on(joint.tail), on(joint.head), axis, length=length))
        m.travels.append((0.0, rack[0] if kind == "Prismatic" else 0.0))
        m.options.append({})
    (sliding,) = (k for k, joint in enumerate(m.joints) if joint.kind == "Prismatic")
    m.drives.append(Drive(sliding, False, rack[1], rack[2], as_input=True))
    for part in model:
        if isinstance(part, at.SpringDamper):
            law = part.stiffness, part.damping, part.free_length
            m.loads.append(Spring(on(part.tail), on(part.head), *law))
    return m, [joint.name for joint in joints]


def _bodies(model: Any) -> list[Any]:
    return [c for c in model if isinstance(c, at.RigidBody | at.BodyOfRevolution)]


def _body(body: Any) -> Body:
    if isinstance(body, at.BodyOfRevolution):
        across, along = body.transverse_inertia, body.axial_inertia
        return Body(body.mass, np.diag([across, along, across]), np.zeros(3))
    return Body(body.mass, np.diag(body.inertia[:3]), np.array(body.centre_of_mass, dtype=float))


def _motion(name: str, moved: Mapping[str, float]) -> Motion:
    def vector(kind: str) -> np.ndarray:
        return np.array([moved[f"{name}.{kind}.{axis}"] for axis in "xyz"])

    R = np.array([[moved[f"{name}.rotation.{i}{j}"] for j in "123"] for i in "123"])
    return Motion(vector("position"), R, vector("velocity"), vector("angular_velocity"))
