"""How a differential equation becomes equations between the points of a mesh.

A collocation rule lets the rates be a polynomial over each interval, which is the right-hand side
at the points of the interval; its integral is the state. With the points c_j of an interval of
length h

    x_j = x_0 + h sum_i a_ji f_i,    a_ji = integral of the i-th Lagrange polynomial from 0 to c_j,

which is an implicit Runge-Kutta method (Hairer, Norsett and Wanner 1993, II.7, theorem 7.8).
Trapezoidal and Hermite-Simpson are Lobatto IIIA with two and three points (Betts 2010, sections 4.5
and 4.6), Radau IIA has its last point at the end and none at the beginning. Controls are
polynomials through all points of an interval and its beginning.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import Polynomial

from axletree.core.arrays import FloatArray


@dataclass(frozen=True)
class CollocationRule:
    """Points of an interval from 0 to 1, the last of which is 1.

    Example:
    >>> from axletree.optimisation.rules import HERMITE_SIMPSON
    >>> HERMITE_SIMPSON.order, (24 * HERMITE_SIMPSON.matrix).round(12).tolist()
    (4, [[5.0, 8.0, -1.0], [4.0, 16.0, 4.0]])
    """

    name: str
    description: str
    order: int  # of the states at the ends of intervals
    points: tuple[float, ...]  # above 0
    at_beginning: bool  # whether the right-hand side at 0 takes part

    @cached_property
    def matrix(self) -> FloatArray:
        """a_ji by point j above 0, and by i with the beginning first."""
        own = (0.0, *self.points) if self.at_beginning else self.points
        integrals = [one.integ() for one in lagrange(own)]
        found = np.array([[one(c) - one(0.0) for one in integrals] for c in self.points])
        return found if self.at_beginning else np.column_stack([np.zeros(len(found)), found])

    @cached_property
    def slopes(self) -> FloatArray:
        """Derivatives at 0 and at the points, times h, of what has values there."""
        whole = (0.0, *self.points)
        return np.array([[one.deriv()(c) for one in lagrange(whole)] for c in whole])

    @cached_property
    def slope_squares(self) -> FloatArray:
        """Integrals of products of derivatives of the Lagrange polynomials of all points."""
        slopes = [one.deriv() for one in lagrange((0.0, *self.points))]
        products = [[(one * other).integ() for other in slopes] for one in slopes]
        return np.array([[one(1.0) - one(0.0) for one in row] for row in products])

    def integrated(self, nodes: FloatArray, rates: FloatArray) -> FloatArray:
        """From the first node to each point, of what has these rates at all points."""
        found, stride = np.zeros(len(rates)), len(self.points)
        for i, h in enumerate(np.diff(nodes).tolist()):
            own = slice(i * stride, (i + 1) * stride + 1)
            found[i * stride + 1 : (i + 1) * stride + 1] = found[i * stride] + h * (
                self.matrix @ rates[own]
            )
        return found

    def values(self, places: FloatArray) -> FloatArray:
        """Of the polynomial through 0 and all points, at places from 0 to 1, by these in rows."""
        return np.array([one(places) for one in lagrange((0.0, *self.points))]).T

    def state_values(self, places: FloatArray) -> FloatArray:
        """What multiplies h f_i in the state at places from 0 to 1, by these in rows."""
        own = (0.0, *self.points) if self.at_beginning else self.points
        found = np.array([one.integ()(places) - one.integ()(0.0) for one in lagrange(own)]).T
        return found if self.at_beginning else np.column_stack([np.zeros(len(found)), found])

    def rate_values(self, places: FloatArray) -> FloatArray:
        """What multiplies f_i in the rate of the state at places from 0 to 1."""
        own = (0.0, *self.points) if self.at_beginning else self.points
        found = np.array([one(places) for one in lagrange(own)]).T
        return found if self.at_beginning else np.column_stack([np.zeros(len(found)), found])


def lagrange(points: tuple[float, ...]) -> list[Polynomial]:
    """The polynomials that are 1 at one of the points and 0 at the others."""
    found = []
    for k, own in enumerate(points):
        others = [c for i, c in enumerate(points) if i != k]
        scale = math.prod(own - c for c in others)
        found.append(Polynomial.fromroots(others) / scale if others else Polynomial([1.0]))
    return found


TRAPEZOIDAL = CollocationRule(
    name="trapezoidal",
    description="Order 2; the mean of the rates at both ends of an interval.",
    order=2,
    points=(1.0,),
    at_beginning=True,
)

HERMITE_SIMPSON = CollocationRule(
    name="hermite-simpson",
    description="Order 4; a cubic over each interval, with its middle as a point.",
    order=4,
    points=(0.5, 1.0),
    at_beginning=True,
)

# Hairer and Wanner (1996), IV.5, table 5.5 and 5.6: zeros of Radau's right polynomials.
RADAU_2 = CollocationRule(
    name="radau-2",
    description="Radau IIA with two points, order 3; fast motions die out, as they do in truth.",
    order=3,
    points=(1.0 / 3.0, 1.0),
    at_beginning=False,
)

RADAU_3 = CollocationRule(
    name="radau-3",
    description="Radau IIA with three points, order 5.",
    order=5,
    points=((4.0 - math.sqrt(6.0)) / 10.0, (4.0 + math.sqrt(6.0)) / 10.0, 1.0),
    at_beginning=False,
)


@dataclass(frozen=True)
class ShootingRule:
    """Each interval is integrated by steps of the classical Runge-Kutta method of order 4.

    Only the ends of intervals are unknowns; controls are linear between them (Bock and Plitt 1984).

    Example:
    >>> from axletree.optimisation.rules import ShootingRule
    >>> ShootingRule(steps=8).order
    4
    """

    name: str = "multiple-shooting"
    description: str = "Order 4 in its steps; integrated from one end of an interval to the other."
    steps: int = 4
    order: int = 4


MULTIPLE_SHOOTING = ShootingRule()
