"""Random mechanisms in random states that satisfy their constraints."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from mechanisms.description import (
    SLIDING,
    TURNING,
    Drive,
    Gear,
    JointEffort,
    JointSpring,
    Mechanism,
    Mount,
    Push,
    Spring,
)
from mechanisms.random_parts import (
    random_body,
    random_place,
    speed_options,
    turn,
    unit,
    vector,
)
from oracles.newton_euler import GROUND, Joint, Motion, Place, normals
from scipy.spatial.transform import Rotation

KINDS = (
    "Revolute", "Prismatic", "Cylindrical", "Universal", "Spherical", "Planar", "Free", "Weld",
    "Rod", "PointOnLine", "PointOnPlane",
)  # fmt: skip
CLOSING = ("PointOnPlane", "Rod", "PointOnLine", "Spherical", "Universal", "Cylindrical", "Planar")


def random_mechanism(
    random: Random,
    bodies: int,
    loops: int = 0,
    loads: int = 2,
    drives: int = 0,
    gears: int = 0,
    kinds: tuple[str, ...] = KINDS,
    floating: bool = False,
) -> Mechanism:
    """A tree of joints over the ground, some loops closed where the bodies happen to be.

    One that floats has neither gravity nor anything that acts between it and the ground.
    """
    m = Mechanism(np.zeros(3) if floating else vector(random, 10.0), floating=floating)
    m.time = random.uniform(0.0, 2.0)
    for number in range(bodies):
        m.bodies.append(random_body(random))
        m.body_options.append(speed_options(random))
        _hang(m, random, number, "Free" if floating and not number else random.choice(kinds))
    for _ in range(loops):
        _close(m, random)
    for _ in range(drives):
        _drive(m, random)
    for _ in range(gears):
        _gear(m, random)
    _set_in_motion(m, random)
    for _ in range(loads):
        _load(m, random)
    return m


# -- joints --------------------------------------------------------------------------------


def _random_joint(random: Random, kind: str, tail: Place, head: Place) -> tuple[Joint, Any, Any]:
    """A joint, and a displacement and an orientation of its head in its tail that it allows."""
    axis, angle, position = unit(random), random.uniform(-2.5, 2.5), random.uniform(-0.5, 0.5)
    second = normals(axis)[0]
    about = Rotation.from_rotvec(axis * angle).as_matrix()
    across = position * normals(axis)[0] + random.uniform(-0.5, 0.5) * normals(axis)[1]
    away = unit(random) * random.uniform(0.5, 1.0)
    cross = about @ Rotation.from_rotvec(second * random.uniform(-2.5, 2.5)).as_matrix()
    any_turn, here = turn(random), np.zeros(3)
    displacement, orientation = {
        "Revolute": (here, about),
        "Prismatic": (position * axis, np.eye(3)),
        "Cylindrical": (position * axis, about),
        "Universal": (here, cross),
        "Spherical": (here, any_turn),
        "Planar": (across, about),
        "Free": (vector(random), any_turn),
        "Weld": (here, np.eye(3)),
        "Rod": (away, any_turn),
        "PointOnLine": (position * axis, any_turn),
        "PointOnPlane": (across, any_turn),
    }[kind]
    joint = Joint(kind, tail, head, axis, second, float(np.linalg.norm(away)))
    return joint, (displacement, angle, position), orientation


def _hang(m: Mechanism, random: Random, number: int, kind: str) -> None:
    """Join a new body to the ground or to one before it, either way round, and place it."""
    parent = random.choice(_hosts(m, number))
    on_parent, on_child = random_place(random, parent), random_place(random, number)
    forward = random.random() < 0.6
    tail, head = (on_parent, on_child) if forward else (on_child, on_parent)
    joint, (displacement, angle, position), R_tail_head = _random_joint(random, kind, tail, head)
    at = m.oracle().point(on_parent)
    r, R = at.x, at.R
    if forward:
        r, R = r + R @ displacement, R @ R_tail_head
    else:
        R = R @ R_tail_head.T
        r = r - R @ displacement
    R_body = R @ on_child.turn.T
    rest = np.zeros(3)
    m.motions.append(Motion(r - R_body @ on_child.position, R_body, rest, rest))
    _keep(m, random, joint, angle, position)


def _hosts(m: Mechanism, count: int) -> list[int]:
    """What a joint or a load may act on: the first bodies, and the ground if it may."""
    return [*range(count)] if m.floating and count else [GROUND, *range(count)]


def _close(m: Mechanism, random: Random) -> None:
    """A joint between two bodies as they stand, if it leaves a freedom and repeats no row."""
    places = _hosts(m, len(m.bodies))
    for kind in random.sample(CLOSING, len(CLOSING)) if len(places) > 1 else ():
        a, b = random.sample(places, 2)
        if b == GROUND:
            a, b = b, a
        tail = random_place(random, a)
        joint, (d, angle, position), R = _random_joint(random, kind, tail, tail)
        at = m.oracle().point(tail)
        body = m.motions[b]
        spot = body.R.T @ (at.x + at.R @ d - body.r)
        head = Place(b, spot, body.R.T @ at.R @ R)
        closed = Joint(kind, tail, head, joint.axis, joint.second, joint.length)
        rows = [row.row for row in m.oracle().rows(closed)]
        if _adds_only_independent(m, rows):
            _keep(m, random, closed, angle, position)
            return


def _keep(m: Mechanism, random: Random, joint: Joint, angle: float, position: float) -> None:
    m.joints.append(joint)
    m.travels.append((angle, position))
    m.options.append(speed_options(random) if joint.kind in ("Free", "Spherical") else {})


def _adds_only_independent(m: Mechanism, rows: list[np.ndarray]) -> bool:
    whole = np.vstack([m.jacobian(), *rows])
    values = np.linalg.svd(whole, compute_uv=False)
    return len(whole) < whole.shape[1] and bool(values[-1] > 0.03)


def _drive(m: Mechanism, random: Random) -> None:
    for index in random.sample(range(len(m.joints)), len(m.joints)):
        kind = m.joints[index].kind
        rotational = kind in TURNING and (kind not in SLIDING or random.random() < 0.5)
        if not rotational and kind not in SLIDING:
            continue
        along = m.oracle().turning if rotational else m.oracle().sliding
        if _adds_only_independent(m, [along(m.joints[index]).row]):
            rate, acceleration = random.uniform(-1, 1), random.uniform(-1, 1)
            m.drives.append(Drive(index, rotational, rate, acceleration, random.random() < 0.5))
            return


def _gear(m: Mechanism, random: Random) -> None:
    turning = [k for k, joint in enumerate(m.joints) if joint.kind in TURNING]
    if len(turning) < 2:
        return
    a, b = random.sample(turning, 2)
    ratio = m.travels[a][0] / m.travels[b][0]
    oracle = m.oracle()
    row = oracle.turning(m.joints[a]).row - ratio * oracle.turning(m.joints[b]).row
    if 0.1 < abs(ratio) < 10.0 and _adds_only_independent(m, [row]):
        m.gears.append(Gear(a, b, ratio))


# -- state and loads -----------------------------------------------------------------------


def _set_in_motion(m: Mechanism, random: Random) -> None:
    """The random speeds nearest to which the constraints allow."""
    speeds = np.concatenate([vector(random) for _ in range(2 * len(m.bodies))])
    J = m.jacobian()
    speeds += np.linalg.lstsq(J, m.wanted_rates() - J @ speeds, rcond=1e-12)[0]
    for k, (body, motion) in enumerate(zip(m.bodies, m.motions, strict=True)):
        v, w = speeds[6 * k : 6 * k + 3], speeds[6 * k + 3 : 6 * k + 6]
        v = v - np.cross(w, motion.R @ body.centre)
        m.motions[k] = Motion(motion.r, motion.R, v, w)


def _load(m: Mechanism, random: Random) -> None:
    places = _hosts(m, len(m.bodies))
    if len(places) == 1:
        return
    a, b = (random_place(random, body) for body in random.sample(places, 2))
    joint = random.randrange(len(m.joints))
    kind = m.joints[joint].kind
    rotational = kind in TURNING
    sort = random.choice(("spring", "mount", "push", "joint spring", "effort"))
    k, c = random.uniform(1.0, 20.0), random.uniform(0.1, 2.0)
    if sort in ("joint spring", "effort") and kind not in TURNING + SLIDING:
        sort = "spring"
    if sort == "spring":
        m.loads.append(Spring(a, b, k, c, random.uniform(0.1, 1.0)))
    elif sort == "mount":
        matrices = [_definite(random) for _ in range(4)]
        m.loads.append(Mount(a, b, *matrices))
    elif sort == "push":
        basis = random.choice(("tail", "head"))
        m.loads.append(Push(a, b, vector(random, 5.0), vector(random, 5.0), basis))
    elif sort == "joint spring":
        m.loads.append(JointSpring(joint, rotational, k, c))
    else:
        m.loads.append(JointEffort(joint, rotational, random.uniform(-5.0, 5.0)))


def _definite(random: Random) -> np.ndarray:
    A = np.array([vector(random) for _ in range(3)])
    return A @ A.T + 0.1 * np.eye(3)
