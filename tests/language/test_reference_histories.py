"""Steering ramps of the hand-coded car and trailer: Lot and Massaro 2017, figures 3 and 4."""

from __future__ import annotations

import numpy as np
import pytest
from language.reference import car, car_trailer, reduction
from language.reference.cornering import Turn, hitched, solo
from language.reference.derivative import newton
from language.reference.histories import (
    History,
    car_history,
    hitched_history,
    stabilised_history,
)
from language.reference.parameters import TABLE_1
from language.reference.stability import car_eigenvalues, pencil, turn_at

P = TABLE_1
NOMINAL = car_trailer.nominal_reference_loads(P)
TIMES = np.linspace(0.0, 20.0, 2001)  # s
V, R = 3, 4
FRONT, REAR = [8, 9], [10, 11]  # right, left


@pytest.fixture(scope="module")
def slow() -> History:
    return car_history(TIMES, 10.0, P, NOMINAL)


@pytest.fixture(scope="module")
def fast() -> History:
    return car_history(TIMES, 20.0, P, NOMINAL)


def slips(history: History, speed: float) -> np.ndarray:
    """Slip angles R1, L1, R2, L2 by times, rad."""
    return np.array(car.slip_angles(history.x, history.steer, speed, P))


def test_at_10_the_car_is_nearly_steady(slow: History) -> None:
    """'A sequence of steady state conditions', to 3 m/s2 or so, nose out."""
    for time in (2.0, 3.0, 4.0, 5.0):
        i = int(round(time * 100))
        x, steer = slow.x[:, i], slow.steer[i]

        def balance(y: np.ndarray, steer: float = steer) -> np.ndarray:
            return car.right_side(y, steer, 10.0, P, NOMINAL)

        steady = newton(balance, x, car.SIZES)
        assert x[R] == pytest.approx(steady[R], rel=0.04)
        assert x[V] == pytest.approx(steady[V], rel=0.04)
    assert np.all(slow.x[V, 1:] > 0)
    assert 3.0 < 10.0 * slow.x[R, -1] < 3.6
    assert np.max(np.abs(slips(slow, 10.0))) < 0.2 * car.peak_slip(P.front)


def test_at_10_forces_rise_and_are_greater_outside(slow: History) -> None:
    for right, left in (FRONT, REAR):
        assert np.all(slow.x[left, 10:] > slow.x[right, 10:])
        rising = slow.x[[right, left], 10:501]
        assert np.all(np.diff(rising, axis=1) > 0)


def test_at_10_the_end_is_the_steady_turn(slow: History) -> None:
    yaw_rate = slow.x[R, -1]
    turn = turn_at(solo(P, NOMINAL), 10.0, 10.0 * yaw_rate)
    assert turn.steer == pytest.approx(0.1, rel=1e-8)
    np.testing.assert_allclose(slow.x[:, -1], turn.variables, rtol=1e-6, atol=1e-8)


def test_at_20_the_car_travels_nose_in(fast: History) -> None:
    assert np.all(fast.x[V, 100:] < 0)
    assert fast.x[V].min() == pytest.approx(-2.6236, abs=1e-3)
    after = fast.x[R, 500:]
    assert 0.28 < after.min() < after.max() < 0.46
    assert np.max(np.abs(fast.x[:3])) < 0.1  # the chassis moves little, m and rad


def test_at_20_tyres_saturate_between_3_and_4_seconds(fast: History) -> None:
    beyond = np.abs(slips(fast, 20.0)) > car.peak_slip(P.front)
    first = TIMES[np.argmax(beyond, axis=1)]
    assert np.all(beyond.any(axis=1))
    assert np.all((first > 3.0) & (first < 4.0))


def test_at_20_front_and_rear_are_in_antiphase(fast: History) -> None:
    later = TIMES >= 6.0
    front, rear = (fast.x[axle].sum(axis=0)[later] for axle in (FRONT, REAR))
    wave = [y - np.polyval(np.polyfit(TIMES[later], y, 1), TIMES[later]) for y in (front, rear)]
    assert np.corrcoef(wave)[0, 1] < -0.9


def test_at_20_oscillation_lasts(fast: History) -> None:
    """Little damped: its poles at the end of the ramp's turn give period and decay."""
    rate = fast.x[R]
    assert np.ptp(rate[TIMES > 15.0]) > 0.02 * rate[-1]
    vehicle = solo(P, NOMINAL)

    def balance(x: np.ndarray) -> np.ndarray:
        return vehicle.right_side(x, 0.1, 20.0)

    x = newton(balance, fast.x[:, -1], car.SIZES)
    turn = Turn(20.0, 20.0 / x[R], 0.1, x, vehicle.loads(x))
    slowest = car_eigenvalues(*pencil(vehicle, turn))[-1]
    assert slowest == pytest.approx(-0.22512 + 2.63809j, abs=1e-5)
    away = np.abs(rate - x[R])
    peaks = 1 + np.flatnonzero((away[1:-1] > away[:-2]) & (away[1:-1] > away[2:]))
    peaks = peaks[TIMES[peaks] > 12.0]
    decay = np.polyfit(TIMES[peaks], np.log(away[peaks]), 1)[0]
    assert decay == pytest.approx(slowest.real, rel=0.03)
    crossings = TIMES[1:][np.diff(np.sign(rate - x[R])) != 0]
    half_period = np.mean(np.diff(crossings[crossings > 10.0]))
    assert half_period == pytest.approx(np.pi / slowest.imag, rel=0.02)


@pytest.mark.parametrize("speed", [10.0, 20.0])
def test_car_history_has_converged(speed: float, slow: History, fast: History) -> None:
    coarse = car_history(TIMES, speed, P, NOMINAL, tolerance=1e-8)
    fine = slow if speed == 10.0 else fast
    assert np.max(np.abs(coarse.x - fine.x).max(axis=1) / car.SIZES) < 1e-5


def test_hitched_at_10_ends_in_the_steady_turn() -> None:
    times = np.linspace(0.0, 12.0, 25)
    history = hitched_history(times, 10.0, P, NOMINAL)
    yaw_rate = history.x[R, -1]
    turn = turn_at(hitched(P, NOMINAL), 10.0, 10.0 * yaw_rate)
    assert turn.steer == pytest.approx(0.1, rel=1e-6)
    np.testing.assert_allclose(
        history.x[:, -1] / car_trailer.SIZES, turn.variables / car_trailer.SIZES, atol=1e-6
    )
    assert history.x[R, -1] == pytest.approx(0.356502, abs=1e-6)


@pytest.mark.slow
def test_hitched_at_20_by_two_reductions() -> None:
    """Sixteen independent states, and all of them with Baumgarte's terms (44)."""
    times = np.linspace(0.0, 8.0, 41)
    first = hitched_history(times, 20.0, P, NOMINAL)
    other = stabilised_history(times, 20.0, P, NOMINAL)
    chosen = reduction.DIFFERENTIAL
    gap = np.abs(first.x[chosen] - other.x).max(axis=1) / car_trailer.SIZES[chosen]
    assert np.max(gap) < 1e-6
    assert np.max(np.abs(car_trailer.constraints(first.x, P))) < 1e-15
    whole = np.zeros((29, len(times)))
    whole[chosen] = other.x
    assert np.max(np.abs(car_trailer.constraints(whole, P))) < 1e-10
    assert first.x[V, -1] < -3.0  # nose in, further than the car alone
