"""Which instants of a scene a picture of some of them shows."""

from __future__ import annotations

import numpy as np

from axletree.report.animation.scene import Actor, Scene, turned

ASIDE = 0.15  # of the run, from an even place in time
PULL = 0.05  # sizes of the scene, by which instants have to differ more to be taken from so far off


def even_instants(scene: Scene, count: int) -> list[int]:
    """As far apart from one another in time as they can be."""
    return [int(np.argmin(np.abs(scene.time - t))) for t in _even(scene, count)]


def unlike_instants(scene: Scene, count: int) -> list[int]:
    """Near even ones, but each as unlike those before it as can be.

    What swings would be shown in one and the same place if instants were whole periods apart.
    """
    looks = np.concatenate([_look(actor, scene) for actor in scene.actors], axis=1)
    reach = ASIDE * float(scene.time[-1] - scene.time[0])
    chosen = [0]
    for t in _even(scene, count)[1:]:
        away = np.abs(scene.time - t)
        near = np.flatnonzero(away <= max(reach, float(away.min())))
        gaps = np.linalg.norm(looks[near, None] - looks[None, chosen], axis=2).min(axis=1)
        chosen.append(int(near[np.argmax(gaps - PULL * away[near] / (reach or 1.0))]))
    return chosen


def _even(scene: Scene, count: int) -> np.ndarray:
    return np.linspace(scene.time[0], scene.time[-1], count)


def _look(actor: Actor, scene: Scene) -> np.ndarray:
    """Where an actor's origin and its axes' ends are before the camera, in sizes of the scene."""
    points = np.concatenate([piece.mesh.points for piece in actor.pieces])
    reach = float(np.linalg.norm(points, axis=1).max())
    ends = [turned(actor.rotation, reach * axis) for axis in np.eye(3)]
    return np.concatenate([actor.position - scene.focus, *ends], axis=1) / scene.size
