"""The revolute joint (Morency 2007, tables 2.2 and 2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import RotationLaw, TranslationLaw, Variable
from axletree.library.fields import axis
from axletree.library.joints.joint import Joint
from axletree.library.motion.rotation import AboutAxes
from axletree.library.motion.translation import AlongAxes

ANGLE = Variable("angle", "rad", "angle of the head in the tail about the axis")
RATE = Variable("rate", "rad/s", "rate of the angle")


@dataclass(frozen=True, eq=False)
class Revolute(Joint):
    """A hinge: the origins coincide, the head turns about an axis."""

    summary: ClassVar[str] = "hinge: one angle about an axis"

    axis: tuple[float, float, float] = axis(
        "axis of the hinge, the same in both frames", default="z"
    )

    def translation(self) -> TranslationLaw:
        return AlongAxes()

    def rotation(self) -> RotationLaw:
        return AboutAxes((self.axis,), (ANGLE,), (RATE,))
