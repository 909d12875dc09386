"""The short Magic Formula against values by hand."""

from __future__ import annotations

import math

import pytest

from axletree.core.errors import ModelError
from axletree.expr import evaluate, jacobian, symbol
from axletree.wheel.contract import Contact
from axletree.wheel.tyres.magic_formula import ShortMagicFormula

LAW = ShortMagicFormula(12.0, 1.6, 0.95, 0.25, 4000.0)


def test_values_by_hand() -> None:
    # atan(12 * 0.1) = 0.8760581, times 1.6 = 1.4016929, whose sine is 0.9857361.
    assert LAW(Contact(4000.0, 0.0, 0.1)).Fy == pytest.approx(-0.95 * 0.9857361 * 4000.0, rel=1e-6)
    # At 1.5 times the nominal load the bracket is 1 - 0.25 / 2 = 7/8.
    heavy = LAW(Contact(6000.0, 0.0, 0.1)).Fy
    assert heavy == pytest.approx(-0.95 * 0.9857361 * 6000.0 * 7.0 / 8.0, rel=1e-6)


def test_the_slope_at_no_slip() -> None:
    alpha = symbol("alpha")
    slope = jacobian([LAW(Contact(4000.0, 0.0, alpha)).Fy], [alpha])[0, 0]
    assert evaluate([slope], {alpha: 0.0})[0] == pytest.approx(-12.0 * 1.6 * 0.95 * 4000.0)


def test_the_greatest_force_is_the_peak_factor() -> None:
    alpha = math.tan(math.pi / 3.2) / 12.0  # C atan(B alpha) = pi / 2
    assert LAW(Contact(4000.0, 0.0, alpha)).Fy == pytest.approx(-0.95 * 4000.0, rel=1e-12)
    assert abs(LAW(Contact(4000.0, 0.0, 0.9 * alpha)).Fy) < 0.95 * 4000.0
    assert abs(LAW(Contact(4000.0, 0.0, 1.1 * alpha)).Fy) < 0.95 * 4000.0


def test_keeps_its_sign_where_the_print_would_turn_it() -> None:
    assert LAW(Contact(4000.0, 0.0, 0.25)).Fy < -3000.0


def test_has_side_force_alone() -> None:
    forces = LAW(Contact(4000.0, 0.5, 0.1, 0.1))
    assert (forces.Fx, forces.Mx, forces.My, forces.Mz) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.filterwarnings("ignore:.*its load is so large")
def test_never_pulls_at_extreme_load() -> None:
    assert LAW(Contact(19999.0, 0.0, 0.1)).Fy < 0.0
    assert LAW(Contact(20000.0, 0.0, 0.1)).Fy == 0.0
    assert LAW(Contact(50000.0, 0.0, 0.1)).Fy == 0.0


def test_a_shape_that_would_turn_the_force_is_refused() -> None:
    with pytest.raises(ModelError, match="shape_factor"):
        ShortMagicFormula(12.0, 2.5, 0.95, 0.25, 4000.0)
