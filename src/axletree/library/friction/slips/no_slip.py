"""No slip, along and across, beside other effects of friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.friction.grip import Coefficients, Sliding
from axletree.library.friction.slips.contract import FrictionSlip
from axletree.library.tyres.contract import Parameters


@dataclass(frozen=True)
class HeldSlip(FrictionSlip):
    """Both sliding velocities are held at zero by reactions, which friction does not limit.

    Andres 2009, eqs. (3.17, 3.18). There v_Ad is zero, and rolling resistance would jump at
    rest; here it has a value for the effects that ask for it.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.HeldSlip())
    >>> law.holds_lateral, law.holds_longitudinal
    (True, True)
    """

    summary: ClassVar[str] = "no slip along and across"
    holds_longitudinal: ClassVar[bool] = True
    holds_lateral: ClassVar[bool] = True

    adhesion_speed: float = parameter(
        "m/s", "v_Ad, below which other effects fade", default=0.3, lower=0.0, above=True
    )

    def coefficients(self, sliding: Sliding, p: Parameters) -> Coefficients:
        return Coefficients(0.0, 0.0, p["adhesion_speed"], p["adhesion_speed"])
