"""Integrals over the rim of a rigid wheel that a step is solved with, beside the forces.

One pass over the points serves all: pressures are those of the slip, and shear is evaluated as it
is, without slip, and in full slip.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import lru_cache

from axletree.components.parts import Parameters
from axletree.expr import Expr, absolute, as_expr, cos, maximum, minimum, symbol, where
from axletree.expr.functions import Value
from axletree.wheel.soils.calls import Formula
from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.rim_stresses import (
    LEAST_TRAVEL,
    Bulldozing,
    ContactAngles,
    RimPoint,
    Shear,
    bulldozing,
    crossing,
    gauss_points,
    graded,
    graded_points,
    pair_of_points,
    shear_under,
)
from axletree.wheel.soils.soil import modulus

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
