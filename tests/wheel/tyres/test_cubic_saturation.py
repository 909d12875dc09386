"""The cubic of bristles: value, slope and curvature where sliding begins."""

from __future__ import annotations

import math

import numpy as np
import pytest

from axletree.expr import evaluate, jacobian, symbol
from axletree.wheel.tyres.fiala import adhesion, demand, saturated


def test_values_by_hand() -> None:
    # n = 3/2: 3/2 - 3/4 + 1/8 = 7/8, half of the contact adheres.
    assert saturated(1.5) == pytest.approx(7.0 / 8.0, rel=1e-15)
    assert saturated(-1.5) == pytest.approx(-7.0 / 8.0, rel=1e-15)
    assert adhesion(-1.5) == pytest.approx(0.5, rel=1e-15)
    assert [saturated(n) for n in (0.0, 3.0, -3.0, 1e12)] == pytest.approx([0.0, 1.0, -1.0, 1.0])


def test_is_the_cube_of_what_adheres() -> None:
    n = np.linspace(-5.0, 5.0, 1001)
    np.testing.assert_allclose(
        saturated(n), np.sign(n) * (1.0 - adhesion(n) ** 3), rtol=0.0, atol=1e-15
    )


def test_is_smooth_where_sliding_begins() -> None:
    n = symbol("n")
    first = jacobian([saturated(n)], [n])[0, 0]
    second = jacobian([first], [n])[0, 0]
    for place in (-3.0, 3.0):
        for side in (-1e-7, 1e-7):
            slope, curvature = evaluate([first, second], {n: place + side})
            assert slope == pytest.approx(0.0, abs=1e-7)
            assert curvature == pytest.approx(0.0, abs=1e-6)


def test_the_slope_at_rest_is_exact() -> None:
    n = symbol("n")
    assert evaluate([jacobian([saturated(n)], [n])[0, 0]], {n: 0.0}) == [1.0]


def test_no_limit_is_no_division_by_zero() -> None:
    assert math.isfinite(demand(1e5, 0.0))
    assert demand(30.0, 10.0) == 3.0
