"""The lateral force of slip angle and inclination alone (Pacejka 2012, eqs. 4.E19 to 4.E30)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from axletree.core.expr import absolute, maximum, sign, where
from axletree.library.tyres.magic_formula.axes import OperatingPoint
from axletree.library.tyres.magic_formula.reductions import Reductions
from axletree.library.tyres.magic_formula.shape import (
    EPSILON,
    Coefficients,
    Value,
    at_most_one,
    polynomial,
    sine_curve,
    sine_of_multiple_atan,
)


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
