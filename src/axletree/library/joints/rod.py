"""The rod: two points at a fixed distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import TranslationLaw
from axletree.library.fields import parameter
from axletree.library.joints.joint import Joint
from axletree.library.motion.free import Speeds, free_translation
from axletree.library.motion.translation import AtDistance


@dataclass(frozen=True, eq=False)
class Rod(Joint):
    """A massless link with a ball at each end: the origins keep their distance.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bob = model.add(at.RigidBody("bob", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> rod = model.add(at.Rod("rod", model.ground, bob, length="1 m"))
    >>> model.start = {"bob.z": -1.0}
    >>> model.formulate().degrees_of_freedom  # six less one
    5
    """

    summary: ClassVar[str] = "massless link: two points at a fixed distance"

    length: float = parameter("m", "distance of the two points", lower=0.0, above=True)

    def translation(self) -> TranslationLaw:
        free = free_translation(Speeds.DERIVATIVES)
        return AtDistance(self.symbol("length"), free.coordinates, free.speeds)
