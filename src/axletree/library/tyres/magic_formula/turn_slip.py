"""Turn slip and what it takes from forces and moments (Pacejka 2012, section 4.3.3)."""

from __future__ import annotations

import math
from typing import Final

from axletree.core.expr import absolute, acos, atan, maximum, minimum, sin, tan
from axletree.library.tyres.magic_formula.axes import OperatingPoint
from axletree.library.tyres.magic_formula.combined import weight_of_fy
from axletree.library.tyres.magic_formula.lateral import (
    camber_stiffness,
    cornering_stiffness,
    lateral_friction,
    upright,
)
from axletree.library.tyres.magic_formula.reductions import Reductions
from axletree.library.tyres.magic_formula.shape import (
    EPSILON,
    LOAD_FLOOR,
    Coefficients,
    Value,
    at_most_one,
    cosine_of_atan,
    load_power,
    root_of_magnitude,
    sine_curve,
)

NEARLY_ONE: Final = 1.0 - 1.0e-9  # keeps the slope of the arccosine finite


def turn_slip_reductions(o: OperatingPoint, c: Coefficients) -> Reductions:
    """zeta0 to zeta8 for the spin of the contact patch."""
    dfz, radius = o.load_change, c.UNLOADED_RADIUS
    kept = 1.0 - c.PECP1 * (1.0 + c.PECP2 * dfz)  # 1 - eps_gamma, 4.90
    spin = radius * _spin(o, c, kept)
    slope_x = c.PDXP1 * (1.0 + c.PDXP2 * dfz) * cosine_of_atan(c.PDXP3 * o.slip)  # 4.106
    slope_y = c.PDYP1 * (1.0 + c.PDYP2 * dfz) * cosine_of_atan(c.PDYP3 * tan(o.slip_angle))
    spread = absolute(spin) + c.PDYP4 * root_of_magnitude(spin)
    stiffness_y = cosine_of_atan(c.PKYP1 * spin * spin)  # zeta3, 4.79
    moment, residual_shape = _turning_moment(o, c, kept)
    return Reductions(
        camber=0.0,
        peak_x=cosine_of_atan(slope_x * spin),  # zeta1, 4.105
        peak_y=cosine_of_atan(slope_y * spread),  # zeta2, 4.77 with 4.78
        stiffness_y=stiffness_y,
        shift_y=_shift(o, c, kept, spin, stiffness_y),
        trail=cosine_of_atan(c.QDTP1 * spin),  # zeta5, 4.91
        residual=cosine_of_atan(c.QBRP1 * spin),  # zeta6, 4.102
        residual_shape=residual_shape,
        turning_moment=moment,
    )


def _spin(o: OperatingPoint, c: Coefficients, kept: Value) -> Value:
    """phi [1/m]: turn slip and what inclination adds to it (4.76); finite at rest."""
    speed = maximum(absolute(o.speed), c.VXLOW)
    return o.turn_slip + kept * o.spin_rate * sin(o.inclination) * o.cos_slip_angle / speed


def _shift(o: OperatingPoint, c: Coefficients, kept: Value, spin: Value, zeta3: Value) -> Value:
    """SHyphi [rad] (4.80 to 4.89)."""
    peak = c.PHYP2 + c.PHYP3 * o.load_change  # 4.86
    stiffness = cornering_stiffness(upright(o), c, Reductions(stiffness_y=zeta3)) - EPSILON
    # Both denominators may be zero where the file says nothing: then there is no shift.
    scale = c.PHYP1 * maximum(peak, LOAD_FLOOR) * stiffness
    slope = camber_stiffness(o, c) / maximum(kept, LOAD_FLOOR) / scale  # 4.88, 4.89
    return sine_curve(peak, c.PHYP1, slope, at_most_one(c.PHYP4), spin) * o.heading


def _turning_moment(o: OperatingPoint, c: Coefficients, kept: Value) -> tuple[Value, Value]:
    """Drphi [N m] and zeta7 (4.92 to 4.104)."""
    dfz, radius = o.load_change, c.UNLOADED_RADIUS
    turned = radius * o.turn_slip
    ratio = o.load / (c.FNOMIN * c.LFZO)
    friction = absolute(lateral_friction(o, c))
    at_rest = c.QCRP1 * friction * radius * c.FNOMIN * c.LFZO * load_power(ratio, 1.5) * c.LMP
    peak = maximum(at_rest, EPSILON) / sin(0.5 * math.pi * c.QDRP1)  # 4.94, 4.95
    by_lean = c.QDZ8 + c.QDZ9 * dfz + (c.QDZ10 + c.QDZ11 * dfz) * absolute(o.lean)
    stiffness = o.load * radius * by_lean * c.LKZC  # 4.99
    slope = stiffness / (c.QDRP1 * peak * maximum(kept, LOAD_FLOOR))
    moment = peak * sin(c.QDRP1 * atan(slope * turned))
    crosswise = (2.0 / math.pi) * atan(c.QCRP2 * absolute(turned)) * weight_of_fy(o, c)  # 4.103
    part = at_rest * crosswise / (absolute(moment) + EPSILON)
    return moment, (2.0 / math.pi) * acos(minimum(part, NEARLY_ONE))  # zeta7, 4.104
