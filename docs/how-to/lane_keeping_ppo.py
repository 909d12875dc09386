"""Proximal policy optimisation (PPO) learns to keep the lane: 64 cars in one array.

It needs what Axletree does not install: pip install stable-baselines3, which brings PyTorch.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecNormalize

import axletree.gym  # noqa: F401 - registers the environments


class Cars(VecEnv):
    """A vector of Axletree as Stable-Baselines3 has them: episodes begin anew in the same step."""

    def __init__(self, name: str, count: int, **settings: Any) -> None:
        self.cars = gymnasium.make_vec(
            name, num_envs=count, vectorization_mode="vector_entry_point",
            autoreset_mode="SameStep", **settings,
        )  # fmt: skip
        super().__init__(count, self.cars.single_observation_space, self.cars.single_action_space)

    def reset(self) -> np.ndarray:
        seeds = None if self._seeds[0] is None else list(self._seeds)
        self._reset_seeds()
        return self.cars.reset(seed=seeds)[0]

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observation, reward, terminated, truncated, told = self.cars.step(self.actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(terminated | truncated):
            infos[row] = {
                "terminal_observation": told["final_obs"][row],
                "TimeLimit.truncated": bool(truncated[row]),
                "reason": told["final_info"]["reason"][row],
            }
        return observation, reward.astype(np.float32), terminated | truncated, infos

    def close(self) -> None:
        self.cars.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.cars, attr_name, None)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError("the cars of an array have one task")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kw: Any) -> list[Any]:
        raise NotImplementedError("the cars of an array have one task")

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs


def kept_share(policy: PPO, scaled: VecNormalize) -> float:
    """The share of 64 lanes, none of which it has driven before, that it keeps to the end."""
    cars = Cars("axletree/LaneKeeping-v0", 64)
    cars.seed(100_000)
    observation, open_ones, kept = cars.reset(), np.ones(64, dtype=bool), 0
    while open_ones.any():
        action, _ = policy.predict(scaled.normalize_obs(observation), deterministic=True)
        cars.step_async(action)
        observation, _, over, infos = cars.step_wait()
        kept += sum(infos[row]["TimeLimit.truncated"] for row in np.flatnonzero(over & open_ones))
        open_ones &= ~over
    return kept / 64.0


def main(steps: int) -> None:
    cars = VecNormalize(Cars("axletree/LaneKeeping-v0", 64), norm_reward=True)
    policy = PPO(
        "MlpPolicy", cars, n_steps=64, batch_size=1024, n_epochs=5, learning_rate=1e-3,
        gamma=0.98, policy_kwargs={"net_arch": [32, 32], "log_std_init": -1.0}, seed=0,
    )  # fmt: skip
    print(f"before: {100.0 * kept_share(policy, cars):.0f} % of unseen lanes are kept")
    policy.learn(steps)
    print(f"after {steps} steps: {100.0 * kept_share(policy, cars):.0f} %")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 300_000)
