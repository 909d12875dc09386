"""Draws what the environments of learning agents show of themselves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import gymnasium
import numpy as np

import axletree.gym  # noqa: F401 - registers them
from axletree.gym.registration import ENVIRONMENTS
from axletree.plot.figure_files import write_figure
from axletree.plot.style import panels_across

Policy = Callable[[dict[str, float], int], list[float]]


def _lane(seen: dict[str, float], step: int) -> list[float]:
    return [-0.35 * seen["offset"] - 6.0 * seen["heading_error"] + 60.0 * seen["curvature_10"]]


def _drift(seen: dict[str, float], step: int) -> list[float]:
    side = -np.sign(seen["wanted_sideslip"])
    turned_in = side * 0.5
    return [turned_in if step < 25 else -0.9 * side * min(1.0, (step - 25) / 15), 0.8]


def _lap(seen: dict[str, float], step: int) -> list[float]:
    bend = seen["curvature_10"] - 0.02 * seen["offset"] - 0.1 * seen["heading_error"]
    return [10.0 * bend, 0.1 * (18.0 - seen["forward_speed"])]


def _avoid(seen: dict[str, float], step: int) -> list[float]:
    aim = 0.004 * (2.9 - seen["offset"] - 20.0 * seen["heading"])
    return [20.0 * aim, -1.0]


def _off_road(seen: dict[str, float], step: int) -> list[float]:
    return [2.0 * seen["bearing"], 0.5]


# How each is driven, for so many control steps, from a seed.
DRIVES: dict[str, tuple[Policy, int, int]] = {
    "LaneKeeping": (_lane, 420, 4),
    "Drift": (_drift, 52, 0),
    "Lap": (_lap, 250, 1),
    "EmergencyAvoidance": (_avoid, 58, 0),
    "OffRoad": (_off_road, 190, 0),
}


def _view(name: str) -> np.ndarray:
    env = gymnasium.make(name, render_mode="rgb_array")
    task = ENVIRONMENTS[name]
    policy, steps, seed = DRIVES[task.__name__]
    observation, _ = env.reset(seed=seed)
    for step in range(steps):
        seen = dict(zip((one.name for one in task.observed), observation.tolist(), strict=True))
        action = np.clip(np.array(policy(seen, step)), -1.0, 1.0)
        observation, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            raise RuntimeError(f"{name} ended after {step} steps: {info['reason']}")
    picture = env.render()
    assert isinstance(picture, np.ndarray)
    return picture


def make_pictures(folder: Path) -> list[Path]:
    """The picture of all environments."""
    figure, axes = panels_across(len(ENVIRONMENTS), 2, "Environments from above")
    for place, name in zip(axes, ENVIRONMENTS, strict=True):
        place.imshow(_view(name))
        place.set_title(name.partition("/")[2], loc="left")
        place.axis("off")
    return [write_figure(figure, folder / "environments.png")]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for picture in make_pictures(target):
        print(picture)
