"""A normal force that is given, for wheels whose height something else holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.soils.soil import Parameters
from axletree.library.soils.support import Bearing, SoilSupport, Sunk


@dataclass(frozen=True)
class GivenLoad(SoilSupport):
    """The soil carries this load at any height of the wheel.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> from axletree.library.soils.support import Sunk
    >>> given = at.GivenLoad(load="4 kN")
    >>> given.bearing(Sunk(0.02, Wheel(0.4, 0.25)), given.numbers).force  # N
    4000.0
    """

    summary: ClassVar[str] = "a load that is given, whatever the height"
    is_given: ClassVar[bool] = True

    load: float = parameter("N", "normal force F_n", lower=0.0, above=True)

    def bearing(self, at: Sunk, p: Parameters) -> Bearing:
        return Bearing(p["load"], 0.0, 0.0)
