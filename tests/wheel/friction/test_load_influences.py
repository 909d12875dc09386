"""Load influence: figure 3.23, its joint, and forces that never fall."""

from __future__ import annotations

import numpy as np
import pytest

from axletree.core.errors import ModelError
from axletree.wheel.friction_effects import LinearLoadInfluence, QuadraticLoadInfluence

QUADRATIC = QuadraticLoadInfluence()


def factor(load: object, influence: QuadraticLoadInfluence = QUADRATIC) -> object:
    return influence.factor(load, influence.numbers)


def test_figure_3_23() -> None:
    assert factor(500.0) == pytest.approx(1.2083, abs=5e-5)
    assert factor(3000.0) == pytest.approx(1.0)
    assert factor(4500.0) == pytest.approx(0.875)
    assert factor(6000.0) == pytest.approx(0.75)
    assert factor(0.0) == pytest.approx(1.25)


def test_beyond_its_top_the_force_stays() -> None:
    """a^2 F_N / (4 b) = 1.25^2 * 3000 / (4 * 0.25) = 4687.5 N, from 7500 N on."""
    for load in (7500.0, 1e4, 1e6):
        assert factor(load) * load == pytest.approx(4687.5)
    assert factor(7500.0) == pytest.approx(0.625)


def test_force_and_its_slope_have_no_jump() -> None:
    load = np.linspace(0.0, 2e4, 200_001)
    force = factor(load) * load
    assert np.all(np.diff(force) >= -1e-9)
    assert np.abs(np.diff(force, 2)).max() < 1e-4


def test_other_numbers_go_through_their_points() -> None:
    influence = QuadraticLoadInfluence(
        nominal_load=5000.0, nominal_factor=0.9, double_load_factor=0.8
    )
    assert factor(5000.0, influence) == pytest.approx(0.9)
    assert factor(10000.0, influence) == pytest.approx(0.8)


def test_linear_is_none() -> None:
    assert LinearLoadInfluence().factor(1234.0, {}) == 1.0


def test_a_factor_that_does_not_fall_is_refused() -> None:
    with pytest.raises(ModelError, match="linear"):
        QuadraticLoadInfluence(double_load_factor=1.0)
