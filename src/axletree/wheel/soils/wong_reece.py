"""Wong and Reece's rigid wheel: stresses along the rim, forces by integrals of fixed order.

The sinkage at which soil carries a load is found by a fixed number of Newton's steps. For a step
that is solved for set-valued forces there are further integrals, of what the soil has at most.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt as root
from typing import Any, ClassVar

from axletree.components.fields import Parameters, fixed_number, flag, part, within
from axletree.expr import Expr, as_expr, directional_derivative, symbol
from axletree.expr.functions import Value, absolute, cos, maximum, minimum, power, sqrt, where
from axletree.wheel.soils.contract import (
    Formula,
    SoilForces,
    SoilGrip,
    SoilLaw,
    WheelInSoil,
    grip_of,
)
from axletree.wheel.soils.rim_stresses import (
    GREATEST_DEPTH,
    LEAST_DEPTH,
    LEAST_TRAVEL,
    Bulldozing,
    ContactAngles,
    RimIntegrals,
    RimPoint,
    Shear,
    bulldozing,
    contact_angles,
    crossing,
    flank_force,
    gauss_points,
    graded,
    graded_points,
    pair_of_points,
    rim_integrals,
    shear_under,
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
        side = sums.left + flank
        return self._forces(sinkage, angles, sums, side, wheel, soil)

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
        drift = -(side * wheel.slip_across)
        forces = self._forces(sinkage, angles, sums, drift, wheel, soil)
        return SoilGrip(
            forces=forces,
            thrust=sums.thrust(slip, rolling),
            rolling_thrust=rolling,
            free_moment=r * (sums.rolling_turning - sums.rolling_forward),
            thrust_slope=sums.thrust_slope(slip, rolling),
            greatest_thrust=sums.greatest_thrust(slip, rolling),
            side_stiffness=side,
            greatest_side_force=sums.strength_across + flank[1],
        )

    @staticmethod
    def _forces(
        sinkage: Value,
        angles: ContactAngles,
        sums: RimIntegrals | RimGrip,
        side: Value,
        wheel: WheelInSoil,
        p: Parameters,
    ) -> SoilForces:
        """From the sums over the contact and the side force [N]; p is that of the soil."""
        return SoilForces(
            sinkage=sinkage,
            entry_angle=angles.entry,
            peak_angle=angles.peak,
            exit_angle=angles.exit,
            normal_force=sums.up,
            gross_traction=sums.forward,
            compaction_resistance=sums.backward,
            rolling_moment=wheel.radius * (sums.turning - sums.forward),  # (12)
            lateral_force=side,
            torque=wheel.radius * sums.turning,
            plastic_force=sums.up,
            touch_stiffness=_touched(wheel, p),
            stored_energy=_stored(sums.up, sinkage, p),
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


_LEAST_SLIP = 1e-9  # below it the slope is that without slip


@dataclass(frozen=True)
class RimGrip:
    """Sums over the contact [N]; see ``Grip``."""

    up: Value  # F_n
    forward: Value  # F_t
    backward: Value  # F_c
    turning: Value  # T / r
    rolling_forward: Value  # F_t without slip
    rolling_turning: Value  # T / r without slip
    slope: Value  # of F_t against the slip
    spinning: Value  # F_t of a wheel that spins on the spot
    strength: Value  # F_t if all shear strength points forward
    strength_across: Value
    side: Value  # side force over lateral slip

    def thrust(self, slip: Value, rolling_thrust: Value) -> Value:
        """|F_t - B| [N]; none where it would drive, for B is not more than F_c."""
        beyond = self.forward - rolling_thrust
        return maximum(where(slip < 0.0, -beyond, beyond), 0.0)

    def thrust_slope(self, slip: Value, rolling_thrust: Value) -> Value:
        """Of |F_t - B| against |i| [N], no steeper than the line from zero."""
        size = absolute(slip)
        secant = self.thrust(slip, rolling_thrust) / maximum(size, _LEAST_SLIP)
        return maximum(where(size > _LEAST_SLIP, minimum(self.slope, secant), self.slope), 0.0)

    def greatest_thrust(self, slip: Value, rolling_thrust: Value) -> Value:
        """Of |F_t - B| in full slip [N]: spinning on the spot, or locked."""
        driven = maximum(self.spinning, self.forward) - rolling_thrust
        return maximum(where(slip < 0.0, self.strength + rolling_thrust, driven), 0.0)


def rim_grip(angles: ContactAngles, wheel: WheelInSoil, p: Parameters, order: int) -> RimGrip:
    """The sums; p is that of the soil."""
    given = _given(angles, wheel, p)
    split = crossing(angles, wheel.clipped_slip)
    sums: dict[str, Value] = {}
    for low, length in ((0.0, split), (split, 1.0 - split)):
        for position, share in gauss_points(order):
            place = dict(zip(_PLACE, (low, length, position, share), strict=True))
            parts = _pair().at({**given, **place})
            sums = {name: sums.get(name, 0.0) + part for name, part in parts.items()}
    area = wheel.width * wheel.radius * angles.share
    return RimGrip(**{name: area * value for name, value in sums.items()})


def _given(angles: ContactAngles, wheel: WheelInSoil, p: Parameters) -> dict[Expr, Value]:
    shear = shear_under(wheel, angles, p)
    values = vars(angles) | vars(shear) | {"k": modulus(wheel.width, p)}
    values |= {"exponent": p["sinkage_exponent"], "lateral": wheel.slip_across}
    return {_SYMBOLS[name]: values[name] for name in _SYMBOLS}


_ANGLES = ("entry", "peak", "exit")
_MOVING = ("sine", "along", "per_slip", "across", "drift", "lateral")
_EARLY = ("radius", "cohesion", "slope", "modulus", "k", "exponent")
_SYMBOLS = {name: symbol(f"rim.{name}") for name in (*_ANGLES, *_MOVING, *_EARLY)}
_PLACE = tuple(symbol(f"rim.{name}") for name in ("low", "length", "position", "share"))


@lru_cache(maxsize=1)
def _pair() -> Formula:
    """What two points of the rim, ahead of and behind the greatest pressure, add to the sums.

    All pairs of all wheels are calls of this one function, and are evaluated side by side.
    """
    angles = ContactAngles(**{name: _SYMBOLS[name] for name in _ANGLES}, share=1.0)
    now, lateral = _shear(), _SYMBOLS["lateral"]
    shears = now, now.rolling(lateral), now.spinning(lateral)
    s, weight = graded(*_PLACE)
    sums: dict[str, Value] = {}
    radius, k, exponent = (_SYMBOLS[name] for name in ("radius", "k", "exponent"))
    for at in pair_of_points(s, weight, angles, radius, k, exponent):
        parts = _parts(at, *shears)
        sums = {name: sums.get(name, 0.0) + at.weight * part for name, part in parts.items()}
    early = (_SYMBOLS[name] for name in _EARLY)
    return Formula("rim_pair", {name: as_expr(value) for name, value in sums.items()}, early)


def _shear() -> Shear:
    fields = (item.name for item in dataclasses.fields(Shear))
    return Shear(**{name: _SYMBOLS[name] for name in fields})


def _parts(at: RimPoint, now: Shear, free: Shear, full: Shear) -> dict[str, Value]:
    along, freely, fully = (
        shear.stresses(at.angle, at.sine, at.pressure)[0] for shear in (now, free, full)
    )
    steepness, aside = now.give(at.angle, at.sine)
    strength = now.strength(at.pressure)
    return {
        "up": at.pressure * at.cosine + along * at.sine,
        "forward": along * at.cosine,
        "backward": at.pressure * at.sine,
        "turning": along,
        "rolling_forward": freely * at.cosine,
        "rolling_turning": freely,
        "slope": strength * steepness * at.cosine,
        "spinning": fully * at.cosine,
        "strength": strength * at.cosine,
        "strength_across": strength,
        "side": strength * aside,
    }


def flank_grip(
    angles: ContactAngles, wheel: WheelInSoil, p: Parameters, order: int
) -> tuple[Value, Value]:
    """Of the flank: side force over lateral slip [N], and the greatest [N]."""
    given, blade = _given(angles, wheel, p), bulldozing(p)
    given |= {_BLADE[0]: blade.linear, _BLADE[1]: blade.quadratic}
    travel = maximum(1.0 - maximum(wheel.clipped_slip, 0.0), LEAST_TRAVEL)
    stiffness = greatest = 0.0
    for s, weight in graded_points(0.5, (order + 1) // 2):
        for first, arc in ((angles.entry, -angles.front), (angles.exit, angles.rear)):
            place = {_FLANK[0]: first + arc * s, _FLANK[1]: weight * absolute(arc)}
            parts = _push().at({**given, **place})
            stiffness = stiffness + parts["stiffness"]
            greatest = greatest + parts["greatest"]
    return angles.share * stiffness / travel, angles.share * greatest


_BLADE = symbol("flank.linear"), symbol("flank.quadratic")
_FLANK = symbol("flank.angle"), symbol("flank.weight")


@lru_cache(maxsize=1)
def _push() -> Formula:
    """What a point of the flank adds, likewise."""
    shear, (angle, weight) = _shear(), _FLANK
    depth = shear.radius * (cos(angle) - cos(shear.entry))
    push = weight * Bulldozing(*_BLADE).on_flank(depth, shear.radius, angle)
    results = {"stiffness": push * shear.flank_give(angle), "greatest": push}
    early = (*_BLADE, *(_SYMBOLS[name] for name in _EARLY))
    return Formula("flank_point", results, early)
