"""Soft ground under the wheels of a vehicle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.part import Part, part
from axletree.library.soils.contract import SoilLaw
from axletree.library.soils.support import SoilSupport
from axletree.library.soils.traction_schemes import DissipativeTraction, TractionScheme


@dataclass(frozen=True)
class SoftGround(Part):
    """Soil in place of a road: wheels are soil wheels, and their tyres' laws are not used.

    A wheel rolls as if rigid where its law knows a sinkage, as Wong and Reece's does. Under laws
    that know none, as those by the cone index, it gives way like its tyre.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.soft_ground import SoftGround
    >>> SoftGround(at.WismerLuth("300 kPa")).law.cone_index  # Pa
    300000.0
    """

    summary: ClassVar[str] = "soft ground under the wheels"

    law: SoilLaw = part("SOIL_LAWS", "forces over slip, under a load or at a sinkage")
    normal_force: SoilSupport | None = part(
        "SOIL_SUPPORTS",
        "what carries a wheel; left out: the law itself, or the stiffness of the tyre",
        default=None,
    )
    scheme: TractionScheme = part(
        "TRACTION_SCHEMES", "how thrust is solved for over a step", default=DissipativeTraction
    )
