"""Several surfaces on top of one another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import ClassVar

from axletree.library.part import parts, within
from axletree.library.surfaces.contract import Parameters, Surface, Value
from axletree.library.surfaces.curvature import radius_of


@dataclass(frozen=True)
class SurfaceSum(Surface):
    """Heights add up, and factors on friction multiply.

    Example:
    >>> import axletree as at
    >>> both = at.SurfaceSum(surfaces=(at.Sine(amplitude=0.03, wavelength=8.0), at.Flat()))
    >>> print(f"{float(both.height(2.0, 0.0, both.numbers)):.3f} m")
    0.030 m
    """

    summary: ClassVar[str] = "several surfaces, their heights added"

    surfaces: tuple[Surface, ...] = parts("SURFACES", "surfaces to add")

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        places = enumerate(self.surfaces, start=1)
        return reduce(add, (s.height(x, y, within(p, f"surfaces.{k}")) for k, s in places))

    def slopes(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        places = enumerate(self.surfaces, start=1)
        found = [s.slopes(x, y, within(p, f"surfaces.{k}")) for k, s in places]
        return reduce(add, (first for first, _ in found)), reduce(add, (last for _, last in found))

    def friction(self, x: Value, y: Value, p: Parameters) -> Value:
        factor = super().friction(x, y, p)
        for k, surface in enumerate(self.surfaces, start=1):
            factor = factor * surface.friction(x, y, within(p, f"surfaces.{k}"))
        return factor

    @property
    def least_radius(self) -> float:
        return radius_of(sum(1.0 / surface.least_radius for surface in self.surfaces))

    def cautions(self) -> list[str]:
        return [text for surface in self.surfaces for text in surface.cautions()]
