"""Different friction left and right of a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import cos, sin
from axletree.library.fields import optional_parameter, parameter
from axletree.library.friction_maps.contract import FrictionMap, Parameters, Value
from axletree.library.surfaces.shapes import smooth_step


@dataclass(frozen=True)
class SplitFriction(FrictionMap):
    """One factor to the left of a line and another to its right (split mu).

    Between them the factor changes smoothly along a short way, as it does while the contact
    patch of a tyre crosses the line. With ``begin`` friction is that of dry ground up to there.

    Example:
    >>> import axletree as at
    >>> ice = at.SplitFriction(left=0.2, right=1.0)
    >>> [round(float(ice.factor_at(5.0, y, ice.numbers)), 3) for y in (1.0, -1.0)]  # m to the left
    [0.2, 1.0]
    """

    summary: ClassVar[str] = "one factor to the left of a line and one to its right"

    left: float = parameter("1", "factor on friction to the left", lower=0.0)
    right: float = parameter("1", "factor on friction to the right", lower=0.0)
    x: float = parameter("m", "x of a point of the line", default=0.0)
    y: float = parameter("m", "y of a point of the line", default=0.0)
    heading: float = parameter(
        "rad", "direction of the line, from the x axis to the left", default=0.0
    )
    transition: float = parameter(
        "m", "width along which the factor changes", default=0.1, lower=0.0, above=True
    )
    begin: float | None = optional_parameter(
        "m", "way along the line from its point on, before which the factor is 1; left out: none"
    )

    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        c, s = cos(p["heading"]), sin(p["heading"])
        leftward = c * (y - p["y"]) - s * (x - p["x"])
        part = smooth_step(leftward / p["transition"] + 0.5)
        factor = p["right"] + (p["left"] - p["right"]) * part
        if self.begin is None:
            return factor
        beyond = c * (x - p["x"]) + s * (y - p["y"]) - p["begin"]
        return 1.0 + (factor - 1.0) * smooth_step(beyond / p["transition"] + 0.5)
