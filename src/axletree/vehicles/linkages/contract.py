"""What every suspension by hard points has, and what it makes of them.

By contract a kind is one file: named hard points, a piece of their own with a sentence and a unit
each, and ``linkage``, which makes links and joints of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from axletree.components.fields import Part, parameter, piece, positive
from axletree.vehicles.linkages.coilover import Coilover
from axletree.vehicles.linkages.linkage import AxleLinkage


@dataclass(frozen=True, kw_only=True)
class LinkedSuspension(Part, ABC):
    """A suspension by the hard points of its left side, in the axle's axes at design: x forward,
    y left, z up, origin on the road at y = 0 below the wheel centres.

    Toe and camber are set as shims and tie rods set them: the hub has them at design, the hard
    points stay.
    """

    spring: Coilover = piece(Coilover, "spring and damper of each side")
    upright_mass: float = positive("kg", "of the upright with hub and brake, without the wheel")
    static_toe: float = parameter("rad", "toe-in of a wheel at design", default=0.0)
    static_camber: float = parameter("rad", "camber at design; positive: top outward", default=0.0)

    @abstractmethod
    def linkage(self) -> AxleLinkage:
        """Links, joints and springs of both sides at design."""
