"""From the contact patch to what the formula is a function of: the one place of signs.

Property files of the Magic Formula hold data in the W axis system of ISO 8855, as the
contract of tyre laws does (x forward, y left, z up), so that forces, moments, slip angle
and inclination go through as they are. What differs:

* Longitudinal slip, slip angle and turn slip are referred to the magnitude of the speed.
  A tyre that rolls backwards is the same tyre seen from the other end of its x axis:
  whatever has a front and a back (the shifts of Fx, the trail, the residual moment) takes
  the sign of the speed, ``heading``. It passes through zero smoothly between -VXLOW and
  VXLOW, so that a tyre at rest without slip is without force.
* Pacejka 2012, eq. (4.75), counts turn slip opposite to the yaw rate in axes with z down;
  with z up it is the curvature of the path, positive to the left.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

from axletree.core.expr import absolute, cos, maximum, minimum, sin, tan
from axletree.library.tyres.contract import Contact
from axletree.library.tyres.magic_formula.shape import Coefficients, Value


class SlipMeasure(enum.Enum):
    """How slip angle and inclination enter the formula."""

    ANGLE = "angle"  # as they are (Adams PAC2002, Morency 2007)
    TANGENT = "tangent"  # tan(alpha), sin(gamma) (Pacejka 2012, eqs. 4.E3, 4.E4)


class Beyond(enum.Enum):
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
    contact: Contact, c: Coefficients, measure: SlipMeasure, beyond: Beyond
) -> OperatingPoint:
    nominal = c.FNOMIN * c.LFZO  # 4.E1
    load, slip = contact.normal_load, contact.longitudinal_slip
    alpha, gamma = contact.slip_angle, contact.inclination
    given = contact.inflation_pressure
    pressure = c.INFLPRES if given is None else given
    if beyond is Beyond.HELD:
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
