"""Relaxation lengths: of load in 5.2, of the carcass in 6.1 and 6.2."""

from __future__ import annotations

from axletree.core.expr import absolute, exp
from axletree.library.tyres.magic_formula.axes import OperatingPoint
from axletree.library.tyres.magic_formula.shape import (
    EPSILON,
    Coefficients,
    Value,
    sine_of_multiple_atan,
)


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
    dfz = o.load_change
    by_load = 1.0 + dfz * (c.PCFX1 + c.PCFX2 * dfz)
    stiffness = c.LONGITUDINAL_STIFFNESS * by_load * (1.0 + c.PCFX3 * o.pressure_change)
    return absolute(slip_stiffness / stiffness)


def lateral_length_61(o: OperatingPoint, c: Coefficients, cornering: Value) -> Value:
    """sigma_y [m] = |Kya|/Cy (Besselink et al. 2010, eqs. 18 and 19)."""
    dfz = o.load_change
    by_load = 1.0 + dfz * (c.PCFY1 + c.PCFY2 * dfz)
    stiffness = c.LATERAL_STIFFNESS * by_load * (1.0 + c.PCFY3 * o.pressure_change)
    return absolute(cornering / stiffness)
