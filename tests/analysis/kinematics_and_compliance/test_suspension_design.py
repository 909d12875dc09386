"""Curves, fits and sensitivities of an axle of a vehicle, by the vehicle's name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axletree as at

CAR = "double-wishbone-sports-car"
HELD = {"travel": [-0.05, 0.0, 0.05], "toe": [np.radians(0.05)] * 3}  # m, rad


def test_a_fit_reaches_what_the_rig_then_measures() -> None:
    """Of the fitted points on the rig, whose rates are exact."""
    fit = at.fit_suspension(CAR, "front", HELD, free=["tie_rod_inner.z"])
    height = f"{fit.after[0]:.9f} m"
    points = {"tie_rod_inner": ["118 mm", "362 mm", height]}
    moved = {"vehicle": {"axles": {"front": {"suspension": {"points": points}}}}}
    before, after = (
        at.kinematics_and_compliance(at.read_model(CAR, changes), "front")
        for changes in ({}, moved)
    )
    assert abs(after["bump_steer"].left) < 0.2 * abs(before["bump_steer"].left)
    slope = at.suspension_sensitivity(CAR, "front", free=["tie_rod_inner.z"])
    row = slope.slopes[slope.names.index("bump_steer"), 0]  # deg/m/m
    expected = before["bump_steer"].left + row * (fit.after[0] - fit.before[0])
    assert after["bump_steer"].left == pytest.approx(expected, abs=0.05)


def test_a_file_and_columns_are_one_target(tmp_path: Path) -> None:
    path = tmp_path / "toe.csv"
    path.write_text("Wheel travel [mm],Toe [deg]\n-50,0.05\n0,0.05\n50,0.05\n")
    fits = [at.fit_suspension(CAR, "front", one, free=["tie_rod_outer.z"]) for one in (path, HELD)]
    assert fits[0].after == pytest.approx(fits[1].after, abs=1e-12)


def test_no_coordinate_moves_beyond_its_reach() -> None:
    fit = at.fit_suspension(CAR, "front", HELD, free=["tie_rod_inner.z"], reach="1 mm")
    assert fit.at_bounds == [True]
    assert fit.after[0] - fit.before[0] == pytest.approx(-1e-3, abs=1e-6)


def test_curves_are_those_of_the_suspension_by_curves() -> None:
    curves = at.suspension_curves(CAR)
    known = at.read_model(CAR).described["vehicle"].axles["front"].suspension.curves()
    assert known.camber.table.evaluate(curves.travel) == pytest.approx(curves.camber, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((CAR, "frnt", HELD), "did you mean 'front'"),
        (("sedan", "front", HELD), "without hard points"),
        (("pendulum", "front", HELD), "no vehicle by body and axles"),
        ((CAR, "front", {"travel": [0.0, 1.0], "tow": [0.0, 0.0]}), "did you mean 'toe'"),
        ((CAR, "front", {"toe": [0.0, 0.0]}), "two values or more"),
        ((CAR, "front", {"travel": [0.1, 0.0], "toe": [0.0, 0.0]}), "which rise"),
        ((CAR, "front", {"travel": [0.0, 0.1], "toe": [0.0]}), "1 values for 2 of travel"),
        ((CAR, "front", {"travel": [0.0, 0.1]}), "none of the curves"),
        ((CAR, "front", {"travel": [0.0, 0.1], "toe": [0.0, 5.0]}), "comes to 286.5 deg.* in rad"),
        ((CAR, "front", 3), "target is 3"),
    ],
)
def test_refusals(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises(at.AxletreeError, match=words):
        at.fit_suspension(*arguments)


def test_a_reach_of_nothing_is_refused() -> None:
    with pytest.raises(at.AxletreeError, match="moves by more than 0"):
        at.fit_suspension(CAR, "front", HELD, reach="0 mm")
