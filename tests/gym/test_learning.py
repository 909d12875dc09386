"""A linear policy learns to keep the lane: by evolution, in NumPy, in seconds."""

from __future__ import annotations

from collections.abc import Callable

import gymnasium
import numpy as np
import pytest

import axletree.gym  # noqa: F401 - registers them
from axletree.gym.environments import DrivingVectorEnv

POPULATION, PARENTS, GENERATIONS = 48, 8, 14
SPREAD, NARROWER, LEAST = 1.5, 0.9, 0.02  # of weights: at first, in each generation, and at last
STEPS = 300  # of control, 6 s
Policy = Callable[[np.ndarray], np.ndarray]  # observations to actions, in rows


def returns(envs: DrivingVectorEnv, policy: Policy, seeds: list[int]) -> np.ndarray:
    """The sum of rewards of each row until its first episode ends."""
    observation, _ = envs.reset(seed=seeds)
    total, runs = np.zeros(envs.num_envs), np.ones(envs.num_envs, dtype=bool)
    while runs.any():
        observation, reward, terminated, truncated, _ = envs.step(policy(observation))
        total += np.where(runs, reward, 0.0)
        runs &= ~(terminated | truncated)
    return total


def linear(envs: DrivingVectorEnv, weights: np.ndarray) -> Policy:
    """Each row by weights of its own, on observations between -1 and 1."""
    low, high = envs.observation_space.low, envs.observation_space.high

    def act(observation: np.ndarray) -> np.ndarray:
        scaled = 2.0 * (observation - low) / (high - low) - 1.0
        return np.tanh(np.sum(weights * scaled, axis=1, keepdims=True)).astype(np.float32)

    return act


def learned_weights(envs: DrivingVectorEnv) -> np.ndarray:
    """The best of a generation are the parents of the next; all of one drive the same lane."""
    random = np.random.default_rng(0)
    size = envs.observation_space.shape[1]
    mean, spread = np.zeros(size), np.full(size, SPREAD)
    for generation in range(GENERATIONS):
        weights = mean + spread * random.standard_normal((POPULATION, size))
        found = returns(envs, linear(envs, weights), [generation] * POPULATION)
        parents = weights[np.argsort(found)[-PARENTS:]]
        mean, spread = parents.mean(axis=0), NARROWER * parents.std(axis=0) + LEAST
    return mean


def by_hand(observation: np.ndarray) -> np.ndarray:
    """The lane's curvature, and what brings the car back within a look ahead (Donges 1978)."""
    offset, heading, speed, lateral = observation[:, :4].T
    far = 0.8 * speed
    bend = observation[:, 8] - 2.0 / far**2 * (offset + far * (heading + lateral / speed))
    return np.clip(15.0 * (2.85 + 0.0025 * speed**2) * bend, -1.0, 1.0)[:, None]


@pytest.mark.slow
@pytest.mark.shipped_flags
def test_a_linear_policy_learns_to_keep_the_lane() -> None:
    """On lanes that it never drove it comes near to a controller made by hand."""
    envs = gymnasium.make_vec(
        "axletree/LaneKeeping-v0", num_envs=POPULATION, vectorization_mode="vector_entry_point",
        horizon=0.02 * STEPS,
    ).unwrapped  # fmt: skip
    assert isinstance(envs, DrivingVectorEnv)
    weights = learned_weights(envs)
    unseen = list(range(1000, 1000 + POPULATION))
    learned = returns(envs, linear(envs, weights), unseen)
    untrained = returns(envs, linear(envs, np.zeros_like(weights)), unseen)
    expert = returns(envs, by_hand, unseen)
    assert untrained.mean() < 0.65 * STEPS  # straight on leaves most lanes
    assert expert.min() > 0.95 * STEPS
    assert learned.mean() > 0.95 * expert.mean()
    assert learned.min() > 0.5 * STEPS  # none leaves its lane at once
