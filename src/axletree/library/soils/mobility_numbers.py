"""Numbers by which wheels on soft ground are compared: greater ones get further.

Loads in N, lengths in m, cone index in Pa. The Waterways Experiment Station's (WES) are those of
Turnage 1972; the mean maximum pressure is that of Rowland 1972.
"""

from __future__ import annotations

from axletree.core.expr import power, sqrt
from axletree.library.soils.soil import Value


def wheel_numeric(load: Value, cone_index: Value, diameter: Value, width: Value) -> Value:
    """C_n = c_i b D / W [1]."""
    return cone_index * width * diameter / load


def wes_clay_number(
    load: Value, cone_index: Value, diameter: Value, width: Value, deflection_ratio: Value
) -> Value:
    """(c_i b D / W) sqrt(delta / H) / (1 + b / (2 D)) [1]."""
    numeric = wheel_numeric(load, cone_index, diameter, width)
    return numeric * sqrt(deflection_ratio) / (1.0 + 0.5 * width / diameter)


def wes_sand_number(
    load: Value, cone_gradient: Value, diameter: Value, width: Value, deflection_ratio: Value
) -> Value:
    """(G (b D)^(3/2) / W) delta / H [1], with the growth G of the cone index with depth [Pa/m]."""
    return cone_gradient * power(width * diameter, 1.5) * deflection_ratio / load


def mean_maximum_pressure(
    load: Value, diameter: Value, width: Value, deflection: Value, factor: float = 3.66
) -> Value:
    """Pressure [Pa] under a driven wheel: K W / (2 b^0.85 D^1.15 sqrt(delta / D)).

    W is the load of an axle with two wheels; K is 3.66 where both of two axles are
    driven, after Rowland 1972. Smaller is better here.
    """
    size = power(width, 0.85) * power(diameter, 1.15) * sqrt(deflection / diameter)
    return factor * load / (2.0 * size)
