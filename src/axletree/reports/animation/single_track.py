"""Which bodies of a model are a motorcycle or bicycle, and their shapes in their own axes.

Such a model has two wheels in line, one of them on a body that turns about a steering axis of the
frame: rear wheel, perhaps on a swing arm, frame, fork, perhaps with legs that slide, front wheel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.components.bodies import RigidBody
from axletree.components.frames import GROUND, Frame
from axletree.components.joints import Prismatic, Revolute
from axletree.model.model import Model
from axletree.reports.animation.motion import BodyPoses
from axletree.reports.animation.scene import ShownPiece
from axletree.reports.animation.single_track_shapes import (
    FrameMeasures,
    SteeringAxis,
    fork_shape,
    frame_shape,
    legs_shape,
    swing_arm_shape,
)
from axletree.wheel.wheel import Wheel, wheels_of

_IN_LINE: Final = 0.5  # radii by which wheels are aside of one another at most
_UPRIGHT: Final = 0.5  # of the direction of a steering axis, at least
_APART: Final = 0.3  # radii between the tubes of a fork, where no tyre has a width


@dataclass(frozen=True)
class _Found:
    """The parts of one, by their bodies."""

    frame: str
    fork: str
    legs: str | None
    swing_arm: str | None
    steer: Revolute
    front: Wheel
    rear: Wheel


def single_track_pieces(model: Model, poses: BodyPoses) -> dict[str, list[ShownPiece]]:
    """By body, all that is shown of motorcycles and bicycles; nothing of other models.

    A body is drawn from where its wheels are at the first instant.
    """
    wheels = [w for w in wheels_of(model) if w.carrier.body in poses]
    pieces: dict[str, list[ShownPiece]] = {}
    for front in wheels:
        for rear in wheels:
            found = None if front is rear else _found(model, front, rear)
            if found is not None and _is_in_line(found, model, poses):
                pieces |= _shapes(found, model, poses)
    return pieces


def _found(model: Model, front: Wheel, rear: Wheel) -> _Found | None:
    """The chain from the front wheel over its steering axis to the rear one."""
    if "vehicle" in model.described or GROUND.body in (front.carrier.body, rear.carrier.body):
        return None
    ahead, behind = front.carrier.body, rear.carrier.body
    legs = None
    for joint in _between(model, ahead):
        if isinstance(joint, Prismatic):
            legs, ahead = ahead, _other(joint, ahead)
            break
    for joint in _between(model, ahead):
        frame = _other(joint, ahead)  # the ground's joints are left out, others join components
        is_rigid = frame in model and isinstance(model[frame], RigidBody)
        if not isinstance(joint, Revolute) or not is_rigid:
            continue
        if frame == behind:
            return _Found(frame, ahead, legs, None, joint, front, rear)
        for swing in _between(model, behind):
            if isinstance(swing, Revolute) and _other(swing, behind) == frame:
                return _Found(frame, ahead, legs, behind, joint, front, rear)
    return None


def _between(model: Model, body: str) -> list[Revolute | Prismatic]:
    """Joints of a body with other bodies than the ground."""
    return [
        joint for joint in model
        if isinstance(joint, Revolute | Prismatic)
        and body in (joint.tail.body, joint.head.body)
        and GROUND.body not in (joint.tail.body, joint.head.body)
    ]  # fmt: skip


def _other(joint: Revolute | Prismatic, body: str) -> str:
    return joint.head.body if joint.tail.body == body else joint.tail.body


def _in_body(poses: BodyPoses, body: str, point: np.ndarray) -> np.ndarray:
    """A place at the first instant, in the axes of a body [m]."""
    return np.asarray((point - poses.position[body][0]) @ poses.turn[body][0])


def _axis(found: _Found, body: str, poses: BodyPoses) -> SteeringAxis:
    frame: Frame = found.steer.tail
    along = poses.axes(frame)[0] @ np.array(found.steer.axis, dtype=float)
    up = along @ poses.turn[body][0]
    return SteeringAxis(_in_body(poses, body, poses.place(frame)[0]), up * np.sign(up[2] or 1.0))


def _centre(wheel: Wheel, body: str, poses: BodyPoses) -> np.ndarray:
    return _in_body(poses, body, poses.place(wheel.carrier)[0])


def _is_in_line(found: _Found, model: Model, poses: BodyPoses) -> bool:
    front, rear = (_centre(w, found.frame, poses) for w in (found.front, found.rear))
    radius = _radius(found, poses)
    axis = _axis(found, found.frame, poses)
    beside = [w for w in wheels_of(model) if w.carrier.body == found.rear.carrier.body]
    return bool(
        front[0] > rear[0] + radius and max(abs(front[1]), abs(rear[1])) < _IN_LINE * radius
        and axis.up[2] > _UPRIGHT and len(beside) == 1
    )  # fmt: skip


def _radius(found: _Found, poses: BodyPoses) -> float:
    return max(_size(wheel, poses)[0] for wheel in (found.front, found.rear))


def _size(wheel: Wheel, poses: BodyPoses) -> tuple[float, float]:
    """Radius and width [m]."""
    values = poses.courses.facts.parameters
    radius = wheel.drawn_radius(values)
    return radius, wheel.drawn_width(values) or _APART * radius


def _shapes(found: _Found, model: Model, poses: BodyPoses) -> dict[str, list[ShownPiece]]:
    frame = model[found.frame]
    assert isinstance(frame, RigidBody), "it is looked for"
    radius, rear = _radius(found, poses), _centre(found.rear, found.frame, poses)
    measures = FrameMeasures(
        rear, _axis(found, found.frame, poses), radius,
        float(rear[2] - _size(found.rear, poses)[0]), frame.mass, frame.centre_of_mass[2],
    )  # fmt: skip
    own, width = _size(found.front, poses)
    made = {found.frame: frame_shape(measures)}
    made[found.fork] = fork_shape(
        measures.kind, _centre(found.front, found.fork, poses), _axis(found, found.fork, poses),
        own, width, sprung=found.legs is not None,
    )  # fmt: skip
    if found.legs is not None:
        axle, axis = _centre(found.front, found.legs, poses), _axis(found, found.legs, poses)
        made[found.legs] = [ShownPiece(legs_shape(axle, axis, own, width), "plate")]
    if found.swing_arm is not None:
        pivots = [
            joint for joint in _between(model, found.swing_arm)
            if _other(joint, found.swing_arm) == found.frame
        ]  # fmt: skip
        pivot = _in_body(poses, found.swing_arm, poses.place(pivots[0].tail)[0])
        axle = _centre(found.rear, found.swing_arm, poses)
        own, width = _size(found.rear, poses)
        made[found.swing_arm] = [ShownPiece(swing_arm_shape(axle, pivot, own, width), "plate")]
    return made
