"""The contract of tasks: what an agent sees, what it does, what it is rewarded for, how it ends.

1. A task is a class for ``count`` vehicles that drive side by side. All that an agent sees and
   does stands in ``observed`` and ``acted``, with units and bounds, and the rewards in
   ``reward_terms`` and ``endings``: pages are made of these.
2. Arrays have a row for each vehicle. Methods take ``rows``: all of them, or some.
3. ``begin`` lays out the surroundings of a vehicle by random numbers and says where it begins.
   ``controls`` makes steering [rad], throttle and brake of actions. After the steps ``look``
   brings up to date what the task knows of its vehicles, by the outputs that ``motion`` has; then
   come ``observe``, ``rewards`` (a column for each term) and ``ended``: 0, or the number of an
   ending, from 1 on.
4. Actions are shares from -1 to 1 of the range that ``acted`` says. The steering wheel does not
   turn faster than ``QUICKEST_STEERING``.
5. Whole-array arithmetic only, without functions whose last digit depends on the size of an array:
   a vehicle alone sees what it sees among others, bit for bit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.core.units import UnitError, to_si
from axletree.gym.driven_vehicle import DrivenVehicle, Pose, driven_vehicle
from axletree.gym.lines import RowChoice
from axletree.simulation.problem import SettingsError

CONTROL_INTERVAL: Final = 0.02  # s
_ROLLED: Final = 1.0  # rad
QUICKEST_STEERING: Final = 15.0  # rad/s, about the fastest that hands turn a steering wheel


class Motion(IntEnum):
    """The first columns of ``motion``, which all tasks have; see ``MOTION_OUTPUTS``."""

    X = 0  # [m]
    Y = 1  # [m]
    HEADING = 2  # [rad], to the left
    FORWARD_SPEED = 3  # [m/s]
    LATERAL_SPEED = 4  # [m/s], to the left
    YAW_RATE = 5  # [rad/s], to the left
    ROLL = 6  # [rad]
    FURTHER = 7  # where those of a task begin


MOTION_OUTPUTS: Final = tuple(f"vehicle.{one.name.lower()}" for one in Motion)[: Motion.FURTHER]


@dataclass(frozen=True)
class SpaceEntry:
    """One number of an observation or of an action, with its bounds."""

    name: str
    unit: str
    low: float
    high: float
    description: str


@dataclass(frozen=True)
class RewardTerm:
    """A part of the reward of every control step."""

    name: str
    description: str


@dataclass(frozen=True)
class EpisodeEnding:
    """How an episode may end, and the reward that comes with it once."""

    name: str
    reward: float
    description: str


def rollover(reward: float) -> EpisodeEnding:
    """The ending of vehicles that have ``rolled_over``."""
    return EpisodeEnding("rolled over", reward, f"the roll angle is more than {_ROLLED:g} rad")


@dataclass(frozen=True)
class Scenery:
    """What a picture from above shows of the surroundings; points x, y [m] in rows."""

    lines: tuple[FloatArray, ...] = ()
    boxes: tuple[FloatArray, ...] = ()  # corners
    soft: tuple[FloatArray, ...] = ()  # corners of areas of another ground
    goal: tuple[float, float] | None = None


class DrivingTask(ABC):
    """What all tasks have; see the module for the contract."""

    summary: ClassVar[str]
    vehicle: ClassVar[str]  # of the catalogue
    vehicle_text: ClassVar[str]  # what it is in the task
    outputs: ClassVar[tuple[str, ...]] = MOTION_OUTPUTS  # the columns of ``motion``, and more
    observed: ClassVar[tuple[SpaceEntry, ...]]
    acted: ClassVar[tuple[SpaceEntry, ...]]
    reward_terms: ClassVar[tuple[RewardTerm, ...]]
    endings: ClassVar[tuple[EpisodeEnding, ...]]
    randomised: ClassVar[Mapping[str, tuple[float, float]]]  # ranges of factors, unless given
    start_speed: ClassVar[float]  # m/s, of the straight drive that states at other speeds are of
    horizon: ClassVar[float]  # s

    def __init__(self, count: int, *, vehicle: str | None = None) -> None:
        self.count = count
        own = vehicle is None
        self.driven: DrivenVehicle = driven_vehicle(
            self.vehicle if vehicle is None else vehicle, self.vehicle_changes(own),
            speed=self.start_speed, outputs=self.outputs, control_interval=CONTROL_INTERVAL,
        )  # fmt: skip
        self.motion: FloatArray = np.zeros((count, len(self.outputs)))
        self.levels: FloatArray = np.zeros((count, 3))  # steering wheel [rad], throttle, brake
        self.change: FloatArray = np.zeros((count, len(self.acted)))  # of actions since the last
        self._ranges = np.array([(one.low, one.high) for one in self.acted]).T

    @classmethod
    @abstractmethod
    def vehicle_changes(cls, own: bool) -> dict[str, Any]:
        """Of the section ``vehicle``: of the task's own vehicle, or of another one."""

    @abstractmethod
    def begin(self, row: int, random: np.random.Generator) -> Pose: ...

    def episode_parameters(self, row: int) -> Mapping[str, float]:
        """Parameters of this episode's surroundings, by patterns of their names."""
        return {}

    @abstractmethod
    def controls(self, rows: RowChoice, actions: FloatArray) -> FloatArray:
        """Steering wheel [rad], throttle and brake, in columns."""

    @abstractmethod
    def look(self, rows: RowChoice) -> None: ...

    @abstractmethod
    def observe(self, rows: RowChoice) -> Sequence[FloatArray]:
        """A column for each entry of ``observed``, in SI units; it may be beyond the bounds."""

    @abstractmethod
    def rewards(self, rows: RowChoice) -> Sequence[FloatArray]: ...

    @abstractmethod
    def ended(self, rows: RowChoice) -> NDArray[np.int64]: ...

    @abstractmethod
    def scenery(self, row: int) -> Scenery: ...

    def rolled_over(self, rows: RowChoice) -> NDArray[np.bool_]:
        """Whether vehicles lie on their side, where models end: bodies do not touch the ground."""
        return np.abs(self.motion[rows, Motion.ROLL]) > _ROLLED

    def values_of(self, actions: FloatArray) -> FloatArray:
        """What actions from -1 to 1 stand for."""
        low, high = self._ranges
        values: FloatArray = low + (0.5 * (actions + 1.0)) * (high - low)
        return values

    def steering_towards(self, rows: RowChoice, angle: FloatArray) -> FloatArray:
        """The angle [rad] that the steering wheel comes to within a control interval."""
        now, way = self.levels[rows, 0], QUICKEST_STEERING * CONTROL_INTERVAL
        return np.minimum(np.maximum(angle, now - way), now + way)


def pedals_of(pedals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Throttle and brake of one number: throttle if positive, brake if negative."""
    return np.maximum(pedals, 0.0), np.maximum(-pedals, 0.0)


def first_of(*conditions: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The number, from 1 on, of the first condition that holds in each row; 0 for none."""
    code = np.zeros(len(conditions[0]), dtype=np.int64)
    for number in range(len(conditions), 0, -1):
        code[conditions[number - 1]] = number
    return code


def checked_range(what: str, unit: str, between: Any) -> tuple[float, float]:
    """The lowest and the highest of a range that values are drawn from, in SI units."""
    try:
        low, high = (to_si(one, expected=unit) for one in between)
    except UnitError as error:
        raise SettingsError(f"{what}: {error}") from None
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not 0.0 < low <= high < np.inf:
        raise SettingsError(
            f"{what} is {between!r}; expected the lowest and the highest, such as "
            f"('20 {unit}', '28 {unit}')"
        )
    return float(low), float(high)
