"""The deflection of a tyre that stands on its inflation pressure."""

from __future__ import annotations

from axletree.core.expr import maximum, minimum, sqrt
from axletree.library.soils.soil import Value

LONGEST_PATCH = 0.95  # of the diameter: beyond it the pressure is as if the tyre were flat


def pressure_deflection(load: Value, pressure: Value, diameter: Value, width: Value) -> Value:
    """delta [m] of a tyre under a load [N], from pressure [Pa], diameter and width [m].

    The contact carries b L p, and a disc that is flattened by delta has L = 2 sqrt(D delta -
    delta^2).
    """
    half = 0.5 * maximum(load, 0.0) / (width * pressure)  # of the patch's length
    half = minimum(half, 0.5 * LONGEST_PATCH * diameter)
    return 2.0 * half * half / (diameter + sqrt(diameter * diameter - 4.0 * half * half))
