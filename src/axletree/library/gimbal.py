"""Orientations in which three turns one after another do not tell all motions apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from axletree.library.edge import Variable


@dataclass(frozen=True)
class Gimbal:
    """Three turns about coordinate axes, each normal to the one before it.

    The middle angle brings the first and the last axis in line somewhere. There the two
    angles about them turn the head alike, and their rates have no bound.
    """

    angles: tuple[str, str, str]  # their short names, in the order of the turns
    repeated: bool  # whether the last axis is the first one again, as in 313

    def apart(self, middle: float) -> float:
        """The sine of the angle between the first and the last axis, from the middle angle."""
        return math.sin(middle) if self.repeated else math.cos(middle)

    def sentence(self, middle: float) -> str:
        """The place next to a middle angle where the two are in line, and what is wrong there."""
        shift = 0.0 if self.repeated else 0.5
        place = (round(middle / math.pi - shift) + shift) * math.pi
        first, name, last = self.angles
        return f"at {name} = {place:.6g} rad the angles {first} and {last} turn about the same line"


def gimbal_of(axes: Sequence[object], angles: Sequence[Variable]) -> Gimbal | None:
    """Of turns about these axes; fewer than three tell all their motions apart."""
    if len(axes) != 3:
        return None
    first, middle, last = (angle.suffix for angle in angles)
    return Gimbal((first, middle, last), repeated=axes[0] == axes[2])
