"""Ground that differs from place to place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.part import part, parts, within
from axletree.library.soils.contract import SoilLaw, Wheel
from axletree.library.soils.layers import WHOLE, Layer, LayeredLaw
from axletree.library.soils.soil import Parameters
from axletree.library.soils.soil_patch import SoilPatch


@dataclass(frozen=True)
class SoilMap(LayeredLaw):
    """One law everywhere but in patches, of which later ones lie over those before them.

    A wheel that crosses the edge of a patch has a share of the forces of each law, which changes
    smoothly along a short way. All laws are evaluated everywhere: a map of few patches is meant.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> spot = at.SoilPatch(at.WismerLuth("300 kPa"), length=4.0, width=4.0, x=10.0)  # m
    >>> ground = at.SoilMap(at.WismerLuth("2 MPa"), (spot,))
    >>> wheels = (Wheel(0.7, 0.45, slip=0.15, x=place) for place in (5.0, 10.0, 15.0))
    >>> [round(float(ground(15e3, wheel).drawbar_pull)) for wheel in wheels]  # N
    [10179, 2840, 10179]
    """

    summary: ClassVar[str] = "one law everywhere but in patches"

    ground: SoilLaw = part("SOIL_LAWS", "law where there is no patch")
    patches: tuple[SoilPatch, ...] = parts("SOIL_PATCHES", "places of other laws")
    transition: float = parameter(
        "m", "way along which forces change at the edges", default=0.2, lower=0.0, above=True
    )

    def layers(self, wheel: Wheel, p: Parameters) -> Sequence[Layer]:
        found = [Layer(self.ground, within(p, "ground"), WHOLE)]
        for k, patch in enumerate(self.patches, start=1):
            own = within(p, f"patches.{k}")
            share = patch.share(wheel.x, wheel.y, p["transition"], own)
            found.append(Layer(patch.law, within(own, "law"), share))
        return found

    @property
    def knows_sinkage(self) -> bool:
        laws = (self.ground, *(patch.law for patch in self.patches))
        return all(law.knows_sinkage for law in laws)
