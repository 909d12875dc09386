"""The environments under their ids in Gymnasium, such as ``axletree/LaneKeeping-v0``."""

from __future__ import annotations

from typing import Any, Final

import gymnasium

from axletree.gym.contract import DrivingTask
from axletree.gym.drift import Drift
from axletree.gym.emergency_avoidance import EmergencyAvoidance
from axletree.gym.environments import DrivingEnv, DrivingVectorEnv
from axletree.gym.lane_keeping import LaneKeeping
from axletree.gym.lap import Lap
from axletree.gym.off_road import OffRoad

# A new environment is one class and one line here.
ENVIRONMENTS: Final[dict[str, type[DrivingTask]]] = {
    "axletree/LaneKeeping-v0": LaneKeeping,
    "axletree/Drift-v0": Drift,
    "axletree/Lap-v0": Lap,
    "axletree/EmergencyAvoidance-v0": EmergencyAvoidance,
    "axletree/OffRoad-v0": OffRoad,
}


def _single(environment: str, **settings: Any) -> DrivingEnv:
    return DrivingEnv(ENVIRONMENTS[environment], **settings)


def _vector(environment: str, num_envs: int = 1, **settings: Any) -> DrivingVectorEnv:
    return DrivingVectorEnv(ENVIRONMENTS[environment], num_envs, **settings)


def register_environments() -> None:
    """Make all of them known to Gymnasium, as ``import axletree.gym`` does.

    Example:
    >>> import gymnasium
    >>> from axletree.gym.registration import register_environments
    >>> register_environments()
    >>> "axletree/LaneKeeping-v0" in gymnasium.registry
    True
    """
    for name in ENVIRONMENTS:
        if name not in gymnasium.registry:
            gymnasium.register(
                name, entry_point=f"{__name__}:_single",
                vector_entry_point=f"{__name__}:_vector",
                kwargs={"environment": name}, order_enforce=False, disable_env_checker=True,
            )  # fmt: skip
