"""A described mechanism as a model of components."""

from __future__ import annotations

from typing import Any

import numpy as np
from mechanisms.description import Mechanism, Mount, Push, Spring
from oracles.newton_euler import GROUND, Joint, Place
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.components.signals import TIME

WELD_OFFSET, WELD_TURN = np.array([0.2, -0.1, 0.3]), [("x", 0.4), ("z", -0.7)]


def build_model(m: Mechanism) -> Any:
    """The same mechanism out of components: b0, b1 ... for bodies, j0, j1 ... for joints."""
    return _Builder(m).model


class _Builder:
    def __init__(self, m: Mechanism) -> None:
        self.mechanism = m
        self.model = at.Model("random", gravity=tuple(m.gravity.tolist()))
        for k, (body, options) in enumerate(zip(m.bodies, m.body_options, strict=True)):
            J = body.inertia
            elements = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
            centre = tuple(body.centre.tolist())
            self.model.add(at.RigidBody(f"b{k}", body.mass, elements, centre, **options))
        for k, joint in enumerate(m.joints):
            self.model.add(self._joint(f"j{k}", joint, m.options[k]))
        for k, load in enumerate(m.loads):
            self.model.add(self._load(f"load{k}", load))
        for k, drive in enumerate(m.drives):
            self.model.add(self._drive(f"drive{k}", drive))
        for k, gear in enumerate(m.gears):
            a, b = self.model[f"j{gear.a}"], self.model[f"j{gear.b}"]
            self.model.add(at.GearPair(f"gear{k}", a, b, gear.ratio))

    def _frame(self, place: Place, label: str) -> Any:
        body = self.model.ground if place.body == GROUND else self.model[f"b{place.body}"]
        position = tuple(place.position.tolist())
        turned = not np.array_equal(place.turn, np.eye(3))
        if not turned and not any(position):
            return body
        if not turned:
            return body.point(*position, label)
        angles = Rotation.from_matrix(place.turn).as_euler("ZYX")
        return body.frame(label, position, list(zip("zyx", angles.tolist(), strict=True)))

    def _joint(self, name: str, joint: Joint, options: dict[str, Any]) -> Any:
        tail, head = self._frame(joint.tail, f"{name}_tail"), None
        if joint.kind == "Weld":
            R = Rotation.from_euler("XZ", [angle for _, angle in WELD_TURN]).as_matrix()
            spot = joint.head.position + joint.head.turn @ WELD_OFFSET
            head = self._frame(Place(joint.head.body, spot, joint.head.turn @ R), f"{name}_head")
            return at.Weld(name, tail, head, tuple(WELD_OFFSET.tolist()), WELD_TURN)
        head = self._frame(joint.head, f"{name}_head")
        axis = tuple(joint.axis.tolist())
        if joint.kind == "Universal":
            return at.Universal(name, tail, head, axis, tuple(joint.second.tolist()))
        if joint.kind == "Rod":
            return at.Rod(name, tail, head, joint.length)
        given = () if joint.kind in ("Spherical", "Free") else (axis,)
        return getattr(at, joint.kind)(name, tail, head, *given, **options)

    def _load(self, name: str, load: Any) -> Any:
        if isinstance(load, Spring | Mount | Push):
            ends = (self._frame(load.tail, f"{name}_tail"), self._frame(load.head, f"{name}_head"))
        if isinstance(load, Spring):
            numbers = (load.stiffness, load.damping, load.free_length)
            return at.SpringDamper(name, *ends, *numbers)
        if isinstance(load, Mount):
            return at.Bushing(
                name, *ends, stiffness=load.stiffness.tolist(), damping=load.damping.tolist(),
                rotational_stiffness=load.rotational_stiffness.tolist(),
                rotational_damping=load.rotational_damping.tolist(),
            )  # fmt: skip
        if isinstance(load, Push):
            return at.LoadDriver(name, *ends, *load.force, *load.moment, basis=load.basis)
        joint = self.model[f"j{load.joint}"]
        if hasattr(load, "effort"):
            return (at.JointTorque if load.rotational else at.JointForce)(name, joint, load.effort)
        spring = at.RotationalSpringDamper if load.rotational else at.SlideSpringDamper
        return spring(name, joint, stiffness=load.stiffness, damping=load.damping)

    def _drive(self, name: str, drive: Any) -> Any:
        joint = self.model[f"j{drive.joint}"]
        kind = at.RotationDriver if drive.rotational else at.TranslationDriver
        if drive.as_input:
            return kind(name, joint)
        travel = self.mechanism.travels[drive.joint][0 if drive.rotational else 1]
        since = TIME - self.mechanism.time
        course = travel + drive.rate * since + (0.5 * drive.acceleration) * since * since
        return kind(name, joint, course)
