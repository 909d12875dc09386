"""The overturning moment (Pacejka 2012, eq. 4.E69; Besselink et al. 2010, eq. 49)."""

from __future__ import annotations

from axletree.core.expr import absolute, atan, cos, sin
from axletree.library.tyres.magic_formula.axes import OperatingPoint
from axletree.library.tyres.magic_formula.shape import Coefficients, Value


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
