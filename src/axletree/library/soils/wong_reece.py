"""Wong and Reece's rigid wheel: stresses along the rim, forces by integrals of fixed order."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import fixed_number, flag
from axletree.library.part import part, within
from axletree.library.soils.contact_angles import contact_angles
from axletree.library.soils.contract import SoilForces, SoilLaw, Wheel
from axletree.library.soils.equilibrium import equilibrium
from axletree.library.soils.rim_integrals import flank_force, rim_integrals
from axletree.library.soils.soil import Parameters, Soil, Value

ORDER = 20
_SCALED = (
    "sinkage", "normal_force", "gross_traction", "compaction_resistance", "rolling_moment",
    "lateral_force", "torque",
)  # fmt: skip


@dataclass(frozen=True)
class WongReece(SoilLaw):
    """A rigid wheel on Bekker's soil (Wong and Reece 1967; Peiret et al., eqs. 9 to 14).

    Read with these corrections: in (13) the difference of cosines has the exponent n as well; in
    (14) the shear stress has the sign of the displacement and falls short of its limit by
    exp(-|j| / K); x is along and z is up. Shear across is coupled with that along, so that both
    together stay within the strength of the soil.

    With 20 points on each part of the contact, forces are right to 1e-6 of their resultant.
    """

    summary: ClassVar[str] = "a rigid wheel: stresses along the rim, integrated"

    soil: Soil = part("SOILS", "the soil")
    order: int = fixed_number(
        "1", "points of the integration on each part of the contact", default=ORDER, lower=2.0,
        upper=64.0, whole=True,
    )  # fmt: skip
    bulldozing: bool = flag("whether the flank of a drifting wheel pushes soil", default=True)

    def at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        """The forces at a sinkage [m], negative in the air."""
        soil = within(p, "soil")
        angles = contact_angles(sinkage, wheel, soil)
        sums = rim_integrals(angles, wheel, soil, self.order)
        flank = flank_force(angles, wheel, soil, self.order) if self.bulldozing else 0.0
        return SoilForces(
            sinkage=sinkage,
            entry_angle=angles.entry,
            peak_angle=angles.peak,
            exit_angle=angles.exit,
            normal_force=sums.up,
            gross_traction=sums.forward,
            compaction_resistance=sums.backward,
            rolling_moment=wheel.radius * (sums.turning - sums.forward),  # (12)
            lateral_force=sums.left + flank,
            torque=wheel.radius * sums.turning,
        )

    def under_load(self, load: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        """The forces at the sinkage at which the soil carries a load [N]."""
        found = equilibrium(load, wheel, within(p, "soil"), self.order)
        forces = self.at_sinkage(found.sinkage, wheel, p)
        scaled = {name: getattr(forces, name) * found.share for name in _SCALED}
        return dataclasses.replace(forces, **scaled)
