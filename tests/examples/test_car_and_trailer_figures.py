"""The case study's figures show what was computed, under the right names."""

from __future__ import annotations

import numpy as np
import pytest

from axletree.examples.car_and_trailer import results
from axletree.examples.car_and_trailer import results as figures

FEW = np.array([0.5, 2.0, 4.0])  # m/s^2


@pytest.fixture(autouse=True)
def few_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "LATERAL", FEW)


def test_loads_are_those_of_the_tyre_that_is_named() -> None:
    """In a turn to the right the left tyres carry more."""
    alone, hitched = figures.figure_5().axes
    turns = results.turns(100.0, FEW.tolist(), True)
    assert len(alone.lines) == 4
    shown = {line.get_label(): line.get_xydata() for line in hitched.lines}
    for name, letters in (("front left", "L1"), ("rear right", "R2"), ("trailer right", "R3")):
        expected = [(x, turn[f"N_{letters}"]) for x, turn in zip(FEW, turns, strict=True)]
        np.testing.assert_allclose(shown[name], expected, rtol=1e-9)
    assert (shown["trailer left"][:, 1] > shown["trailer right"][:, 1]).all()


def test_steering_ratios_are_those_of_the_radius_that_is_named() -> None:
    panels = figures.figure_6().axes
    for trailer, axes in zip((False, True), panels, strict=True):
        shown = {line.get_label(): line.get_ydata() for line in axes.lines}
        for radius in results.RADII:
            turns = results.turns(radius, FEW.tolist(), trailer)
            expected = [results.steering_ratio(turn) for turn in turns]
            np.testing.assert_allclose(shown[f"R = {radius:g} m"], expected, rtol=1e-9)
