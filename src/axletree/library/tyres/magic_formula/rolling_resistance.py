"""The rolling resistance moment (Besselink et al. 2010, eq. A48)."""

from __future__ import annotations

from axletree.core.expr import absolute, power
from axletree.library.tyres.magic_formula.axes import OperatingPoint
from axletree.library.tyres.magic_formula.shape import Coefficients, Value, load_power


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
