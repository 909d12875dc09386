"""Stresses along the rim of a rigid wheel, and their integrals by points of fixed order.

Numbers of equations are those of Peiret et al.; the stresses are Wong and Reece's 1967.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from axletree.core.expr import cos, power, sin
from axletree.library.soils.bulldozing import Bulldozing, bulldozing
from axletree.library.soils.contact_angles import ContactAngles, crossing
from axletree.library.soils.contract import Wheel
from axletree.library.soils.quadrature import graded_points
from axletree.library.soils.shear import Shear, shear_under
from axletree.library.soils.soil import Parameters, Value, modulus


@dataclass(frozen=True)
class RimPoint:
    """A point of the rim with its share of the contact."""

    angle: Value  # theta [rad]
    sine: Value
    cosine: Value
    pressure: Value  # sigma [Pa]
    weight: Value  # [rad]


@dataclass(frozen=True)
class RimIntegrals:
    """Sums of stresses over the contact [N]."""

    up: Value  # F_n (9)
    forward: Value  # F_t (10)
    backward: Value  # F_c (11)
    turning: Value  # T / r
    left: Value  # F_y of shear


def rim_points(
    angles: ContactAngles, wheel: Wheel, p: Parameters, order: int
) -> Iterator[RimPoint]:
    """The points of an integral over the contact; p is that of the soil.

    Behind the greatest pressure the pressure is that of a place ahead of it (13), so that one
    value serves two points.
    """
    k = modulus(wheel.width, p)
    for s, weight in graded_points(crossing(angles, wheel.clipped_slip), order):
        yield from pair_of_points(s, weight, angles, wheel.radius, k, p["sinkage_exponent"])


def pair_of_points(
    s: Value, weight: Value, angles: ContactAngles, radius: Value, k: Value, exponent: Value
) -> Iterator[RimPoint]:
    """The points at a share s of the way from either edge to the greatest pressure."""
    arc = angles.front * s  # from the entry
    # r (cos(theta) - cos(theta_1)) without the difference of two like numbers
    depth = 2.0 * radius * sin(angles.entry - 0.5 * arc) * sin(0.5 * arc)
    sigma = k * power(depth, exponent)  # (13)
    yield _point(angles.entry - arc, sigma, weight * angles.front)
    yield _point(angles.exit + angles.rear * s, sigma, weight * angles.rear)


def _point(angle: Value, pressure: Value, weight: Value) -> RimPoint:
    return RimPoint(angle, sin(angle), cos(angle), pressure, weight)


def rim_integrals(angles: ContactAngles, wheel: Wheel, p: Parameters, order: int) -> RimIntegrals:
    """The forces of pressure and shear (9 to 12), with dS = b r dtheta."""
    up = forward = backward = turning = left = 0.0
    shear = shear_under(wheel, angles, p)
    for at in rim_points(angles, wheel, p, order):
        along, across = shear.stresses(at.angle, at.sine, at.pressure)
        up = up + at.weight * (at.pressure * at.cosine + along * at.sine)
        forward = forward + at.weight * (along * at.cosine)
        backward = backward + at.weight * (at.pressure * at.sine)
        turning = turning + at.weight * along
        left = left + at.weight * across
    area = wheel.width * wheel.radius * angles.share
    return RimIntegrals(area * up, area * forward, area * backward, area * turning, area * left)


def flank_force(angles: ContactAngles, wheel: Wheel, p: Parameters, order: int) -> Value:
    """The bulldozing force [N] on the flank, to the left.

    The soil resists in full once it is displaced sideways by several K, as shear does.
    """
    shear, blade = shear_under(wheel, angles, p), bulldozing(p)
    total = 0.0
    for s, weight in graded_points(0.5, (order + 1) // 2):
        arc = angles.front * s
        total = total + weight * angles.front * _push(angles.entry - arc, wheel, shear, blade)
        behind = angles.exit + angles.rear * s
        total = total + weight * angles.rear * _push(behind, wheel, shear, blade)
    return -total * angles.share


def _push(angle: Value, wheel: Wheel, shear: Shear, blade: Bulldozing) -> Value:
    depth = wheel.radius * (cos(angle) - cos(shear.entry))
    return blade.on_flank(depth, wheel.radius, angle) * shear.mobilised_across(angle)
