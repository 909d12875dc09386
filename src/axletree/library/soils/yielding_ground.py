"""A normal force over sinkage, by a spring and a damper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import maximum
from axletree.library.fields import parameter
from axletree.library.soils.soil import Parameters
from axletree.library.soils.support import Bearing, SoilSupport, Sunk


@dataclass(frozen=True)
class YieldingGround(SoilSupport):
    """F_n = k_n z + c_n dz/dt (Peiret et al., eq. 21) where the wheel has sunk in; never a pull.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> from axletree.library.soils.support import Sunk
    >>> ground = at.YieldingGround(stiffness="100 kN/m")
    >>> float(ground.bearing(Sunk(0.02, Wheel(0.4, 0.25)), ground.numbers).force)  # N at 2 cm
    2000.0
    """

    summary: ClassVar[str] = "a spring and a damper that push where the wheel has sunk in"

    stiffness: float = parameter("N/m", "k_n", lower=0.0, above=True)
    damping: float = parameter("N*s/m", "c_n", default=0.0, lower=0.0)

    def bearing(self, at: Sunk, p: Parameters) -> Bearing:
        return Bearing(p["stiffness"] * maximum(at.sinkage, 0.0), p["stiffness"], p["damping"])
