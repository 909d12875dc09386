"""A lap of a race track: steering and pedals, as fast as the car stays on the track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.ground.race_track import ready_track
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
from axletree.gym.lines import LineArray, RowChoice, wrapped

_LEAVING, _PER_METRE, _SMOOTHNESS = -20.0, 0.1, 0.5  # rewards
_AHEAD = np.array([0.0, 10.0, 20.0, 40.0, 60.0, 90.0])  # m
_SLOWEST = 2.0  # m/s
_SPACING = 1.0  # m, about


class Lap(DrivingTask):
    """Drive a lap of the Lindenring as fast as possible, from a random place of it.

    The lap is done when the car has gone once round; info has the time.
    """

    summary: ClassVar[str] = "a lap of a race track as fast as possible"
    vehicle: ClassVar[str] = "sports-car"
    vehicle_text: ClassVar[str] = "the sports car with 14 degrees of freedom"
    observed: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("offset", "1", -1.5, 1.5, "left of the middle, as a share of the half width"),
        SpaceEntry("heading_error", "rad", -1.6, 1.6, "heading, left of that of the track"),
        SpaceEntry("forward_speed", "m/s", -5.0, 90.0, "along the heading"),
        SpaceEntry("lateral_speed", "m/s", -20.0, 20.0, "to the left of the heading"),
        SpaceEntry("yaw_rate", "rad/s", -3.0, 3.0, "to the left"),
        SpaceEntry("steering", "rad", -4.0, 4.0, "angle of the steering wheel"),
        SpaceEntry("throttle", "1", 0.0, 1.0, "position of the accelerator"),
        SpaceEntry("brake", "1", 0.0, 1.0, "position of the brake pedal"),
        *(
            SpaceEntry(f"curvature_{x:.0f}", "1/m", -0.1, 0.1, f"of the track {x:.0f} m ahead")
            for x in _AHEAD
        ),
    )
    acted: ClassVar[tuple[SpaceEntry, ...]] = (
        SpaceEntry("steering", "rad", -4.0, 4.0, "angle of the steering wheel, to the left"),
        SpaceEntry("pedals", "1", -1.0, 1.0, "throttle if positive, brake if negative"),
    )
    reward_terms: ClassVar[tuple[RewardTerm, ...]] = (
        RewardTerm("progress", f"{_PER_METRE:g} for a metre along the track"),
        RewardTerm("smoothness", f"-{_SMOOTHNESS:g} (change of the steering action)^2"),
    )
    endings: ClassVar[tuple[EpisodeEnding, ...]] = (
        EpisodeEnding("off the track", _LEAVING, "the centre of mass leaves the track"),
        EpisodeEnding("against the track", _LEAVING, "the heading is more than 90 degrees off"),
        EpisodeEnding("standing", _LEAVING, f"it is slower than {_SLOWEST:g} m/s"),
        rollover(_LEAVING),
        EpisodeEnding("lap done", 0.0, "once round from where it began"),
    )
    randomised: ClassVar[Mapping[str, tuple[float, float]]] = {"friction": (0.9, 1.0)}
    start_speed: ClassVar[float] = 12.0
    horizon: ClassVar[float] = 120.0

    def __init__(self, count: int, *, vehicle: str | None = None) -> None:
        super().__init__(count, vehicle=vehicle)
        path = ready_track("lindenring")
        stations = round(path.finish / _SPACING)
        self._track = LineArray(count, stations, path.finish / stations, shared=True, closed=True)
        half_width = path.half_width(path.line.station)
        assert half_width is not None
        self._track.follow(0, path.line, half_width)
        self._first, self._progress = np.zeros(count), np.zeros(count)
        self._share, self._error = np.zeros(count), np.zeros(count)

    @classmethod
    def vehicle_changes(cls, own: bool) -> dict[str, Any]:
        return {"fidelity": "14-dof", "road": DRY_ROAD}

    def begin(self, row: int, random: np.random.Generator) -> Pose:
        station = random.uniform(0.0, self._track.length)
        self._track.begin(row, station)
        self._first[row] = station
        x, y, heading = self._track.place(row, station, random.uniform(-1.0, 1.0))
        return Pose(x, y, heading, random.uniform(10.0, 20.0))

    def controls(self, rows: RowChoice, actions: FloatArray) -> FloatArray:
        steering, pedals = self.values_of(actions).T
        return np.stack([self.steering_towards(rows, steering), *pedals_of(pedals)], axis=1)

    def look(self, rows: RowChoice) -> None:
        x, y, heading, *_ = self.motion[rows].T
        before = self._track.station[rows].copy()
        beside = self._track.locate(rows, x, y)
        self._progress[rows] = beside.station - before
        self._share[rows] = beside.offset / beside.half_width
        self._error[rows] = wrapped(heading - beside.heading)

    def observe(self, rows: RowChoice) -> Sequence[FloatArray]:
        speeds = self.motion[rows, Motion.FORWARD_SPEED : Motion.ROLL]
        return [
            self._share[rows], self._error[rows], *speeds.T, *self.levels[rows].T,
            *self._track.curvature_ahead(rows, _AHEAD).T,
        ]  # fmt: skip

    def rewards(self, rows: RowChoice) -> Sequence[FloatArray]:
        change = self.change[rows, 0]
        return _PER_METRE * self._progress[rows], -_SMOOTHNESS * (change * change)

    def ended(self, rows: RowChoice) -> NDArray[np.int64]:
        gone = self._track.station[rows] - self._first[rows]
        return first_of(
            np.abs(self._share[rows]) > 1.0,
            np.abs(self._error[rows]) > 0.5 * np.pi,
            self.motion[rows, Motion.FORWARD_SPEED] < _SLOWEST,
            self.rolled_over(rows),
            gone >= self._track.length,
        )

    def scenery(self, row: int) -> Scenery:
        return Scenery(lines=self._track.edges(row, 40.0, 80.0))
