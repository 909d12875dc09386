"""The maximum without a kink (Andres 2009, eq. 3.38)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from axletree.expr import evaluate, jacobian, symbol
from axletree.wheel.friction_slips import soft_maximum


def printed(a: float, b: float, tolerance: float) -> float:
    return tolerance * math.log(math.exp(a / tolerance) + math.exp(b / tolerance))


@pytest.mark.parametrize(("a", "b"), [(0.3, 0.0), (0.3, 0.3), (0.4, 0.9), (1.0, 0.2)])
def test_it_is_the_formula_as_printed(a: float, b: float) -> None:
    for tolerance in (0.05, 0.1, 0.5):
        assert soft_maximum(a, b, tolerance) == pytest.approx(printed(a, b, tolerance), rel=1e-14)


def test_equal_values_give_log_two_more() -> None:
    assert soft_maximum(0.3, 0.3, 0.1) == pytest.approx(0.3 + 0.1 * math.log(2.0))


def test_it_does_not_overflow_where_the_printed_formula_does() -> None:
    with pytest.raises(OverflowError):
        printed(100.0, 0.3, 0.1)
    assert soft_maximum(100.0, 0.3, 0.1) == 100.0
    with np.errstate(over="raise", invalid="raise"):
        values = soft_maximum(0.3, np.array([0.0, 80.0, 1e6, 1e300]), 0.1)
    np.testing.assert_allclose(values[1:], [80.0, 1e6, 1e300], rtol=1e-15)


def test_its_slope_goes_from_0_to_1_without_a_jump() -> None:
    b = symbol("b")
    slope = jacobian([soft_maximum(0.3, b, 0.1)], [b])[0, 0]
    found = evaluate([slope], {b: np.linspace(-2.0, 3.0, 2001)})[0]
    assert found[0] == pytest.approx(0.0, abs=1e-9)
    assert found[-1] == pytest.approx(1.0, abs=1e-9)
    assert np.all(np.diff(found) >= 0.0)
    assert np.diff(found).max() < 0.01
