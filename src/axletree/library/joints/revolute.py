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
    """A hinge: the origins coincide, the head turns about an axis.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> rod = model.add(at.RigidBody("rod", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> hinge = model.add(at.Revolute("hinge", model.ground, rod, axis="z"))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states]
    ['hinge.rate [rad/s]', 'hinge.angle [rad]']
    """

    summary: ClassVar[str] = "hinge: one angle about an axis"

    axis: tuple[float, float, float] = axis(
        "axis of the hinge, the same in both frames", default="z"
    )

    def translation(self) -> TranslationLaw:
        return AlongAxes()

    def rotation(self) -> RotationLaw:
        return AboutAxes((self.axis,), (ANGLE,), (RATE,))
