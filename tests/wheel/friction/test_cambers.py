"""Camber: the lateral speed of a leaning wheel's tread, by hand and by geometry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mechanisms.friction import contact_of

from axletree.catalogue import CAMBER_EFFECTS
from axletree.core.registry import load
from axletree.wheel.friction_effects import (
    CamberEffect,
    CombinedCamberSpeed,
    SimpleCamberSpeed,
    deflection_over_squared_length,
)

KINDS = [load("camber", word, CAMBER_EFFECTS) for word in CAMBER_EFFECTS]
LENGTH, RADIUS, LEAN = 0.1, 0.25, 0.3


def speed(effect: CamberEffect, lean: object, rolling: object, length: float = LENGTH) -> object:
    contact = contact_of(rolling=rolling, inclination=lean, patch_length=length, radius=RADIUS)
    return effect.lateral_speed(contact, rolling, effect.numbers)


def test_the_deflection_is_that_of_a_chord() -> None:
    """(3.44) as printed, and at a length where that has lost its digits."""
    for length in (0.01, 0.1, 0.3):
        contact = contact_of(patch_length=length, radius=RADIUS)
        printed = RADIUS - RADIUS * math.sqrt(1.0 - (length / (2.0 * RADIUS)) ** 2)
        found = deflection_over_squared_length(contact) * length**2
        assert found == pytest.approx(printed, rel=1e-9)
    tiny = contact_of(patch_length=1e-9, radius=RADIUS)
    assert deflection_over_squared_length(tiny) == pytest.approx(1.0 / (8.0 * RADIUS), rel=1e-12)


def test_simple_speed_by_hand() -> None:
    """(3.46): the deflection over 2 l, times the rolling speed."""
    deflection = (RADIUS - math.sqrt(RADIUS**2 - LENGTH**2 / 4.0)) * math.sin(LEAN)
    expected = deflection * 8.0 / (2.0 * LENGTH)
    assert speed(SimpleCamberSpeed(), LEAN, 8.0) == pytest.approx(expected)
    assert speed(SimpleCamberSpeed(gain=3.0), LEAN, 8.0) == pytest.approx(3.0 * expected)


def test_combined_speed_by_hand() -> None:
    """(3.49): the deflection times 20 per metre, times the rolling speed."""
    deflection = (RADIUS - math.sqrt(RADIUS**2 - LENGTH**2 / 4.0)) * math.sin(LEAN)
    assert speed(CombinedCamberSpeed(), LEAN, 8.0) == pytest.approx(20.0 * deflection * 8.0)


@pytest.mark.parametrize("kind", KINDS)
def test_it_has_the_sign_of_the_lean_in_both_rolling_directions(kind: type[CamberEffect]) -> None:
    for lean in (-0.5, 0.0, 0.5):
        forwards, backwards = (speed(kind(), lean, v) for v in (10.0, -10.0))
        assert forwards == backwards
        assert forwards * lean >= 0.0
    assert speed(kind(), -0.5, 10.0) == -speed(kind(), 0.5, 10.0)
    assert speed(kind(), 0.5, 0.0) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_continuous_and_finite(kind: type[CamberEffect]) -> None:
    """Over the lean, through rest, and for patches from none to absurdly long."""
    lean = np.linspace(-math.pi / 2, math.pi / 2, 10_001)
    assert np.abs(np.diff(speed(kind(), lean, 10.0) * np.ones_like(lean))).max() < 1e-2
    rolling = np.linspace(-1.0, 1.0, 10_001)
    assert np.abs(np.diff(speed(kind(), LEAN, rolling) * np.ones_like(rolling))).max() < 1e-3
    for length in (0.0, 1e-12, 0.5, 2.0):
        assert math.isfinite(speed(kind(), LEAN, 10.0, length))
    assert speed(kind(), LEAN, 10.0, 0.0) == 0.0
