"""The cylindrical joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import RotationLaw, TranslationLaw
from axletree.library.fields import axis
from axletree.library.joints.joint import Joint
from axletree.library.joints.prismatic import POSITION, SPEED
from axletree.library.joints.revolute import ANGLE, RATE
from axletree.library.motion.rotation import AboutAxes
from axletree.library.motion.translation import AlongAxes


@dataclass(frozen=True, eq=False)
class Cylindrical(Joint):
    """A sleeve on a shaft: the head slides along an axis and turns about it.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> sleeve = model.add(at.RigidBody("sleeve", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> shaft = model.add(at.Cylindrical("shaft", model.ground, sleeve))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states]
    ['shaft.speed [m/s]', 'shaft.rate [rad/s]', 'shaft.position [m]', 'shaft.angle [rad]']
    """

    summary: ClassVar[str] = "sleeve on a shaft: a position along and an angle about one axis"

    axis: tuple[float, float, float] = axis(
        "axis of the shaft, the same in both frames", default="z"
    )

    def translation(self) -> TranslationLaw:
        return AlongAxes((self.axis,), (POSITION,), (SPEED,))

    def rotation(self) -> RotationLaw:
        return AboutAxes((self.axis,), (ANGLE,), (RATE,))
