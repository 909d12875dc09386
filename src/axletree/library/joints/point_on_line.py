"""The point-on-line joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import TranslationLaw
from axletree.library.fields import axis
from axletree.library.joints.joint import Joint
from axletree.library.joints.prismatic import POSITION, SPEED
from axletree.library.motion.translation import AlongAxes


@dataclass(frozen=True, eq=False)
class PointOnLine(Joint):
    """The head's origin stays on a line through the tail's origin; rotation is free.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bead = model.add(at.RigidBody("bead", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> wire = model.add(at.PointOnLine("wire", model.ground, bead, axis="x"))
    >>> model.formulate().degrees_of_freedom  # one along the wire, three rotations
    4
    """

    summary: ClassVar[str] = "a point of one body on a line of another"

    axis: tuple[float, float, float] = axis("direction of the line in the tail", default="x")

    def translation(self) -> TranslationLaw:
        return AlongAxes((self.axis,), (POSITION,), (SPEED,))
