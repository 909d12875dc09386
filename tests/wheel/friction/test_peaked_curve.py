"""The curve of friction: its points, its joints, and what the printed one would do."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import Agrees

from axletree.wheel.friction_slips import PeakedCurve

# Andres 2009, eqs. (3.23) to (3.26), and a steeper one with a peak other than 1.
DRY = PeakedCurve(slope=2.0 / 0.3, peak_slip=0.3, peak=1.0, sliding_slip=1.0, sliding=0.6)
STEEP = PeakedCurve(slope=40.0, peak_slip=0.15, peak=1.2, sliding_slip=0.4, sliding=0.9)
CURVES = [DRY, STEEP]


def value(curve: PeakedCurve, s: float) -> float:
    return float(curve.secant(s) * s)


@pytest.mark.validation("tyres")
def test_dry_friction_by_hand(agrees: Agrees) -> None:
    agrees(
        "curve of friction at 0.2 m/s", value(DRY, 0.2), 0.92308, abs=1e-5,
        source="Andres 2009, figure 3.14",
    )  # fmt: skip
    assert value(DRY, 0.3) == pytest.approx(1.0)
    agrees(
        "curve of friction, half-way from peak to sliding", value(DRY, 0.65), 0.8, rel=1e-6,
        source="Andres 2009, eqs. (3.23) to (3.26), corrected",
        note="as printed the cubic would give 1.1333 there, more than the peak.",
    )  # fmt: skip
    assert value(DRY, 1.0) == pytest.approx(0.6)
    assert value(DRY, 30.0) == pytest.approx(0.6)


@pytest.mark.parametrize("curve", CURVES)
def test_it_and_its_slope_have_no_jump(curve: PeakedCurve) -> None:
    step = 1e-7
    for joint in (curve.peak_slip, curve.sliding_slip):
        here, before, after = (value(curve, joint + k * step) for k in (0.0, -1.0, 1.0))
        assert before == pytest.approx(here, abs=1e-6)
        assert after == pytest.approx(here, abs=1e-6)
        assert (here - before) / step == pytest.approx(0.0, abs=1e-3)
        assert (after - here) / step == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("curve", CURVES)
def test_at_no_slip_the_secant_is_the_slope(curve: PeakedCurve) -> None:
    assert curve.secant(0.0) == curve.slope
    assert value(curve, 1e-9) / 1e-9 == pytest.approx(curve.slope, rel=1e-6)


@pytest.mark.parametrize("curve", CURVES)
def test_it_rises_to_the_peak_and_falls_to_sliding(curve: PeakedCurve) -> None:
    up = np.linspace(0.0, curve.peak_slip, 101)
    down = np.linspace(curve.peak_slip, curve.sliding_slip, 101)
    assert np.all(np.diff(curve.secant(up) * up) > 0.0)
    assert np.all(np.diff(curve.secant(down) * down) < 0.0)
