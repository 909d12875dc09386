"""Points and weights of fixed order for stresses that rise like a power from the edge."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from axletree.library.soils.soil import Value

# A stress that rises like s^n from the edge s = 0 with 0 < n < 1 has no slope there, for which
# polynomials are no match. In u with s = u^4 it rises like u^(4 n + 3), and the points crowd at
# the edge, where shear builds up within millimetres.
GRADING = 4


def graded_points(split: Value, order: int) -> Iterator[tuple[Value, Value]]:
    """(s, weight) of 2 x ``order`` points for an integral over s from 0 to 1.

    Gauss and Legendre's points in u on either side of ``split``, with s = u^4: an integrand may
    have a kink at s = split^4.
    """
    for low, length in ((0.0, split), (split, 1.0 - split)):
        for position, share in gauss_points(order):
            yield graded(low, length, position, share)


def graded(low: Value, length: Value, position: Value, share: Value) -> tuple[Value, Value]:
    """(s, weight) of one of the points of ``gauss_points`` on a part of the interval."""
    u = low + length * position
    square = u * u
    return square * square, (GRADING * share) * length * square * u


@lru_cache(maxsize=8)
def gauss_points(order: int) -> tuple[tuple[float, float], ...]:
    """Positions and weights on the interval from 0 to 1."""
    x, w = np.polynomial.legendre.leggauss(order)
    return tuple((float(0.5 + 0.5 * a), float(0.5 * b)) for a, b in zip(x, w, strict=True))
