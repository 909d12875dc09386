"""The sinkage at which soil carries a load, by a fixed number of Newton's steps."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt as root
from typing import Any

from axletree.core.expr import (
    Expr,
    directional_derivative,
    maximum,
    minimum,
    power,
    sqrt,
    symbol,
)
from axletree.library.soils.contact_angles import GREATEST_DEPTH, LEAST_DEPTH, contact_angles
from axletree.library.soils.contract import Wheel
from axletree.library.soils.formula import Formula
from axletree.library.soils.rim_integrals import rim_integrals
from axletree.library.soils.soil import Parameters, Soil, Value, modulus

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


def plain_sinkage(load: Value, wheel: Wheel, p: Parameters) -> Value:
    """Bekker's estimate [m] (1969): a towed wheel, without shear, at a small sinkage.

    z = (3 W / ((3 - n) b k sqrt(2 r)))^(2 / (2 n + 1)).
    """
    return power(load / plain_rate(wheel, p), 1.0 / _degree(p))


def plain_rate(wheel: Wheel, p: Parameters) -> Value:
    """Load over z^(n + 1/2) in that estimate, of which n counts up to 2."""
    n = minimum(p["sinkage_exponent"], 2.0)
    width = wheel.width * modulus(wheel.width, p)
    return width * sqrt(wheel.radius) * ((1.0 - n / 3.0) * root(2.0))


def _drawn_in(wheel: Wheel, p: Parameters) -> Value:
    """How deep [m] cohesion draws a braked wheel in without load, where it is no small matter.

    Its downward pull is c b z when locked; soils with n near 1/2 and below outweigh it at once.
    """
    excess = maximum(p["sinkage_exponent"] - 0.5, SMALLEST_EXCESS)
    depth = power(p["cohesion"] * wheel.width / plain_rate(wheel, p), 1.0 / excess)
    return depth * minimum(maximum(-wheel.slip, 0.0), 1.0)


def _degree(p: Parameters) -> Value:
    return p["sinkage_exponent"] + 0.5


def equilibrium(load: Value, wheel: Wheel, p: Parameters, order: int) -> Equilibrium:
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


def _answer(formula: Formula, z: Value, wheel: Wheel, p: Parameters) -> list[Value]:
    given: dict[Expr, Any] = {_SINKAGE: z}
    own = wheel.radius, wheel.width, wheel.slip, wheel.slip_across
    given |= dict(zip(_WHEEL, own, strict=True))
    given |= {_SOIL[name]: p[name] for name in _SOIL}
    return list(formula.at(given).values())


@lru_cache(maxsize=8)
def _force(order: int) -> Formula:
    """F_n [N]."""
    radius, width, slip, across = _WHEEL
    wheel = Wheel(radius, width, slip, lateral_slip=across)
    force = rim_integrals(contact_angles(_SINKAGE, wheel, _SOIL), wheel, _SOIL, order).up
    return Formula(f"soil_force_{order}", {"force": force}, _SOIL.values())


@lru_cache(maxsize=8)
def _force_and_slope(order: int) -> Formula:
    """F_n [N] and its slope against the sinkage [N/m]."""
    force = _force(order).results["force"]
    (slope,) = directional_derivative([force], {_SINKAGE: 1.0})
    return Formula(f"soil_support_{order}", {"force": force, "slope": slope}, _SOIL.values())
