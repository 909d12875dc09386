"""The free joint: six freedoms, in the coordinates and speeds of choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import RotationLaw, TranslationLaw
from axletree.library.fields import choice
from axletree.library.joints.joint import Joint
from axletree.library.motion.free import Orientation, Speeds, free_rotation, free_translation


@dataclass(frozen=True, eq=False)
class Free(Joint):
    """No constraint: three positions and an orientation (Morency 2007, section 2.4.5).

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> body = model.add(at.RigidBody("body", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> free = model.add(at.Free("free", model.ground, body))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states][::3]
    ['free.vx [m/s]', 'free.wx [rad/s]', 'free.x [m]', 'free.yaw [rad]']
    """

    summary: ClassVar[str] = "six freedoms: positions and an orientation"

    orientation: Orientation = choice(
        Orientation, "angles that describe the orientation", default=Orientation.EULER_321
    )
    speeds: Speeds = choice(
        Speeds, "rates of the coordinates, or body components", default=Speeds.BODY
    )

    def translation(self) -> TranslationLaw:
        return free_translation(self.speeds)

    def rotation(self) -> RotationLaw:
        return free_rotation(self.orientation, self.speeds)
