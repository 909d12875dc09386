"""Tasks as environments of Gymnasium: one vehicle, and many of them over one array.

Both are the same episodes; a vector of one environment is that environment, number by number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.core.registry import refuse_unknown
from axletree.core.units import UnitError, to_si
from axletree.gym.contract import CONTROL_INTERVAL, DrivingTask
from axletree.gym.episodes import EpisodeArray, EpisodeStep
from axletree.gym.lines import EVERY_ROW, RowChoice
from axletree.gym.top_view import top_view
from axletree.simulation.problem import SettingsError

Observation = NDArray[np.float32]
Action = NDArray[np.float32]
RENDER_MODES = ("rgb_array",)


def observation_space(task: type[DrivingTask]) -> spaces.Box[Any]:
    """Of one vehicle, in SI units."""
    low, high = (
        np.array([getattr(one, side) for one in task.observed], dtype=np.float32)
        for side in ("low", "high")
    )
    return spaces.Box(low, high, dtype=np.float32)


def action_space(task: type[DrivingTask]) -> spaces.Box[Any]:
    """Of one vehicle: shares of the ranges of the task, from -1 to 1."""
    return spaces.Box(-1.0, 1.0, shape=(len(task.acted),), dtype=np.float32)


def _seconds(what: str, value: float | str) -> float:
    try:
        return to_si(value, expected="s")
    except (UnitError, TypeError) as error:
        raise SettingsError(f"{what}: {error}") from None


def _episodes(
    task: type[DrivingTask],
    count: int,
    *,
    step: float | str,
    horizon: float | str | None,
    randomise: Mapping[str, tuple[float, float]] | None,
    threads: int,
    settings: Mapping[str, Any],
) -> EpisodeArray:
    for what, number in (("num_envs", count), ("threads", threads)):
        if not isinstance(number, int) or number < 1:
            raise SettingsError(f"{what} is {number!r}; expected a whole number of 1 or more")
    known = [name for name in signature(task).parameters if name != "count"]
    refuse_unknown("setting", settings, known, f"the environment {task.__name__}")
    return EpisodeArray(
        task(count, **settings),
        step=_seconds("step", step), randomise=randomise, threads=threads,
        horizon=task.horizon if horizon is None else _seconds("horizon", horizon),
    )  # fmt: skip


def _checked_mode(render_mode: str | None) -> str | None:
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise SettingsError(
            f"render_mode is {render_mode!r}; expected None or one of {', '.join(RENDER_MODES)}"
        )
    return render_mode


def _checked_actions(actions: Any, shape: tuple[int, ...]) -> FloatArray:
    """Actions as numbers between -1 and 1; what is beyond is taken for the bound."""
    try:
        values = np.asarray(actions, dtype=float)
    except (TypeError, ValueError):
        raise SettingsError(f"an action is {actions!r}; expected numbers") from None
    if values.shape != shape:
        raise SettingsError(f"an action has the shape {values.shape}; expected {shape}")
    clipped: FloatArray = np.minimum(np.maximum(values, -1.0), 1.0)
    if not np.isfinite(clipped).all():
        raise SettingsError(f"an action is not finite: {values.tolist()}")
    return clipped


class DrivingEnv(gymnasium.Env[Observation, Action]):
    """One vehicle and its task.

    ``step`` [s] is that of the simulation; ``horizon`` [s] the longest episode; ``randomise`` has
    ranges of factors of parameters, drawn for each episode (``{}``: none). Other arguments are
    those of the task.
    """

    metadata: dict[str, Any] = {
        "render_modes": list(RENDER_MODES), "render_fps": round(1.0 / CONTROL_INTERVAL)
    }  # fmt: skip

    def __init__(
        self,
        task: type[DrivingTask],
        *,
        step: float | str = "1 ms",
        horizon: float | str | None = None,
        randomise: Mapping[str, tuple[float, float]] | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.render_mode = _checked_mode(render_mode)
        self.episodes = _episodes(
            task, 1, step=step, horizon=horizon, randomise=randomise, threads=1, settings=settings
        )
        self.observation_space = observation_space(task)
        self.action_space = action_space(task)
        self._shape = (len(task.acted),)
        self._runs = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        factors = self.episodes.begin(0, self.np_random)
        self._runs = True
        return self.episodes.observe(EVERY_ROW)[0], {"factors": factors}

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self._runs:
            raise SettingsError("the episode is over, or did not begin; call reset() first")
        values = _checked_actions(action, self._shape)
        done = self.episodes.advance(EVERY_ROW, values[None])
        task = self.episodes.task
        terms = {
            one.name: float(term[0])
            for one, term in zip(task.reward_terms, done.terms, strict=True)
        }
        info: dict[str, Any] = {"rewards": terms}
        terminated, truncated = bool(done.terminated[0]), bool(done.truncated[0])
        if terminated or truncated:
            self._runs = False
            info["reason"] = done.reason(task, 0)
            info["time"] = CONTROL_INTERVAL * float(self.episodes.elapsed[0])
        observation = self.episodes.observe(EVERY_ROW)[0]
        return observation, float(done.reward[0]), terminated, truncated, info

    def render(self) -> NDArray[np.uint8] | None:
        if self.render_mode is None:
            return None
        return top_view(self.episodes.task, 0)

    def close(self) -> None:
        self.episodes.close()


class DrivingVectorEnv(VectorEnv[Observation, Action, NDArray[Any]]):
    """Many vehicles with one task, whose steppers are one array of C and run in threads.

    Row k has the random numbers of a ``DrivingEnv`` with the seed plus k. ``autoreset_mode`` says
    when a vehicle whose episode ended begins the next: with the next step, in the same one, or
    when it is told to.
    """

    def __init__(
        self,
        task: type[DrivingTask],
        num_envs: int = 1,
        *,
        step: float | str = "1 ms",
        horizon: float | str | None = None,
        randomise: Mapping[str, tuple[float, float]] | None = None,
        threads: int = 2,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.closed = True  # until all of it is there
        self.render_mode = _checked_mode(render_mode)
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise SettingsError(
                f"autoreset_mode is {autoreset_mode!r}; expected one of {known}"
            ) from None
        self.episodes = _episodes(
            task, num_envs, step=step, horizon=horizon, randomise=randomise, threads=threads,
            settings=settings,
        )  # fmt: skip
        self.metadata = DrivingEnv.metadata | {"autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.single_observation_space = observation_space(task)
        self.single_action_space = action_space(task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._random: list[np.random.Generator] = []
        self._over = np.ones(num_envs, dtype=bool)  # episodes that ended or did not begin
        self._all = np.arange(num_envs)
        self._shape = (num_envs, len(task.acted))
        self.closed = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        rows = self._rows_to_reset(options)
        self._seed(rows, seed)
        infos: dict[str, Any] = {}
        self._begin(rows, infos)
        return self.episodes.observe(EVERY_ROW), infos

    def _rows_to_reset(self, options: Mapping[str, Any] | None) -> NDArray[np.int64]:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.arange(self.num_envs)
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise SettingsError(
                f"options['reset_mask'] has the shape {mask.shape} and the type {mask.dtype}; "
                f"expected {self.num_envs} truth values, one of them true at least"
            )
        if not self._random:
            raise SettingsError("the first reset is one of all environments; leave the mask out")
        return np.flatnonzero(mask)

    def _seed(self, rows: NDArray[np.int64], seed: int | Sequence[int | None] | None) -> None:
        seeds: list[int | None]
        if seed is None or isinstance(seed, int | np.integer):
            seeds = [None if seed is None else int(seed) + k for k in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise SettingsError(f"{len(seeds)} seeds are given for {self.num_envs} environments")
        if not self._random:
            self._random = [seeding.np_random(one)[0] for one in seeds]
            return
        for row in rows.tolist():
            if seeds[row] is not None:
                self._random[row] = seeding.np_random(seeds[row])[0]

    def _begin(self, rows: NDArray[np.int64], infos: dict[str, Any]) -> None:
        """New episodes of rows; what was drawn for them goes to the infos."""
        for row in rows.tolist():
            factors = self.episodes.begin(row, self._random[row])
            self._add_info(infos, {"factors": factors}, row)
        self._over[rows] = False

    def step(
        self, actions: Action
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        values = _checked_actions(actions, self._shape)
        if not self._over.any():
            return self._advance(EVERY_ROW, values, self._all[:0])
        waiting = np.flatnonzero(self._over)
        if self.autoreset_mode is not AutoresetMode.NEXT_STEP or not self._random:
            raise SettingsError(
                f"episodes of the environments {waiting.tolist()} are over, or did not begin; call "
                "reset() first, with options={'reset_mask': ...} for some of them"
            )
        return self._advance(np.flatnonzero(~self._over), values, waiting)

    def _advance(
        self, rows: RowChoice, values: FloatArray, waiting: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """A control step of these rows; those that wait begin a new episode instead."""
        done = self.episodes.advance(rows, values[rows])
        moved = self._all[rows]
        over = np.flatnonzero(done.terminated | done.truncated)
        infos = self._reward_infos(done, moved)
        ended, observation = moved[over], None
        if over.size and self.autoreset_mode is AutoresetMode.SAME_STEP:
            observation = self.episodes.observe(EVERY_ROW)
            infos = self._final_infos(done, moved, over, observation)
            self._begin(ended, infos)
            observation[ended] = self.episodes.observe(ended)
        else:
            self._over[ended] = True
            for place in over.tolist():
                told = self._reason(done, place, int(moved[place]))
                infos = self._add_info(infos, told, int(moved[place]))
            self._begin(waiting, infos)
        if observation is None:
            observation = self.episodes.observe(EVERY_ROW)
        reward, terminated, truncated = (
            self._spread(one, moved) for one in (done.reward, done.terminated, done.truncated)
        )
        return observation, reward, terminated, truncated, infos

    def _spread(self, values: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
        """Values of some rows among zeros for the others."""
        if len(rows) == self.num_envs:
            return values
        spread = np.zeros(self.num_envs, dtype=values.dtype)
        spread[rows] = values
        return spread

    def _reward_infos(self, done: EpisodeStep, moved: NDArray[np.int64]) -> dict[str, Any]:
        """Terms of the reward, each with a mask of the rows that have it, as Gymnasium does."""
        if not moved.size:
            return {}
        mask = self._spread(np.ones(len(moved), dtype=bool), moved)
        terms: dict[str, Any] = {}
        for one, term in zip(self.episodes.task.reward_terms, done.terms, strict=True):
            terms[one.name], terms[f"_{one.name}"] = self._spread(term, moved), mask
        return {"rewards": terms, "_rewards": mask}

    def _reason(self, done: EpisodeStep, place: int, row: int) -> dict[str, Any]:
        time = CONTROL_INTERVAL * float(self.episodes.elapsed[row])
        return {"reason": done.reason(self.episodes.task, place), "time": time}

    def _final_infos(
        self, done: EpisodeStep, moved: NDArray[np.int64], over: NDArray[np.int64],
        observation: Observation,
    ) -> dict[str, Any]:  # fmt: skip
        """Of rows whose episodes end with this step, what they saw last and why they ended."""
        goes_on = np.setdiff1d(self._all, moved[over])
        infos: dict[str, Any] = {}
        if goes_on.size:
            terms = self._reward_infos(done, moved)
            mask = self._spread(np.ones(len(goes_on), dtype=bool), goes_on)
            for one in self.episodes.task.reward_terms:
                terms["rewards"][one.name] = terms["rewards"][one.name] * mask
                terms["rewards"][f"_{one.name}"] = mask
            infos = {"rewards": terms["rewards"], "_rewards": mask}
        names = [one.name for one in self.episodes.task.reward_terms]
        for place in over.tolist():
            row = int(moved[place])
            terms = {name: float(term[place]) for name, term in zip(names, done.terms, strict=True)}
            final = {"rewards": terms, **self._reason(done, place, row)}
            told = {"final_obs": observation[row].copy(), "final_info": final}
            infos = self._add_info(infos, told, row)
        return infos

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        if self.render_mode is None:
            return None
        return tuple(top_view(self.episodes.task, row) for row in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        self.episodes.close()
