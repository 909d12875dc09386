"""A border between two soils."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import cos, sin
from axletree.library.fields import parameter
from axletree.library.part import part, within
from axletree.library.soils.contract import SoilForces, SoilLaw, Wheel
from axletree.library.soils.soil import Parameters, Value
from axletree.library.surfaces.shapes import smooth_step


@dataclass(frozen=True)
class Border(SoilLaw):
    """One law behind a line across the way and another ahead of it.

    A wheel that crosses the line has a share of the forces of each, which changes smoothly along a
    short way: soils have parts of the contact each, and never mix. A border may stand on either
    side of another: a soft spot is ``{type: border, behind: firm, ahead: {type: border, ...}}``.
    Both laws are evaluated everywhere.
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

    def share_ahead(self, wheel: Wheel, p: Parameters) -> Value:
        """The share of the law ahead [1] at the place of a wheel."""
        c, s = cos(p["heading"]), sin(p["heading"])
        forward = c * (wheel.x - p["x"]) + s * (wheel.y - p["y"])
        return smooth_step(forward / p["transition"] + 0.5)

    def under_load(self, load: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        behind = self.behind.under_load(load, wheel, within(p, "behind"))
        ahead = self.ahead.under_load(load, wheel, within(p, "ahead"))
        return _between(behind, ahead, self.share_ahead(wheel, p))

    def at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        behind = self.behind.at_sinkage(sinkage, wheel, within(p, "behind"))
        ahead = self.ahead.at_sinkage(sinkage, wheel, within(p, "ahead"))
        return _between(behind, ahead, self.share_ahead(wheel, p))


def _between(behind: SoilForces, ahead: SoilForces, share: Value) -> SoilForces:
    def value(name: str) -> Value:
        first, last = getattr(behind, name), getattr(ahead, name)
        return (1.0 - share) * first + share * last

    return SoilForces(**{item.name: value(item.name) for item in dataclasses.fields(SoilForces)})
