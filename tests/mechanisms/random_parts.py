"""Random vectors, turns, bodies and frames, special ones as often as any."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from oracles.newton_euler import Body, Place
from scipy.spatial.transform import Rotation

ORIENTATIONS = ("321", "312", "313", "quaternion")


def vector(random: Random, size: float = 1.0) -> np.ndarray:
    return np.array([random.uniform(-size, size) for _ in range(3)])


def unit(random: Random) -> np.ndarray:
    """A coordinate axis of either sign as often as any other direction."""
    if random.random() < 0.5:
        return random.choice((-1.0, 1.0)) * np.eye(3)[random.randrange(3)]
    found = np.array([random.gauss(0.0, 1.0) for _ in range(3)])
    return found / np.linalg.norm(found)


def turn(random: Random) -> np.ndarray:
    return Rotation.from_rotvec(vector(random, 2.0)).as_matrix()


def random_body(random: Random) -> Body:
    """Of four point masses: its inertia is one that a body can have."""
    points = [vector(random, 0.5) for _ in range(4)]
    weights = [random.uniform(0.2, 1.0) for _ in points]
    inertia = sum(
        (w * ((p @ p) * np.eye(3) - np.outer(p, p)) for w, p in zip(weights, points, strict=True)),
        np.zeros((3, 3)),
    )
    mass = sum(weights)
    centre = vector(random, 0.3) if random.random() < 0.5 else np.zeros(3)
    if random.random() < 0.3:
        inertia = np.diag(np.diag(inertia))
    return Body(mass, inertia + 0.02 * np.eye(3), centre)


def random_place(random: Random, body: int) -> Place:
    """The body's own frame, a point, or a turned frame."""
    sort = random.random()
    position = np.zeros(3) if sort < 0.25 else vector(random, 0.6)
    return Place(body, position, turn(random) if sort > 0.6 else np.eye(3))


def speed_options(random: Random) -> dict[str, Any]:
    return {
        "orientation": random.choice(ORIENTATIONS),
        "speeds": random.choice(("derivatives", "body")),
    }
