"""A border between two soils."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import cos, sin
from axletree.library.fields import parameter
from axletree.library.part import part, within
from axletree.library.soils.contract import SoilLaw, Wheel
from axletree.library.soils.layers import WHOLE, Layer, LayeredLaw, Share, step_slope
from axletree.library.soils.soil import Parameters
from axletree.library.surfaces.shapes import smooth_step


@dataclass(frozen=True)
class Border(LayeredLaw):
    """One law behind a line across the way and another ahead of it.

    A wheel that crosses the line has a share of the forces of each, which changes smoothly along a
    short way. A border may stand on either side of another: a soft spot is ``{type: border,
    behind: firm, ahead: {type: border, ...}}``. Both laws are evaluated everywhere.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> border = at.Border(at.WismerLuth("2 MPa"), at.WismerLuth("300 kPa"), x=10.0)
    >>> wheels = (Wheel(0.7, 0.45, slip=0.15, x=place) for place in (5.0, 15.0))  # m
    >>> [round(float(border(15e3, wheel).drawbar_pull)) for wheel in wheels]  # N
    [10179, 2840]
    """

    summary: ClassVar[str] = "one law behind a line and another ahead of it"

    behind: SoilLaw = part("SOIL_LAWS", "law behind the line")
    ahead: SoilLaw = part("SOIL_LAWS", "law ahead of it")
    x: float = parameter("m", "x of a point of the line", default=0.0)
    y: float = parameter("m", "y of a point of the line", default=0.0)
    heading: float = parameter(
        "rad", "direction across the line, from the x axis to the left", default=0.0
    )
    transition: float = parameter(
        "m", "way along which forces change", default=0.2, lower=0.0, above=True
    )

    def _share_ahead(self, wheel: Wheel, p: Parameters) -> Share:
        """The share of the law ahead at the place of a wheel."""
        c, s = cos(p["heading"]), sin(p["heading"])
        forward = c * (wheel.x - p["x"]) + s * (wheel.y - p["y"])
        passed, per_metre = forward / p["transition"] + 0.5, 1.0 / p["transition"]
        slope = per_metre * step_slope(passed)
        return Share(smooth_step(passed), c * slope, s * slope)

    def layers(self, wheel: Wheel, p: Parameters) -> Sequence[Layer]:
        ahead = Layer(self.ahead, within(p, "ahead"), self._share_ahead(wheel, p))
        return Layer(self.behind, within(p, "behind"), WHOLE), ahead

    @property
    def knows_sinkage(self) -> bool:
        return self.behind.knows_sinkage and self.ahead.knows_sinkage
