"""Environments of Gymnasium: vehicles that a learning agent drives (extra ``gym``).

``import axletree.gym`` registers them under ids such as ``axletree/LaneKeeping-v0``. Read in this
order:

1. ``contract``: what a task is: observations, actions, rewards, endings;
2. the tasks: ``lane_keeping``, ``drift``, ``lap``, ``emergency_avoidance``, ``off_road``;
3. ``environments``: a task as ``gymnasium.Env`` and as ``VectorEnv``; ``episodes``: how they begin
   and end, for both; ``registration``: their ids;
4. ``driven_vehicle``: the vehicle and what is drawn of it at random; ``lines``: lanes and tracks;
   ``top_view``: the picture;
5. ``stepper_array``: many steppers in one array of memory, in threads.
"""

from importlib.util import find_spec

from axletree.core.errors import AxletreeError


class MissingGymnasiumError(AxletreeError, ImportError):
    """The package that environments are made for is not installed."""


if find_spec("gymnasium") is None:
    raise MissingGymnasiumError(
        "axletree.gym needs the package gymnasium, which is not installed; "
        "try: pip install 'axletree[gym]'"
    )

from axletree.gym.registration import register_environments  # noqa: E402 - needs the package

register_environments()
