"""A ramp from one level to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.surfaces.along_line import AlongLine
from axletree.library.surfaces.contract import Parameters, Value
from axletree.library.surfaces.curvature import radius_of
from axletree.library.surfaces.shapes import rounded_rise


@dataclass(frozen=True)
class Ramp(AlongLine):
    """A constant slope between two levels, its two edges rounded by parabolas.

    The slope between the edges is rise / (length - edge).

    Example:
    >>> import axletree as at
    >>> ramp = at.Ramp(rise=1.0, length=10.0, edge=1.0)  # m
    >>> print(f"{float(ramp.slopes(5.0, 0.0, ramp.numbers)[0]):.4f}")  # 1 / (10 - 1)
    0.1111
    """

    summary: ClassVar[str] = "a ramp of constant slope with rounded edges"

    rise: float = parameter("m", "height of the new level above the old one")
    length: float = parameter(
        "m", "length along the line, edges included", lower=0.0, above=True
    )  # fmt: skip
    edge: float = parameter("m", "length of each rounded edge", lower=0.0, above=True)

    def problems(self) -> list[str]:
        if 2.0 * self.edge > self.length:
            return [f"two edges of {self.edge:g} m are longer than the ramp of {self.length:g} m"]
        return []

    def profile(self, distance: Value, p: Parameters) -> Value:
        straight = p["length"] - p["edge"]
        lower = rounded_rise(distance, p["edge"])
        return p["rise"] / straight * (lower - rounded_rise(distance - straight, p["edge"]))

    @property
    def least_radius(self) -> float:
        return radius_of(abs(self.rise) / ((self.length - self.edge) * self.edge))
