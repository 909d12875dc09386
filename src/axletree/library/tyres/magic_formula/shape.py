"""The curve that gives the Magic Formula its name, and guards that keep its slopes finite."""

from __future__ import annotations

from typing import Any, Final

from axletree.core.expr import absolute, atan, cos, maximum, minimum, power, sin, sqrt

Value = Any  # float, numpy.ndarray, Expr or a SymPy expression
Coefficients = Any  # an object whose attributes are the coefficients by name

EPSILON: Final = 1.0e-6  # in denominators (Pacejka 2012, eq. 4.E6a); N or N/rad
ROOT_FLOOR: Final = 1.0e-20  # below the square of any slip that matters
LOAD_FLOOR: Final = 1.0e-6  # of the nominal load
FRICTION_FLOOR: Final = 1.0e-9  # beside a shape factor times a friction coefficient


def polynomial(x: Value, factor: Value, *coefficients: Value) -> Value:
    """factor (a0 + a1 x + a2 x^2 ...); the factor goes to the coefficients, out of the run."""
    result: Value = 0.0
    for coefficient in reversed(coefficients):
        result = result * x + factor * coefficient
    return result


def inner(slope: Value, x: Value, curvature: Value) -> Value:
    """B x - E (B x - atan(B x)), the argument of every arctangent in the formula."""
    scaled = slope * x
    return scaled - curvature * (scaled - atan(scaled))


def sine_curve(peak: Value, shape: Value, slope: Value, curvature: Value, x: Value) -> Value:
    """D sin(C atan(B x - E (B x - atan(B x)))), forces (Pacejka 2012, eq. 4.49)."""
    return peak * sin(shape * atan(inner(slope, x, curvature)))


def cosine_curve(shape: Value, slope: Value, curvature: Value, x: Value) -> Value:
    """cos(C atan(B x - E (B x - atan(B x)))), trail and losses (Pacejka 2012, eq. 4.60)."""
    return cos(shape * atan(inner(slope, x, curvature)))


def cosine_of_atan(x: Value) -> Value:
    """cos(atan(x)) by a root."""
    return 1.0 / sqrt(1.0 + x * x)


def sine_of_multiple_atan(multiple: Value, x: Value) -> Value:
    """sin(k atan(x)); for k = 2, the value of Magic Formula 5.2, without functions."""
    if isinstance(multiple, float) and multiple == 2.0:
        return 2.0 * x / (1.0 + x * x)
    return sin(multiple * atan(x))


def at_most_one(curvature: Value) -> Value:
    """A curvature factor E; beyond 1 a curve would have no single peak."""
    return minimum(curvature, 1.0)


def length_of(x: Value, y: Value) -> Value:
    """sqrt(x^2 + y^2) with a slope of 0 at the origin."""
    return sqrt(x * x + y * y + ROOT_FLOOR)


def load_power(ratio: Value, exponent: Value) -> Value:
    """ratio^exponent for a load over the nominal load: 0 at no load, with a finite slope."""
    return ratio * power(maximum(ratio, LOAD_FLOOR), exponent - 1.0)


def root_of_magnitude(x: Value) -> Value:
    """sqrt(|x|) with a finite slope at 0."""
    return absolute(x) / sqrt(absolute(x) + LOAD_FLOOR)
