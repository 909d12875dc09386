"""The point-on-plane joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import axis
from axletree.library.joints.joint import Joint
from axletree.library.joints.planar import in_plane
from axletree.library.motion.translation import AlongAxes


@dataclass(frozen=True, eq=False)
class PointOnPlane(Joint):
    """The head's origin stays on a plane through the tail's origin; rotation is free.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> puck = model.add(at.RigidBody("puck", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> ice = model.add(at.PointOnPlane("ice", model.ground, puck))
    >>> model.formulate().degrees_of_freedom  # two in the plane, three rotations
    5
    """

    summary: ClassVar[str] = "a point of one body on a plane of another"

    normal: tuple[float, float, float] = axis("normal of the plane in the tail", default="z")

    def translation(self) -> AlongAxes:
        return in_plane(self.normal)
