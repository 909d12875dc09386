"""Lane keeping: steering alone, along a winding lane, at a speed that is held."""

from __future__ import annotations

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
    checked_range,
    first_of,
    rollover,
)
from axletree.gym.driven_vehicle import DRY_ROAD, Pose, magic_formula_sedan
from axletree.gym.lines import LineArray, RowChoice, wrapped

HALF_LANE = 1.75  # m
_LEAVING, _SMOOTHNESS = -20.0, 2.0  # rewards
_AHEAD = np.array([0.0, 10.0, 20.0, 40.0])  # m
_SPACING, _FASTEST = 2.0, 40.0  # m between stations; m/s
_CRUISE = 0.2  # s/m, throttle for a speed that is missing


class LaneKeeping(DrivingTask):
    """Keep a car in a winding lane of 3.5 m by its steering wheel; its speed is held.

    Each episode has a lane, a speed and a first offset of its own. A lane winds for 840 m, which is
    more than 28 m/s come to in the time of an episode, and goes straight on after that.
    """

    summary: ClassVar[str] = "steering along a winding lane at constant speed"
    vehicle: ClassVar[str] = "sedan"
    vehicle_text: ClassVar[str] = "the sedan with 14 degrees of freedom on Magic Formula 5.2 tyres"
    observed: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("offset", "m", -3.0, 3.0, "of the centre of mass, left of the middle"),
        SpaceEntry("heading_error", "rad", -0.4, 0.4, "heading, left of that of the lane"),
        SpaceEntry("forward_speed", "m/s", 0.0, 50.0, "along the heading"),
        SpaceEntry("lateral_speed", "m/s", -3.0, 3.0, "to the left of the heading"),
        SpaceEntry("yaw_rate", "rad/s", -1.0, 1.0, "to the left"),
        SpaceEntry("steering", "rad", -1.0, 1.0, "angle of the steering wheel"),
        *(
            SpaceEntry(f"curvature_{x:.0f}", "1/m", -0.01, 0.01, f"of the lane {x:.0f} m ahead")
            for x in _AHEAD
        ),
    )
    acted: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("steering", "rad", -1.0, 1.0, "angle of the steering wheel, to the left"),
    )
    reward_terms: ClassVar[tuple[RewardTerm, ...]] = (
        RewardTerm("lane", f"1 - (offset / {HALF_LANE:g} m)^2"),
        RewardTerm("smoothness", f"-{_SMOOTHNESS:g} (change of the action)^2"),
    )
    endings: ClassVar[tuple[EpisodeEnding, ...]] = (
        EpisodeEnding("off the lane", _LEAVING, f"the offset is more than {HALF_LANE:g} m"),
        rollover(_LEAVING),
    )
    randomised: ClassVar[Mapping[str, tuple[float, float]]] = {
        "mass": (0.95, 1.25), "friction": (0.6, 1.0),
    }  # fmt: skip
    start_speed: ClassVar[float] = 24.0
    horizon: ClassVar[float] = 20.0

    def __init__(
        self,
        count: int,
        *,
        vehicle: str | None = None,
        speeds: tuple[float | str, float | str] = (20.0, 28.0),
        lateral_acceleration: float = 2.5,
    ) -> None:
        super().__init__(count, vehicle=vehicle)
        self._speeds = checked_range("speeds", "m/s", speeds)
        self._acceleration = checked_range(
            "lateral_acceleration", "m/s^2", (lateral_acceleration, lateral_acceleration)
        )[0]
        stations = 2 + round((self.horizon * _FASTEST + _AHEAD[-1]) / _SPACING)
        self._lanes = LineArray(count, stations, _SPACING)
        self._wanted = np.full(count, self.start_speed)
        self._offset, self._error = np.zeros(count), np.zeros(count)

    @classmethod
    def vehicle_changes(cls, own: bool) -> dict[str, Any]:
        return magic_formula_sedan() if own else {"fidelity": "14-dof", "road": DRY_ROAD}

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        speed = random.uniform(*self._speeds)
        self._wanted[row] = speed
        self._lanes.bend(row, self._winding(random, speed), HALF_LANE)
        offset = random.uniform(-0.5, 0.5)
        self._lanes.begin(row, 5.0)
        x, y, heading = self._lanes.place(row, 5.0, offset)
        return Pose(x, y, heading + random.uniform(-0.02, 0.02), speed)

    def _winding(self, random: np.random.Generator, speed: float) -> FloatArray:
        """Curvatures [1/m]: three waves whose sum asks for the lateral acceleration, at most."""
        stations = self._lanes.spacing * np.arange(round(self._lanes.length / _SPACING) + 1)
        lengths = random.uniform(80.0, 300.0, size=3)  # m
        phases, shares = random.uniform(0.0, 2.0 * np.pi, size=3), random.uniform(size=3)
        waves = np.sin(2.0 * np.pi * stations[:, None] / lengths + phases) @ shares
        most = random.uniform(0.4, 1.0) * self._acceleration / speed**2
        winding: FloatArray = most * waves / np.sum(shares) * np.minimum(stations / 60.0, 1.0)
        return winding

    def controls(self, rows: RowChoice, actions: FloatArray) -> FloatArray:
        missing = self._wanted[rows] - self.motion[rows, Motion.FORWARD_SPEED]
        levels = np.zeros((len(actions), 3))
        levels[:, 0] = self.steering_towards(rows, self.values_of(actions)[:, 0])
        levels[:, 1] = np.minimum(np.maximum(self.driven.throttle + _CRUISE * missing, 0.0), 1.0)
        return levels

    def look(self, rows: RowChoice) -> None:
        x, y, heading, *_ = self.motion[rows].T
        beside = self._lanes.locate(rows, x, y)
        self._offset[rows] = beside.offset
        self._error[rows] = wrapped(heading - beside.heading)

    def observe(self, rows: RowChoice) -> Sequence[FloatArray]:
        speeds = self.motion[rows, Motion.FORWARD_SPEED : Motion.ROLL]
        return [
            self._offset[rows], self._error[rows], *speeds.T, self.levels[rows, 0],
            *self._lanes.curvature_ahead(rows, _AHEAD).T,
        ]  # fmt: skip

    def rewards(self, rows: RowChoice) -> Sequence[FloatArray]:
        share, change = self._offset[rows] * (1.0 / HALF_LANE), self.change[rows, 0]
        return 1.0 - share * share, -_SMOOTHNESS * (change * change)

    def ended(self, rows: RowChoice) -> NDArray[np.int64]:
        return first_of(np.abs(self._offset[rows]) > HALF_LANE, self.rolled_over(rows))

    def scenery(self, row: int) -> Scenery:
        return Scenery(lines=self._lanes.edges(row, 40.0, 60.0))
