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
    """No constraint: three positions and an orientation (Morency 2007, section 2.4.5)."""

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
