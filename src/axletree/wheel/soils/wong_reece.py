"""Wong and Reece's rigid wheel: stresses along the rim, forces by integrals of fixed order.

The sinkage at which soil carries a load is found by a fixed number of Newton's steps.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt as root
from typing import Any, ClassVar

from axletree.components.fields import fixed_number, flag
from axletree.components.parts import Parameters, part, within
from axletree.expr import Expr, directional_derivative, maximum, minimum, power, sqrt, symbol
from axletree.expr.functions import Value
from axletree.wheel.soils.calls import Formula
from axletree.wheel.soils.contract import SoilForces, SoilGrip, SoilLaw, WheelInSoil, grip_of
from axletree.wheel.soils.rim_grip import flank_grip, rim_grip
from axletree.wheel.soils.rim_stresses import (
    GREATEST_DEPTH,
    LEAST_DEPTH,
    contact_angles,
    flank_force,
    rim_integrals,
)
from axletree.wheel.soils.soil import Soil, modulus, soil_values_of_pass

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
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> sand = at.WongReece("dry-sand-lll")
    >>> forces = sand(4000.0, WheelInSoil(radius=0.4, width=0.25, slip=0.2))  # N, m, m, 1
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

    def at_sinkage(self, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> SoilForces:
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

    def grip_at_sinkage(self, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
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
        return SoilGrip(
            forces,
            thrust=sums.thrust(slip, rolling),
            rolling_thrust=rolling,
            free_moment=r * (sums.rolling_turning - sums.rolling_forward),
            thrust_slope=sums.thrust_slope(slip, rolling),
            greatest_thrust=sums.greatest_thrust(slip, rolling),
            side_stiffness=side,
            greatest_side_force=sums.strength_across + flank[1],
        )

    def grip_under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
        found = equilibrium(load, wheel, self.soil_met(p), self.order)
        values = self.grip_at_sinkage(found.sinkage, wheel, p).flat()
        angles = [name for name in values if name.endswith("_angle")]
        return grip_of(
            {
                name: value * (1.0 if name in angles else found.share)
                for name, value in values.items()
            }
        )

    def under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilForces:
        """The forces at the sinkage at which the soil carries a load [N]."""
        found = equilibrium(load, wheel, self.soil_met(p), self.order)
        forces = self.at_sinkage(found.sinkage, wheel, p)
        scaled = {name: getattr(forces, name) * found.share for name in _SCALED}
        return dataclasses.replace(forces, **scaled)


def _touched(wheel: WheelInSoil, p: Parameters) -> Value:
    """[N/m], the greatest force over depth of steps in which wheels touch down."""
    rates = (power(depth, p["sinkage_exponent"] - 0.5) for depth in TOUCH_DEPTHS)
    return plain_rate(wheel, p) * maximum(*rates)


def _stored(force: Value, sinkage: Value, p: Parameters) -> Value:
    """[J], for the normal force goes with z^(n + 1/2) at small sinkages; p is that of the soil."""
    return maximum(force, 0.0) * maximum(sinkage, 0.0) / (p["sinkage_exponent"] + 1.5)


# Slopes cost more than forces and need fewer digits: first steps with both by fewer points, then
# steps with all points and the last slope.
COARSE_STEPS, COARSE_ORDER = 6, 6
FINE_STEPS = 3
SMALLEST_EXCESS = 0.1  # of n over 1/2
LARGEST_GROWTH, LARGEST_FALL = 4.0, 0.2  # of z^(n + 1/2) in one step


@dataclass(frozen=True)
class Equilibrium:
    """A sinkage, and the factor on forces of loads that are too small for one."""

    sinkage: Value  # [m]
    share: Value  # [1]


def plain_sinkage(load: Value, wheel: WheelInSoil, p: Parameters) -> Value:
    """Bekker's estimate [m] (1969): a towed wheel, without shear, at a small sinkage.

    z = (3 W / ((3 - n) b k sqrt(2 r)))^(2 / (2 n + 1)).
    """
    return power(load / plain_rate(wheel, p), 1.0 / _degree(p))


def plain_rate(wheel: WheelInSoil, p: Parameters) -> Value:
    """Load over z^(n + 1/2) in that estimate, of which n counts up to 2."""
    n = minimum(p["sinkage_exponent"], 2.0)
    width = wheel.width * modulus(wheel.width, p)
    return width * sqrt(wheel.radius) * ((1.0 - n / 3.0) * root(2.0))


def _drawn_in(wheel: WheelInSoil, p: Parameters) -> Value:
    """How deep [m] cohesion draws a braked wheel in without load, where it is no small matter.

    Its downward pull is c b z when locked; soils with n near 1/2 and below outweigh it at once.
    """
    excess = maximum(p["sinkage_exponent"] - 0.5, SMALLEST_EXCESS)
    depth = power(p["cohesion"] * wheel.width / plain_rate(wheel, p), 1.0 / excess)
    return depth * minimum(maximum(-wheel.slip, 0.0), 1.0)


def _degree(p: Parameters) -> Value:
    return p["sinkage_exponent"] + 0.5


def equilibrium(load: Value, wheel: WheelInSoil, p: Parameters, order: int) -> Equilibrium:
    """The sinkage under a load [N], not negative; p is that of the soil.

    Newton's steps for z^(n + 1/2), with which the force grows nearly in proportion, from Bekker's
    estimate: the soil carries the load to 1e-9 of it at sinkages up to half the radius. A load
    that it cannot carry sinks the wheel to its axle; one that does not sink it by 1e-6 radii has
    the forces at that sinkage, in proportion.
    """
    degree = _degree(p)
    least = plain_rate(wheel, p) * power(2.0 * LEAST_DEPTH * wheel.radius, degree)
    counted = maximum(load, least)
    z, rise = plain_sinkage(counted, wheel, p) + _drawn_in(wheel, p), counted

    def stepped(force: Value) -> Value:
        growth = minimum(maximum(1.0 + (counted - force) / rise, LARGEST_FALL), LARGEST_GROWTH)
        return minimum(z * power(growth, 1.0 / degree), GREATEST_DEPTH * wheel.radius)

    for _ in range(COARSE_STEPS):
        force, slope = _answer(_force_and_slope(min(order, COARSE_ORDER)), z, wheel, p)
        # A locked wheel in cohesive soil is drawn down at first: a slope that misleads.
        rise = maximum(z * slope / degree, 0.25 * counted)
        z = stepped(force)
    for _ in range(FINE_STEPS):
        (force,) = _answer(_force(order), z, wheel, p)
        z = stepped(force)
    return Equilibrium(z, maximum(load, 0.0) / counted)


_SINKAGE = symbol("sinkage")
_WHEEL = tuple(symbol(f"wheel.{name}") for name in ("radius", "width", "slip", "lateral_slip"))
_SOIL = {item.name: symbol(f"soil.{item.name}") for item in dataclasses.fields(Soil)}


def _answer(formula: Formula, z: Value, wheel: WheelInSoil, p: Parameters) -> list[Value]:
    given: dict[Expr, Any] = {_SINKAGE: z}
    own = wheel.radius, wheel.width, wheel.slip, wheel.slip_across
    given |= dict(zip(_WHEEL, own, strict=True))
    given |= {_SOIL[name]: p[name] for name in _SOIL}
    return list(formula.at(given).values())


@lru_cache(maxsize=8)
def _force(order: int) -> Formula:
    """F_n [N]."""
    radius, width, slip, across = _WHEEL
    wheel = WheelInSoil(radius, width, slip, lateral_slip=across)
    force = rim_integrals(contact_angles(_SINKAGE, wheel, _SOIL), wheel, _SOIL, order).up
    return Formula(f"soil_force_{order}", {"force": force}, _SOIL.values())


@lru_cache(maxsize=8)
def _force_and_slope(order: int) -> Formula:
    """F_n [N] and its slope against the sinkage [N/m]."""
    force = _force(order).results["force"]
    (slope,) = directional_derivative([force], {_SINKAGE: 1.0})
    return Formula(f"soil_support_{order}", {"force": force, "slope": slope}, _SOIL.values())
