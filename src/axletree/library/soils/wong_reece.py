"""Wong and Reece's rigid wheel: stresses along the rim, forces by integrals of fixed order."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import maximum, minimum, power
from axletree.library.fields import fixed_number, flag
from axletree.library.part import part, within
from axletree.library.soils.contact_angles import contact_angles
from axletree.library.soils.contract import SoilLaw, Wheel
from axletree.library.soils.equilibrium import equilibrium, plain_rate
from axletree.library.soils.forces import SoilForces
from axletree.library.soils.grip import Grip, grip_of
from axletree.library.soils.multipass import soil_values_of_pass
from axletree.library.soils.rim_grip import flank_grip, rim_grip
from axletree.library.soils.rim_integrals import flank_force, rim_integrals
from axletree.library.soils.soil import Parameters, Soil, Value

ORDER = 20
TOUCH_DEPTHS = (1e-3, 1e-2)  # m
_SCALED = (
    "sinkage", "normal_force", "gross_traction", "compaction_resistance", "rolling_moment",
    "lateral_force", "torque", "stored_energy",
)  # fmt: skip


@dataclass(frozen=True)
class WongReece(SoilLaw):
    """A rigid wheel on Bekker's soil (Wong and Reece 1967; Peiret et al., eqs. 9 to 14).

    Read with these corrections: in (13) the difference of cosines has the exponent n as well; in
    (14) the shear stress has the sign of the displacement and falls short of its limit by
    exp(-|j| / K); x is along and z is up. Shear across is coupled with that along, so that both
    together stay within the strength of the soil.

    With 20 points on each part of the contact, forces are right to 1e-6 of their resultant.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> sand = at.WongReece("dry-sand-lll")
    >>> forces = sand(4000.0, Wheel(radius=0.4, width=0.25, slip=0.2))  # N, m, m, 1
    >>> print(f"pull {forces.drawbar_pull:.0f} N, sinkage {1e3 * forces.sinkage:.0f} mm")
    pull 357 N, sinkage 105 mm
    """

    summary: ClassVar[str] = "a rigid wheel: stresses along the rim, integrated"

    soil: Soil = part("SOILS", "the soil")
    order: int = fixed_number(
        "1", "points of the integration on each part of the contact", default=ORDER, lower=2.0,
        upper=64.0, whole=True,
    )  # fmt: skip
    bulldozing: bool = flag("whether the flank of a drifting wheel pushes soil", default=True)
    passes: int = fixed_number(
        "1", "which wheel of several this is that go in one rut: the second has 2", default=1,
        lower=1.0, whole=True,
    )  # fmt: skip

    def soil_met(self, p: Parameters) -> Parameters:
        """What the wheel meets of its soil: at the bottom of a rut the soil is stiffer.

        Example:
        >>> import axletree as at
        >>> laws = [at.WongReece("dry-sand-lll", passes=number) for number in (1, 2)]
        >>> [f"{law.soil_met(law.numbers)['frictional_modulus']:.4g}" for law in laws]  # Pa
        ['1.528e+06', '1.32e+07']
        """
        return soil_values_of_pass(within(p, "soil"), self.passes)

    def at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        """The forces at a sinkage [m], negative in the air."""
        soil = self.soil_met(p)
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
            plastic_force=sums.up,
            touch_stiffness=_touched(wheel, soil),
            stored_energy=_stored(sums.up, sinkage, soil),
        )

    @property
    def knows_sinkage(self) -> bool:
        return True

    def grip_at_sinkage(self, sinkage: Value, wheel: Wheel, p: Parameters) -> Grip:
        soil, r, slip = self.soil_met(p), wheel.radius, wheel.clipped_slip
        angles = contact_angles(sinkage, wheel, soil)
        sums = rim_grip(angles, wheel, soil, self.order)
        flank = flank_grip(angles, wheel, soil, self.order) if self.bulldozing else (0.0, 0.0)
        side = sums.side + flank[0]
        rolling = minimum(sums.rolling_forward, sums.backward)
        forces = SoilForces(
            sinkage=sinkage,
            entry_angle=angles.entry,
            peak_angle=angles.peak,
            exit_angle=angles.exit,
            normal_force=sums.up,
            gross_traction=sums.forward,
            compaction_resistance=sums.backward,
            rolling_moment=r * (sums.turning - sums.forward),
            lateral_force=-(side * wheel.slip_across),
            torque=r * sums.turning,
            plastic_force=sums.up,
            touch_stiffness=_touched(wheel, soil),
            stored_energy=_stored(sums.up, sinkage, soil),
        )
        return Grip(
            forces,
            thrust=sums.thrust(slip, rolling),
            rolling_thrust=rolling,
            free_moment=r * (sums.rolling_turning - sums.rolling_forward),
            thrust_slope=sums.thrust_slope(slip, rolling),
            greatest_thrust=sums.greatest_thrust(slip, rolling),
            side_stiffness=side,
            greatest_side_force=sums.strength_across + flank[1],
        )

    def grip_under_load(self, load: Value, wheel: Wheel, p: Parameters) -> Grip:
        found = equilibrium(load, wheel, self.soil_met(p), self.order)
        values = self.grip_at_sinkage(found.sinkage, wheel, p).flat()
        angles = [name for name in values if name.endswith("_angle")]
        return grip_of(
            {
                name: value * (1.0 if name in angles else found.share)
                for name, value in values.items()
            }
        )

    def under_load(self, load: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        """The forces at the sinkage at which the soil carries a load [N]."""
        found = equilibrium(load, wheel, self.soil_met(p), self.order)
        forces = self.at_sinkage(found.sinkage, wheel, p)
        scaled = {name: getattr(forces, name) * found.share for name in _SCALED}
        return dataclasses.replace(forces, **scaled)


def _touched(wheel: Wheel, p: Parameters) -> Value:
    """[N/m], the greatest force over depth of steps in which wheels touch down."""
    rates = (power(depth, p["sinkage_exponent"] - 0.5) for depth in TOUCH_DEPTHS)
    return plain_rate(wheel, p) * maximum(*rates)


def _stored(force: Value, sinkage: Value, p: Parameters) -> Value:
    """[J], for the normal force goes with z^(n + 1/2) at small sinkages; p is that of the soil."""
    return maximum(force, 0.0) * maximum(sinkage, 0.0) / (p["sinkage_exponent"] + 1.5)
