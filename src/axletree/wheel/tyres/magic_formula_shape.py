"""The curve that gives the Magic Formula its name, and what the formula is a function of.

Guards keep its slopes finite. The operating point is the one place of signs.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Any, Final

from axletree.expr import Value, absolute, atan, cos, maximum, minimum, power, sin, sqrt, tan
from axletree.wheel.contract import Contact

Coefficients = Any  # an object whose attributes are the coefficients by name

# What keeps slopes finite where there is no load, friction or slip. None of it changes a force
# by more than 1e-12 of itself where there is some: those that are added are as small as that.
EPSILON: Final = 1.0e-12  # in denominators (Pacejka 2012, eq. 4.E6a); N, N/rad or N m
ROOT_FLOOR: Final = 1.0e-20  # below the square of any slip that matters
LOAD_FLOOR: Final = 1.0e-6  # of the nominal load, as a lower bound
SPIN_FLOOR: Final = 1.0e-12  # of spin times radius, as a lower bound
FRICTION_FLOOR: Final = 1.0e-13  # beside a shape factor times a friction coefficient


def polynomial(x: Value, factor: Value, *coefficients: Value) -> Value:
    """factor (a0 + a1 x + a2 x^2 ...); the factor goes to the coefficients, out of the run."""
    result: Value = 0.0
    for coefficient in reversed(coefficients):
        result = result * x + factor * coefficient
    return result


def inner(slope: Value, x: Value, curvature: Value) -> Value:
    """B x - E (B x - atan(B x)), the argument of every arctangent in the formula."""
    scaled = slope * x
    return scaled - curvature * (scaled - atan(scaled))


def sine_curve(peak: Value, shape: Value, slope: Value, curvature: Value, x: Value) -> Value:
    """D sin(C atan(B x - E (B x - atan(B x)))), forces (Pacejka 2012, eq. 4.49)."""
    return peak * sin(shape * atan(inner(slope, x, curvature)))


def cosine_curve(shape: Value, slope: Value, curvature: Value, x: Value) -> Value:
    """cos(C atan(B x - E (B x - atan(B x)))), trail and losses (Pacejka 2012, eq. 4.60)."""
    return cos(shape * atan(inner(slope, x, curvature)))


def cosine_of_atan(x: Value) -> Value:
    """cos(atan(x)) by a root."""
    return 1.0 / sqrt(1.0 + x * x)


def sine_of_multiple_atan(multiple: Value, x: Value) -> Value:
    """sin(k atan(x)); for k = 2, the value of Magic Formula 5.2, without functions."""
    if isinstance(multiple, float) and multiple == 2.0:
        return 2.0 * x / (1.0 + x * x)
    return sin(multiple * atan(x))


def at_most_one(curvature: Value) -> Value:
    """A curvature factor E; beyond 1 a curve would have no single peak."""
    return minimum(curvature, 1.0)


def length_of(x: Value, y: Value) -> Value:
    """sqrt(x^2 + y^2) with a slope of 0 at the origin."""
    return sqrt(x * x + y * y + ROOT_FLOOR)


def load_power(ratio: Value, exponent: Value) -> Value:
    """ratio^exponent for a load over the nominal load: 0 at no load, with a finite slope."""
    return ratio * power(maximum(ratio, LOAD_FLOOR), exponent - 1.0)


def root_of_magnitude(x: Value) -> Value:
    """sqrt(|x|) with a finite slope at 0."""
    return absolute(x) / sqrt(maximum(absolute(x), SPIN_FLOOR))


# From the contact patch to what the formula is a function of: the one place of signs.
#
# Property files of the Magic Formula hold data in the W axis system of ISO 8855, as the
# contract of tyre laws does (x forward, y left, z up), so that forces, moments, slip angle
# and inclination go through as they are. What differs:
#
# * Longitudinal slip, slip angle and turn slip are referred to the magnitude of the speed.
#   A tyre that rolls backwards is the same tyre seen from the other end of its x axis:
#   whatever has a front and a back (the shifts of Fx, the trail, the residual moment) takes
#   the sign of the speed, ``heading``. It passes through zero smoothly between -VXLOW and
#   VXLOW, so that a tyre at rest without slip is without force.
# * Pacejka 2012, eq. (4.75), counts turn slip opposite to the yaw rate in axes with z down;
#   with z up it is the curvature of the path, positive to the left.


class SlipMeasure(enum.Enum):
    """How slip angle and inclination enter the formula."""

    ANGLE = "angle"  # as they are (Adams PAC2002, Morency 2007)
    TANGENT = "tangent"  # tan(alpha), sin(gamma) (Pacejka 2012, eqs. 4.E3, 4.E4)


class BeyondRange(enum.Enum):
    """What happens outside the range of the measurements."""

    EXTRAPOLATED = "extrapolated"  # the formula goes on
    HELD = "held"  # slips, angles, load and pressure stay at the end of the range


@dataclass(frozen=True)
class OperatingPoint:
    """Where the formula is evaluated."""

    load: Value  # Fz [N]
    load_change: Value  # dfz [1] (Pacejka 2012, eq. 4.E2a)
    pressure_change: Value  # dpi [1] (4.E2b)
    slip: Value  # kappa [1], of the sign of the force
    lateral_slip: Value  # alpha [rad] or alpha* = tan(alpha) [1] (4.E3)
    slip_angle: Value  # alpha [rad]
    inclination: Value  # gamma [rad]
    lean: Value  # gamma [rad] or gamma* = sin(gamma) [1] (4.E4)
    cos_slip_angle: Value  # [1]
    cos_lateral_slip: Value  # cos(alpha*) [1], 0 where alpha* exceeds a right angle
    heading: Value  # from -1, backwards, to 1, forwards [1]
    fade: Value  # |heading| [1]
    rolling: Value  # from -1 to 1, of the sign of the spin rate [1]
    speed: Value  # Vx [m/s]
    spin_rate: Value  # Omega [rad/s]
    turn_slip: Value  # phi_t [1/m]


def operating_point(
    contact: Contact, c: Coefficients, measure: SlipMeasure, beyond: BeyondRange
) -> OperatingPoint:
    nominal = c.FNOMIN * c.LFZO  # 4.E1
    load, slip = contact.normal_load, contact.longitudinal_slip
    alpha, gamma = contact.slip_angle, contact.inclination
    given = contact.inflation_pressure
    pressure = c.INFLPRES if given is None else given
    if beyond is BeyondRange.HELD:
        load = minimum(load, c.FZMAX)
        slip = minimum(maximum(slip, c.KPUMIN), c.KPUMAX)
        alpha = minimum(maximum(alpha, c.ALPMIN), c.ALPMAX)
        gamma = minimum(maximum(gamma, c.CAMMIN), c.CAMMAX)
        pressure = minimum(maximum(pressure, c.PRESMIN), c.PRESMAX)
    tangent = measure is SlipMeasure.TANGENT
    cos_alpha = cos(alpha)
    direction = _saturated(contact.forward_speed / c.VXLOW)
    return OperatingPoint(
        load=load,
        load_change=(load - nominal) / nominal,
        pressure_change=(pressure - c.NOMPRES) / c.NOMPRES,
        slip=slip,
        lateral_slip=tan(alpha) if tangent else alpha,
        slip_angle=alpha,
        inclination=gamma,
        lean=sin(gamma) if tangent else gamma,
        cos_slip_angle=cos_alpha,
        cos_lateral_slip=_cos_of_tangent(alpha) if tangent else cos_alpha,
        heading=direction * absolute(direction),
        fade=direction * direction,
        rolling=_saturated(contact.spin_rate * c.UNLOADED_RADIUS / c.VXLOW),
        speed=contact.forward_speed,
        spin_rate=contact.spin_rate,
        turn_slip=contact.turn_slip,
    )


def _cos_of_tangent(alpha: Value) -> Value:
    return cos(minimum(absolute(tan(alpha)), 0.5 * math.pi))


def _saturated(ratio: Value) -> Value:
    """A sign that changes smoothly while the ratio goes from -1 to 1."""
    return sin(0.5 * math.pi * minimum(maximum(ratio, -1.0), 1.0))


# The factors zeta0 to zeta8 by which turn slip reaches into the other equations.


@dataclass(frozen=True)
class Reductions:
    """All of them without effect by default (Pacejka 2012, eq. 4.E0)."""

    camber: Value = 1.0  # zeta0: 0 where spin speaks for the inclination
    peak_x: Value = 1.0  # zeta1
    peak_y: Value = 1.0  # zeta2
    stiffness_y: Value = 1.0  # zeta3
    shift_y: Value = 0.0  # zeta4 - 1 without the part of SVyg: SHyphi [rad]
    trail: Value = 1.0  # zeta5
    residual: Value = 1.0  # zeta6
    residual_shape: Value | None = None  # zeta7; None is 1, which needs no function
    turning_moment: Value = 0.0  # zeta8 - 1: Drphi [N m]


WITHOUT_TURN_SLIP: Final = Reductions()
