"""Waves without end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import sin
from axletree.library.fields import parameter
from axletree.library.surfaces.along_line import AlongLine
from axletree.library.surfaces.contract import Parameters, Value
from axletree.library.surfaces.curvature import radius_of


@dataclass(frozen=True)
class Sine(AlongLine):
    """z = amplitude sin(2 pi s / wavelength + phase), everywhere; several of them add up in a
    sum.

    Example:
    >>> import axletree as at
    >>> waves = at.Sine(amplitude="3 cm", wavelength=8.0)  # m
    >>> print(f"{float(waves.height(2.0, 0.0, waves.numbers)):.3f} m")  # at a quarter of a wave
    0.030 m
    """

    summary: ClassVar[str] = "sine waves of one length and direction"

    amplitude: float = parameter("m", "height of a crest above the middle")
    wavelength: float = parameter("m", "distance between two crests", lower=0.0, above=True)
    phase: float = parameter("rad", "phase where it begins", default=0.0)

    def profile(self, distance: Value, p: Parameters) -> Value:
        return p["amplitude"] * sin(2.0 * math.pi * distance / p["wavelength"] + p["phase"])

    @property
    def least_radius(self) -> float:
        return radius_of(abs(self.amplitude) * (2.0 * math.pi / self.wavelength) ** 2)
