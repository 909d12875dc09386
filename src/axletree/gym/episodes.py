"""Episodes of a task: how they begin, their control steps, and why they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.gym.contract import CONTROL_INTERVAL, DrivingTask
from axletree.gym.driven_vehicle import CONTROLS
from axletree.gym.lines import RowChoice, between_bounds
from axletree.gym.stepper_array import StepperArray
from axletree.simulation.problem import SettingsError

OUT_OF_TIME: Final = "the time is over"
FAILED: Final = "a step of the simulation failed"


@dataclass(frozen=True)
class EpisodeStep:
    """What a control step came to, in rows."""

    reward: FloatArray
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    ended: NDArray[np.int64]
    failed: NDArray[np.bool_]
    terms: tuple[FloatArray, ...]

    def reason(self, task: DrivingTask, place: int) -> str:
        """Why the episode in this place ended."""
        if self.terminated[place]:
            return task.endings[int(self.ended[place]) - 1].name
        return FAILED if self.failed[place] else OUT_OF_TIME


class EpisodeArray:
    """Episodes of a task, one for each vehicle, all with random numbers of their own."""

    def __init__(
        self,
        task: DrivingTask,
        *,
        step: float,
        randomise: Mapping[str, tuple[float, float]] | None,
        horizon: float,
        threads: int,
    ) -> None:
        self.task, self.count = task, task.count
        vehicle = task.driven
        self._ranges = vehicle.ranges(task.randomised if randomise is None else randomise)
        ratio = CONTROL_INTERVAL / step if step > 0.0 else 0.5
        if not np.isfinite(ratio) or round(ratio) < 1 or abs(ratio - round(ratio)) > 1e-9 * ratio:
            raise SettingsError(
                f"step is {step:g} s; expected a whole part of {CONTROL_INTERVAL:g} s, the "
                "interval of control, such as 1 ms"
            )
        self._steps = round(ratio)  # of the simulation in one of control
        if not 0.0 < horizon < np.inf:
            raise SettingsError(f"horizon is {horizon!r} s; expected a positive number")
        self._most = round(horizon / CONTROL_INTERVAL)
        self.steppers = StepperArray(
            vehicle.program,
            self.count,
            step=step,
            inputs=CONTROLS,
            threads=threads,
            library=vehicle.library,
        )
        task.motion, task.levels = self.steppers.outputs, self.steppers.levels
        self.elapsed = np.zeros(self.count, dtype=np.int64)  # control steps
        self._actions = np.zeros((self.count, len(task.acted)))
        self._bounds = np.array([(one.low, one.high) for one in task.observed]).T
        self._end_rewards = np.array([0.0, *(one.reward for one in task.endings)])

    def begin(self, row: int, random: np.random.Generator) -> dict[str, float]:
        """A new episode of a row; returns the factors that were drawn."""
        task, vehicle = self.task, self.task.driven
        parameters = vehicle.parameters
        factors = {}
        for name, (places, low, high) in self._ranges.items():
            factors[name] = float(random.uniform(low, high))
            parameters[places] *= factors[name]
        pose = task.begin(row, random)
        for pattern, value in task.episode_parameters(row).items():
            parameters[vehicle.places_of([pattern])] = value
        self.steppers.place(row, vehicle.states_at(pose), vehicle.start.inputs, parameters)
        self.elapsed[row] = 0
        self._actions[row] = 0.0
        task.change[row] = 0.0
        task.levels[row] = (0.0, vehicle.throttle, 0.0)
        task.look(np.array([row]))
        return factors

    def observe(self, rows: RowChoice) -> NDArray[np.float32]:
        columns = np.stack(self.task.observe(rows), axis=1)
        seen: NDArray[np.float32] = between_bounds(columns, *self._bounds).astype(np.float32)
        return seen

    def advance(self, rows: RowChoice, actions: FloatArray) -> EpisodeStep:
        """A control step of some rows by actions between -1 and 1, which others leave alone."""
        task = self.task
        task.change[rows] = actions - self._actions[rows]
        self._actions[rows] = actions
        task.levels[rows] = task.controls(rows, actions)
        self.steppers.steps[:] = 0
        self.steppers.steps[rows] = self._steps
        self.steppers.advance()
        self.elapsed[rows] += 1
        task.look(rows)
        ended = task.ended(rows)
        terms = task.rewards(rows)
        failed = self.steppers.codes[rows] != 0
        ended[failed] = 0
        reward = self._end_rewards[ended]
        for term in terms:
            reward = reward + term
        terminated = ended > 0
        truncated = ~terminated & (failed | (self.elapsed[rows] >= self._most))
        return EpisodeStep(reward, terminated, truncated, ended, failed, tuple(terms))

    def close(self) -> None:
        self.steppers.close()
