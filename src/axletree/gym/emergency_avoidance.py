"""Emergency avoidance: an obstacle in the lane, at times too near to stop for, and a free lane."""

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
    rollover,
)
from axletree.gym.driven_vehicle import DRY_ROAD, Pose, magic_formula_sedan
from axletree.gym.lines import RowChoice, one_by_one, wrapped

LANE, OBSTACLE = 3.5, (4.0, 1.8)  # m; length and width
_RIGHT, _LEFT = -0.5 * LANE, 1.5 * LANE  # m, edges of the road of two lanes
_AFTER, _CALM_HEADING, _CALM_SPEED = 30.0, 0.05, 0.5  # m behind the obstacle; rad, m/s
_SLOWEST, _SPUN = 2.0, 1.0  # m/s, rad
_HIT, _OFF, _PAST, _STOPPED = -50.0, -30.0, 30.0, 15.0  # rewards
_GRIP, _SMOOTHNESS = 0.1, 0.5


class EmergencyAvoidance(DrivingTask):
    """Get past an obstacle that appears ahead, or stop in time, on a road of two lanes.

    The car goes along x in the right lane, the middle of which is y = 0. The obstacle stands 25 to
    50 m ahead of its front, 0.5 m beside the middle at most; speed and friction are random. The
    accelerator is left alone.
    """

    summary: ClassVar[str] = "an obstacle ahead: steer around it or stop in time"
    vehicle: ClassVar[str] = "sedan"
    vehicle_text: ClassVar[str] = "the sedan with 14 degrees of freedom on Magic Formula 5.2 tyres"
    observed: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("offset", "m", -4.0, 8.0, "left of the middle of the right lane"),
        SpaceEntry("heading", "rad", -1.2, 1.2, "left of that of the road"),
        SpaceEntry("forward_speed", "m/s", 0.0, 40.0, "along the heading"),
        SpaceEntry("lateral_speed", "m/s", -10.0, 10.0, "to the left of the heading"),
        SpaceEntry("yaw_rate", "rad/s", -2.0, 2.0, "to the left"),
        SpaceEntry("steering", "rad", -3.0, 3.0, "angle of the steering wheel"),
        SpaceEntry("brake", "1", 0.0, 1.0, "position of the brake pedal"),
        SpaceEntry("gap", "m", -60.0, 60.0, "from the front of the car to the obstacle, along x"),
        SpaceEntry("obstacle", "m", -1.0, 1.0, "middle of the obstacle, left of that of the lane"),
    )
    acted: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("steering", "rad", -3.0, 3.0, "angle of the steering wheel, to the left"),
        SpaceEntry("brake", "1", -1.0, 1.0, "brake pedal; below 0 it is left alone"),
    )
    reward_terms: ClassVar[tuple[RewardTerm, ...]] = (
        RewardTerm("calm", f"-{_GRIP:g} (yaw rate / 1 rad/s)^2"),
        RewardTerm("smoothness", f"-{_SMOOTHNESS:g} (change of the steering action)^2"),
    )
    endings: ClassVar[tuple[EpisodeEnding, ...]] = (
        EpisodeEnding("hit the obstacle", _HIT, "the outline of the car touches it"),
        EpisodeEnding("off the road", _OFF, "a corner of the outline leaves the road"),
        EpisodeEnding("spun", _OFF, f"the heading is beyond {_SPUN:g} rad"),
        EpisodeEnding("past the obstacle", _PAST,
                      f"{_AFTER:g} m behind it, within {_CALM_HEADING:g} rad and "
                      f"{_CALM_SPEED:g} m/s of straight on"),
        EpisodeEnding("stopped in time", _STOPPED, f"slower than {_SLOWEST:g} m/s before it"),
        EpisodeEnding("stopped beside", 0.0, f"slower than {_SLOWEST:g} m/s beside or behind it"),
        rollover(_OFF),
    )  # fmt: skip
    randomised: ClassVar[Mapping[str, tuple[float, float]]] = {
        "mass": (0.95, 1.25), "friction": (0.6, 1.0),
    }  # fmt: skip
    start_speed: ClassVar[float] = 24.0
    horizon: ClassVar[float] = 8.0

    def __init__(self, count: int, *, vehicle: str | None = None) -> None:
        super().__init__(count, vehicle=vehicle)
        front, rear, width = self.driven.footprint
        self._front, self._half = front, (0.5 * (front + rear), 0.5 * width)
        self._middle = 0.5 * (front - rear)  # of the outline, ahead of the centre of mass
        self._obstacle = np.zeros((count, 2))  # x of its near face, y of its middle [m]
        self._corners = np.zeros((count, 2))  # the lowest and the highest y of the outline [m]
        self._apart = np.zeros(count, dtype=bool)
        self._heading = np.zeros(count)

    @classmethod
    def vehicle_changes(cls, own: bool) -> dict[str, Any]:
        return magic_formula_sedan() if own else {"fidelity": "14-dof", "road": DRY_ROAD}

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        gap = random.uniform(25.0, 50.0)
        self._obstacle[row] = self._front + gap, random.uniform(-0.5, 0.5)
        return Pose(0.0, random.uniform(-0.2, 0.2), 0.0, random.uniform(18.0, 26.0))

    def controls(self, rows: RowChoice, actions: FloatArray) -> FloatArray:
        steering, brake = self.values_of(actions).T
        nothing = np.zeros(len(actions))
        return np.stack(
            [self.steering_towards(rows, steering), nothing, np.maximum(brake, 0.0)], axis=1
        )

    def look(self, rows: RowChoice) -> None:
        """Whether a line across one of the sides of car or obstacle has them on either side.

        Two rectangles do not touch where their shadows on the direction of a side do not: on x and
        y, and on the car's own axes.
        """
        x, y, heading, *_ = self.motion[rows].T
        heading = wrapped(heading)
        c, s = one_by_one(math.cos, heading), one_by_one(math.sin, heading)
        a, b = self._half
        x, y = x + self._middle * c, y + self._middle * s
        reach_x, reach_y = a * np.abs(c) + b * np.abs(s), a * np.abs(s) + b * np.abs(c)
        length, width = OBSTACLE
        dx, dy = self._obstacle[rows, 0] + 0.5 * length - x, self._obstacle[rows, 1] - y
        along = 0.5 * (length * np.abs(c) + width * np.abs(s))
        beside = 0.5 * (length * np.abs(s) + width * np.abs(c))
        self._apart[rows] = (
            (np.abs(dx) > reach_x + 0.5 * length)
            | (np.abs(dy) > reach_y + 0.5 * width)
            | (np.abs(dx * c + dy * s) > a + along)
            | (np.abs(dy * c - dx * s) > b + beside)
        )
        self._corners[rows, 0], self._corners[rows, 1] = y - reach_y, y + reach_y
        self._heading[rows] = heading

    def _gap(self, rows: RowChoice) -> FloatArray:
        return self._obstacle[rows, 0] - self.motion[rows, Motion.X] - self._front

    def observe(self, rows: RowChoice) -> Sequence[FloatArray]:
        motion, levels = self.motion[rows], self.levels[rows]
        return [
            motion[:, Motion.Y], self._heading[rows],
            *motion[:, Motion.FORWARD_SPEED : Motion.ROLL].T, levels[:, 0], levels[:, 2],
            self._gap(rows), self._obstacle[rows, 1],
        ]  # fmt: skip

    def rewards(self, rows: RowChoice) -> Sequence[FloatArray]:
        yaw_rate, change = self.motion[rows, Motion.YAW_RATE], self.change[rows, 0]
        return -_GRIP * (yaw_rate * yaw_rate), -_SMOOTHNESS * (change * change)

    def ended(self, rows: RowChoice) -> NDArray[np.int64]:
        heading, corners = self._heading[rows], self._corners[rows]
        x, _, _, forward, lateral, *_ = self.motion[rows].T
        sideways = lateral + forward * heading  # m/s across the road, of small angles
        behind = x > self._obstacle[rows, 0] + OBSTACLE[0] + _AFTER
        calm = (np.abs(heading) < _CALM_HEADING) & (np.abs(sideways) < _CALM_SPEED)
        return first_of(
            ~self._apart[rows],
            (corners[:, 0] < _RIGHT) | (corners[:, 1] > _LEFT),
            np.abs(heading) > _SPUN,
            behind & calm,
            (forward < _SLOWEST) & (self._gap(rows) > 0.0),
            forward < _SLOWEST,
            self.rolled_over(rows),
        )

    def scenery(self, row: int) -> Scenery:
        x = float(self.motion[row, Motion.X])
        edges = [np.array([(x - 60.0, y), (x + 90.0, y)]) for y in (_RIGHT, _LEFT)]
        dashes = [
            np.array([(at, 0.5 * LANE), (at + 3.0, 0.5 * LANE)])
            for at in 9.0 * np.arange(np.floor((x - 60.0) / 9.0), np.ceil((x + 90.0) / 9.0))
        ]
        near, middle = self._obstacle[row]
        length, half = OBSTACLE[0], 0.5 * OBSTACLE[1]
        corners = np.array([(0.0, -half), (length, -half), (length, half), (0.0, half)])
        return Scenery(lines=(*edges, *dashes), boxes=(corners + (near, middle),))
