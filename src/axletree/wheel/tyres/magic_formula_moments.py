"""Moments of the Magic Formula: aligning, overturning, rolling resistance."""

from __future__ import annotations

import math
from dataclasses import dataclass

from axletree.expr import absolute, atan, cos, power, sin, tan
from axletree.expr.functions import Value
from axletree.wheel.tyres.magic_formula_forces import PureLateral
from axletree.wheel.tyres.magic_formula_shape import (
    EPSILON,
    Coefficients,
    OperatingPoint,
    Reductions,
    at_most_one,
    cosine_curve,
    cosine_of_atan,
    length_of,
    load_power,
    polynomial,
)

# The aligning moment: trail, residual moment and arm of Fx (Pacejka 2012, 4.E31 to 4.E49).


@dataclass(frozen=True)
class AligningMoment:
    trail: Value  # t [m], behind the contact point where it rolls forwards
    residual: Value  # Mzr [N m]
    arm: Value  # s [m], of Fx about the vertical axis


def aligning_moment(parts: AligningMoment, Fx: Value, side_force: Value) -> Value:
    """Mz; ``side_force`` is the force that acts at the trail (4.E71, 4.E72)."""
    return parts.residual + parts.arm * Fx - parts.trail * side_force


def aligning_parts(
    o: OperatingPoint,
    c: Coefficients,
    zeta: Reductions,
    lateral: PureLateral,
    slip_stiffness: Value,
    Fy: Value,
) -> AligningMoment:
    """Trail, residual moment and arm with combined slip.

    Longitudinal slip acts like a larger slip angle (Besselink et al. 2010, eqs. A54, A55).
    Both curves are even, so the sign of that angle is of no account.
    """
    shift = _trail_shift(o, c)
    ratio = slip_stiffness / (lateral.stiffness - EPSILON) * o.slip
    return AligningMoment(
        trail=_trail(o, c, zeta, o.lateral_slip + shift, ratio) * o.heading,
        residual=_residual(o, c, zeta, lateral, ratio),
        arm=_arm(o, c, Fy),
    )


def _equivalent(angle: Value, ratio: Value) -> Value:
    return atan(length_of(tan(angle), ratio))


def _trail_shift(o: OperatingPoint, c: Coefficients) -> Value:
    """SHt (4.E35)."""
    dfz, lean = o.load_change, o.lean * c.LGAZ
    return c.QHZ1 + c.QHZ2 * dfz + (c.QHZ3 + c.QHZ4 * dfz) * lean


def _trail(
    o: OperatingPoint, c: Coefficients, zeta: Reductions, angle: Value, ratio: Value
) -> Value:
    """t (4.E40 to 4.E44 and 4.E73).

    QBZ4 stands where the book has QBZ6, and the peak depends on the signed inclination
    (Besselink et al. 2010, eqs. A58, A60), as in property files.
    """
    dfz = o.load_change
    gamma, lean = o.inclination * c.LGAZ, o.lean * c.LGAZ
    slope = polynomial(dfz, c.LKY / c.LMUY, c.QBZ1, c.QBZ2, c.QBZ3)
    slope = slope * (1.0 + c.QBZ4 * gamma + c.QBZ5 * absolute(gamma))
    peak = polynomial(dfz, c.UNLOADED_RADIUS / c.FNOMIN * c.LTR, c.QDZ1, c.QDZ2)
    peak = peak * (1.0 - c.PPZ1 * o.pressure_change) * o.load * zeta.trail
    peak = peak * (1.0 + gamma * (c.QDZ3 + c.QDZ4 * gamma))
    asymmetry = polynomial(lean, 2.0 / math.pi, c.QEZ4, c.QEZ5) * atan(slope * c.QCZ1 * angle)
    curvature = at_most_one(polynomial(dfz, 1.0, c.QEZ1, c.QEZ2, c.QEZ3) * (1.0 + asymmetry))
    curve = cosine_curve(c.QCZ1, slope, curvature, _equivalent(angle, ratio))
    return peak * curve * o.cos_slip_angle


def _residual(
    o: OperatingPoint, c: Coefficients, zeta: Reductions, lateral: PureLateral, ratio: Value
) -> Value:
    """Mzr (4.E45 to 4.E47 and 4.E75)."""
    dfz, lean = o.load_change, o.lean * c.LGAZ
    slope = (c.QBZ9 * (c.LKY / c.LMUY) + c.QBZ10 * lateral.slope * lateral.shape) * zeta.residual
    scale = c.UNLOADED_RADIUS * c.LMUY
    by_lean = polynomial(dfz, scale * c.LKZC, c.QDZ8, c.QDZ9) * (1.0 + c.PPZ2 * o.pressure_change)
    by_lean = by_lean + polynomial(dfz, scale * c.LKZC, c.QDZ10, c.QDZ11) * absolute(lean)
    over_load = polynomial(dfz, scale * c.LRES, c.QDZ6, c.QDZ7) * zeta.peak_y
    over_load = over_load + by_lean * lean * zeta.camber
    peak = o.load * over_load * o.cos_lateral_slip * o.heading
    peak = peak + zeta.turning_moment
    scaled = slope * _equivalent(o.lateral_slip + lateral.zero_shift, ratio)
    if zeta.residual_shape is None:
        return peak * cosine_of_atan(scaled)
    return peak * cos(zeta.residual_shape * atan(scaled))


def _arm(o: OperatingPoint, c: Coefficients, Fy: Value) -> Value:
    """s (4.E76 with Fz0 for Fz0', Besselink et al. 2010, eq. A56)."""
    scale = c.UNLOADED_RADIUS * c.LS
    by_lean = polynomial(o.load_change, scale, c.SSZ3, c.SSZ4) * o.inclination
    return polynomial(Fy, scale, c.SSZ1, c.SSZ2 / c.FNOMIN) + by_lean


# The overturning moment (Pacejka 2012, eq. 4.E69; Besselink et al. 2010, eq. 49).


def overturning_moment(o: OperatingPoint, c: Coefficients, Fy: Value) -> Value:
    """Mx; the terms after the third are zero in Magic Formula 5.2."""
    gamma, side, load = o.inclination, Fy / c.FNOMIN, o.load / c.FNOMIN
    by_load = cos(c.QSX5 * atan((c.QSX6 * load) * (c.QSX6 * load)))
    together = c.QSX4 * by_load * sin(c.QSX7 * gamma + c.QSX8 * atan(c.QSX9 * side))
    of_load = (
        c.QSX1 * c.LVMX
        + c.QSX3 * side
        + together
        + gamma
        * (
            c.QSX10 * atan(c.QSX11 * load)
            - c.QSX2 * (1.0 + c.PPMX1 * o.pressure_change)
            - c.QSX12 * absolute(gamma)
        )
    )
    of_side_force = c.QSX13 + c.QSX14 * absolute(gamma)
    return c.UNLOADED_RADIUS * c.LMX * (o.load * of_load + Fy * of_side_force)


# The rolling resistance moment (Besselink et al. 2010, eq. A48).


def rolling_resistance_moment(o: OperatingPoint, c: Coefficients, Fx: Value) -> Value:
    """My, against the spin of the wheel; with QSY7 = 1 it is that of Magic Formula 5.2.

    The sign of the spin rate passes through zero smoothly while the rim runs slower than
    VXLOW, so that a wheel at rest is not turned by its rolling resistance.
    """
    speed, load = o.speed / c.LONGVL, o.load / c.FNOMIN
    squared = speed * speed
    resistance = (
        c.QSY1
        + c.QSY2 * (Fx / c.FNOMIN)
        + c.QSY3 * absolute(speed)
        + c.QSY4 * squared * squared
        + (c.QSY5 + c.QSY6 * load) * o.inclination * o.inclination
    )
    by_pressure = power(1.0 + o.pressure_change, c.QSY8)
    factor = (c.UNLOADED_RADIUS * c.FNOMIN * c.LMY) * load_power(load, c.QSY7) * by_pressure
    return -o.rolling * factor * resistance
