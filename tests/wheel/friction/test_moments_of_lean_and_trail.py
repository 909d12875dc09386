"""Overturning and self-aligning torque: by hand, signs, and continuity."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms.friction import contact_of, grip_of

from axletree.wheel.friction_effects import LinearOverturningTorque, RillAligningTorque

LENGTH = 0.12


def overturning(lean: float, width: float = 0.06) -> float:
    effect = LinearOverturningTorque()
    contact = contact_of(inclination=lean, patch_width=width)
    return float(effect.moment(contact, grip_of(), effect.numbers))


def aligning(lateral: object, rolling: object = 10.0, Fy: object = None) -> object:
    """With a side force of 100 N against the side slip, unless another is given."""
    force = -100.0 * np.sign(lateral) if Fy is None else Fy
    grip = grip_of(rolling=rolling, lateral=lateral, Fy=force)
    return RillAligningTorque().moment(contact_of(patch_length=LENGTH), grip, {})


def test_overturning_rights_the_wheel() -> None:
    """(3.52): 0.06^2 * 1e5 / 12 = 30 N m per rad."""
    assert overturning(0.1) == pytest.approx(-3.0)
    assert overturning(-0.1) == pytest.approx(3.0)
    assert overturning(0.1, width=0.0) == 0.0


def test_trail_by_hand() -> None:
    """(3.55) with v_Ad = 0.3 and v_Sl = 1: l/6 without slip, 0 at 0.3, least after a third."""
    trail = LENGTH / 6.0
    assert aligning(1e-9) == pytest.approx(100.0 * trail)
    assert aligning(0.15) == pytest.approx(50.0 * trail)
    assert aligning(0.3) == pytest.approx(0.0, abs=1e-12)
    lateral = np.linspace(0.3, 1.0, 100_001)
    found = aligning(lateral)
    at = lateral[found.argmin()]
    assert at == pytest.approx(0.3 + 0.7 / 3.0, abs=1e-4)
    assert found.min() == pytest.approx(-100.0 * trail * (0.7 / 3.0) / 0.3 * (2.0 / 3.0) ** 2)
    assert aligning(1.0) == pytest.approx(0.0, abs=1e-12)
    assert aligning(50.0) == 0.0


def test_it_turns_the_wheel_into_its_drift_in_both_rolling_directions() -> None:
    """Rolling forward, drifting to the left: Mz > 0, to the left. Backwards, the trail is ahead."""
    assert aligning(0.1, 10.0) > 0.0
    assert aligning(-0.1, 10.0) < 0.0
    assert aligning(0.1, -10.0) == -aligning(0.1, 10.0)


def test_it_is_continuous() -> None:
    lateral = np.linspace(-2.0, 2.0, 400_001)
    found = aligning(lateral, Fy=-100.0 * np.tanh(lateral))
    assert np.abs(np.diff(found)).max() < 1e-3
    rolling = np.linspace(-1.0, 1.0, 20_001)
    found = aligning(np.full_like(rolling, 0.1), rolling)
    assert np.abs(np.diff(found)).max() < 3e-3
    assert found[10_000] == 0.0
