"""Where the bodies of a mechanism are along a run, for pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.library.frame import GROUND, Frame
from axletree.model.model import Model
from axletree.report.recomputed import outputs_along
from axletree.report.wheel_outlines import wheel_outlines
from axletree.simulation.instant import state
from axletree.simulation.signals import Signal
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

PATH_POINTS = 800


@dataclass(frozen=True)
class Poses:
    """Points of bodies along a run [m, ground axes]."""

    time: np.ndarray
    bodies: Mapping[str, np.ndarray]  # instants by frames by 3; the main frame first
    fixed: np.ndarray  # frames of the ground that components are joined to
    ties: Sequence[np.ndarray]  # springs and other loads: instants by 2 by 3
    wheels: Sequence[np.ndarray] = ()  # circles: instants by corners by 3

    @property
    def every_point(self) -> np.ndarray:
        moving = [path.reshape(-1, 3) for path in (*self.bodies.values(), *self.wheels)]
        return np.concatenate([*moving, self.fixed])


def mechanism_poses(
    system: System,
    model: Model,
    run: Trajectory,
    *,
    inputs: Mapping[str, Signal],
    parameters: Mapping[str, float],
) -> Poses | None:
    """Where the frames of all moving bodies are; None if they all stay in one point."""
    known = {definition.quantity.name for definition in system.outputs}
    frames = [f for f in model.frames.values() if f"{f.body}.position.x" in known]
    bodies = list(dict.fromkeys(frame.body for frame in frames))
    if not bodies or not len(run):
        return None
    records = np.unique(np.linspace(0, len(run) - 1, PATH_POINTS).astype(int))
    names = [name for body in bodies for name in _pose_names(body)]
    values = outputs_along(
        system, run, names, records.tolist(), inputs=inputs, parameters=parameters
    )
    places = {frame: _path(frame, values) for frame in frames}
    by_body = {
        body: np.stack([places[f] for f in frames if f.body == body], axis=1) for body in bodies
    }
    wheels = wheel_outlines(
        model, lambda body: _turns(body, values) if body in by_body else None, places, parameters
    )
    ties = _ties(model, places)
    poses = Poses(run.time[records], by_body, _fixed(model), ties, list(wheels.values()))
    return poses if np.ptp(poses.every_point, axis=0).max() > 1e-9 else None


def poses_at_start(system: System, model: Model) -> Poses | None:
    """Where they are at the start of the model."""
    states = state(system)
    columns = {name: np.array([value]) for name, value in states.items()}
    units = {quantity.name: quantity.unit for quantity in system.states}
    run = Trajectory(system.name, np.zeros(1), columns, units, tuple(states))
    return mechanism_poses(system, model, run, inputs={}, parameters={})


def _pose_names(body: str) -> list[str]:
    position = [f"{body}.position.{axis}" for axis in "xyz"]
    return position + [f"{body}.rotation.{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]


def _path(frame: Frame, values: Mapping[str, np.ndarray]) -> np.ndarray:
    origin = np.stack([values[name] for name in _pose_names(frame.body)[:3]], axis=1)
    return np.asarray(origin + _turns(frame.body, values) @ np.array(frame.position))


def _turns(body: str, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """The rotation matrices of a body."""
    columns = np.stack([values[name] for name in _pose_names(body)[3:]], axis=1)
    return columns.reshape(-1, 3, 3)


def _fixed(model: Model) -> np.ndarray:
    joined = {name for c in model for e in c.edges() for name in (e.tail, e.head)}
    frames = [f for f in model.ground.frames() if f.name in joined]
    return np.array([frame.position for frame in frames]).reshape(-1, 3)


def _ties(model: Model, places: Mapping[Frame, np.ndarray]) -> list[np.ndarray]:
    """Lines between the points of force elements; the ground's origin is no such point."""
    found = []
    for component in model:
        for pair in component.measures():
            ends = [places.get(frame) for frame in pair]
            count = next((len(end) for end in ends if end is not None), 0)
            if GROUND in pair or not count:
                continue
            full = [
                np.tile(np.array(frame.position), (count, 1)) if end is None else end
                for frame, end in zip(pair, ends, strict=True)
            ]
            found.append(np.stack(full, axis=1))
    return found
