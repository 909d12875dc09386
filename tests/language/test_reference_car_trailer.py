"""The hand-coded car and trailer, its equations: against finite rotations, statics and closures.

Source of the model: Lot and Massaro 2017 with its misprints corrected.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from language.reference import car, car_trailer, exact, reduction
from language.reference.car_trailer import AT, ROW
from language.reference.derivative import jacobian
from language.reference.parameters import TABLE_1, Parameters, ReferenceLoads
from numpy.typing import NDArray
from scipy.optimize import brentq

P = TABLE_1
NOMINAL = car_trailer.nominal_reference_loads(P)
LOPSIDED = replace(P, I_cxz=130.0, F_D=400.0)  # so that every term of (22) takes part
SMALL = ("be", "phi", "mu", "z", "Oa", "Ob", "Op", "Om", "Vz", "v")  # (12)
SMALL_RATES = ("v", "Oa", "Ob", "Op", "Om", "Vz", "r")


def scaled_point(draw: int, scale: complex) -> tuple[NDArray, NDArray]:
    """Random variables and rates, the small ones of (12) multiplied by `scale`."""
    chance = np.random.default_rng(draw)
    x = (chance.uniform(-1, 1, 29) * car_trailer.SIZES).astype(complex)
    rates = chance.uniform(-1, 1, 29).astype(complex)
    x[[AT[name] for name in SMALL]] *= scale
    rates[[AT[name] for name in SMALL_RATES]] *= scale
    return x, rates


def linear_balances(
    x: NDArray, rates: NDArray, steer: float, speed: float, drive: float
) -> NDArray:
    """(21a) and B - A x' of (21b) to (24c), (17), (18) and the velocities (33c)."""
    missing = car_trailer.right_side(x, steer, speed, LOPSIDED, NOMINAL)
    missing = missing - car_trailer.matrix(x, LOPSIDED) @ rates
    along = drive - car_trailer.driving_force(x, steer, LOPSIDED)
    velocities = np.ravel(car_trailer.contact_velocities(x, speed, LOPSIDED))
    return np.concatenate([[along], missing[3:8], missing[17:23], missing[25:], velocities])


def finite_balances(
    x: NDArray, rates: NDArray, steer: float, speed: float, drive: float
) -> NDArray:
    """The same of finite rotations."""
    loads = car.normal_loads(x, LOPSIDED)
    return np.concatenate(
        [
            exact.car_balance(x, rates, steer, speed, drive, loads, LOPSIDED),
            exact.trailer_balance(x, rates, speed, LOPSIDED),
            exact.closures(x, LOPSIDED),
            exact.trailer_contact_velocities(x, speed, LOPSIDED),
        ]
    )


@pytest.mark.parametrize("draw", range(4))
def test_first_order_in_the_small_variables(draw: int) -> None:
    """Newton's equations linearised early are those with finite rotations linearised last."""
    args = (0.2, 17.0, 900.0)
    for balances in (linear_balances, finite_balances):
        assert np.all(np.isfinite(balances(*scaled_point(draw, 1.0), *args)))
    at_zero = [
        np.real(f(*scaled_point(draw, 0.0), *args)) for f in (linear_balances, finite_balances)
    ]
    np.testing.assert_allclose(at_zero[0], at_zero[1], rtol=1e-12, atol=1e-11)
    step = 1e-40j
    slopes = [
        np.imag(f(*scaled_point(draw, step), *args)) / 1e-40
        for f in (linear_balances, finite_balances)
    ]
    np.testing.assert_allclose(slopes[0], slopes[1], rtol=1e-11, atol=1e-11)


def test_second_order_is_left_out() -> None:
    """So that the comparison above is not one of equal code."""
    args = (0.2, 17.0, 900.0)
    gaps = [
        np.abs(
            linear_balances(*scaled_point(0, s), *args)
            - finite_balances(*scaled_point(0, s), *args)
        )
        for s in (2e-4, 1e-4)
    ]
    left_out = gaps[1] > 1e-10
    assert np.count_nonzero(left_out) > 8
    assert np.all(gaps[0][left_out] > 3.8 * gaps[1][left_out])


def test_whole_vehicle_moves_sideways_by_its_tyres() -> None:
    """(29), with 2 r x_t' where x_t is printed, is (21b) and (23y) added."""
    x, rates = scaled_point(5, 1.0)
    x, rates, u, steer = x.real, rates.real, 13.0, 0.15
    missing = car_trailer.right_side(x, steer, u, P, NOMINAL) - car_trailer.matrix(x, P) @ rates
    v_rate, r_rate, faster = rates[AT["v"]], rates[AT["r"]], rates[AT["Vyt"]]
    r, xt, yt, vxt = (x[AT[name]] for name in ("r", "xt", "yt", "Vxt"))
    inertia = (P.m_u + P.m_c + P.m_t) * (u * r + v_rate)
    inertia += P.m_t * (faster + r_rate * xt + 2 * r * vxt - r**2 * yt)
    tyres = (x[8] + x[9]) * np.cos(steer) + x[10] + x[11]
    tyres += (x[AT["YR3"]] + x[AT["YL3"]]) * np.cos(x[AT["al"]])
    assert missing[ROW["21b"]] + missing[ROW["23y"]] == pytest.approx(tyres - inertia, rel=1e-12)


def test_static_loads_of_the_car() -> None:
    loads = car.normal_loads(np.zeros(12), P)
    weight = 2700.0 * 9.806
    assert loads.R1 == loads.L1 == pytest.approx(weight * 1.50 / 5.80, rel=1e-14)
    assert loads.R2 == loads.L2 == pytest.approx(weight * 1.40 / 5.80, rel=1e-14)
    assert np.max(np.abs(car.right_side(np.zeros(12), 0.0, 20.0, P, NOMINAL))) < 1e-11


def by_hand(pitch: float, p: Parameters) -> tuple[float, float, float]:
    """Hitch load, bounce and pitch of the chassis under a trailer pitched by `pitch`.

    Moments about the trailer's centre of mass give the hitch load, the four springs carry it.
    """
    contact = p.a_3 - (p.h_t - p.r_3) * pitch
    hitch = p.m_t * p.g * contact / (contact + p.j_x + p.j_z * pitch)
    front, rear = 2 * p.k_1, 2 * p.k_2
    springs = np.array(
        [
            [front + rear, rear * p.a_2 - front * p.a_1],
            [rear * p.a_2 - front * p.a_1, front * p.a_1**2 + rear * p.a_2**2 + p.f_z * hitch],
        ]
    )
    z, mu = np.linalg.solve(springs, [hitch, p.f_x * hitch])
    return hitch, z, mu


def test_standing_by_hand() -> None:
    """The hitch closes by (17) and (18z): (a_3 + j_x) beta + f_x mu + z = 0."""

    def gap(pitch: float, lever: float) -> float:
        _, z, mu = by_hand(pitch, P)
        return lever * pitch + P.f_x * mu + z

    pitch = brentq(gap, -0.1, 0.1, args=(P.a_3 + P.j_x,), xtol=1e-15)
    hitch, z, mu = by_hand(pitch, P)
    x = car_trailer.standing(P)
    found = x[[AT[name] for name in ("be", "Hz", "z", "mu", "NR3")]]
    np.testing.assert_allclose(found, [pitch, hitch, z, mu, (P.m_t * P.g - hitch) / 2], rtol=1e-11)
    assert pitch == pytest.approx(-0.02302, abs=5e-6)
    as_printed = brentq(gap, -0.1, 0.1, args=(P.j_x,), xtol=1e-15)  # (18z) without z_t
    assert as_printed == pytest.approx(-0.03195, abs=5e-6)
    assert np.max(np.abs(car_trailer.right_side(x, 0.0, 20.0, P, NOMINAL))) < 1e-9


def test_reference_loads() -> None:
    """N_0 is not in table 1: car alone and level trailer, or everything as it stands hitched."""
    level = 800.0 * 9.806 * 0.80 / 1.10 / 2
    assert ReferenceLoads(*car.static_loads(P), pytest.approx(level, rel=1e-14)) == NOMINAL
    loads = car_trailer.hitched_reference_loads(P)
    weight = 2 * (loads.front + loads.rear + loads.trailer)
    assert weight == pytest.approx(3500.0 * 9.806, rel=1e-13)
    assert loads.front < NOMINAL.front
    assert loads.rear > NOMINAL.rear


@pytest.mark.parametrize("draw", range(3))
def test_reduction_solves_the_29_equations(draw: int) -> None:
    """Whatever the independent states are, the rates found satisfy (42) with its constraints."""
    chance = np.random.default_rng(draw)
    state, steer, speed = chance.uniform(-1, 1, 16) * reduction.SIZES, 0.07, 18.0
    x, rates = reduction.solved(reduction.closed(state, P), steer, speed, P, NOMINAL, np.zeros(4))
    matrix = car_trailer.matrix(x, P)
    missing = car_trailer.right_side(x, steer, speed, P, NOMINAL) - matrix @ rates
    size = 1.0 + np.abs(matrix) @ np.abs(rates)
    assert np.max(np.abs(missing) / size) < 1e-12
    np.testing.assert_array_equal(reduction.independent(x), state)


@pytest.mark.parametrize("draw", range(3))
def test_constraints_differentiated_by_hand(draw: int) -> None:
    """G and gamma of the reduction against complex steps of (17), (18) and of their rates."""
    x = np.random.default_rng(draw).uniform(-1, 1, 29)
    a = np.random.default_rng(draw + 9).uniform(-1, 1, 8)
    every = jacobian(lambda y: car_trailer.constraints(y, P), x)
    G = reduction.constraint_jacobian(x, P)
    np.testing.assert_allclose(every[:, reduction.POSITIONS], G, atol=1e-14)
    assert not np.delete(every, reduction.POSITIONS, axis=1).any()
    velocity = x[reduction.SPEEDS]

    def closing(time: NDArray) -> NDArray:
        later = x + 0 * time
        later[reduction.POSITIONS] += velocity * time
        return reduction.constraint_jacobian(later, P) @ (velocity + a * time)

    second = jacobian(closing, np.zeros(1))[:, 0]
    np.testing.assert_allclose(second, G @ a + reduction.velocity_terms(x, P), atol=1e-13)


def test_reaction_columns() -> None:
    """Where the reactions enter linearly: against complex steps of B."""
    x = np.random.default_rng(3).uniform(-1, 1, 29)
    slopes = jacobian(lambda y: car_trailer.right_side(y, 0.1, 18.0, P, NOMINAL), x)
    slopes[[ROW["R3"], ROW["L3"]]] = 0.0
    np.testing.assert_allclose(
        slopes[:, reduction.REACTIONS], reduction.reaction_columns(x, P), atol=1e-14
    )


def test_magic_formula() -> None:
    """(31) read as sin[C arctan(B lambda)]: slope B C D N, then a peak of D N that slowly falls."""
    tyre, load = P.front, 5000.0
    slope = jacobian(lambda s: np.array([car.steady_force(tyre, s[0], load, load)]), np.zeros(1))
    assert slope[0, 0] == pytest.approx(12 * 1.6 * 0.95 * load, rel=1e-14)
    top = car.peak_slip(tyre)
    assert top == pytest.approx(0.12472, abs=5e-6)
    assert car.steady_force(tyre, top, load, load) == pytest.approx(0.95 * load, rel=1e-14)
    beyond = 0.95 * load * np.sin(1.6 * np.arctan(24 * top))
    assert car.steady_force(tyre, 2 * top, load, load) == pytest.approx(beyond, rel=1e-14)
    assert 0.91 < beyond / (0.95 * load) < 0.92
    assert car.steady_force(tyre, top, 2 * load, load) == pytest.approx(0.75 * 1.9 * load)
