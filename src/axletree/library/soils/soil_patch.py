"""A rectangle of other ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import absolute, cos, sin, where
from axletree.library.fields import parameter
from axletree.library.part import Part, part
from axletree.library.soils.contract import SoilLaw
from axletree.library.soils.layers import Share, step_slope
from axletree.library.soils.soil import Parameters, Value
from axletree.library.surfaces.shapes import smooth_step


@dataclass(frozen=True)
class SoilPatch(Part):
    """A law within a rectangle, whose edges are the middle of the transition.

    Example:
    >>> import axletree as at
    >>> spot = at.SoilPatch(at.WismerLuth("300 kPa"), length=4.0, width=4.0, x=10.0)  # m
    >>> shares = (spot.share(x, 0.0, 0.2, spot.numbers).size for x in (10.0, 12.0, 14.0))
    >>> [float(share) for share in shares]  # in its middle, on its edge, outside
    [1.0, 0.5, 0.0]
    """

    summary: ClassVar[str] = "a rectangle"

    law: SoilLaw = part("SOIL_LAWS", "law within")
    length: float = parameter("m", "length, along the heading", lower=0.0, above=True)
    width: float = parameter("m", "width, across it", lower=0.0, above=True)
    x: float = parameter("m", "x of the middle", default=0.0)
    y: float = parameter("m", "y of the middle", default=0.0)
    heading: float = parameter("rad", "direction, from the x axis to the left", default=0.0)

    def share(self, x: Value, y: Value, transition: Value, p: Parameters) -> Share:
        """Of the contact of a wheel at a place [m], with the transition [m] at the edges.

        Example:
        >>> import axletree as at
        >>> spot = at.SoilPatch(at.WismerLuth("300 kPa"), length=4.0, width=4.0, x=10.0)  # m
        >>> share = spot.share(12.0, 0.0, 0.2, spot.numbers)  # on its edge ahead
        >>> print(f"{share.size:.2f}, {share.slope_x:.1f} per m along x")
        0.50, -7.5 per m along x
        """
        c, s = cos(p["heading"]), sin(p["heading"])
        over, aside = x - p["x"], y - p["y"]
        along, along_slope = _within(c * over + s * aside, p["length"], transition)
        across, across_slope = _within(c * aside - s * over, p["width"], transition)
        forward, left = along_slope * across, along * across_slope
        return Share(along * across, c * forward - s * left, s * forward + c * left)


def _within(place: Value, size: Value, transition: Value) -> tuple[Value, Value]:
    """1 between the edges and 0 beyond, and the slope of that [1/m]."""
    inside = (0.5 * size - absolute(place)) / transition + 0.5
    slope = step_slope(inside) / transition
    return smooth_step(inside), where(place < 0.0, slope, -slope)
