"""Friction that differs along and across: its curve follows the direction of sliding.

Andres 2009, eqs. (3.31) to (3.35), after Rill 2007: each point of the curve lies between that of x
and that of y as on an ellipse. The angle in them is read as that of the slip vector; with the
slip angle, as printed, pure side slip would have the curve of longitudinal slip.
"""

from __future__ import annotations

from collections.abc import Callable

from axletree.core.expr import sqrt, where
from axletree.library.friction.grip import Coefficients, Sliding
from axletree.library.friction.peaked_curve import PeakedCurve
from axletree.library.tyres.contract import Value

SMALLEST_SQUARE = 1e-24  # of a sliding speed [m/s]; below it sliding has no direction

# From the squares of cosine and sine of the direction to friction against sliding speed.
DirectionalCurve = Callable[[Value, Value], PeakedCurve]


def between(along: Value, across: Value, cos2: Value, sin2: Value) -> Value:
    """Of values along and across, that in a direction, on an ellipse."""
    return sqrt(along * along * cos2 + across * across * sin2)


def directional_coefficients(sliding: Sliding, curve: DirectionalCurve) -> Coefficients:
    """Friction against the sliding velocity; at rest, each axis has the slope of its own curve."""
    x, y = sliding.longitudinal_speed, sliding.lateral_speed
    square = x * x + y * y
    slides = square > SMALLEST_SQUARE
    squared_speed = where(slides, square, 1.0)
    sin2 = where(slides, y * y, 0.0) / squared_speed
    here = curve(1.0 - sin2, sin2)
    secant = here.secant(sqrt(squared_speed))
    return Coefficients(
        longitudinal=-where(slides, secant, curve(1.0, 0.0).slope) * x,
        lateral=-where(slides, secant, curve(0.0, 1.0).slope) * y,
        adhesion_speed=here.peak_slip,
        full_sliding_speed=here.sliding_slip,
    )
