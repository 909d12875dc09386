"""The environments under their ids in Gymnasium, such as ``axletree/LaneKeeping-v0``."""

from __future__ import annotations

from typing import Any, Final

import gymnasium

from axletree.core.registry import load, section, section_names
from axletree.gym.contract import DrivingTask
from axletree.gym.environments import DrivingEnv, DrivingVectorEnv

NAMESPACE: Final = "axletree"


def environment_id(name: str) -> str:
    """The id of a task by its name in the catalogue.

    Example:
    >>> from axletree.gym.registration import environment_id
    >>> environment_id("LaneKeeping")
    'axletree/LaneKeeping-v0'
    """
    return f"{NAMESPACE}/{name}-v0"


def task_class(name: str) -> type[DrivingTask]:
    """The task by its name in the catalogue.

    Example:
    >>> from axletree.gym.registration import task_class
    >>> task_class("LaneKeeping").summary
    'steering along a winding lane at constant speed'
    """
    found: type[DrivingTask] = load("environment", name, section("ENVIRONMENTS"))
    return found


def _single(name: str, **settings: Any) -> DrivingEnv:
    return DrivingEnv(task_class(name), **settings)


def _vector(name: str, num_envs: int = 1, **settings: Any) -> DrivingVectorEnv:
    return DrivingVectorEnv(task_class(name), num_envs, **settings)


def register_environments() -> None:
    """Make all tasks known to Gymnasium; ``import axletree.gym`` does."""
    for name in section_names("ENVIRONMENTS"):
        gymnasium.register(
            environment_id(name), entry_point=_single, vector_entry_point=_vector,
            kwargs={"name": name}, order_enforce=False, disable_env_checker=True,
        )  # fmt: skip
