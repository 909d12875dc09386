"""Forces and moments of the Magic Formula, and what its carcass does.

Longitudinal, lateral, combined, with turn slip; aligning, overturning, rolling resistance; radii,
load over deflection and relaxation lengths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from axletree.expr import sign, sin, sqrt, tan, where
from axletree.expr.functions import Value, absolute, acos, atan, cos, exp, maximum, minimum, power
from axletree.wheel.tyres.magic_formula_shape import (
    EPSILON,
    FRICTION_FLOOR,
    LOAD_FLOOR,
    Coefficients,
    OperatingPoint,
    Reductions,
    at_most_one,
    cosine_curve,
    cosine_of_atan,
    length_of,
    load_power,
    polynomial,
    root_of_magnitude,
    sine_curve,
    sine_of_multiple_atan,
)

# The longitudinal force of slip alone (Pacejka 2012, eqs. 4.E9 to 4.E18).


@dataclass(frozen=True)
class PureLongitudinal:
    force: Value  # Fx0 [N]
    stiffness: Value  # Kxk = dFx0/dkappa at no slip [N]


def pure_longitudinal(o: OperatingPoint, c: Coefficients, zeta: Reductions) -> PureLongitudinal:
    """Fx without slip angle.

    Stiffness and peak both go with the load, which therefore cancels in the stiffness
    factor Bx: nothing is divided by a load.
    """
    dfz = o.load_change
    friction = longitudinal_friction(o, c)
    shape = c.PCX1 * c.LCX  # 4.E11
    stiffness = _stiffness_per_load(o, c)
    slope = stiffness / (shape * friction * zeta.peak_x + FRICTION_FLOOR)  # 4.E16
    shifted = o.slip + polynomial(dfz, c.LHX, c.PHX1, c.PHX2) * o.heading  # 4.E10, 4.E17
    curvature = at_most_one(
        polynomial(dfz, c.LEX, c.PEX1, c.PEX2, c.PEX3) * (1.0 - c.PEX4 * o.heading * sign(shifted))
    )  # 4.E14
    curve = sine_curve(friction, shape, slope, curvature, shifted)
    shift = polynomial(dfz, c.LVX * c.LMUX, c.PVX1, c.PVX2) * o.heading  # 4.E18
    return PureLongitudinal(
        force=o.load * zeta.peak_x * (curve + shift),  # 4.E9, 4.E12
        stiffness=o.load * stiffness,
    )


def longitudinal_friction(o: OperatingPoint, c: Coefficients) -> Value:
    """mu_x, never negative (4.E13)."""
    gamma = o.inclination * c.LGAX
    dpi = o.pressure_change
    friction = (
        polynomial(o.load_change, c.LMUX, c.PDX1, c.PDX2)
        * (1.0 + dpi * (c.PPX3 + c.PPX4 * dpi))
        * (1.0 - c.PDX3 * gamma * gamma)
    )
    return maximum(friction, 0.0)


def _stiffness_per_load(o: OperatingPoint, c: Coefficients) -> Value:
    """Kxk/Fz (4.E15)."""
    dfz, dpi = o.load_change, o.pressure_change
    by_pressure = 1.0 + dpi * (c.PPX1 + c.PPX2 * dpi)
    return polynomial(dfz, c.LKX, c.PKX1, c.PKX2) * exp(c.PKX3 * dfz) * by_pressure


# The lateral force of slip angle and inclination alone (Pacejka 2012, eqs. 4.E19 to 4.E30).


@dataclass(frozen=True)
class Shifts:
    """How the curve of Fy is moved in its plane."""

    horizontal: Value  # SHy [rad]
    vertical: Value  # SVy/Fz [1]


@dataclass(frozen=True)
class PureLateral:
    force: Value  # Fy0 [N]
    stiffness: Value  # Kya = dFy0/dalpha, negative [N/rad]
    friction: Value  # mu_y [1]
    slope: Value  # By [1/rad]
    shape: Value  # Cy [1]
    zero_shift: Value  # SHf: minus the slip angle of no force [rad] (4.E38)


def pure_lateral(
    o: OperatingPoint, c: Coefficients, zeta: Reductions, stiffness: Value, shifts: Shifts
) -> PureLateral:
    """Fy without longitudinal slip."""
    lean = o.lean * c.LGAY
    shape = c.PCY1 * c.LCY  # 4.E21
    friction = lateral_friction(o, c)
    peak = friction * o.load * zeta.peak_y  # 4.E22
    horizontal, vertical = shifts.horizontal * o.fade, shifts.vertical * o.load * o.fade
    shifted = o.lateral_slip + horizontal  # 4.E20
    curvature = at_most_one(
        polynomial(o.load_change, c.LEY, c.PEY1, c.PEY2)
        * (1.0 + c.PEY5 * lean * lean - (c.PEY3 + c.PEY4 * lean) * sign(shifted))
    )  # 4.E24
    slope = stiffness / (shape * peak + _sense(c) * EPSILON)  # 4.E26
    return PureLateral(
        force=sine_curve(peak, shape, slope, curvature, shifted) + vertical,  # 4.E19
        stiffness=stiffness,
        friction=friction,
        slope=slope,
        shape=shape,
        zero_shift=horizontal + vertical / (stiffness - EPSILON),
    )


def lateral_friction(o: OperatingPoint, c: Coefficients) -> Value:
    """mu_y (4.E23); it does not change its sign, whatever load and inclination are."""
    lean = o.lean * c.LGAY
    dpi = o.pressure_change
    friction = (
        polynomial(o.load_change, _sense(c) * c.LMUY, c.PDY1, c.PDY2)
        * (1.0 + dpi * (c.PPY3 + c.PPY4 * dpi))
        * (1.0 - c.PDY3 * lean * lean)
    )
    return _sense(c) * maximum(friction, 0.0)


def _sense(c: Coefficients) -> Value:
    """The sign of the friction: some files have peak and stiffness factor both negative."""
    return where(c.PDY1 < 0.0, -1.0, 1.0)


def cornering_stiffness(o: OperatingPoint, c: Coefficients, zeta: Reductions) -> Value:
    """Kya [N/rad] (4.E25)."""
    lean = o.lean * c.LGAY
    nominal = c.FNOMIN * c.LFZO
    dpi = o.pressure_change
    load_of_peak = (c.PKY2 + c.PKY5 * lean * lean) * (1.0 + c.PPY2 * dpi) * nominal
    greatest = c.PKY1 * nominal * (1.0 + c.PPY1 * dpi) * c.LKY
    over_load = sine_of_multiple_atan(c.PKY4, o.load / load_of_peak)
    return greatest * over_load * (1.0 - c.PKY3 * absolute(lean)) * zeta.stiffness_y


def camber_stiffness(o: OperatingPoint, c: Coefficients) -> Value:
    """Kyg0 = dFy0/dgamma without slip angle [N/rad] (4.E30)."""
    by_pressure = 1.0 + c.PPY5 * o.pressure_change
    return o.load * polynomial(o.load_change, c.LKYC, c.PKY6, c.PKY7) * by_pressure


def shifts_52(o: OperatingPoint, c: Coefficients) -> Shifts:
    """Shifts of Magic Formula 5.2: inclination moves the curve by PHY3 and PVY3, PVY4."""
    dfz, lean = o.load_change, o.lean * c.LGAY
    return Shifts(
        horizontal=polynomial(dfz, c.LHY, c.PHY1, c.PHY2) + c.PHY3 * lean,
        vertical=polynomial(dfz, c.LVY * c.LMUY, c.PVY1, c.PVY2)
        + polynomial(dfz, c.LMUY, c.PVY3, c.PVY4) * lean,
    )


def shifts_61(o: OperatingPoint, c: Coefficients, zeta: Reductions, stiffness: Value) -> Shifts:
    """Shifts of Magic Formula 6.1 and 6.2 (4.E27 to 4.E29).

    The horizontal shift is what makes the slope over inclination the camber stiffness.
    With turn slip, the spin of the inclined wheel takes its place: zeta0 = 0, and zeta4
    holds the shift.
    """
    dfz = o.load_change
    by_lean = polynomial(dfz, c.LKYC * c.LMUY, c.PVY3, c.PVY4) * o.lean * zeta.peak_y
    safe = stiffness - EPSILON  # the stiffness is negative
    camber = zeta.camber * camber_stiffness(o, c) * o.lean - by_lean * o.load
    return Shifts(
        horizontal=polynomial(dfz, c.LHY, c.PHY1, c.PHY2) + camber / safe + zeta.shift_y,
        vertical=polynomial(dfz, c.LVY * c.LMUY, c.PVY1, c.PVY2) * zeta.peak_y + by_lean,
    )


def upright(o: OperatingPoint) -> OperatingPoint:
    """The same point without inclination."""
    return replace(o, inclination=0.0, lean=0.0)


# What slip angle takes from Fx and longitudinal slip from Fy (Pacejka 2012, 4.E50 to 4.E67).


def weight_of_fx(o: OperatingPoint, c: Coefficients) -> Value:
    """Gxa = Fx/Fx0 [1], 1 without slip angle (4.E51 to 4.E57)."""
    curvature = at_most_one(c.REX1 + c.REX2 * o.load_change)
    slope = polynomial(o.lean * o.lean, c.LXAL, c.RBX1, c.RBX3) * cosine_of_atan(c.RBX2 * o.slip)
    with_angle = cosine_curve(c.RCX1, slope, curvature, o.lateral_slip + c.RHX1)
    return with_angle / cosine_curve(c.RCX1, slope, curvature, c.RHX1)


def weight_of_fy(o: OperatingPoint, c: Coefficients) -> Value:
    """Gyk = (Fy - SVyk)/Fy0 [1], 1 without longitudinal slip (4.E59 to 4.E65)."""
    curvature = at_most_one(c.REY1 + c.REY2 * o.load_change)
    shift = (c.RHY1 + c.RHY2 * o.load_change) * o.heading
    off_peak = c.RBY2 * (o.lateral_slip - c.RBY3)
    slope = polynomial(o.lean * o.lean, c.LYKA, c.RBY1, c.RBY4) * cosine_of_atan(off_peak)
    with_slip = cosine_curve(c.RCY1, slope, curvature, o.slip + shift)
    return with_slip / cosine_curve(c.RCY1, slope, curvature, shift)


def induced_side_force(
    o: OperatingPoint, c: Coefficients, zeta: Reductions, friction: Value
) -> Value:
    """SVyk [N], the side force that longitudinal slip brings along (4.E66, 4.E67)."""
    of_friction = polynomial(o.load_change, c.LVYKA, c.RVY1, c.RVY2) + c.LVYKA * c.RVY3 * o.lean
    peak = friction * o.load * of_friction * cosine_of_atan(c.RVY4 * o.lateral_slip) * zeta.peak_y
    return peak * sin(c.RVY5 * atan(c.RVY6 * o.slip)) * o.heading


# Turn slip and what it takes from forces and moments (Pacejka 2012, section 4.3.3).

NEARLY_ONE: Final = 1.0 - 1.0e-14  # keeps the slope of the arccosine finite


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
    part = at_rest * crosswise / maximum(absolute(moment), EPSILON)
    return moment, (2.0 / math.pi) * acos(minimum(part, NEARLY_ONE))  # zeta7, 4.104


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


# What the carcass does: radii, load over deflection, relaxation lengths.
#
# Radii and load are those of Besselink et al. 2010, eqs. 1 to 10. Relaxation lengths are of load in
# 5.2, of the carcass in 6.1 and 6.2.


def spinning_radius(o: OperatingPoint, c: Coefficients) -> Value:
    """Romega [m], the free radius of the turning tyre (eq. 1)."""
    rim_speed = o.spin_rate * c.UNLOADED_RADIUS / c.LONGVL
    return c.UNLOADED_RADIUS * (c.Q_RE0 + c.Q_V1 * rim_speed * rim_speed)


def effective_radius(o: OperatingPoint, c: Coefficients) -> Value:
    """Re [m] (eq. 7)."""
    stiffness = c.VERTICAL_STIFFNESS * (1.0 + c.PFZ1 * o.pressure_change)  # eq. 5
    load = o.load / c.FNOMIN
    compression = c.DREFF * atan(c.BREFF * load) + c.FREFF * load
    return spinning_radius(o, c) - c.FNOMIN / stiffness * compression


def _spin_and_pressure(o: OperatingPoint, c: Coefficients) -> tuple[Value, Value]:
    growth = c.Q_V2 * c.UNLOADED_RADIUS / c.LONGVL * absolute(o.spin_rate)
    return 1.0 + growth, (1.0 + c.PFZ1 * o.pressure_change) * c.FNOMIN


def _load_of(deflection: Value, c: Coefficients) -> Value:
    """The quadratic of eq. 4 over the nominal load; ``deflection`` over the free radius."""
    stiffness = c.VERTICAL_STIFFNESS * c.UNLOADED_RADIUS / c.FNOMIN
    linear = sqrt(maximum(stiffness * stiffness - 4.0 * c.Q_FZ2, 0.0))
    return deflection * (linear + c.Q_FZ2 * deflection)


def load_61(
    o: OperatingPoint, c: Coefficients, loaded_radius: Value, Fx: Value, Fy: Value
) -> Value:
    """Fz [N] of Magic Formula 6.1 at a loaded radius; 0 where the tyre does not touch."""
    growth, scale = _spin_and_pressure(o, c)
    along, across = c.Q_FCX * Fx / c.FNOMIN, c.Q_FCY * Fy / c.FNOMIN
    deflection = maximum(spinning_radius(o, c) - loaded_radius, 0.0) / c.UNLOADED_RADIUS
    return (growth - along * along - across * across) * scale * _load_of(deflection, c)


def load_62(
    o: OperatingPoint, c: Coefficients, loaded_radius: Value, Fx: Value, Fy: Value
) -> Value:
    """Fz [N] of Magic Formula 6.2 at a loaded radius; 0 where the tyre does not touch."""
    growth, scale = _spin_and_pressure(o, c)
    free, gamma = spinning_radius(o, c), o.inclination
    upright = maximum(free - loaded_radius, 0.0)
    part = loaded_radius / free
    ends = loaded_radius * (c.Q_CAM1 + c.Q_CAM2 * loaded_radius)
    ratio = ends / maximum(free * (c.Q_CAM1 + c.Q_CAM2 * free), LOAD_FLOOR)
    tread = (1.075 - 0.5 * c.ASPECT_RATIO) * c.WIDTH
    leaning = ratio * ratio * tread / 8.0 * absolute(tan(gamma))
    leaning = leaning - c.Q_CAM3 * upright * absolute(gamma)
    deflection = maximum(upright + leaning, 0.0) / c.UNLOADED_RADIUS
    shift = (c.Q_FYS1 + part * (c.Q_FYS2 + c.Q_FYS3 * part)) * gamma
    along = c.Q_FCX * Fx / c.FNOMIN
    across = power(maximum(deflection, LOAD_FLOOR), c.Q_FCY2) * c.Q_FCY * (Fy - shift) / c.FNOMIN
    return (growth - along * along - across * across) * scale * _load_of(deflection, c)


def longitudinal_length_52(o: OperatingPoint, c: Coefficients) -> Value:
    """Blong [m]; Morency 2007, eq. (3.27), prints the exponent with the other sign."""
    dfz = o.load_change
    over_load = (c.PTX1 + c.PTX2 * dfz) * exp(-c.PTX3 * dfz) * c.LSGKP
    return o.load * over_load * (c.UNLOADED_RADIUS / c.FNOMIN)


def lateral_length_52(o: OperatingPoint, c: Coefficients) -> Value:
    """Blat [m] (Morency 2007, eq. 3.28, without the factor Fz0)."""
    # Files without relaxation lengths have PTY1 = PTY2 = 0.
    over_load = sine_of_multiple_atan(2.0, o.load / (c.PTY2 * c.FNOMIN * c.LFZO + EPSILON))
    by_lean = 1.0 - c.PKY3 * absolute(o.inclination * c.LGAY)
    return c.PTY1 * over_load * by_lean * c.UNLOADED_RADIUS * c.LFZO * c.LSGAL


def longitudinal_length_61(o: OperatingPoint, c: Coefficients, slip_stiffness: Value) -> Value:
    """sigma_x [m] = Kxk/Cx (Besselink et al. 2010, eqs. 17 and 19)."""
    carcass = c.LONGITUDINAL_STIFFNESS, c.PCFX1, c.PCFX2, c.PCFX3
    return absolute(slip_stiffness / _carcass_stiffness(o, *carcass))


def lateral_length_61(o: OperatingPoint, c: Coefficients, cornering: Value) -> Value:
    """sigma_y [m] = |Kya|/Cy (Besselink et al. 2010, eqs. 18 and 19)."""
    carcass = c.LATERAL_STIFFNESS, c.PCFY1, c.PCFY2, c.PCFY3
    return absolute(cornering / _carcass_stiffness(o, *carcass))


def _carcass_stiffness(o: OperatingPoint, nominal: Value, *by: Value) -> Value:
    """[N/m], which changes with load, load squared and pressure."""
    by_load = 1.0 + o.load_change * (by[0] + by[1] * o.load_change)
    return nominal * by_load * (1.0 + by[2] * o.pressure_change)
