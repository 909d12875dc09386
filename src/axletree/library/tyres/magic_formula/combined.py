"""What slip angle takes from Fx and longitudinal slip from Fy (Pacejka 2012, 4.E50 to 4.E67)."""

from __future__ import annotations

from axletree.core.expr import atan, sin
from axletree.library.tyres.magic_formula.axes import OperatingPoint
from axletree.library.tyres.magic_formula.reductions import Reductions
from axletree.library.tyres.magic_formula.shape import (
    Coefficients,
    Value,
    at_most_one,
    cosine_curve,
    cosine_of_atan,
    polynomial,
)


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
