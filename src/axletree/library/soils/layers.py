"""What laws have in common that lie on top of one another and share a contact."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from axletree.library.soils.contract import SoilLaw, Wheel
from axletree.library.soils.forces import SoilForces
from axletree.library.soils.grip import Grip, grip_of
from axletree.library.soils.soil import Parameters, Value
from axletree.library.surfaces.shapes import clamped

Values = dict[str, Value]
STORED = "forces.stored_energy"
EDGES = ("edge_x", "edge_y")


@dataclass(frozen=True)
class Share:
    """Of the contact, at a place."""

    size: Value  # [1]
    slope_x: Value  # [1/m]
    slope_y: Value  # [1/m]


WHOLE = Share(1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Layer:
    """A law over those before it."""

    law: SoilLaw
    p: Parameters
    share: Share


class LayeredLaw(SoilLaw, ABC):
    """Layers have parts of the contact each, and never mix.

    Where the share of a layer changes, so does the energy U that soil or tyre store at a sinkage.
    Its slope is a force along the ground: it takes as much to leave a soft spot as it gives to
    enter it, and no height is gained for nothing.
    """

    @abstractmethod
    def layers(self, wheel: Wheel, p: Parameters) -> Sequence[Layer]:
        """From the lowest up, which is whole.

        Example:
        >>> import axletree as at
        >>> from axletree.library.soils.contract import Wheel
        >>> border = at.Border(at.WismerLuth("2 MPa"), at.WismerLuth("300 kPa"), x=10.0)
        >>> layers = border.layers(Wheel(0.7, 0.45, x=10.05), border.numbers)  # 5 cm ahead of it
        >>> [(layer.law.cone_index, round(layer.share.size, 3)) for layer in layers]  # Pa, 1
        [(2000000.0, 1.0), (300000.0, 0.844)]
        """

    def under_load(self, load: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        return self._forces(wheel, p, lambda law, own: law.under_load(load, wheel, own))

    def at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        return self._forces(wheel, p, lambda law, own: law.at_sinkage(sinkage, wheel, own))

    def _forces(
        self, wheel: Wheel, p: Parameters, ask: Callable[[SoilLaw, Parameters], SoilForces]
    ) -> SoilForces:
        mixed: Values = {}
        for layer in self.layers(wheel, p):
            own = vars(ask(layer.law, layer.p))
            mixed = _between(mixed, own, layer.share.size) if mixed else dict(own)
        return SoilForces(**mixed)

    def compared_by(self, load: Value, wheel: Wheel, p: Parameters) -> Mapping[str, Value]:
        """Of laws that all have such numbers."""
        mixed: Values = {}
        for number, layer in enumerate(self.layers(wheel, p)):
            own = dict(layer.law.compared_by(load, wheel, layer.p))
            if not own or (number and not mixed):
                return {}
            mixed = _between(mixed, own, layer.share.size) if number else own
        return mixed

    def grip_under_load(self, load: Value, wheel: Wheel, p: Parameters) -> Grip:
        mixed: Values = {}
        for layer in self.layers(wheel, p):
            own = layer.law.grip_under_load(load, wheel, layer.p).flat()
            mixed = _between(mixed, own, layer.share.size) if mixed else own
        return grip_of(mixed)

    def grip_at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> Grip:
        mixed: Values = {}
        for layer in self.layers(wheel, p):
            own = layer.law.grip_at_sinkage(sinkage, wheel, layer.p).flat()
            mixed = _over(mixed, own, layer.share) if mixed else own
        return grip_of(mixed)


def _between(below: Values, own: Values, share: Value) -> Values:
    return {name: (1.0 - share) * below[name] + share * own[name] for name in below}


def _over(below: Values, own: Values, share: Share) -> Values:
    found, more = _between(below, own, share.size), own[STORED] - below[STORED]
    for name, slope in zip(EDGES, (share.slope_x, share.slope_y), strict=True):
        found[name] = found[name] - more * slope
    return found


def step_slope(value: Value) -> Value:
    """Of ``smooth_step``."""
    t = clamped(value, 0.0, 1.0)
    return 6.0 * t * (1.0 - t)
