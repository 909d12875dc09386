"""Ground of several soils: laws that lie on top of one another and share a contact.

A border between two soils, and a map of rectangles of other ground.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import Parameters, Part, parameter, part, parts, positive, within
from axletree.expr import Value, absolute, cos, sin, where
from axletree.ground.functions import clamped, smooth_step
from axletree.wheel.soils.contract import SoilForces, SoilGrip, SoilLaw, WheelInSoil, grip_of
from axletree.wheel.wheel import GroundPatch

_Values = dict[str, Value]
STORED = "forces.stored_energy"
EDGES = ("edge_x", "edge_y")


@dataclass(frozen=True)
class LayerShare:
    """Of the contact, at a place."""

    size: Value  # [1]
    slope_x: Value  # [1/m]
    slope_y: Value  # [1/m]


WHOLE = LayerShare(1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Layer:
    """A law over those before it."""

    law: SoilLaw
    p: Parameters
    share: LayerShare


class LayeredLaw(SoilLaw, ABC):
    """Layers have parts of the contact each, and never mix.

    Where the share of a layer changes, so does the energy U that soil or tyre store at a sinkage.
    Its slope is a force along the ground: it takes as much to leave a soft spot as it gives to
    enter it, and no height is gained for nothing.
    """

    @abstractmethod
    def layers(self, wheel: WheelInSoil, p: Parameters) -> Sequence[Layer]:
        """From the lowest up, which is whole.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> border = at.Border(at.WismerLuth("2 MPa"), at.WismerLuth("300 kPa"), x=10.0)
        >>> layers = border.layers(WheelInSoil(0.7, 0.45, x=10.05), border.numbers)  # 5 cm ahead
        >>> [(layer.law.cone_index, round(layer.share.size, 3)) for layer in layers]  # Pa, 1
        [(2000000.0, 1.0), (300000.0, 0.844)]
        """

    def under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilForces:
        layers = self.layers(wheel, p)
        found = [vars(one.law.under_load(load, wheel, one.p)) for one in layers]
        return SoilForces(**_mixed(layers, found))

    def at_sinkage(self, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> SoilForces:
        layers = self.layers(wheel, p)
        found = [vars(one.law.at_sinkage(sinkage, wheel, one.p)) for one in layers]
        return SoilForces(**_mixed(layers, found))

    def compared_by(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Mapping[str, Value]:
        """Of laws that all have such numbers."""
        layers = self.layers(wheel, p)
        found = [dict(one.law.compared_by(load, wheel, one.p)) for one in layers]
        return _mixed(layers, found) if all(found) else {}

    def grip_under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
        layers = self.layers(wheel, p)
        found = [one.law.grip_under_load(load, wheel, one.p).flat() for one in layers]
        return grip_of(_mixed(layers, found))

    def grip_at_sinkage(self, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
        layers = self.layers(wheel, p)
        found = [one.law.grip_at_sinkage(sinkage, wheel, one.p).flat() for one in layers]
        return grip_of(_mixed(layers, found, _over))


Mixture = Callable[[_Values, _Values, LayerShare], _Values]


def _between(below: _Values, own: _Values, share: LayerShare) -> _Values:
    return {name: (1.0 - share.size) * below[name] + share.size * own[name] for name in below}


def _over(below: _Values, own: _Values, share: LayerShare) -> _Values:
    found, more = _between(below, own, share), own[STORED] - below[STORED]
    for name, slope in zip(EDGES, (share.slope_x, share.slope_y), strict=True):
        found[name] = found[name] - more * slope
    return found


def _mixed(
    layers: Sequence[Layer], found: Sequence[_Values], mixture: Mixture = _between
) -> _Values:
    """What layers have, from the lowest up, each over those before it."""
    mixed = dict(found[0])
    for layer, own in zip(layers[1:], found[1:], strict=True):
        mixed = mixture(mixed, own, layer.share)
    return mixed


def step_slope(value: Value) -> Value:
    """Of ``smooth_step``."""
    t = clamped(value, 0.0, 1.0)
    return 6.0 * t * (1.0 - t)


@dataclass(frozen=True)
class Border(LayeredLaw):
    """One law behind a line across the way and another ahead of it.

    A wheel that crosses the line has a share of the forces of each, which changes smoothly along a
    short way. A border may stand on either side of another: a soft spot is ``{type: border,
    behind: firm, ahead: {type: border, ...}}``. Both laws are evaluated everywhere.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> border = at.Border(at.WismerLuth("2 MPa"), at.WismerLuth("300 kPa"), x=10.0)
    >>> wheels = (WheelInSoil(0.7, 0.45, slip=0.15, x=place) for place in (5.0, 15.0))  # m
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
    transition: float = positive("m", "way along which forces change", default=0.2)

    def _share_ahead(self, wheel: WheelInSoil, p: Parameters) -> LayerShare:
        """The share of the law ahead at the place of a wheel."""
        c, s = cos(p["heading"]), sin(p["heading"])
        forward = c * (wheel.x - p["x"]) + s * (wheel.y - p["y"])
        passed, per_metre = forward / p["transition"] + 0.5, 1.0 / p["transition"]
        slope = per_metre * step_slope(passed)
        return LayerShare(smooth_step(passed), c * slope, s * slope)

    def layers(self, wheel: WheelInSoil, p: Parameters) -> Sequence[Layer]:
        ahead = Layer(self.ahead, within(p, "ahead"), self._share_ahead(wheel, p))
        return Layer(self.behind, within(p, "behind"), WHOLE), ahead

    @property
    def knows_sinkage(self) -> bool:
        return self.behind.knows_sinkage and self.ahead.knows_sinkage


@dataclass(frozen=True)
class SoilMap(LayeredLaw):
    """One law everywhere but in patches, of which later ones lie over those before them.

    A wheel that crosses the edge of a patch has a share of the forces of each law, which changes
    smoothly along a short way. All laws are evaluated everywhere: a map of few patches is meant.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> spot = at.SoilPatch(at.WismerLuth("300 kPa"), length=4.0, width=4.0, x=10.0)  # m
    >>> ground = at.SoilMap(at.WismerLuth("2 MPa"), (spot,))
    >>> wheels = (WheelInSoil(0.7, 0.45, slip=0.15, x=place) for place in (5.0, 10.0, 15.0))
    >>> [round(float(ground(15e3, wheel).drawbar_pull)) for wheel in wheels]  # N
    [10179, 2840, 10179]
    """

    summary: ClassVar[str] = "one law everywhere but in patches"

    ground: SoilLaw = part("SOIL_LAWS", "law where there is no patch")
    patches: tuple[SoilPatch, ...] = parts("SOIL_PATCHES", "places of other laws")
    transition: float = positive("m", "way along which forces change at the edges", default=0.2)

    def layers(self, wheel: WheelInSoil, p: Parameters) -> Sequence[Layer]:
        found = [Layer(self.ground, within(p, "ground"), WHOLE)]
        for k, patch in enumerate(self.patches, start=1):
            own = within(p, f"patches.{k}")
            share = patch.share(wheel.x, wheel.y, p["transition"], own)
            found.append(Layer(patch.law, within(own, "law"), share))
        return found

    def ground_patches(self, p: Parameters) -> Sequence[GroundPatch]:
        found = []
        for k, patch in enumerate(self.patches, start=1):
            own = within(p, f"patches.{k}")
            place = {n: own[n] for n in ("x", "y", "heading", "length", "width")}
            found.append(GroundPatch(type(patch.law).__name__, **place))
        return found

    @property
    def knows_sinkage(self) -> bool:
        laws = (self.ground, *(patch.law for patch in self.patches))
        return all(law.knows_sinkage for law in laws)


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
    length: float = positive("m", "length, along the heading")
    width: float = positive("m", "width, across it")
    x: float = parameter("m", "x of the middle", default=0.0)
    y: float = parameter("m", "y of the middle", default=0.0)
    heading: float = parameter("rad", "direction, from the x axis to the left", default=0.0)

    def share(self, x: Value, y: Value, transition: Value, p: Parameters) -> LayerShare:
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
        return LayerShare(along * across, c * forward - s * left, s * forward + c * left)


def _within(place: Value, size: Value, transition: Value) -> tuple[Value, Value]:
    """1 between the edges and 0 beyond, and the slope of that [1/m]."""
    inside = (0.5 * size - absolute(place)) / transition + 0.5
    slope = step_slope(inside) / transition
    return smooth_step(inside), where(place < 0.0, slope, -slope)
