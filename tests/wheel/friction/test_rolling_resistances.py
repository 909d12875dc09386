"""Rolling resistance: moments by hand, through rest, and against the spin."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms.friction import WEIGHT, contact_of, grip_of

from axletree.catalogue import ROLLING_RESISTANCES
from axletree.core.registry import load
from axletree.wheel.friction_effects import (
    ConstantRollingResistance,
    RollingResistance,
    SpeedDependentRollingResistance,
)

KINDS = [load("rolling resistance", word, ROLLING_RESISTANCES) for word in ROLLING_RESISTANCES]


def moment(effect: RollingResistance, rolling: object, adhesion: float = 0.3) -> object:
    contact = contact_of(rolling=rolling, radius=0.2528)
    grip = grip_of(rolling=rolling, adhesion_speed=adhesion)
    return effect.moment(contact, grip, effect.numbers)


def test_figure_3_17() -> None:
    """0.372 N m of 15 kg on a wheel of 0.2528 m, in either direction."""
    effect = ConstantRollingResistance()
    for speed in (0.3, 1.0, 20.0):
        assert moment(effect, speed) == pytest.approx(-0.372, abs=5e-4)
        assert moment(effect, -speed) == pytest.approx(0.372, abs=5e-4)
    assert moment(effect, 0.15) == pytest.approx(-0.186, abs=5e-4)


def test_growth_with_speed_by_hand() -> None:
    """(3.41): 0.01 + 0.002 + 0.001 at 100 km/h, 0.01 + 0.004 + 0.016 at 200 km/h."""
    effect = SpeedDependentRollingResistance()
    lever = WEIGHT * 0.2528
    assert moment(effect, 100.0 / 3.6) == pytest.approx(-0.013 * lever)
    assert moment(effect, -200.0 / 3.6) == pytest.approx(0.030 * lever)
    assert moment(effect, 1e-6) / 1e-6 == pytest.approx(-0.01 * lever / 0.3)


@pytest.mark.parametrize("kind", KINDS)
def test_it_takes_power_and_passes_through_zero(kind: type[RollingResistance]) -> None:
    rolling = np.linspace(-30.0, 30.0, 600_001)
    for adhesion in (0.015, 0.3, 4.0):
        found = moment(kind(), rolling, adhesion) * np.ones_like(rolling)
        assert np.all(found * rolling <= 0.0)
        assert np.abs(np.diff(found)).max() < 0.01
        assert found[300_000] == 0.0
