"""A trailer: a body on axles that hangs on what tows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.library.part import named_pieces, part, piece
from axletree.vehicles.hitches.contract import Hitch
from axletree.vehicles.pieces import Air, Body, Load
from axletree.vehicles.unit import Axle, Unit


@dataclass(frozen=True)
class Trailer(Unit):
    """A body on an axle or more, and a hitch. Its brakes follow the driver's pedal.

    It is described as it stands behind what tows it, without its loads.

    Example:
    >>> import axletree as at
    >>> caravan = at.read_model("car-with-caravan").described["vehicle"].trailers["caravan"]
    >>> print(f"{caravan.mass:.0f} kg, {caravan.wheelbase:.2f} m from the hitch to the axle")
    1390 kg, 4.00 m from the hitch to the axle
    """

    summary: ClassVar[str] = "a body on axles that is towed"

    hitch: Hitch = part("HITCHES", "how it is joined to what tows it")
    body: Body = piece(Body, "the sprung mass")
    axles: Mapping[str, Axle] = named_pieces(Axle, "the axles by name")
    air: Air | None = piece(Air, "forces of the air", default=None)
    loads: Mapping[str, Load] = named_pieces(Load, "cargo by name", default=dict)

    def problems(self) -> list[str]:
        places = [axle.position for axle in self.axles.values()]
        found = [
            f"axles: {name}: steering: the driver does not steer the wheels of a trailer; leave "
            "it out"
            for name, axle in self.axles.items()
            if axle.steering is not None
        ]
        if len(set(places)) < len(places):
            found.append("axles: two of them have the same position")
        if self.hitch.coupling <= max(places):
            found.append(
                f"hitch: coupling: {self.hitch.coupling:g} m is not ahead of the axles, the first "
                f"of which is at {max(places):g} m; both count from the body's centre of mass, "
                "positive ahead of it"
            )
        return found

    @property
    def ends(self) -> tuple[float, float]:
        """The coupling, and the middle of the axles [m]."""
        places = [axle.position for axle in self.axles.values()]
        return self.hitch.coupling, sum(places) / len(places)

    @property
    def air_position(self) -> float:
        """At the centre of mass: there is little for the air to act on ahead of the body."""
        return 0.0
