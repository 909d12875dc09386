"""Slip by definition and with lag: steady state, rates, standstill, reverse, lock, lift-off."""

from __future__ import annotations

import math

import pytest

from axletree.core.errors import ModelError
from axletree.expr import Expr, evaluate, jacobian, number, symbol
from axletree.wheel.slip import ConstantLag, KinematicSlip, Rolling, SlipState, StretchedString

# Morency 2007, table A.6.
STRING = StretchedString(
    Fz0=4850, R0=0.344, PTx1=2.3657, PTx2=1.4112, PTx3=0.56626, PTy1=2.1439, PTy2=1.9829,
    PKy3=-0.90729, low_speed=0.0,
)  # fmt: skip
LAG = ConstantLag(longitudinal_length=0.2, lateral_length=0.5)


def rolling(
    forward: float = 20.0, sliding: float = 0.0, lateral: float = 0.0, load: float = 4850.0,
    inclination: float = 0.0,
) -> Rolling:  # fmt: skip
    values = (sliding, lateral, forward, forward, load, inclination)
    return Rolling(*(number(v) for v in values))


def numbers(slip: SlipState) -> tuple[float, ...]:
    return tuple(float(e) for e in (slip.longitudinal, slip.angle, *slip.rates))


def kinematic(at: Rolling) -> tuple[float, ...]:
    law = KinematicSlip()
    return numbers(law.slip(at, (), law.numbers))


def lagged(at: Rolling, q1: float, q2: float) -> tuple[float, ...]:
    return numbers(LAG.slip(at, (number(q1), number(q2)), LAG.numbers))


def test_kinematic_slip_is_that_of_3_20_and_3_21() -> None:
    S, alpha = kinematic(rolling(20.0, sliding=-1.0, lateral=2.0))
    assert pytest.approx(1.0 / 20.0) == S
    assert alpha == pytest.approx(math.atan(0.1))


@pytest.mark.parametrize("forward", [20.0, -20.0])
def test_a_locked_wheel_has_slip_against_its_motion(forward: float) -> None:
    S, _ = kinematic(rolling(forward, sliding=forward))
    assert pytest.approx(-math.copysign(1.0, forward)) == S


@pytest.mark.parametrize("forward", [20.0, -20.0])
def test_the_slip_angle_has_the_sign_of_the_drift_in_both_directions(forward: float) -> None:
    assert kinematic(rolling(forward, lateral=1.0))[1] > 0.0


def test_at_standstill_kinematic_slip_is_finite() -> None:
    S, alpha = kinematic(rolling(0.0, sliding=-0.1, lateral=0.1))
    assert pytest.approx(0.1 / 0.5) == S
    assert math.isfinite(alpha)


def test_lagged_slip_settles_at_kinematic_slip() -> None:
    S, alpha = kinematic(rolling(20.0, sliding=-1.0, lateral=2.0))
    q1, q2 = S, math.tan(alpha)
    _, _, rate1, rate2 = lagged(rolling(20.0, sliding=-1.0, lateral=2.0), q1, q2)
    assert (rate1, rate2) == pytest.approx((0.0, 0.0), abs=1e-12)


def test_lagged_slip_approaches_over_its_relaxation_length() -> None:
    """From rest at the origin the rate is the sliding speed over the length (3.22, 3.23)."""
    S, alpha, rate1, rate2 = lagged(rolling(20.0, sliding=-1.0, lateral=2.0), 0.0, 0.0)
    assert (S, alpha) == (0.0, 0.0)
    assert (rate1, rate2) == pytest.approx((1.0 / 0.2, 2.0 / 0.5))


def test_at_standstill_the_lag_is_a_spring() -> None:
    """The rates are those of a displacement over a length, and nothing divides by speed."""
    _, _, rate1, rate2 = lagged(rolling(0.0, sliding=-0.1, lateral=0.1), 0.3, 0.2)
    assert (rate1, rate2) == pytest.approx((0.5, 0.2))


@pytest.mark.parametrize(("q1", "rate"), [(1.2, 0.0), (0.8, 5.0), (-1.2, 5.0)])
def test_large_slip_stops_growing_at_low_speed_alone(q1: float, rate: float) -> None:
    """Figure 3.5: it may still fall."""
    assert lagged(rolling(0.0, sliding=-1.0), q1, 0.0)[2] == pytest.approx(rate)
    fast = lagged(rolling(3.0, sliding=-10.0), q1, 0.0)[2]
    assert fast == pytest.approx((10.0 - q1 * 3.0) / 0.2)


def test_stretched_string_lengths_at_nominal_load() -> None:
    """(3.27) and (3.28) at dFz = 0, by hand."""
    along, across = STRING.lengths(rolling(), STRING.numbers)
    assert float(along) == pytest.approx(2.3657 * 0.344)
    wanted = 2.1439 * math.sin(2.0 * math.atan(1.0 / 1.9829)) * 0.344
    assert float(across) == pytest.approx(wanted)


def test_stretched_string_lengths_follow_load_and_inclination() -> None:
    at = rolling(load=6000.0, inclination=-0.05)
    along, across = STRING.lengths(at, STRING.numbers)
    load = 6000.0 / 4850.0
    growth = 2.3657 + 1.4112 * (load - 1.0)
    assert float(along) == pytest.approx(0.344 * load * growth * math.exp(0.56626 * (load - 1.0)))
    sine = math.sin(2.0 * math.atan(load / 1.9829))
    assert float(across) == pytest.approx(2.1439 * sine * (1.0 + 0.90729 * 0.05) * 0.344)


def test_in_the_air_lengths_stay_positive_and_rates_finite() -> None:
    along, across = STRING.lengths(rolling(load=0.0), STRING.numbers)
    assert float(along) > 0.0
    assert float(across) > 0.0
    q = (symbol("q1"), symbol("q2"))
    rates = STRING.slip(rolling(load=0.0, sliding=-1.0), q, STRING.numbers).rates
    assert _finite([*rates, *jacobian(rates, q).values()], {q[0]: 0.1, q[1]: 0.1})


def test_in_the_air_the_lag_is_stable_at_steps_of_a_millisecond() -> None:
    """Explicit Euler bears h V / B < 2, and RK4 more; at 40 m/s."""
    along, across = STRING.lengths(rolling(load=0.0), STRING.numbers)
    assert 1e-3 * 40.0 / float(along) < 2.0
    assert 1e-3 * 40.0 / float(across) < 2.0


def _finite(expressions: list[Expr], values: dict[Expr, float]) -> bool:
    return all(math.isfinite(float(v)) for v in evaluate(expressions, values))


def test_wrong_lengths_are_refused() -> None:
    with pytest.raises(ModelError, match=r"ConstantLag, lateral_length: -1 m is not allowed"):
        ConstantLag(longitudinal_length=0.1, lateral_length=-1.0)


@pytest.mark.parametrize("forward", [20.0, -20.0])
def test_lagged_slip_against_the_sliding_leaves_its_range(forward: float) -> None:
    """Where its force drives the sliding: where q_1 has the sign of -S, and q_2 likewise."""
    at = rolling(forward, sliding=10.0, lateral=-8.0)  # S and tan(alpha) by (3.20) and (3.21)
    S, tangent = -10.0 / 20.0, -8.0 / 20.0
    for q, sign in (
        ((-S, 0.0), 1.0),
        ((S, 0.0), -1.0),
        ((0.0, -tangent), 1.0),
        ((0.0, tangent), -1.0),
    ):
        _, against = LAG.limits(at, tuple(map(number, q)))
        assert math.copysign(1.0, float(against.excess)) == sign
    _, small = LAG.limits(at, (number(0.1), number(0.1)))
    assert float(small.excess) < 0.0
