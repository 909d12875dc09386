"""Drift: a steady slide at an angle that is asked for, by steering and accelerator."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.gym.contract import (
    DrivingTask,
    EpisodeEnding,
    Motion,
    RewardTerm,
    Scenery,
    SpaceEntry,
    first_of,
    pedals_of,
    rollover,
)
from axletree.gym.driven_vehicle import DRY_ROAD, Pose
from axletree.gym.lines import RowChoice, one_by_one

_SPUN, _SLOWEST, _FAILING = 1.3, 3.0, -20.0  # rad, m/s, reward
_WIDTH, _SMOOTHNESS = 0.15, 0.2  # rad, reward


class Drift(DrivingTask):
    """Bring a car with rear-wheel drive into a drift and hold the sideslip angle that is asked for.

    An episode asks for an angle to one side: to turn left with the tail out the velocity points to
    the right of the heading, which is negative.
    """

    summary: ClassVar[str] = "a steady drift at a given sideslip angle"
    vehicle: ClassVar[str] = "sports-car"
    vehicle_text: ClassVar[str] = "the sports car with 14 degrees of freedom"
    observed: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("sideslip_error", "rad", -2.5, 2.5, "sideslip angle above what is asked for"),
        SpaceEntry("wanted_sideslip", "rad", -1.0, 1.0, "sideslip angle that is asked for"),
        SpaceEntry("forward_speed", "m/s", -10.0, 50.0, "along the heading"),
        SpaceEntry("lateral_speed", "m/s", -25.0, 25.0, "to the left of the heading"),
        SpaceEntry("yaw_rate", "rad/s", -3.0, 3.0, "to the left"),
        SpaceEntry("steering", "rad", -7.0, 7.0, "angle of the steering wheel"),
        SpaceEntry("throttle", "1", 0.0, 1.0, "position of the accelerator"),
        SpaceEntry("brake", "1", 0.0, 1.0, "position of the brake pedal"),
    )
    acted: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("steering", "rad", -7.0, 7.0, "angle of the steering wheel, to the left"),
        SpaceEntry("pedals", "1", -1.0, 1.0, "throttle if positive, brake if negative"),
    )
    reward_terms: ClassVar[tuple[RewardTerm, ...]] = (
        RewardTerm("sideslip", f"1 / (1 + (sideslip_error / {_WIDTH:g} rad)^2)"),
        RewardTerm("smoothness", f"-{_SMOOTHNESS:g} (change of the steering action)^2"),
    )
    endings: ClassVar[tuple[EpisodeEnding, ...]] = (
        EpisodeEnding("spun", _FAILING, f"the sideslip angle is beyond {_SPUN:g} rad"),
        EpisodeEnding("too slow", _FAILING, f"it is slower than {_SLOWEST:g} m/s forward"),
        rollover(_FAILING),
    )
    randomised: ClassVar[Mapping[str, tuple[float, float]]] = {"friction": (0.7, 1.0)}
    start_speed: ClassVar[float] = 12.0
    horizon: ClassVar[float] = 20.0

    def __init__(self, count: int, *, vehicle: str | None = None) -> None:
        super().__init__(count, vehicle=vehicle)
        self._wanted, self._sideslip = np.zeros(count), np.zeros(count)

    @classmethod
    def vehicle_changes(cls, own: bool) -> dict[str, Any]:
        return {"fidelity": "14-dof", "road": DRY_ROAD}

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        side = 1.0 if random.random() < 0.5 else -1.0
        self._wanted[row] = side * random.uniform(0.3, 0.6)
        return Pose(0.0, 0.0, 0.0, random.uniform(10.0, 14.0))

    def controls(self, rows: RowChoice, actions: FloatArray) -> FloatArray:
        steering, pedals = self.values_of(actions).T
        return np.stack([self.steering_towards(rows, steering), *pedals_of(pedals)], axis=1)

    def look(self, rows: RowChoice) -> None:
        motion = self.motion[rows]
        forward, lateral = motion[:, Motion.FORWARD_SPEED], motion[:, Motion.LATERAL_SPEED]
        self._sideslip[rows] = one_by_one(math.atan2, lateral, forward)

    def _error(self, rows: RowChoice) -> FloatArray:
        return self._sideslip[rows] - self._wanted[rows]

    def observe(self, rows: RowChoice) -> Sequence[FloatArray]:
        speeds = self.motion[rows, Motion.FORWARD_SPEED : Motion.ROLL]
        return [self._error(rows), self._wanted[rows], *speeds.T, *self.levels[rows].T]

    def rewards(self, rows: RowChoice) -> Sequence[FloatArray]:
        share, change = self._error(rows) * (1.0 / _WIDTH), self.change[rows, 0]
        return 1.0 / (1.0 + share * share), -_SMOOTHNESS * (change * change)

    def ended(self, rows: RowChoice) -> NDArray[np.int64]:
        return first_of(
            np.abs(self._sideslip[rows]) > _SPUN,
            self.motion[rows, Motion.FORWARD_SPEED] < _SLOWEST,
            self.rolled_over(rows),
        )

    def scenery(self, row: int) -> Scenery:
        """A grid on the ground, by which one sees how it moves."""
        x, y = (10.0 * np.round(self.motion[row, k] / 10.0) for k in (Motion.X, Motion.Y))
        places = np.arange(-80.0, 81.0, 10.0)
        along = (np.array([(x - 80.0, y + p), (x + 80.0, y + p)]) for p in places)
        across = (np.array([(x + p, y - 80.0), (x + p, y + 80.0)]) for p in places)
        return Scenery(lines=(*along, *across))
