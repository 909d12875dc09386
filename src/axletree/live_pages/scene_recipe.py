"""How the picture of a model follows from outputs of its stepper, for a page that has no records.

A scene is built for the first instant, as for an animation. Beside it stands, for each thing that
moves, the body that it goes along with and its place on it: where the bodies are is in outputs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from axletree.components.frames import GROUND, Frame
from axletree.model.model import Model
from axletree.plot.mechanism import pose_names
from axletree.reports.animation.bodies import hulls
from axletree.reports.animation.build import build_scene, tie_ends
from axletree.reports.animation.ground import grounds
from axletree.reports.animation.motion import BodyPoint, BodyPoses, RunValues, body_poses
from axletree.reports.animation.scene import Scene, quaternions
from axletree.reports.animation.wheels import ShownWheel, shown_wheels, wheel_outputs
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.simulation.simulate import simulate
from axletree.simulation.stepper.step_program import StartPoint
from axletree.system.system import System
from axletree.vehicles.vehicle import Vehicle

_REACH: Final = 150.0  # m, of uneven ground around the start
_LOADS_PER_LENGTH: Final = 5.0  # at the start, of an arrow as long as what moves


@dataclass(frozen=True)
class SceneRecipe:
    """A scene at its first instant, and what moves it."""

    scene: Scene
    outputs: tuple[str, ...]  # that the page has to know
    moves: dict[str, Any]  # places of outputs are numbers in ``outputs``


def scene_recipe(
    model: Model, system: System, start: StartPoint, parameters: dict[str, float], title: str
) -> SceneRecipe:
    """Of a model that begins at a start, with values of parameters [SI]."""
    instant = 1e-6  # s, which nothing is seen of
    run = simulate(
        system, instant, step=instant, method="rk4" if system.rows is None else
        "complementarity-sweeps",
        initial={q.name: float(v) for q, v in zip(system.states, start.states, strict=True)},
        inputs={
            q.name: float(v)
            for q, v in zip(system.inputs, start.inputs, strict=False) if not q.derivative_of
        },
        parameters=parameters, outputs=wheel_outputs(model, system), watch=False,
    )  # fmt: skip
    levels = dict(zip((q.name for q in system.inputs), start.inputs.tolist(), strict=False))
    courses = RunValues(run, np.array([0]), system, RunFacts(levels, parameters))
    scene = build_scene(model, courses, title)
    poses = body_poses(model, courses)
    wheels = shown_wheels(model, poses)
    if wheels:
        wide = grounds(wheels, poses, _REACH)
        scene = dataclasses.replace(scene, grounds=tuple(wide) or scene.grounds, ruts=())
    made = _Moves(poses)
    moves = {
        "actors": [made.actor(actor.name, wheels) for actor in scene.actors],
        "forces": [made.force(w, scene) for w in wheels if w.force is not None],
        "ties": [[made.point(end) for end in pair] for pair in tie_ends(model, poses)],
        "main": made.body(scene.main),
        "hulls": _shaped(model, scene),
        "bodies": made.bodies,
        "arrowScale": _arrow_scale(scene),
    }
    return SceneRecipe(scene, tuple(made.outputs), moves)


def _shaped(model: Model, scene: Scene) -> list[int]:
    """Bodies on wheels of a vehicle by body and axles, which look like one."""
    if not isinstance(model.described.get("vehicle"), Vehicle):
        return []
    shaped = hulls(model)
    return [k for k, actor in enumerate(scene.actors) if actor.name in shaped]


def _arrow_scale(scene: Scene) -> float:
    """Metres per newton, from the loads at the start."""
    sizes = [float(np.linalg.norm(force.vector)) for force in scene.forces]
    load = max(sizes, default=0.0)
    return scene.size / (_LOADS_PER_LENGTH * load) if load > 0.0 else 0.0


class _Moves:
    """Gathers the outputs that are needed, each once."""

    def __init__(self, poses: BodyPoses) -> None:
        self.poses = poses
        self.outputs: list[str] = []
        self.bodies: list[list[int]] = []  # of each body the places of its pose's 12 outputs
        self._of_body: dict[str, int] = {}

    def place(self, name: str) -> int:
        if name not in self.outputs:
            self.outputs.append(name)
        return self.outputs.index(name)

    def body(self, name: str) -> int:
        """Its number; -1 for the ground."""
        if name == GROUND.body:
            return -1
        if name not in self._of_body:
            self._of_body[name] = len(self.bodies)
            self.bodies.append([self.place(output) for output in pose_names(name)])
        return self._of_body[name]

    def point(self, point: BodyPoint) -> dict[str, Any]:
        return {"body": self.body(point.body), "offset": np.asarray(point.offset).tolist()}

    def frame(self, frame: Frame) -> dict[str, Any]:
        """With the quaternion of its axes on the body."""
        turn = quaternions(np.array([frame.turn], dtype=float))[0]
        at = BodyPoint(frame.body, self.poses.courses.offset(frame))
        return self.point(at) | {"turn": turn.tolist()}

    def actor(self, name: str, wheels: Sequence[ShownWheel]) -> dict[str, Any]:
        """A wheel goes along with what spins."""
        for shown in wheels:
            wheel = shown.component
            if wheel.name == name:
                spins = wheel.rim_frame.body in self.poses
                return self.frame(wheel.rim_frame if spins else wheel.carrier)
            if wheel.road.body == name:
                return self.frame(wheel.road)
        return {"body": self.body(name), "offset": [0.0, 0.0, 0.0], "turn": [1.0, 0.0, 0.0, 0.0]}

    def force(self, shown: ShownWheel, scene: Scene) -> dict[str, Any]:
        """By the wheel's own contact, or from the pose of the wheel above level ground."""
        wheel, known = shown.component, self.poses.courses.known
        names = wheel.contact_names()
        told = bool(names) and self.poses.courses.has(*names)
        return {
            "name": wheel.name,
            "colour": shown.actor.colour,
            "road": self.frame(wheel.road),
            "contact": [self.place(name) for name in names] if told else None,
            "forces": [self.place(name) for name in wheel.force_names(known)],
            "actor": [actor.name for actor in scene.actors].index(wheel.name),
            "carrier": self.frame(wheel.carrier),
            "axis": list(wheel.axis),
            "radius": shown.size.radius,
            "width": shown.size.width,
        }
