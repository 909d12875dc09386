"""A bump across the road."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import cos
from axletree.library.fields import parameter
from axletree.library.surfaces.along_line import AlongLine
from axletree.library.surfaces.contract import Parameters, Value
from axletree.library.surfaces.curvature import radius_of
from axletree.library.surfaces.shapes import clamped


@dataclass(frozen=True)
class Bump(AlongLine):
    """A full wave of the cosine, level at both ends: z = rise (1 - cos(2 pi s / length)) / 2.

    Example:
    >>> import axletree as at
    >>> bump = at.Bump(x=10.0, rise="8 cm", length=4.0)  # m
    >>> print(f"{float(bump.height(12.0, 0.0, bump.numbers)):.3f} m")  # in its middle
    0.080 m
    """

    summary: ClassVar[str] = "a speed bump across the road, or a dip: one wave of a cosine"

    rise: float = parameter("m", "height of the crest; a dip if negative")
    length: float = parameter("m", "length along the line", lower=0.0, above=True)

    def profile(self, distance: Value, p: Parameters) -> Value:
        part = clamped(distance / p["length"], 0.0, 1.0)
        return 0.5 * p["rise"] * (1.0 - cos(2.0 * math.pi * part))

    @property
    def least_radius(self) -> float:
        return radius_of(0.5 * abs(self.rise) * (2.0 * math.pi / self.length) ** 2)
