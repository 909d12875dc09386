"""Normal forces by the stresses under a rigid wheel, of the law itself or of a soil beside it.

Peiret et al., eqs. (21, 22): k_n is the force over the sinkage and c_n is eta_n k_n.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import maximum, where
from axletree.library.fields import parameter
from axletree.library.part import part, within
from axletree.library.soils.contact_angles import LEAST_DEPTH
from axletree.library.soils.contract import SoilLaw
from axletree.library.soils.soil import Parameters
from axletree.library.soils.support import Bearing, SoilSupport, Sunk, sunk

DAMPING_TIME = 0.02


def damping_time() -> Any:
    """A field of these supports."""
    return parameter("s", "damping over stiffness, eta_n", default=DAMPING_TIME, lower=0.0)


class StressSupport(SoilSupport, ABC):
    """What both have in common."""

    def _of_force(self, at: Sunk, p: Parameters) -> Bearing:
        carried = maximum(at.carried, 0.0)
        secant = carried / maximum(at.sinkage, LEAST_DEPTH * at.wheel.radius)  # (22)
        stiffness = where(at.sinkage > 0.0, secant, at.touch)
        plastic = maximum(at.plastic, 0.0)
        return Bearing(carried, stiffness, p["damping_time"] * secant, plastic)


@dataclass(frozen=True)
class OwnSupport(StressSupport):
    """The normal force of the wheel's law at the sinkage, slip and drift that it has.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> from axletree.library.soils.support import sunk
    >>> wheel, sand, own = Wheel(0.4, 0.25), at.WongReece("dry-sand-lll"), at.OwnSupport()
    >>> place = sunk(0.05, wheel, sand.at_sinkage(0.05, wheel, sand.numbers))
    >>> print(f"{own.bearing(place, own.numbers).force:.0f} N at 5 cm")
    1242 N at 5 cm
    """

    summary: ClassVar[str] = "the law's own force at the sinkage, damped"
    is_of_law: ClassVar[bool] = True

    damping_time: float = damping_time()

    def bearing(self, at: Sunk, p: Parameters) -> Bearing:
        return self._of_force(at, p)


@dataclass(frozen=True)
class SoilUnderneath(StressSupport):
    """The normal force of another law, for a wheel whose own knows no sinkage.

    Thrust and resistance go by the cone index, and the height by Wong and Reece's stresses.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> from axletree.library.soils.support import Sunk
    >>> below = at.SoilUnderneath(law=at.WongReece("dry-sand-lll"))
    >>> bearing = below.bearing(Sunk(0.05, Wheel(0.4, 0.25)), below.numbers)
    >>> print(f"{bearing.force:.0f} N at 5 cm")
    1242 N at 5 cm
    """

    summary: ClassVar[str] = "the force of another law, which knows a sinkage, damped"

    law: SoilLaw = part("SOIL_LAWS", "the law that carries")
    damping_time: float = damping_time()

    def problems(self) -> list[str]:
        if self.law.knows_sinkage:
            return []
        return [f"law: {type(self.law).__name__} knows no sinkage; take one such as wong-reece"]

    def bearing(self, at: Sunk, p: Parameters) -> Bearing:
        forces = self.law.at_sinkage(at.sinkage, at.wheel, within(p, "law"))
        return self._of_force(sunk(at.sinkage, at.wheel, forces), p)
