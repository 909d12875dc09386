"""Bore torque: by hand, its limit, and against turning in both rolling directions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mechanisms.friction import WEIGHT, contact_of, grip_of

from axletree.catalogue import BORE_TORQUES
from axletree.core.registry import load
from axletree.wheel.friction_effects import BoreTorque, CombinedBoreTorque, LinearBoreTorque

KINDS = [load("bore torque", word, BORE_TORQUES) for word in BORE_TORQUES]
LENGTH, WIDTH = 0.06, 0.03
LEVER = math.hypot(LENGTH, WIDTH) / 4.0


def moment(effect: BoreTorque, rate: object, rolling: object = 0.0, **of_contact: object) -> object:
    sizes = {"patch_length": LENGTH, "patch_width": WIDTH} | of_contact
    contact = contact_of(rolling=rolling, bore_rate=rate, **sizes)
    return effect.moment(contact, grip_of(rolling=rolling, factor=1.0), effect.numbers)


def test_figure_3_19() -> None:
    """At most 1.828 N m of 15 kg: the patch of a belted tyre on a stiffness of 100 kN/m."""
    deflection = WEIGHT / 1e5
    sizes = {
        "patch_length": math.sqrt(8.0 * 0.2528 * deflection),
        "patch_width": math.sqrt(8.0 * 0.075 * deflection),
    }
    for effect in (LinearBoreTorque(), CombinedBoreTorque()):
        assert moment(effect, 500.0, **sizes) == pytest.approx(-1.828, abs=5e-4)
        assert moment(effect, -500.0, **sizes) == pytest.approx(1.828, abs=5e-4)


def test_below_the_limit_by_hand() -> None:
    """(3.42) with (l^2 + b^2) / 16, (3.43) likewise with v_Ad = 0.3 m/s."""
    per_rate = WEIGHT * 0.8 * (LENGTH**2 + WIDTH**2) / 16.0
    assert moment(LinearBoreTorque(), 2.0, 5.0) == pytest.approx(-per_rate * 2.0 / 5.0)
    assert moment(LinearBoreTorque(), 2.0, -5.0) == pytest.approx(-per_rate * 2.0 / 5.0)
    assert moment(CombinedBoreTorque(), 2.0, 5.0) == pytest.approx(-per_rate * 2.0 / 0.3)


def test_load_influence_and_surface_scale_it() -> None:
    effect = CombinedBoreTorque()
    contact = contact_of(bore_rate=2.0, patch_length=LENGTH, patch_width=WIDTH)
    whole, half = (effect.moment(contact, grip_of(factor=f), effect.numbers) for f in (1.0, 0.5))
    assert half == pytest.approx(0.5 * whole)


@pytest.mark.parametrize("kind", KINDS)
def test_it_takes_power_and_is_continuous(kind: type[BoreTorque]) -> None:
    """In the bore rate at every rolling speed, and through rest."""
    rate = np.linspace(-100.0, 100.0, 400_001)
    for rolling in (-20.0, -0.2, 0.0, 1e-9, 0.2, 20.0):
        found = moment(kind(), rate, np.full_like(rate, rolling)) * np.ones_like(rate)
        assert np.all(found * rate <= 0.0)
        assert np.abs(np.diff(found)).max() < 1e-3
        assert np.abs(found).max() <= WEIGHT * 0.8 * LEVER * (1.0 + 1e-12)
    rolling = np.linspace(-3.0, 3.0, 600_001)
    found = moment(kind(), np.full_like(rolling, 5.0), rolling) * np.ones_like(rolling)
    assert np.abs(np.diff(found)).max() < 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_a_point_has_none(kind: type[BoreTorque]) -> None:
    found = moment(kind(), 5.0, 1.0, patch_length=0.0, patch_width=0.0)
    assert found == pytest.approx(0.0, abs=1e-12)
