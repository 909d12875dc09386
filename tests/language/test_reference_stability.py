"""Eigenvalues of the hand-coded car and trailer: Lot and Massaro 2017, section 5.3 and figure 7.

The misprinted terms are put back one at a time: each gives the eigenvalue known for it, which
shows that the model without them is the corrected one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from language.reference import car, car_trailer
from language.reference.car_trailer import AT, ROW
from language.reference.cornering import Vehicle, hitched, solo, straight
from language.reference.derivative import jacobian
from language.reference.parameters import TABLE_1
from language.reference.stability import (
    car_eigenvalues,
    finite_eigenvalues,
    independent_eigenvalues,
    pencil,
    projected_eigenvalues,
    steering_column,
    turn_at,
)
from numpy.typing import NDArray
from scipy.linalg import svdvals
from scipy.optimize import brentq

P = TABLE_1
NOMINAL = car_trailer.nominal_reference_loads(P)
SOLO, HITCHED = solo(P, NOMINAL), hitched(P, NOMINAL)


def trailer_slope() -> float:
    """dY_0/dlambda of a trailer tyre in straight running, N/rad."""
    load = car_trailer.standing(P)[AT["NR3"]]
    return 12 * 1.6 * 0.95 * load * (1 + 0.25 * (1 - load / NOMINAL.trailer))


def has(eigenvalues: NDArray, value: complex, within: float) -> bool:
    return bool(np.min(np.abs(eigenvalues - value)) < within)


@pytest.fixture(scope="module")
def at_20() -> tuple[NDArray, NDArray]:
    return pencil(HITCHED, straight(HITCHED, 20.0))


def test_pencil_has_16_finite_and_13_infinite_eigenvalues(at_20: tuple[NDArray, NDArray]) -> None:
    slopes, matrix = at_20
    sizes = svdvals(matrix)
    assert np.count_nonzero(sizes > 1e-12 * sizes[0]) == 24
    assert len(finite_eigenvalues(slopes, matrix)) == 16
    assert 29 - 16 == 13 == 4 * 3 + 1  # three for each constraint, one for (24a)


@pytest.mark.parametrize("speed", [5.0, 20.0, 50.0])
@pytest.mark.parametrize("acceleration", [0.0, 3.0])
def test_three_ways_to_the_eigenvalues(speed: float, acceleration: float) -> None:
    turn = turn_at(HITCHED, speed, acceleration) if acceleration else straight(HITCHED, speed)
    both = pencil(HITCHED, turn)
    reduced = independent_eigenvalues(turn, P, NOMINAL)
    assert len(reduced) == 16
    np.testing.assert_allclose(projected_eigenvalues(*both), reduced, rtol=1e-9)
    np.testing.assert_allclose(finite_eigenvalues(*both), reduced, rtol=1e-9)


@pytest.mark.parametrize("speed", [5.0, 20.0, 50.0])
def test_tyre_poles_and_roll_poles(speed: float) -> None:
    """Antisymmetric tyre forces relax alone; roll of the car sees its springs alone."""
    alone = car_eigenvalues(*pencil(SOLO, straight(SOLO, speed)))
    together = projected_eigenvalues(*pencil(HITCHED, straight(HITCHED, speed)))
    for eigenvalues, times in ((alone, 2), (together, 3)):
        assert np.count_nonzero(np.abs(eigenvalues + speed / 0.2) < 1e-7) == times
    damping = 2 * (4e3 + 5e3) * 0.78**2
    stiffness = 2 * (60e3 + 65e3) * 0.78**2
    for root in np.roots([2000.0, damping, stiffness]):
        assert has(alone, root, 1e-9)


def test_named_modes(at_20: tuple[NDArray, NDArray]) -> None:
    together = finite_eigenvalues(*at_20)
    alone = car_eigenvalues(*pencil(SOLO, straight(SOLO, 20.0)))
    assert has(together, -2.842 + 11.131j, 1e-3)  # snaking
    assert has(together, -3.3769 + 8.8233j, 1e-4)  # pitch and bounce with the trailer
    assert has(alone, -2.7378 + 8.2798j, 1e-4)  # roll


def test_snaking_depends_on_the_reference_loads() -> None:
    """N_0 is not printed: with the hitched loads instead the mode moves by 2 %."""
    other = hitched(P, car_trailer.hitched_reference_loads(P))
    eigenvalues = finite_eigenvalues(*pencil(other, straight(other, 20.0)))
    assert has(eigenvalues, -2.7871 + 11.1433j, 1e-4)


def test_beta_with_one_dot(at_20: tuple[NDArray, NDArray]) -> None:
    """(24b) as printed."""
    slopes, matrix = (part.copy() for part in at_20)
    matrix[ROW["24b"], AT["Ob"]] = 0.0
    slopes[ROW["24b"], AT["Ob"]] -= P.I_tyy
    assert has(finite_eigenvalues(slopes, matrix), -3.6295 + 9.3344j, 1e-4)


def test_alpha_for_r(at_20: tuple[NDArray, NDArray]) -> None:
    """(27) as printed, I_tzz (alpha' + alpha'')."""
    slopes, matrix = (part.copy() for part in at_20)
    matrix[ROW["24c"], AT["r"]] = 0.0
    slopes[ROW["24c"], AT["Oa"]] -= P.I_tzz
    assert has(finite_eigenvalues(slopes, matrix), -3.340 + 11.073j, 1e-3)


def test_contact_velocity_of_the_trailer(at_20: tuple[NDArray, NDArray]) -> None:
    """(33c) without -a_3 (r + alpha'), and then with y_t for its rate too, as printed."""
    slopes, matrix = (part.copy() for part in at_20)
    slope, rows = trailer_slope(), [ROW["R3"], ROW["L3"]]
    for name in ("r", "Oa"):
        slopes[rows, AT[name]] -= slope * P.a_3
    snaking = finite_eigenvalues(slopes, matrix)
    assert np.min(np.abs(snaking[snaking.imag > 11].real + 1.777)) < 1e-3
    slopes[rows, AT["Vyt"]] += slope
    slopes[rows, AT["yt"]] -= slope
    assert has(finite_eigenvalues(slopes, matrix), 0.719 + 11.449j, 1e-3)


def test_rear_damper() -> None:
    """(30b) as printed, with c_1."""
    soft = solo(replace(P, c_2=P.c_1), NOMINAL)
    eigenvalues = car_eigenvalues(*pencil(soft, straight(soft, 20.0)))
    assert np.min(np.abs(eigenvalues.real + 2.4336)) < 1e-9


def test_pitch_moment_of_the_loads() -> None:
    """M_Ay as printed, with differences of loads: pitch has no stiffness."""
    slopes, matrix = (part.copy() for part in pencil(SOLO, straight(SOLO, 20.0)))

    def printed(x: NDArray) -> NDArray:
        n = car.normal_loads(x, P)
        return np.array([P.a_1 * (n.R1 - n.L1) + P.a_2 * (n.R2 - n.L2)])

    slopes[ROW["22b"]] = jacobian(printed, np.zeros(12))[0]
    assert np.count_nonzero(np.abs(car_eigenvalues(slopes, matrix)) < 1e-6) == 2


def test_gyroscopic_term_of_roll() -> None:
    """(22a) as printed, I_cxz for I_cxx: invisible in straight running, 1e-3 in a turn."""
    turn = turn_at(HITCHED, 20.0, 4.0)
    slopes, matrix = pencil(HITCHED, turn)
    printed = slopes.copy()
    printed[ROW["22a"], AT["Om"]] -= (P.I_cxx - P.I_cxz) * turn.variables[AT["r"]]
    shift = np.abs(projected_eigenvalues(printed, matrix) - projected_eigenvalues(slopes, matrix))
    assert 0.5e-3 < np.max(shift) < 2e-3


def understeer_gradient(vehicle: Vehicle) -> float:
    """K in rad s2/m: each axle carries its load's share of the lateral force, also hitched.

    The trailer's lateral force at the hitch and its weight there have the same lever arms.
    """
    front, rear = vehicle.loads(vehicle.standing)[[0, 2]]

    def slip(tyre_peak: float, load: float, reference: float) -> float:
        return 1.0 / (12 * 1.6 * tyre_peak * (1 + 0.25 * (1 - load / reference)))

    return (slip(0.95, front, NOMINAL.front) - slip(0.90, rear, NOMINAL.rear)) / P.g


def test_critical_speed_of_the_car() -> None:
    def constant_term(speed: float) -> float:
        return float(np.linalg.det(pencil(SOLO, straight(SOLO, speed))[0] / 1e3))

    found = brentq(constant_term, 50.0, 150.0, xtol=1e-10)
    assert found == pytest.approx(np.sqrt(-2.90 / understeer_gradient(SOLO)), rel=1e-10)
    assert found == pytest.approx(96.626, abs=5e-4)


def test_critical_speed_with_trailer() -> None:
    def greatest(speed: float) -> float:
        return float(np.max(projected_eigenvalues(*pencil(HITCHED, straight(HITCHED, speed))).real))

    found = brentq(greatest, 50.0, 80.0, xtol=1e-9)
    assert found == pytest.approx(65.3956, abs=1e-3)
    assert found == pytest.approx(np.sqrt(-2.90 / understeer_gradient(HITCHED)), rel=1e-4)


@pytest.mark.parametrize("acceleration", [0.0, 2.0, 3.0])
def test_stable_from_5_to_50(acceleration: float) -> None:
    """Section 5.3 and figure 7; at 4 m/s2 and 50 m/s the trailer would make it unstable."""
    for vehicle, eigenvalues in ((SOLO, car_eigenvalues), (HITCHED, projected_eigenvalues)):
        for speed in (5.0, 10.0, 20.0, 30.0, 40.0, 50.0):
            turn = (
                turn_at(vehicle, speed, acceleration) if acceleration else straight(vehicle, speed)
            )
            assert np.max(eigenvalues(*pencil(vehicle, turn)).real) < -0.2


def test_fast_turn_with_trailer_is_unstable() -> None:
    turn = turn_at(HITCHED, 50.0, 4.0)
    assert np.max(projected_eigenvalues(*pencil(HITCHED, turn)).real) == pytest.approx(
        0.1938, abs=1e-4
    )


def test_complex_steps_against_differences() -> None:
    """B_x0 and B_u0 in a turn, by central differences."""
    turn = turn_at(HITCHED, 20.0, 4.0)
    slopes, _ = pencil(HITCHED, turn)
    for j, size in enumerate(car_trailer.SIZES):
        step = np.zeros(29)
        step[j] = 1e-5 * size
        ends = [
            HITCHED.right_side(turn.variables + way * step, turn.steer, 20.0) for way in (1, -1)
        ]
        difference = (ends[0] - ends[1]) / (2 * step[j])
        np.testing.assert_allclose(slopes[:, j], difference, rtol=1e-6, atol=1e-5 / size)
    ends = [HITCHED.right_side(turn.variables, turn.steer + d, 20.0) for d in (1e-6, -1e-6)]
    column = steering_column(HITCHED, turn)
    np.testing.assert_allclose(column, (ends[0] - ends[1]) / 2e-6, rtol=1e-6, atol=1e-3)
    assert np.count_nonzero(column) == 4  # (21b), (22c) and the front tyres
