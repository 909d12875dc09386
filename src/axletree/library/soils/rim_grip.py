"""Integrals over the rim of a rigid wheel that a step is solved with, beside the forces.

One pass over the points serves all: pressures are those of the slip, and shear is evaluated as it
is, without slip, and in full slip.
"""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import absolute, maximum, minimum, where
from axletree.library.soils.contact_angles import ContactAngles
from axletree.library.soils.contract import Wheel
from axletree.library.soils.rim_integrals import flank_pushes, rim_points
from axletree.library.soils.shear import LEAST_TRAVEL, shear_under
from axletree.library.soils.soil import Parameters, Value

LEAST_SLIP = 1e-9  # below it the slope is that without slip


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

    def thrust_slope(self, slip: Value, rolling_thrust: Value) -> Value:
        """Of |F_t - B| against |i| [N], no steeper than the line from zero."""
        size = absolute(slip)
        secant = absolute(self.forward - rolling_thrust) / maximum(size, LEAST_SLIP)
        return maximum(where(size > LEAST_SLIP, minimum(self.slope, secant), self.slope), 0.0)

    def greatest_thrust(self, slip: Value, rolling_thrust: Value) -> Value:
        """Of |F_t - B| in full slip [N]: spinning on the spot, or locked."""
        driven = maximum(self.spinning, self.forward) - rolling_thrust
        return maximum(where(slip < 0.0, self.strength + rolling_thrust, driven), 0.0)


def rim_grip(angles: ContactAngles, wheel: Wheel, p: Parameters, order: int) -> RimGrip:
    """The sums; p is that of the soil."""
    now, lateral = shear_under(wheel, angles, p), wheel.slip_across
    free, full = now.rolling(lateral), now.spinning(lateral)
    sums: dict[str, Value] = dict.fromkeys(RimGrip.__dataclass_fields__, 0.0)
    for at in rim_points(angles, wheel, p, order):
        along, freely, fully = (
            shear.stresses(at.angle, at.sine, at.pressure)[0] for shear in (now, free, full)
        )
        steepness, aside = now.give(at.angle, at.sine)
        strength = now.strength(at.pressure)
        parts = {
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
        sums = {name: sums[name] + at.weight * part for name, part in parts.items()}
    area = wheel.width * wheel.radius * angles.share
    return RimGrip(**{name: area * value for name, value in sums.items()})


def flank_grip(
    angles: ContactAngles, wheel: Wheel, p: Parameters, order: int
) -> tuple[Value, Value]:
    """Of the flank: side force over lateral slip [N], and the greatest [N]."""
    shear = shear_under(wheel, angles, p)
    travel = maximum(1.0 - maximum(wheel.clipped_slip, 0.0), LEAST_TRAVEL)
    stiffness = greatest = 0.0
    for angle, push in flank_pushes(angles, wheel, p, order):
        stiffness = stiffness + push * shear.flank_give(angle)
        greatest = greatest + push
    return stiffness / travel, greatest
