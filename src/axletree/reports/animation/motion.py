"""What moves along a run: values of quantities and poses of bodies at the shown instants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axletree.components.frames import GROUND, Frame
from axletree.core.errors import AxletreeError
from axletree.model.model import Model
from axletree.plot.mechanism import pose_names
from axletree.simulation.recomputed_outputs import RunFacts, outputs_along
from axletree.simulation.trajectory import Trajectory, peaks_of
from axletree.system.system import System

RATE = 60.0  # instants a second, where so many are recorded
_MOST = 1500  # instants
_STRETCHES = 20  # of a run at most, each of which shows the extremes of what is traced
_PER_STRETCH = 8  # instants at least


class AnimationError(AxletreeError):
    """A run that cannot be shown."""


def shown_records(run: Trajectory, rate: float = RATE, traced: Iterable[str] = ()) -> np.ndarray:
    """Which records are shown: as many a second, from the first to the last, and peaks.

    Of each recorded column that is ``traced``, the smallest and the largest value within every
    twentieth of the run are shown, however short a peak is; for what is not recorded, those of
    the states.
    """
    if not len(run):
        raise AnimationError(f"the run of {run.system} has no records, so that nothing moves")
    span = float(run.time[-1] - run.time[0])
    count = min(_MOST, max(2, round(span * rate) + 1))
    wanted = np.linspace(run.time[0], run.time[-1], count)
    after = np.clip(np.searchsorted(run.time, wanted), 1, max(len(run) - 1, 1))
    late = np.minimum(after, len(run) - 1)
    nearer = np.where(wanted - run.time[after - 1] <= run.time[late] - wanted, after - 1, late)
    if len(nearer) >= len(run):
        return np.unique(nearer)
    stretches = min(_STRETCHES, len(nearer) // _PER_STRETCH)
    return np.unique(np.concatenate([nearer, *peaks_of(run, traced, stretches)]))


@dataclass(frozen=True)
class RunValues:
    """Values at some records: those recorded, and others computed again from the states."""

    run: Trajectory
    records: np.ndarray
    system: System
    facts: RunFacts

    @cached_property
    def known(self) -> frozenset[str]:
        """Names of quantities that have values."""
        computed = (d.quantity for d in (*self.system.outputs, *self.system.intermediates))
        return frozenset({*self.run.names, *(q.name for q in (*computed, *self.system.states))})

    @property
    def time(self) -> np.ndarray:
        return np.asarray(self.run.time[self.records])

    def values(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Of all names."""
        missing = [name for name in names if name not in self.run]
        found = {name: self.run[name][self.records] for name in names if name in self.run}
        if missing:
            found |= outputs_along(
                self.system, self.run, missing, self.records.tolist(), inputs=self.facts.inputs,
                parameters=self.facts.parameters,
            )  # fmt: skip
        return found

    def has(self, *names: str) -> bool:
        return all(name in self.known for name in names)

    def number(self, name: str, own: float) -> float:
        """A parameter as the run had it."""
        return float(self.facts.parameters.get(name, own))

    def offset(self, frame: Frame) -> np.ndarray:
        """Where a frame is on its body [m]."""
        pairs = zip("xyz", frame.position, strict=True)
        return np.array([self.number(f"{frame.name}.{axis}", own) for axis, own in pairs])


@dataclass(frozen=True)
class BodyPoses:
    """Where bodies are; the ground is one of them."""

    courses: RunValues
    position: Mapping[str, np.ndarray]  # instants by 3 [m]
    turn: Mapping[str, np.ndarray]  # instants by 3 by 3

    def __contains__(self, body: object) -> bool:
        return body in self.position

    def place(self, frame: Frame) -> np.ndarray:
        """The way of a frame [m]."""
        offset = self.courses.offset(frame)
        return np.asarray(self.position[frame.body] + self.turn[frame.body] @ offset)

    def axes(self, frame: Frame) -> np.ndarray:
        return np.asarray(self.turn[frame.body] @ np.array(frame.turn, dtype=float))


@dataclass(frozen=True, eq=False)
class BodyPoint:
    """A place on a body, in its axes [m]."""

    body: str
    offset: np.ndarray

    def way(self, poses: BodyPoses) -> np.ndarray:
        """Where it is at each instant, by 3 [m]."""
        return np.asarray(poses.position[self.body] + poses.turn[self.body] @ self.offset)


def body_poses(model: Model, courses: RunValues) -> BodyPoses:
    """Of every body of the model whose pose is known, and of the ground."""
    bodies = dict.fromkeys(frame.body for frame in model.frames.values())
    known = [body for body in bodies if courses.has(*pose_names(body))]
    if not known:
        raise AnimationError(
            f"{model.name} has no body that moves, so that there is nothing to show; expected a "
            "model with a body: a rigid-body, a body-of-revolution or a massless-body"
        )
    values = courses.values([name for body in known for name in pose_names(body)])
    count = len(courses.records)
    position = {GROUND.body: np.zeros((count, 3))}
    turn = {GROUND.body: np.tile(np.eye(3), (count, 1, 1))}
    for body in known:
        columns = np.stack([values[name] for name in pose_names(body)], axis=1)
        position[body], turn[body] = columns[:, :3], columns[:, 3:].reshape(-1, 3, 3)
    _check_finite(model, courses, position)
    return BodyPoses(courses, position, turn)


def _check_finite(model: Model, courses: RunValues, position: Mapping[str, np.ndarray]) -> None:
    for body, path in position.items():
        lost = ~np.isfinite(path).all(axis=1)
        if lost.any():
            raise AnimationError(
                f"at {courses.time[int(np.argmax(lost))]:g} s the place of {body} of {model.name} "
                "is not a number; show a run that ends before"
            )
