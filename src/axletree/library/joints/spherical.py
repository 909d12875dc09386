"""The spherical joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import RotationLaw, TranslationLaw
from axletree.library.fields import choice
from axletree.library.joints.joint import Joint
from axletree.library.motion.free import Orientation, Speeds, free_rotation
from axletree.library.motion.translation import AlongAxes


@dataclass(frozen=True, eq=False)
class Spherical(Joint):
    """A ball joint: the origins coincide, the head turns freely.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> top = model.add(at.RigidBody("top", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> ball = model.add(at.Spherical("ball", model.ground, top))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states[3:]]
    ['ball.yaw [rad]', 'ball.pitch [rad]', 'ball.roll [rad]']
    """

    summary: ClassVar[str] = "ball joint: three rotations"

    orientation: Orientation = choice(
        Orientation, "angles that describe the orientation", default=Orientation.EULER_321
    )
    speeds: Speeds = choice(Speeds, "rates of the angles, or body components", default=Speeds.BODY)

    def translation(self) -> TranslationLaw:
        return AlongAxes()

    def rotation(self) -> RotationLaw:
        return free_rotation(self.orientation, self.speeds)
