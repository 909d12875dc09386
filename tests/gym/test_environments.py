"""Environments by Gymnasium's own checks, against one another and against a stepper alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import RescaleObservation
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from gymnasium.wrappers.vector import RescaleObservation as RescaleVector

import axletree.gym  # noqa: F401 - registers them
from axletree.core.errors import AxletreeError
from axletree.gym.contract import CONTROL_INTERVAL, DrivingTask
from axletree.gym.driven_vehicle import CONTROLS, driven_vehicle
from axletree.gym.environments import DrivingEnv, DrivingVectorEnv
from axletree.gym.episodes import FAILED, OUT_OF_TIME
from axletree.gym.lane_keeping import HALF_LANE
from axletree.gym.registration import ENVIRONMENTS
from axletree.simulation.stepper.step_program import StartPoint
from axletree.simulation.stepper.stepper import Stepper

WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
LANE = "axletree/LaneKeeping-v0"


def single(name: str = LANE, **settings: Any) -> DrivingEnv:
    env = gymnasium.make(name, **settings).unwrapped
    assert isinstance(env, DrivingEnv)
    return env


def vector(count: int, name: str = LANE, **settings: Any) -> DrivingVectorEnv:
    mode = {"vectorization_mode": "vector_entry_point"}
    envs = gymnasium.make_vec(name, num_envs=count, **mode, **settings).unwrapped
    assert isinstance(envs, DrivingVectorEnv)
    return envs


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    env = single(name, render_mode="rgb_array")
    check_env(env)
    env.reset(seed=1)
    picture = env.render()
    assert picture is not None
    assert picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 10  # it shows something


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_many_see_what_one_sees_bit_for_bit(name: str) -> None:
    """Observations, rewards and states of each row, against an environment of its own."""
    count, seed = 9, 40
    envs = vector(count, name, threads=2)
    together, _ = envs.reset(seed=seed)
    actions = np.random.default_rng(3).uniform(-0.4, 0.4, size=(15, *envs.action_space.shape))
    rows = [(together, np.zeros(count))]
    rows += [envs.step(one.astype(np.float32))[:2] for one in actions]
    for row in (0, 4, 8):
        env = single(name)
        alone = [(env.reset(seed=seed + row)[0], 0.0)]
        alone += [env.step(one[row].astype(np.float32))[:2] for one in actions]
        for (observed, reward), (all_observed, rewards) in zip(alone, rows, strict=True):
            assert np.array_equal(observed, all_observed[row])
            assert reward == rewards[row]
        own = env.episodes.steppers.states(0)
        assert np.array_equal(own, envs.episodes.steppers.states(row))
        assert np.all(np.isfinite(own))


def test_a_stepper_alone_moves_as_an_environment_does_bit_for_bit() -> None:
    env = single()
    env.reset(seed=5)
    steppers, program = env.episodes.steppers, env.episodes.task.driven.program
    states, levels = steppers.states(0), []
    factors = steppers.parameters(0)
    names = [q.name for q in program.program.parameters]
    start = StartPoint("here", "as the environment", states, env.episodes.task.driven.start.inputs)
    alone = Stepper(
        program, 1e-3, start=start, parameters=dict(zip(names, factors.tolist(), strict=True))
    )
    for action in np.random.default_rng(1).uniform(-0.3, 0.3, size=(20, 1)):
        env.step(action.astype(np.float32))
        levels.append(steppers.levels[0].copy())
        for control, level in zip(CONTROLS, levels[-1].tolist(), strict=True):
            alone[control] = level
        alone.advance(CONTROL_INTERVAL)
    assert list(alone.states.values()) == steppers.states(0).tolist()
    assert alone.time == pytest.approx(20 * CONTROL_INTERVAL)
    assert np.ptp(np.array(levels)[:, 0]) > 0.1  # rad: it was steered


def same(one: Any, other: Any) -> bool:
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, np.ndarray):
        if one.shape != other.shape:
            return False
        if one.dtype != object:
            return np.array_equal(one, other)
    if isinstance(one, tuple | np.ndarray):
        return all(same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_episodes_begin_anew_as_gymnasium_has_it(mode: AutoresetMode) -> None:
    """Against Gymnasium's own vector of single environments, infos included."""
    settings = {"horizon": 0.16}
    envs = vector(3, autoreset_mode=mode, **settings)
    theirs = SyncVectorEnv([lambda: single(**settings)] * 3, autoreset_mode=mode)
    assert envs.metadata["autoreset_mode"] is mode
    assert same(envs.reset(seed=11), theirs.reset(seed=11))
    wild = np.random.default_rng(0).uniform(-1.0, 1.0, size=(20, 3, 1)).astype(np.float32)
    ended = 0
    for step, actions in enumerate(wild):
        ours, them = envs.step(actions), theirs.step(actions)
        assert all(same(a, b) for a, b in zip(ours, them, strict=True)), step
        over = ours[2] | ours[3]
        ended += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            assert same(
                envs.reset(options={"reset_mask": over}), theirs.reset(options={"reset_mask": over})
            )
    assert ended >= 6


def test_the_reward_is_the_sum_of_its_terms_and_of_the_ending() -> None:
    env = single()
    observation, _ = env.reset(seed=2)
    while True:
        last = observation
        observation, reward, terminated, truncated, info = env.step(np.array([1.0]))
        offset, terms = float(observation[0]), info["rewards"]
        assert terms["lane"] == pytest.approx(1.0 - (offset / HALF_LANE) ** 2, abs=1e-6)
        ending = -20.0 if terminated else 0.0
        assert reward == pytest.approx(sum(terms.values()) + ending, rel=1e-12)
        if terminated or truncated:
            break
    assert abs(last[0]) <= HALF_LANE < abs(offset)
    assert info["reason"] == "off the lane"
    assert 0.2 < info["time"] < 5.0
    with pytest.raises(AxletreeError, match="call reset"):
        env.step(np.array([0.0]))


def test_time_is_over_at_the_horizon() -> None:
    env = single(horizon="60 ms")
    env.reset(seed=0)
    outcomes = [env.step(np.array([0.0])) for _ in range(3)]
    assert [one[3] for one in outcomes] == [False, False, True]
    assert outcomes[-1][4]["reason"] == OUT_OF_TIME


def test_a_step_that_fails_cuts_the_episode_short() -> None:
    """No state that is not finite is ever seen, and the agent is not blamed for it."""
    env = single(randomise={"damping": (1e3, 1e3)})
    env.reset(seed=0)
    for _ in range(50):
        observation, _, terminated, truncated, info = env.step(np.array([1.0]))
        assert np.all(np.isfinite(observation))
        if truncated:
            break
    assert not terminated
    assert info["reason"] == FAILED


def test_what_is_drawn_changes_the_vehicle() -> None:
    env = single(randomise={"mass": (1.2, 1.2), "air.drag": (2.0, 2.0)})
    _, info = env.reset(seed=0)
    assert info["factors"] == {"mass": 1.2, "air.drag": 2.0}
    vehicle = env.episodes.task.driven
    own, drawn = vehicle.parameters, env.episodes.steppers.parameters(0)
    changed = {
        quantity.name: drawn[k] / own[k]
        for k, quantity in enumerate(vehicle.program.program.parameters)
        if drawn[k] != own[k]
    }
    assert changed.pop("air.drag") == pytest.approx(2.0)
    assert set(changed) == {
        "body.mass", *(f"body.inertia.{axis}" for axis in ("xx", "yy", "zz")),
        *(f"{wheel}_spring.preload" for wheel in WHEELS),
    }  # fmt: skip
    assert list(changed.values()) == pytest.approx([1.2] * len(changed))
    _, plain = single(randomise={}).reset(seed=0)
    assert plain["factors"] == {}


def test_wrappers_of_gymnasium_take_them() -> None:
    """Those that the pages name: observations between -1 and 1, sums of rewards."""
    low, high = np.float32(-1.0), np.float32(1.0)
    one = RescaleObservation(single(), low, high)
    many = RescaleVector(vector(3, horizon=0.06), low, high)
    counted = RecordEpisodeStatistics(many)
    alone, _ = one.reset(seed=1)
    together, _ = counted.reset(seed=1)
    assert np.abs(alone).max() <= 1.0
    np.testing.assert_allclose(together[0], alone, atol=1e-6)
    sums = np.zeros(3)
    for _ in range(3):
        _, reward, _, truncated, infos = counted.step(np.zeros((3, 1), dtype=np.float32))
        sums += reward
    assert truncated.all()
    np.testing.assert_allclose(infos["episode"]["r"], sums)


def test_another_vehicle_drives_the_same_lane() -> None:
    env = single(vehicle="van", speeds=("30 m/s", "30 m/s"))
    first, _ = env.reset(seed=0)
    assert first[2] == pytest.approx(30.0, abs=0.01)
    for _ in range(25):
        seen, _, terminated, _, _ = env.step(np.array([0.0]))
    assert not terminated
    assert seen[2] == pytest.approx(30.0, abs=0.5)


def test_a_file_that_changes_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its equations, which take seconds."""
    for stage in ("formulate", "step_program", "steady_start"):
        monkeypatch.setattr(f"axletree.gym.driven_vehicle.{stage}", lambda *_, **__: None)
    file, masses = tmp_path / "car.yaml", []
    for mass in (1300, 1500):
        file.write_text(f"base: sedan\nvehicle: {{body: {{mass: {mass} kg}}}}\n")
        made = driven_vehicle(
            str(file), {"fidelity": "14-dof"}, speed=20.0, outputs=[], control_interval=0.02
        )
        masses.append(made.description.body.mass)
    assert masses == [1300.0, 1500.0]


def test_seeds_repeat_an_episode_and_differ_between_rows() -> None:
    envs = vector(3)
    first, _ = envs.reset(seed=8)
    again, _ = envs.reset(seed=[8, 9, 8])
    assert np.array_equal(first[:2], again[:2])
    assert np.array_equal(again[2], again[0])
    assert not np.array_equal(first[0], first[1])
    other, _ = envs.reset()
    assert not np.array_equal(other, again)


SETTINGS = {
    "step": ("0.3 ms", "whole part of 0.02 s"),
    "horizon": (0.0, "positive"),
    "render_mode": ("human", "rgb_array"),
    "speedz": (3, r"unknown setting 'speedz'.*speeds"),
    "vehicle": ("pendulum", "describes a vehicle"),
    "speeds": (("5 m", "6 m"), "speeds"),
    "lateral_acceleration": (-1.0, "lateral_acceleration"),
    "randomise": ({"weight": (0.9, 1.1), "mass": (2.0, 1.0)}, r"weight.*\n.*mass"),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_wrong_settings_are_told(name: str) -> None:
    value, told = SETTINGS[name]
    with pytest.raises(AxletreeError, match=told):
        single(**{name: value})


VECTOR_SETTINGS = {"autoreset_mode": "sometimes", "threads": 0}


@pytest.mark.parametrize("name", VECTOR_SETTINGS)
def test_wrong_settings_of_vectors_are_told(name: str) -> None:
    with pytest.raises(AxletreeError, match=name):
        vector(2, **{name: VECTOR_SETTINGS[name]})


def test_wrong_calls_are_told() -> None:
    env, envs = single(), vector(2, autoreset_mode="Disabled")
    with pytest.raises(AxletreeError, match="call reset"):
        env.step(np.zeros(1))
    with pytest.raises(AxletreeError, match="call reset"):
        envs.step(np.zeros((2, 1)))
    with pytest.raises(AxletreeError, match="one of all"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=0)
    envs.reset(seed=0)
    for wrong in (np.zeros(2), np.array([np.nan]), "left"):
        with pytest.raises(AxletreeError, match="action"):
            env.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(AxletreeError, match="seeds"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(AxletreeError, match="reset_mask"):
        envs.reset(options={"reset_mask": np.array([0, 1])})


@pytest.mark.parametrize("task", ENVIRONMENTS.values(), ids=lambda task: task.__name__)
def test_a_task_says_all_of_itself(task: type[DrivingTask]) -> None:
    for entries in (task.observed, task.acted):
        assert len({one.name for one in entries}) == len(entries)
        assert all(one.low < one.high and one.unit and one.description for one in entries)
    assert len({one.name for one in task.endings}) == len(task.endings)


def test_without_gymnasium_the_extra_is_named() -> None:
    program = "import sys; sys.modules['gymnasium'] = None; import axletree.gym"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert "pip install 'axletree[gym]'" in done.stderr
