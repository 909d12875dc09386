"""The prismatic joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import RotationLaw, TranslationLaw, Variable
from axletree.library.fields import axis
from axletree.library.joints.joint import Joint
from axletree.library.motion.rotation import AboutAxes
from axletree.library.motion.translation import AlongAxes

POSITION = Variable("position", "m", "position of the head in the tail along the axis")
SPEED = Variable("speed", "m/s", "rate of the position")


@dataclass(frozen=True, eq=False)
class Prismatic(Joint):
    """A slide: the orientations are the same, the head moves along an axis of the tail.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("cart", 1.0))))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states]
    ['way.speed [m/s]', 'way.position [m]']
    """

    summary: ClassVar[str] = "slide: one position along an axis"

    axis: tuple[float, float, float] = axis("direction of the slide in the tail", default="x")

    def translation(self) -> TranslationLaw:
        return AlongAxes((self.axis,), (POSITION,), (SPEED,))

    def rotation(self) -> RotationLaw:
        return AboutAxes()
