"""Where a rigid wheel meets the soil, stresses along its rim, and their integrals.

Angles are from its lowest point, positive ahead. Shear is that of Janosi and Hanamoto 1961, along
and across. Integrals have points and weights of fixed order, for stresses that rise like a power
from the edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import pi

import numpy as np

from axletree.components.fields import Parameters
from axletree.expr import absolute, asin, cos, maximum, minimum, power, sin, sqrt, tan, tanh, where
from axletree.expr.functions import Value
from axletree.wheel.soils.contract import WheelInSoil, greatest_ratio, speed_ratio
from axletree.wheel.soils.soil import modulus

# Sinkage over radius. Below the first, forces fall to zero in proportion, for some soils would be
# infinitely stiff at touch-down; above the second, at which the wheel is in to its axle, they grow
# in proportion.
LEAST_DEPTH = 1e-6
GREATEST_DEPTH = 1.0
# Steps to where shear changes its sign; the integration needs it to some 1e-4 of the contact.
CROSSING_STEPS = 2
LEAST_ARC = 1e-6  # of the entry angle
SMALLEST_PLACE = 1e-12  # below it a root would have no slope
# Points are spent evenly where nothing changes its sign; near the entry, where shear builds up
# within a small part of the contact when the wheel is nearly locked, at most this far from it.
LOWEST_SPLIT, HIGHEST_SPLIT = 0.25, 0.98


@dataclass(frozen=True)
class ContactAngles:
    """The contact of a rigid wheel of a given sinkage."""

    entry: Value  # theta_1 [rad]
    peak: Value  # theta_m [rad]
    exit: Value  # theta_2 [rad]
    share: Value  # [1], factor on forces where the sinkage is below or above what angles know

    @property
    def front(self) -> Value:
        """From the greatest pressure to the entry [rad]."""
        return self.entry - self.peak

    @property
    def rear(self) -> Value:
        """From the exit to the greatest pressure [rad]."""
        return self.peak - self.exit


def contact_angles(sinkage: Value, wheel: WheelInSoil, p: Parameters) -> ContactAngles:
    """The angles at a sinkage [m]; p is that of the soil.

    cos(theta_1) = 1 - z/r, theta_m = (c_1 + c_2 |i|) theta_1 (Wong and Reece 1967); behind, the
    soil rises by ``rebound`` times the sinkage.
    """
    ratio = sinkage / wheel.radius
    depth = minimum(maximum(ratio, LEAST_DEPTH), GREATEST_DEPTH)
    half = sqrt(0.5 * depth)
    entry = 2.0 * asin(half)
    # Not the root of the product, which has no slope where there is no rebound.
    behind = 2.0 * asin(sqrt(p["rebound"]) * half)
    place = p["peak_offset"] + p["peak_slope"] * absolute(wheel.clipped_slip)
    return ContactAngles(entry, place * entry, -behind, maximum(ratio, 0.0) / depth)


def crossing(angles: ContactAngles, slip: Value) -> Value:
    """Where the shear of a braked wheel changes its sign, on the scale of ``graded_points``.

    Soil slides forward at the entry and backward behind it. The arc from the entry is a zero of
    s - kappa (sin theta_1 - sin(theta_1 - s)): a root of its series, and Newton's steps.
    """
    theta, kappa = angles.entry, speed_ratio(slip)
    c, s = cos(theta), sin(theta)
    least = LEAST_ARC * theta
    gap = maximum(1.0 + minimum(slip, 0.0) - c, 0.0)  # 1 / kappa - cos(theta_1)
    root = sqrt(maximum(0.25 * s * s - (2.0 / 3.0) * c * gap, 0.01 * s * s))
    arc = maximum(minimum(2.0 * gap / (0.5 * s + root), 2.0 * theta), least)
    for _ in range(CROSSING_STEPS):
        off = arc - kappa * (s - sin(theta - arc))
        slope = minimum(1.0 - kappa * cos(theta - arc), -1e-3)
        arc = maximum(minimum(arc - off / slope, 2.0 * theta), least)
    ahead = minimum(arc / angles.front, 1.0)
    rear = maximum(angles.rear, least)
    behind = minimum(maximum((theta - arc - angles.exit) / rear, 0.0), 1.0)
    place = minimum(ahead, behind)
    scaled = sqrt(sqrt(maximum(place, SMALLEST_PLACE)))
    return maximum(minimum(scaled, HIGHEST_SPLIT), LOWEST_SPLIT)


# Over the radius; below it a displacement has no direction.
SMALLEST_DISPLACEMENT = 1e-12
LEAST_TRAVEL = 0.01  # over rolling, of a wheel that spins on the spot and drifts


@dataclass(frozen=True)
class Shear:
    """Displacements of the soil under a wheel, and the stresses of them."""

    radius: Value  # [m]
    entry: Value  # theta_1 [rad]
    sine: Value  # of theta_1
    along: Value  # v_x / (omega r) [1]
    per_slip: Value  # |v_max| / (omega r) [1]
    across: Value  # v_y / (omega r) [1]
    drift: Value  # v_y / v_x [1]
    cohesion: Value  # c [Pa]
    slope: Value  # tan(phi)
    modulus: Value  # K [m]

    def displacements(self, angle: Value, sine: Value) -> tuple[Value, Value]:
        """j over the radius [1] at an angle [rad] and its sine: backward and to the left.

        Peiret et al., below eq. (14), with v / (omega r) for 1 - i, which holds for braked wheels
        too; across, Ishigami et al. 2007.
        """
        arc = self.entry - angle
        return arc - self.along * (self.sine - sine), self.across * arc

    def stresses(self, angle: Value, sine: Value, pressure: Value) -> tuple[Value, Value]:
        """tau [Pa] on the wheel, forward and to the left.

        Eq. (14) against the displacement of the soil, whose size counts: together the two are
        never more than c + sigma tan(phi).
        """
        back, left = self.displacements(angle, sine)
        size = _size(back, left)
        stress = self.strength(pressure) * self.mobilised(size) / size
        return stress * back, -(stress * left)

    def strength(self, pressure: Value) -> Value:
        """The greatest stress [Pa] under a pressure [Pa]."""
        return self.cohesion + pressure * self.slope

    def give(self, angle: Value, sine: Value) -> tuple[Value, Value]:
        """Parts of the strength by which the stress changes [1]: forward by the slip, and left
        over the lateral slip, with a change of sign."""
        back, left = self.displacements(angle, sine)
        size = _size(back, left)
        mobilised = self.mobilised(size)
        secant = mobilised / size
        steepness = (1.0 - mobilised) * (self.radius / self.modulus)
        # v / (omega r) is 1 - i of a driven wheel and 1 / (1 + i) of a braked one.
        more = (self.sine - sine) * maximum(self.along, 1.0) * maximum(self.along, 1.0)
        less = left * where(self.along > 1.0, self.along, 0.0)
        turned = (steepness - secant) * back * (back * more - left * less) / (size * size)
        return secant * more + turned, secant * self.per_slip * (self.entry - angle)

    def mobilised(self, size: Value) -> Value:
        """1 - exp(-j / K) for j / r, to the last digit where it is small."""
        t = tanh(size * (0.5 * self.radius / self.modulus))
        return 2.0 * t / (1.0 + t)

    def mobilised_across(self, angle: Value) -> Value:
        """The same at the flank, with the sign of the drift.

        Soil beside the wheel is met while the wheel passes, however fast it turns.
        """
        left = self.drift * (self.entry - angle)
        size = maximum(absolute(left), SMALLEST_DISPLACEMENT)
        return left / size * self.mobilised(size)

    def flank_give(self, angle: Value) -> Value:
        """The same over the drift v_y / v_x."""
        arc = self.entry - angle
        size = maximum(absolute(self.drift * arc), SMALLEST_DISPLACEMENT)
        return arc / size * self.mobilised(size)

    def rolling(self, lateral_slip: Value) -> Shear:
        """Of the same wheel without slip."""
        return replace(self, along=1.0, per_slip=1.0, across=lateral_slip)

    def spinning(self, lateral_slip: Value) -> Shear:
        """Of the same wheel that turns and makes no way."""
        return replace(self, along=0.0, per_slip=1.0, across=lateral_slip)


def _size(back: Value, left: Value) -> Value:
    return sqrt(maximum(back * back + left * left, SMALLEST_DISPLACEMENT**2))


def shear_under(wheel: WheelInSoil, angles: ContactAngles, p: Parameters) -> Shear:
    """The shear under a wheel; p is that of the soil."""
    slip = wheel.clipped_slip
    return Shear(
        radius=wheel.radius,
        entry=angles.entry,
        sine=sin(angles.entry),
        along=speed_ratio(slip),
        per_slip=greatest_ratio(slip),
        across=greatest_ratio(slip) * wheel.slip_across,
        drift=wheel.slip_across / maximum(1.0 - maximum(slip, 0.0), LEAST_TRAVEL),
        cohesion=p["cohesion"],
        slope=tan(p["friction_angle"]),
        modulus=p["shear_modulus"],
    )


# Stresses along the rim of a rigid wheel, and their integrals by points of fixed order.
#
# Numbers of equations are those of Peiret et al.; the stresses are Wong and Reece's 1967.


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
    angles: ContactAngles, wheel: WheelInSoil, p: Parameters, order: int
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


def rim_integrals(
    angles: ContactAngles, wheel: WheelInSoil, p: Parameters, order: int
) -> RimIntegrals:
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


def flank_force(angles: ContactAngles, wheel: WheelInSoil, p: Parameters, order: int) -> Value:
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


def _push(angle: Value, wheel: WheelInSoil, shear: Shear, blade: Bulldozing) -> Value:
    depth = wheel.radius * (cos(angle) - cos(shear.entry))
    return blade.on_flank(depth, wheel.radius, angle) * shear.mobilised_across(angle)


# Soil pushed aside by the flank of a wheel that drifts.
#
# Hegedus 1960, as Ishigami et al. 2007 ("Terramechanics-based model for steering maneuver of
# planetary exploration rovers on loose soil", Journal of Field Robotics 24) use it. The part of
# cohesion is Rankine's passive pressure, 2 c h tan(45 deg + phi/2).


@dataclass(frozen=True)
class Bulldozing:
    """The resistance of soil to a blade, per metre of its width."""

    linear: Value  # D_1 c [Pa]
    quadratic: Value  # D_1 D_2 gamma / 2 [N/m^3]

    def resistance(self, depth: Value) -> Value:
        """R_b [N/m] of a blade at a depth [m]: D_1 (c h + D_2 gamma h^2 / 2)."""
        return depth * (self.linear + self.quadratic * depth)

    def on_flank(self, depth: Value, radius: Value, angle: Value) -> Value:
        """The force by angle [N/rad] on the flank of a wheel at an angle [rad].

        R_b (r - h cos(theta)), with the depth h [m] of the rim there.
        """
        return self.resistance(depth) * (radius - depth * cos(angle))


def bulldozing(p: Parameters) -> Bulldozing:
    """The resistance of a soil, whose parameters are p, failing at 45 deg - phi/2."""
    phi = p["friction_angle"]
    failure = 0.25 * pi - 0.5 * phi  # X_c
    cotangent = 1.0 / tan(failure)
    D_1 = cotangent + tan(failure + phi)
    D_2 = cotangent + cotangent * cotangent * tan(phi)
    return Bulldozing(D_1 * p["cohesion"], 0.5 * D_1 * D_2 * p["unit_weight"])


# A stress that rises like s^n from the edge s = 0 with 0 < n < 1 has no slope there, for which
# polynomials are no match. In u with s = u^4 it rises like u^(4 n + 3), and the points crowd at
# the edge, where shear builds up within millimetres.
GRADING = 4


def graded_points(split: Value, order: int) -> Iterator[tuple[Value, Value]]:
    """(s, weight) of 2 x ``order`` points for an integral over s from 0 to 1.

    Gauss and Legendre's points in u on either side of ``split``, with s = u^4: an integrand may
    have a kink at s = split^4.
    """
    for low, length in ((0.0, split), (split, 1.0 - split)):
        for position, share in gauss_points(order):
            yield graded(low, length, position, share)


def graded(low: Value, length: Value, position: Value, share: Value) -> tuple[Value, Value]:
    """(s, weight) of one of the points of ``gauss_points`` on a part of the interval."""
    u = low + length * position
    square = u * u
    return square * square, (GRADING * share) * length * square * u


@lru_cache(maxsize=8)
def gauss_points(order: int) -> tuple[tuple[float, float], ...]:
    """Positions and weights on the interval from 0 to 1."""
    x, w = np.polynomial.legendre.leggauss(order)
    return tuple((float(0.5 + 0.5 * a), float(0.5 * b)) for a, b in zip(x, w, strict=True))


@dataclass(frozen=True)
class RimStresses:
    """Stresses on the rim [Pa]; zero outside the contact."""

    angle: Value  # theta [rad] from the lowest point, positive ahead
    pressure: Value  # sigma, towards the axle
    forward: Value  # tau along the rim, positive when it drives the vehicle
    left: Value  # tau across


def rim_stresses(angle: Value, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> RimStresses:
    """The stresses at angles [rad] of a wheel at a sinkage [m]; p is that of the soil.

    Peiret et al., eqs. (13, 14), with the corrections of ``WongReece``.
    """
    at = contact_angles(sinkage, wheel, p)
    rear = where(at.rear > 0.0, at.rear, 1.0)
    behind = at.entry - (angle - at.exit) * at.front / rear
    place = where(angle < at.peak, behind, angle)
    depth = wheel.radius * maximum(cos(place) - cos(at.entry), 0.0)
    touches = where(angle <= at.entry, 1.0, 0.0) * where(angle >= at.exit, 1.0, 0.0)
    sigma = touches * modulus(wheel.width, p) * power(depth, p["sinkage_exponent"])
    forward, left = shear_under(wheel, at, p).stresses(angle, sin(angle), sigma)
    return RimStresses(angle, sigma, touches * forward, touches * left)


def whole_contact(
    sinkage: float, wheel: WheelInSoil, p: Parameters, points: int = 401
) -> RimStresses:
    """The stresses at evenly spaced angles from the exit to the entry."""
    at = contact_angles(sinkage, wheel, p)
    return rim_stresses(np.linspace(at.exit, at.entry, points), sinkage, wheel, p)
