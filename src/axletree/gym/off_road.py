"""Off road: to a goal across soft ground, which takes momentum and pull."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.gym.contract import (
    MOTION_OUTPUTS,
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
from axletree.gym.driven_vehicle import Pose
from axletree.gym.lines import RowChoice, one_by_one, wrapped
from axletree.wheel.soils.cone_index_laws import WismerLuth
from axletree.wheel.soils.layers import Border

_FIRM, _SOFT = 900e3, 150e3  # Pa, cone indices
_NEAR, _STUCK, _LOST = 3.0, 0.2, 1.5  # m from the goal; m/s; of the distance at the start
_PER_METRE, _SLIP, _GOAL, _FAILING = 0.2, 0.05, 20.0, -20.0  # rewards
_WHEELS = ("front_left", "front_right", "rear_left", "rear_right")


class OffRoad(DrivingTask):
    """Drive to a goal on soil, across a strip that is softer, with as little slip as possible.

    The goal is 50 to 70 m away, up to 0.5 rad to either side. The strip lies across x, 12 to 25 m
    ahead and 10 to 20 m wide; how firm the soil is is random.
    """

    summary: ClassVar[str] = "to a goal across soft soil"
    vehicle: ClassVar[str] = "suv"
    vehicle_text: ClassVar[str] = "the SUV with 14 degrees of freedom on soil (Wismer and Luth)"
    outputs: ClassVar[tuple[str, ...]] = (
        *MOTION_OUTPUTS, *(f"{wheel}_soil.slip" for wheel in _WHEELS),
    )  # fmt: skip
    observed: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("distance", "m", 0.0, 120.0, "to the goal"),
        SpaceEntry("bearing", "rad", -np.pi, np.pi, "of the goal, left of the heading"),
        SpaceEntry("forward_speed", "m/s", -5.0, 25.0, "along the heading"),
        SpaceEntry("lateral_speed", "m/s", -5.0, 5.0, "to the left of the heading"),
        SpaceEntry("yaw_rate", "rad/s", -2.0, 2.0, "to the left"),
        *(
            SpaceEntry(f"slip_{wheel}", "1", -1.0, 1.0, f"of the {wheel.replace('_', ' ')} wheel")
            for wheel in _WHEELS
        ),
        SpaceEntry("steering", "rad", -8.0, 8.0, "angle of the steering wheel"),
        SpaceEntry("throttle", "1", 0.0, 1.0, "position of the accelerator"),
        SpaceEntry("brake", "1", 0.0, 1.0, "position of the brake pedal"),
        SpaceEntry("strip_begin", "m", -100.0, 100.0, "along x to the beginning of the strip"),
        SpaceEntry("strip_end", "m", -100.0, 100.0, "along x to its end"),
    )
    acted: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("steering", "rad", -8.0, 8.0, "angle of the steering wheel, to the left"),
        SpaceEntry("pedals", "1", -1.0, 1.0, "throttle if positive, brake if negative"),
    )
    reward_terms: ClassVar[tuple[RewardTerm, ...]] = (
        RewardTerm("progress", f"{_PER_METRE:g} for a metre nearer to the goal"),
        RewardTerm("slip", f"-{_SLIP:g} times the mean of the squared slips"),
    )
    endings: ClassVar[tuple[EpisodeEnding, ...]] = (
        EpisodeEnding("at the goal", _GOAL, f"it is within {_NEAR:g} m of the goal"),
        EpisodeEnding("immobilised", _FAILING, f"it is slower than {_STUCK:g} m/s"),
        EpisodeEnding("lost", _FAILING, f"it is {_LOST:g} times as far away as at the start"),
        rollover(_FAILING),
    )
    randomised: ClassVar[Mapping[str, tuple[float, float]]] = {
        "mass": (0.95, 1.25), "soil": (0.7, 1.2),
    }  # fmt: skip
    start_speed: ClassVar[float] = 3.0
    horizon: ClassVar[float] = 40.0

    def __init__(self, count: int, *, vehicle: str | None = None) -> None:
        super().__init__(count, vehicle=vehicle)
        self._goal, self._strip = np.zeros((count, 2)), np.zeros((count, 2))
        self._distance, self._first = np.zeros(count), np.zeros(count)
        self._bearing, self._progress = np.zeros(count), np.zeros(count)

    @classmethod
    def vehicle_changes(cls, own: bool) -> dict[str, Any]:
        soft = Border(WismerLuth(_SOFT), WismerLuth(_FIRM), x=35.0)
        return {"fidelity": "14-dof", "soil": {"law": Border(WismerLuth(_FIRM), soft, x=20.0)}}

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        far, side = random.uniform(50.0, 70.0), random.uniform(-0.5, 0.5)
        begin = random.uniform(12.0, 25.0)
        self._goal[row] = far * np.cos(side), far * np.sin(side)
        self._strip[row] = begin, begin + random.uniform(10.0, 20.0)
        self._first[row] = self._distance[row] = far
        return Pose(0.0, 0.0, 0.0, self.start_speed)

    def episode_parameters(self, row: int) -> Mapping[str, float]:
        begin, end = self._strip[row]
        return {"*_soil.law.x": float(begin), "*_soil.law.ahead.x": float(end)}

    def controls(self, rows: RowChoice, actions: FloatArray) -> FloatArray:
        steering, pedals = self.values_of(actions).T
        return np.stack([self.steering_towards(rows, steering), *pedals_of(pedals)], axis=1)

    def look(self, rows: RowChoice) -> None:
        x, y, heading, *_ = self.motion[rows].T
        dx, dy = self._goal[rows, 0] - x, self._goal[rows, 1] - y
        distance = np.sqrt(dx * dx + dy * dy)
        self._progress[rows] = self._distance[rows] - distance
        self._distance[rows] = distance
        self._bearing[rows] = wrapped(one_by_one(math.atan2, dy, dx) - heading)

    def observe(self, rows: RowChoice) -> Sequence[FloatArray]:
        motion = self.motion[rows]
        ahead = self._strip[rows] - motion[:, Motion.X, None]
        return [
            self._distance[rows], self._bearing[rows],
            *motion[:, Motion.FORWARD_SPEED : Motion.ROLL].T, *motion[:, Motion.FURTHER :].T,
            *self.levels[rows].T, *ahead.T,
        ]  # fmt: skip

    def rewards(self, rows: RowChoice) -> Sequence[FloatArray]:
        a, b, c, d = self.motion[rows, Motion.FURTHER :].T
        slip = 0.25 * (a * a + b * b + c * c + d * d)
        return _PER_METRE * self._progress[rows], -_SLIP * slip

    def ended(self, rows: RowChoice) -> NDArray[np.int64]:
        distance = self._distance[rows]
        return first_of(
            distance < _NEAR,
            self.motion[rows, Motion.FORWARD_SPEED] < _STUCK,
            distance > _LOST * self._first[rows],
            self.rolled_over(rows),
        )

    def scenery(self, row: int) -> Scenery:
        (begin, end), y = self._strip[row], float(self.motion[row, Motion.Y])
        corners = [(begin, y - 90.0), (end, y - 90.0), (end, y + 90.0), (begin, y + 90.0)]
        goal = (float(self._goal[row, 0]), float(self._goal[row, 1]))
        return Scenery(soft=(np.array(corners),), goal=goal)
