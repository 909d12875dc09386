"""A step or kerb with a rounded flank."""

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
class Step(AlongLine):
    """Half a wave of the cosine from one level to another.

    A sharp edge meets a wheel at more than one point; the length keeps the flank as flat as
    a wheel's one contact point needs.

    Example:
    >>> import axletree as at
    >>> kerb = at.Step(x=10.0, rise="10 cm", length=0.5)  # m
    >>> print(f"{float(kerb.height(10.25, 0.0, kerb.numbers)):.3f} m")  # half way up
    0.050 m
    """

    summary: ClassVar[str] = "a step up or down, or a kerb, with a rounded flank"

    rise: float = parameter("m", "height of the new level above the old one")
    length: float = parameter("m", "length of the flank along the line", lower=0.0, above=True)

    def profile(self, distance: Value, p: Parameters) -> Value:
        part = clamped(distance / p["length"], 0.0, 1.0)
        return 0.5 * p["rise"] * (1.0 - cos(math.pi * part))

    @property
    def least_radius(self) -> float:
        return radius_of(0.5 * abs(self.rise) * (math.pi / self.length) ** 2)
