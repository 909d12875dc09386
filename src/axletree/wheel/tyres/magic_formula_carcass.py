"""What the carcass does in the Magic Formula: radii, load over deflection, relaxation lengths.

Radii and load are those of Besselink et al. 2010, eqs. 1 to 10. Relaxation lengths are of load in
5.2, of the carcass in 6.1 and 6.2.
"""

from __future__ import annotations

from axletree.expr import Value, absolute, atan, exp, maximum, power, sqrt, tan
from axletree.wheel.tyres.magic_formula_shape import (
    EPSILON,
    LOAD_FLOOR,
    Coefficients,
    OperatingPoint,
    sine_of_multiple_atan,
)


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
