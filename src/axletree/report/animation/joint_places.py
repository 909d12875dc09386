"""Where joints are seen on bodies."""

from __future__ import annotations

import numpy as np

from axletree.library.bodies import RigidBody
from axletree.library.edge import MotionLaw
from axletree.library.frame import GROUND, Frame
from axletree.library.joints.prismatic import Prismatic
from axletree.model.model import Model
from axletree.report.animation.courses import Poses
from axletree.report.animation.joined_bodies import wheels_of
from axletree.report.animation.scene import Tie
from axletree.report.animation.wheel_size import wheel_size


def joint_points(model: Model, poses: Poses, body: str, same: float) -> np.ndarray:
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


def joint_place(model: Model, poses: Poses, frame: Frame) -> np.ndarray:
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


def slides(model: Model, poses: Poses) -> list[Tie]:
    """Telescopes: between the places of a sliding joint on both of its bodies."""
    found = []
    for joint in model:
        if isinstance(joint, Prismatic) and GROUND not in (joint.tail, joint.head):
            ends = [frame for frame in (joint.tail, joint.head) if frame.body in poses]
            if len(ends) == 2 and GROUND.body not in (ends[0].body, ends[1].body):
                found.append(Tie(*(_way(model, poses, frame) for frame in ends)))
    return found


def _way(model: Model, poses: Poses, frame: Frame) -> np.ndarray:
    place = joint_place(model, poses, frame)
    return np.asarray(poses.position[frame.body] + poses.turn[frame.body] @ place)
