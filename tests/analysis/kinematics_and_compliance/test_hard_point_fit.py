"""Hard points from curves: exact derivatives against differences, and points that are known."""

from __future__ import annotations

import numpy as np
import pytest
from vehicles.linkages.linkage_samples import (
    double_wishbone,
    four_link_axle,
    integral_link,
    leaf_spring_axle,
    macpherson,
    multi_link,
    semi_trailing_arm,
)

from axletree.analysis.kinematics_and_compliance.hard_point_fit import (
    QUANTITIES,
    coordinates_of,
    curve_slopes,
    fit_hard_points,
    hard_points,
    moved_points,
    wheel_curves,
)
from axletree.analysis.kinematics_and_compliance.tables import RigTable
from axletree.core.errors import AxletreeError

TRAVEL = np.linspace(-0.04, 0.04, 5)
KINDS = (
    double_wishbone, macpherson, multi_link, integral_link, semi_trailing_arm, four_link_axle,
    leaf_spring_axle,
)  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_slopes_by_points_are_differences(kind):
    """Of the whole: the suspension is described anew with a point moved, and closed."""
    suspension = kind()
    coordinates = coordinates_of(suspension)[::4]
    _, at = wheel_curves(suspension.in_axle, TRAVEL, 0.31)
    slopes = curve_slopes(suspension, coordinates, at, 0.31)
    step = 1e-5
    for k, coordinate in enumerate(coordinates):
        ends = [
            wheel_curves(moved_points(suspension, [coordinate], [h]).in_axle, TRAVEL, 0.31)[0]
            for h in (step, -step)
        ]
        for name in QUANTITIES:
            difference = (ends[0][name] - ends[1][name]) / (2.0 * step)
            assert slopes[name][:, k] == pytest.approx(difference, rel=1e-5, abs=2e-7), coordinate


def test_points_that_made_the_curves_are_found_again():
    """Three coordinates, three curves: the fit comes back to where the targets are from."""
    suspension = double_wishbone()
    free = ["tie_rod_outer.z", "tie_rod_inner.y", "upper_ball_joint.z"]
    coordinates = coordinates_of(suspension, free)
    moves = np.array([0.006, -0.009, 0.004])
    other = moved_points(suspension, coordinates, moves.tolist())
    curves, _ = wheel_curves(other.in_axle, TRAVEL, 0.31)
    target = RigTable(TRAVEL, {name: curves[name] for name in ("toe", "camber")})
    fit = fit_hard_points(suspension, target, 0.31, free=free)
    assert fit.after - fit.before == pytest.approx(moves, abs=1e-9)
    assert fit.rms("toe", 1) < 1e-9 < 1e-4 < fit.rms("toe", 0)
    assert hard_points(fit.suspension)["tie_rod_outer"][2] == pytest.approx(0.251)


def test_bounds_hold():
    suspension = double_wishbone()
    target = RigTable(TRAVEL, {"toe": 5.0 * TRAVEL})  # more bump steer than 2 mm can give
    fit = fit_hard_points(suspension, target, 0.31, free=["tie_rod_outer"], reach=0.002)
    assert np.abs(fit.after - fit.before).max() <= 0.002 + 1e-15
    assert fit.rms("toe", 1) < fit.rms("toe", 0)


def test_an_unknown_point_is_named():
    with pytest.raises(AxletreeError, match="tie_rod_out"):
        coordinates_of(double_wishbone(), ["tie_rod_out"])
