"""A border between two soils."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import cos, sin
from axletree.library.fields import parameter
from axletree.library.part import part, within
from axletree.library.soils.contract import SoilLaw, Wheel
from axletree.library.soils.forces import SoilForces
from axletree.library.soils.grip import Grip, grip_of
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
        return _forces_between(behind, ahead, self.share_ahead(wheel, p))

    @property
    def knows_sinkage(self) -> bool:
        return self.behind.knows_sinkage and self.ahead.knows_sinkage

    def at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        behind = self.behind.at_sinkage(sinkage, wheel, within(p, "behind"))
        ahead = self.ahead.at_sinkage(sinkage, wheel, within(p, "ahead"))
        return _forces_between(behind, ahead, self.share_ahead(wheel, p))

    def grip_under_load(self, load: Value, wheel: Wheel, p: Parameters) -> Grip:
        behind = self.behind.grip_under_load(load, wheel, within(p, "behind"))
        ahead = self.ahead.grip_under_load(load, wheel, within(p, "ahead"))
        return grip_of(_between(behind.flat(), ahead.flat(), self.share_ahead(wheel, p)))

    def grip_at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> Grip:
        behind = self.behind.grip_at_sinkage(sinkage, wheel, within(p, "behind"))
        ahead = self.ahead.grip_at_sinkage(sinkage, wheel, within(p, "ahead"))
        return grip_of(_between(behind.flat(), ahead.flat(), self.share_ahead(wheel, p)))


Values = dict[str, Value]


def _between(behind: Values, ahead: Values, share: Value) -> Values:
    return {name: (1.0 - share) * behind[name] + share * ahead[name] for name in behind}


def _forces_between(behind: SoilForces, ahead: SoilForces, share: Value) -> SoilForces:
    return SoilForces(**_between(vars(behind), vars(ahead), share))
