"""The longitudinal force of slip alone (Pacejka 2012, eqs. 4.E9 to 4.E18)."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import exp, maximum, sign
from axletree.library.tyres.magic_formula.axes import OperatingPoint
from axletree.library.tyres.magic_formula.reductions import Reductions
from axletree.library.tyres.magic_formula.shape import (
    FRICTION_FLOOR,
    Coefficients,
    Value,
    at_most_one,
    polynomial,
    sine_curve,
)


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
