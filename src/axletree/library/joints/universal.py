"""The universal joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import RotationLaw, TranslationLaw, Variable
from axletree.library.fields import axis
from axletree.library.joints.joint import Joint
from axletree.library.motion.rotation import AboutAxes
from axletree.library.motion.translation import AlongAxes


@dataclass(frozen=True, eq=False)
class Universal(Joint):
    """A cross: the head turns about an axis of the tail, then about one of its own.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> shaft = model.add(at.RigidBody("shaft", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> cross = model.add(at.Universal("cross", model.ground, shaft))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states][2:]
    ['cross.first_angle [rad]', 'cross.second_angle [rad]']
    """

    summary: ClassVar[str] = "cross: two angles about two axes normal to one another"

    first_axis: tuple[float, float, float] = axis("axis fixed in the tail", default="x")
    second_axis: tuple[float, float, float] = axis("axis fixed in the head", default="y")

    def problems(self) -> list[str]:
        found = super().problems()
        product = sum(a * b for a, b in zip(self.first_axis, self.second_axis, strict=True))
        if abs(product) > 1e-9:
            found.append("first_axis and second_axis must be normal to one another")
        return found

    def translation(self) -> TranslationLaw:
        return AlongAxes()

    def rotation(self) -> RotationLaw:
        order = ("first", "second")
        angles = tuple(Variable(f"{k}_angle", "rad", f"angle about the {k} axis") for k in order)
        rates = tuple(Variable(f"{k}_rate", "rad/s", f"rate of the {k} angle") for k in order)
        return AboutAxes((self.first_axis, self.second_axis), angles, rates)
