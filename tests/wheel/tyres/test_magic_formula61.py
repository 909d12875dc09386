"""Magic Formula 6.1 and 6.2: pressure, turn slip, relaxation, load and radius."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from math import atan, pi, sin, sqrt, tan
from typing import Any

import numpy as np
import pytest

from axletree.core.errors import ModelError
from axletree.wheel.contract import Contact
from axletree.wheel.tyres.magic_formula import MagicFormula61, MagicFormula62

POINT = (4850.0, 0.04, 0.05, 0.02, 20.0, 60.0, 0.0)


def made(kind: type = MagicFormula61, changes: Mapping[str, Any] | None = None) -> Any:
    return kind(**{**kind.example, **(changes or {})})


def test_pressure_is_that_of_the_file_unless_given() -> None:
    law = made(changes={"INFLPRES": 2.5e5})
    assert law(Contact(*POINT)) == law(Contact(*POINT, inflation_pressure=2.5e5))
    assert made().INFLPRES == made().NOMPRES
    assert made()(Contact(*POINT)) == made()(Contact(*POINT, inflation_pressure=2.2e5))


def test_camber_thrust_is_the_same_by_spin_as_by_shift() -> None:
    """Without turn slip, the spin of an inclined wheel replaces its camber stiffness."""
    alone = dict.fromkeys(("PHY1", "PHY2", "PVY1", "PVY2", "PVY3", "PVY4"), 0.0)
    plain, with_spin = (
        made(changes={**alone, "PHYP4": 1.0, "turn_slip": on}) for on in (False, True)
    )
    gamma = 1e-4
    contact = Contact(4850.0, 0.0, 0.0, gamma, 20.0, 20.0 / plain.UNLOADED_RADIUS)
    expected = plain(contact).Fy
    assert expected < 0.0  # a wheel that leans to the right is pushed to the right
    assert with_spin(contact).Fy == pytest.approx(expected, rel=2e-3)


def test_turning_to_the_left_pushes_outwards_and_resists() -> None:
    law = made(changes={"turn_slip": True, "PHY1": 0.0, "PVY1": 0.0, "QDZ6": 0.0})
    left = law(Contact(4850.0, 0.0, 0.0, 0.0, 5.0, 14.5, 0.1))
    right = law(Contact(4850.0, 0.0, 0.0, 0.0, 5.0, 14.5, -0.1))
    assert left.Fy < 0.0 < right.Fy
    assert left.Mz - right.Mz < 0.0


def test_turning_on_the_spot_is_resisted() -> None:
    law = made(changes={"turn_slip": True})
    assert law(Contact(4850.0, 0.0, 0.0, turn_slip=5.0)).Mz < -50.0
    assert law(Contact(4850.0, 0.0, 0.0, turn_slip=-5.0)).Mz > 50.0


def test_relaxation_lengths_are_stiffness_over_stiffness() -> None:
    law = made()
    contact = Contact(4850.0, 0.0, 0.0, 0.0, 20.0, 58.0)
    lengths = law.relaxation_lengths(contact, law.numbers)
    assert lengths.longitudinal == pytest.approx(4850.0 * 22.303 / 3.0e5, rel=1e-12)
    stiffness = 21.92 * 4850.0 * sin(1.9 * atan(1.0 / 2.0012))
    assert lengths.lateral == pytest.approx(stiffness / 1.0e5, rel=1e-12)


@pytest.mark.parametrize("kind", [MagicFormula61, MagicFormula62])
def test_load_over_deflection(kind: type) -> None:
    """Upright, slow and without forces both versions have the same quadratic."""
    law = made(kind)
    contact, free = Contact(0.0, 0.0, 0.0), law(Contact(0.0, 0.0, 0.0))
    still = dataclasses.replace(free, Fx=0.0, Fy=0.0)
    R0, depth = law.UNLOADED_RADIUS, 0.02
    linear = sqrt((2.0e5 * R0 / 4850.0) ** 2 - 4.0 * 14.0)
    expected = 4850.0 * (linear * depth / R0 + 14.0 * (depth / R0) ** 2)
    found = law.load(contact, law.numbers, R0 - depth, still)
    assert found == pytest.approx(expected, rel=1e-9)
    assert law.load(contact, law.numbers, R0 + 0.01, still) == 0.0


def test_load_of_an_inclined_tyre() -> None:
    """An edge of the tread is deflected more: an inclined tyre carries load earlier."""
    law = made(MagicFormula62, {"Q_CAM3": 0.0, "Q_FCY": 0.0})
    still = dataclasses.replace(law(Contact(0.0, 0.0, 0.0)), Fx=0.0, Fy=0.0)
    upright, leaning = (
        law.load(Contact(0.0, 0.0, 0.0, gamma), law.numbers, 0.33, still) for gamma in (0.0, 0.1)
    )
    width = (1.075 - 0.5 * 0.55) * 0.225
    ends = 0.33 * (80.0 + 250.0 * 0.33) / (0.344 * (80.0 + 250.0 * 0.344))
    deeper = 0.014 + ends**2 * width / 8.0 * tan(0.1)
    same = law.load(Contact(0.0, 0.0, 0.0), law.numbers, 0.344 - deeper, still)
    assert leaning == pytest.approx(same, rel=1e-9)
    assert leaning > upright


@pytest.mark.filterwarnings("ignore:MagicFormula.*its slip times the tangent")
def test_turn_slip_is_nowhere_singular() -> None:
    law = made(changes={"turn_slip": True})
    axes = ((0.0, 1e-6, 4e3), (-1.0, 0.0, 0.1), (0.0, 0.3, pi / 2), (0.0, 0.1), (-9.0, 0.0, 0.5))
    grid = [a.ravel() for a in np.meshgrid(*axes, (0.0, 30.0), (-50.0, 0.0, 1e-9, 0.2))]
    values = np.array(dataclasses.astuple(law(Contact(*grid))))
    assert np.isfinite(values).all()


def test_a_file_of_another_version_is_refused() -> None:
    with pytest.raises(ModelError, match="PHY3 is no coefficient of MagicFormula61"):
        MagicFormula61.from_coefficients({**MagicFormula61.example, "PHY3": 0.1})
