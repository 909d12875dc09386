"""Slip: forces of sliding by hand, in every direction, at rest and at speed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.friction import WEIGHT

from axletree.catalogue import FRICTION_SLIPS
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.expr import evaluate, jacobian, symbol
from axletree.wheel.friction_slips import (
    CombinedFriction,
    DryFriction,
    FrictionCoefficients,
    FrictionSlip,
    LongitudinalDryFriction,
    RillFriction,
    Sliding,
)

WORDS = [w for w in FRICTION_SLIPS if not load("slip", w, FRICTION_SLIPS).holds_longitudinal]
IN_BOTH = [w for w in WORDS if not load("slip", w, FRICTION_SLIPS).holds_lateral]
SPEEDS = (-40.0, -1.0, -0.3, -1e-3, -1e-13, 0.0, 1e-9, 0.01, 0.15, 0.31, 1.0, 1e6)


def made(word: str) -> FrictionSlip:
    slip: FrictionSlip = load("slip", word, FRICTION_SLIPS)()
    return slip


def at(
    slip: FrictionSlip, x: object, y: object = 0.0, rolling: object = 0.0
) -> FrictionCoefficients:
    return slip.coefficients(Sliding(x, y, rolling), slip.numbers)


@pytest.fixture(params=WORDS)
def slip(request: pytest.FixtureRequest) -> FrictionSlip:
    return made(request.param)


@pytest.fixture(params=IN_BOTH)
def slip_of_both(request: pytest.FixtureRequest) -> FrictionSlip:
    return made(request.param)


# -- by hand ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [DryFriction, LongitudinalDryFriction])
@pytest.mark.validation("tyres")
def test_figure_3_13(kind: type[FrictionSlip], agrees: Agrees) -> None:
    """15 kg: 147.15 N at 0.3 m/s, 88.29 N from 1 m/s, against the sliding."""
    both = [WEIGHT * at(kind(), speed).longitudinal for speed in (-0.3, -1.0)]
    agrees(
        "dry friction of 15 kg: greatest and sliding force", both, [147.15, 88.29], rel=1e-6,
        unit="N", case=kind.__name__, source="Andres 2009, figure 3.13",
    )  # fmt: skip
    for sign in (1.0, -1.0):
        assert WEIGHT * at(kind(), sign * 0.3).longitudinal == pytest.approx(-sign * 147.15)
        assert WEIGHT * at(kind(), sign * 1.0).longitudinal == pytest.approx(-sign * 88.29)
        assert WEIGHT * at(kind(), sign * 7.0).longitudinal == pytest.approx(-sign * 88.29)


@pytest.mark.validation("tyres")
def test_figure_3_14(agrees: Agrees) -> None:
    """Side slip of 0.2 m/s leaves 125.62 N along, at 0.3946 m/s."""
    x = np.linspace(0.0, 2.0, 200_001)
    force = -WEIGHT * at(DryFriction(), x, np.full_like(x, 0.2)).longitudinal
    agrees(
        "dry friction of 15 kg, 0.2 m/s across: greatest force along", force.max(), 125.62,
        abs=5e-3, unit="N", source="Andres 2009, figure 3.14",
    )  # fmt: skip
    agrees(
        "dry friction of 15 kg, 0.2 m/s across: sliding speed of it", x[force.argmax()], 0.3946,
        abs=5e-4, unit="m/s", source="Andres 2009, figure 3.14",
    )  # fmt: skip
    assert at(DryFriction(), 0.0, 0.2).lateral == pytest.approx(-0.92308, abs=1e-5)


def test_rill_by_hand() -> None:
    """Peaks at a slip of 0.15 whatever the speed; sliding at 0.9 along and 0.6 across."""
    for rolling in (2.0, 30.0, -30.0):
        size = abs(rolling)
        assert at(RillFriction(), -0.15 * size, 0.0, rolling).longitudinal == pytest.approx(1.0)
        assert at(RillFriction(), 0.5 * size, 0.0, rolling).longitudinal == pytest.approx(-0.9)
        assert at(RillFriction(), 0.0, 0.15 * size, rolling).lateral == pytest.approx(-1.0)
        assert at(RillFriction(), 0.0, -0.5 * size, rolling).lateral == pytest.approx(0.6)
        small = at(RillFriction(), 0.0, 1e-6 * size, rolling).lateral
        assert small == pytest.approx(-1e-6 * 5.0 / 0.15, rel=1e-4)


def test_rill_between_the_axes_by_hand() -> None:
    """At 30 degrees of sliding: the ellipse of (3.31) to (3.34), written out."""
    angle, rolling = math.radians(30.0), 10.0
    direction = np.array([math.cos(angle), math.sin(angle)])
    slip = RillFriction(lateral_adhesion_slip=0.25, lateral_full_sliding_slip=0.6)
    adhesion = rolling * math.hypot(0.15 * direction[0], 0.25 * direction[1])
    sliding = rolling * math.hypot(0.4 * direction[0], 0.6 * direction[1])
    found = at(slip, *(adhesion * direction), rolling)
    assert found.adhesion_speed == pytest.approx(adhesion)
    assert found.full_sliding_speed == pytest.approx(sliding)
    np.testing.assert_allclose([found.longitudinal, found.lateral], -direction, rtol=1e-12)
    found = at(slip, *(2.0 * sliding * direction), rolling)
    least = math.hypot(0.9 * direction[0], 0.6 * direction[1])
    np.testing.assert_allclose([found.longitudinal, found.lateral], -least * direction, rtol=1e-12)


def test_pure_side_slip_has_the_lateral_curve() -> None:
    """With the slip angle as the direction, as printed, 5 degrees would have the other one."""
    slip = RillFriction(lateral_peak_friction=0.5, lateral_sliding_friction=0.4)
    lateral = math.tan(math.radians(5.0)) * 20.0
    peak = at(slip, 0.0, 0.15 * 20.0, 20.0).lateral
    assert peak == pytest.approx(-0.5)
    assert abs(at(slip, 0.0, lateral, 20.0).lateral) < 0.5


def test_combined_is_dry_when_slow_and_by_slip_when_fast() -> None:
    slip = CombinedFriction()
    slow = at(slip, 0.3, 0.0, 0.0)
    assert slow.adhesion_speed == pytest.approx(0.3 + 0.1 * math.log1p(math.exp(-3.0)))
    assert slow.full_sliding_speed == pytest.approx(1.0, abs=1e-4)
    for rolling in (30.0, -30.0):
        fast = at(slip, 0.15 * 30.0, 0.0, rolling)
        assert fast.adhesion_speed == pytest.approx(4.5)
        assert fast.full_sliding_speed == pytest.approx(12.0)
        assert fast.longitudinal == pytest.approx(-1.0)
        across = at(slip, 0.0, -0.2 * 30.0, rolling)
        assert across.adhesion_speed == pytest.approx(6.0)
        assert across.lateral == pytest.approx(1.0)


def test_combined_goes_from_one_to_the_other_without_a_jump() -> None:
    rolling = np.linspace(0.0, 20.0, 4001)
    slips = np.full_like(rolling, 0.4)
    found = at(CombinedFriction(), slips, np.zeros_like(rolling), rolling)
    assert np.all(np.diff(found.adhesion_speed) >= 0.0)
    assert np.abs(np.diff(found.adhesion_speed, 2)).max() < 1e-4
    assert np.abs(np.diff(found.longitudinal)).max() < 2e-3


def test_dry_friction_along_has_no_side_force() -> None:
    slip = LongitudinalDryFriction()
    assert slip.holds_lateral
    assert at(slip, 0.2, 0.4).lateral == 0.0
    assert at(slip, 0.2, 0.4).longitudinal == at(slip, 0.2, 0.0).longitudinal


# -- for every slip -----------------------------------------------------------------------


def test_it_opposes_sliding_and_is_finite(slip: FrictionSlip) -> None:
    x, y, rolling = (a.ravel() for a in np.meshgrid(SPEEDS, SPEEDS, SPEEDS))
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        found = at(slip, x, y, rolling)
    assert np.all(found.longitudinal * x + found.lateral * y <= 0.0)
    assert np.isfinite(found.longitudinal).all()
    assert np.isfinite(found.lateral * np.ones_like(x)).all()
    assert np.all(found.adhesion_speed > 0.0)
    assert np.all(found.full_sliding_speed > found.adhesion_speed)
    assert np.hypot(found.longitudinal, found.lateral).max() <= 1.0 + 1e-12


def test_it_does_not_know_the_rolling_direction(slip: FrictionSlip) -> None:
    for x, y in ((0.2, 0.1), (-0.7, 0.3), (0.0, -2.0)):
        assert at(slip, x, y, 12.0) == at(slip, x, y, -12.0)


def test_it_turns_round_with_the_sliding(slip: FrictionSlip) -> None:
    one, other = at(slip, 0.2, -0.1, 3.0), at(slip, -0.2, 0.1, 3.0)
    assert (one.longitudinal, one.lateral) == (-other.longitudinal, -other.lateral)


def test_it_is_continuous_along_every_direction(slip: FrictionSlip) -> None:
    v = np.linspace(0.0, 3.0, 300_001)
    for angle in (0.0, 0.4, math.pi / 2, 2.5):
        for rolling in (0.0, 0.05, 4.0):
            x, y = v * math.cos(angle), v * math.sin(angle)
            found = at(slip, x, y, np.full_like(v, rolling))
            steepest = 5.0 / (0.15 * 0.5) * 1e-5  # the steepest slope of them all, per step
            assert np.abs(np.diff(found.longitudinal)).max() < 1.1 * steepest
            assert np.abs(np.diff(found.lateral * np.ones_like(v))).max() < 1.1 * steepest


def test_it_is_continuous_in_the_rolling_speed(slip_of_both: FrictionSlip) -> None:
    rolling = np.linspace(-2.0, 2.0, 400_001)
    found = at(slip_of_both, np.full_like(rolling, 0.01), np.full_like(rolling, -0.02), rolling)
    for value in (found.longitudinal, found.lateral, found.adhesion_speed):
        assert np.abs(np.diff(value * np.ones_like(rolling))).max() < 1e-3


def test_slopes_at_rest_are_those_of_each_axis(slip_of_both: FrictionSlip) -> None:
    """Exactly at no sliding, where nothing has a direction."""
    x, y, rolling = symbol("x"), symbol("y"), symbol("rolling")
    found = slip_of_both.coefficients(Sliding(x, y, rolling), slip_of_both.numbers)
    slopes = jacobian([found.longitudinal, found.lateral], [x, y])
    for speed in (0.0, 0.7, 15.0):
        rest = {x: 0.0, y: 0.0, rolling: speed}
        exact = {
            k: float(v) for k, v in zip(slopes, evaluate(list(slopes.values()), rest), strict=True)
        }
        step = 1e-7
        along = at(slip_of_both, step, 0.0, speed).longitudinal / step
        across = at(slip_of_both, 0.0, step, speed).lateral / step
        assert exact[0, 0] == pytest.approx(along, rel=1e-4)
        assert exact[1, 1] == pytest.approx(across, rel=1e-4)
        assert exact.get((0, 1), 0.0) == 0.0
        assert exact.get((1, 0), 0.0) == 0.0


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (DryFriction, {"full_sliding_speed": 0.3}),
        (LongitudinalDryFriction, {"adhesion_speed": 2.0}),
        (RillFriction, {"lateral_full_sliding_slip": 0.1}),
        (RillFriction, {"longitudinal_adhesion_slip": 0.5}),
        (CombinedFriction, {"lateral_full_sliding_speed": 0.4}),
        (CombinedFriction, {"longitudinal_full_sliding_slip": 0.15}),
    ],
)
def test_sliding_begins_after_adhesion(kind: type, given: dict[str, float]) -> None:
    with pytest.raises(ModelError, match="full_sliding"):
        kind(**given)


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (DryFriction, {"peak_friction": 0.5}, "peak_friction, 0.5, .* sliding_friction, 0.6"),
        (LongitudinalDryFriction, {"sliding_friction": 1.01}, "at least sliding_friction, 1.01"),
        (RillFriction, {"longitudinal_peak_friction": 0.8}, "longitudinal_peak_friction, 0.8, is"),
        (RillFriction, {"lateral_sliding_friction": 1.2}, "at least lateral_sliding_friction, 1.2"),
        (CombinedFriction, {"lateral_peak_friction": 0.3}, "lateral_peak_friction, 0.3, is the"),
    ],
)
def test_no_friction_is_greater_than_the_peak(
    kind: type, given: dict[str, float], message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        kind(**given)


def test_friction_may_stay_at_its_peak() -> None:
    slip = DryFriction(peak_friction=0.7, sliding_friction=0.7)
    pushed = [at(slip, speed, 0.0, 1.0).longitudinal for speed in (0.3, 0.6, 5.0)]
    assert pushed == pytest.approx([-0.7] * 3)
