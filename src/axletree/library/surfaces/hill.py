"""A round hill, or a pothole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import minimum
from axletree.library.fields import parameter
from axletree.library.surfaces.contract import Parameters, Surface, Value
from axletree.library.surfaces.curvature import radius_of


@dataclass(frozen=True)
class Hill(Surface):
    """z = rise (1 - r^2 / radius^2)^3 within the radius, level outside.

    Example:
    >>> import axletree as at
    >>> hill = at.Hill(rise=2.0, radius=10.0)  # m
    >>> print(f"{float(hill.height(5.0, 0.0, hill.numbers)):.5f} m")  # 2 * 0.75^3
    0.84375 m
    """

    summary: ClassVar[str] = "a round hill, or a pothole"

    rise: float = parameter("m", "height in the middle; a pothole if negative")
    radius: float = parameter("m", "distance from the middle to the rim", lower=0.0, above=True)
    x: float = parameter("m", "x of the middle", default=0.0)
    y: float = parameter("m", "y of the middle", default=0.0)

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        aside_x, aside_y = (x - p["x"]) / p["radius"], (y - p["y"]) / p["radius"]
        inside = 1.0 - minimum(aside_x * aside_x + aside_y * aside_y, 1.0)
        return p["rise"] * inside * inside * inside

    @property
    def least_radius(self) -> float:
        return radius_of(6.0 * abs(self.rise) / self.radius**2)  # in the middle
