"""Steady cornering of the hand-coded car and trailer: Lot and Massaro 2017, section 5.2."""

from __future__ import annotations

import numpy as np
import pytest
from language.reference import car, car_trailer
from language.reference.cornering import (
    Turn,
    Vehicle,
    greatest_acceleration,
    hitched,
    solo,
    steering_ratio,
    turns,
    turns_by_slip,
)
from language.reference.derivative import jacobian
from language.reference.parameters import TABLE_1
from numpy.typing import NDArray

P = TABLE_1
NOMINAL = car_trailer.nominal_reference_loads(P)
SOLO, HITCHED = solo(P, NOMINAL), hitched(P, NOMINAL)
RADII = (50.0, 100.0, 200.0)  # m
ACCELERATIONS = [0.01, *np.arange(0.5, 7.01, 0.5)]  # m/s2
FRONT, REAR = 12 * 1.6 * 0.95, 12 * 1.6 * 0.90  # slope of the lateral force per load, 1/rad
K = (1 / FRONT - 1 / REAR) / P.g  # rad s2/m


@pytest.fixture(scope="module")
def figure_5() -> dict[str, list[Turn]]:
    return {
        "car": turns(SOLO, 100.0, ACCELERATIONS),
        "hitched": turns(HITCHED, 100.0, ACCELERATIONS),
    }


@pytest.fixture(scope="module")
def figure_6() -> dict[tuple[str, float], np.ndarray]:
    ratios = {}
    for name, vehicle in (("car", SOLO), ("hitched", HITCHED)):
        for radius in RADII:
            path = turns(vehicle, radius, ACCELERATIONS)
            ratios[name, radius] = np.array([steering_ratio(turn, P) for turn in path])
    return ratios


@pytest.mark.parametrize(("vehicle", "size"), [(SOLO, 12), (HITCHED, 29)])
def test_turns_are_steady(vehicle: Vehicle, size: int) -> None:
    for turn in turns(vehicle, 100.0, [1.0, 3.0, 5.0]):
        assert len(turn.variables) == size
        missing = vehicle.right_side(turn.variables, turn.steer, turn.speed)
        assert np.max(np.abs(missing)) < 1e-7  # N m/s at most
        assert turn.variables[4] * turn.radius == pytest.approx(turn.speed, rel=1e-14)


def test_loads_of_the_car_by_hand(figure_5: dict[str, list[Turn]]) -> None:
    """Weight is carried, the overturning moment of (22a) is carried, springs share it 60 : 65."""
    for turn in figure_5["car"]:
        r1, l1, r2, l2 = turn.loads
        z, phi, r = turn.variables[0], turn.variables[2], turn.variables[4]
        assert r1 + l1 + r2 + l2 == pytest.approx(P.car_weight, rel=1e-12)
        overturning = (P.mass_height - z * P.m_c) * turn.acceleration
        overturning += (P.I_czz - P.I_cyy) * phi * r**2
        assert 0.78 * (l1 - r1 + l2 - r2) == pytest.approx(overturning, rel=1e-9)
    for turn in (*figure_5["car"], *figure_5["hitched"]):
        r1, l1, r2, l2 = turn.loads[:4]
        assert (l1 - r1) / (l2 - r2) == pytest.approx(60 / 65, rel=1e-8)


def test_what_is_said_of_figure_5(figure_5: dict[str, list[Turn]]) -> None:
    alone = np.array([turn.loads for turn in figure_5["car"]])
    together = np.array([turn.loads for turn in figure_5["hitched"]])
    assert alone[0, 2] < alone[0, 0]  # straight: the rear axle carries less than the front
    assert np.all(np.diff(alone[:, [0, 2]], axis=0) < 0)  # inner side
    assert np.all(np.diff(alone[:, [1, 3]], axis=0) > 0)  # outer side
    assert np.all(alone[:, 3] - alone[:, 2] > alone[:, 1] - alone[:, 0])  # rear is stiffer
    assert np.all(together[:, [2, 3]].sum(axis=1) > 1.15 * alone[:, [2, 3]].sum(axis=1))
    left = together[:, [0, 2, 4]] / together[0, [0, 2, 4]]  # inner loads, of what they began with
    assert np.all(left[1:, 2] < left[1:, :2].min(axis=1))
    assert left[-1, 2] < 0.2


def test_what_is_said_of_figure_6(figure_6: dict[tuple[str, float], np.ndarray]) -> None:
    for ratio in figure_6.values():
        assert ratio[0] == pytest.approx(1.0, abs=1e-3)
        assert np.all(np.diff(ratio) < 0)  # oversteer
    for radius in RADII:
        assert np.all(figure_6["hitched", radius][1:] < figure_6["car", radius][1:])
    for name in ("car", "hitched"):
        assert np.all(figure_6[name, 200.0][1:] < figure_6[name, 100.0][1:])
        assert np.all(figure_6[name, 100.0][1:] < figure_6[name, 50.0][1:])


def test_the_printed_wheelbase_would_not_start_at_one(
    figure_6: dict[tuple[str, float], np.ndarray],
) -> None:
    assert abs(figure_6["car", 200.0][0] * 2.90 / 2.67 - 1) > 0.08


def slope_ratio(vehicle: Vehicle, radius: float, low: float, high: float) -> float:
    """Secant of the steering ratio over that of linear theory, K R / w."""
    one, other = (steering_ratio(turn, P) for turn in turns(vehicle, radius, [low, high]))
    return (other - one) / (high - low) / (K * radius / P.wheelbase)


@pytest.mark.parametrize(("radius", "known"), [(50.0, 1.1018), (100.0, 1.0265), (200.0, 1.0067)])
def test_slope_of_the_steering_ratio(radius: float, known: float) -> None:
    """The known values are secants between 0.01 and 0.02 m/s2; the limits at zero are lower."""
    assert slope_ratio(SOLO, radius, 0.01, 0.02) == pytest.approx(known, abs=5e-5)
    assert slope_ratio(SOLO, radius, 1e-4, 2e-4) < known - 1e-4 * 50 / radius


def test_slope_of_the_steering_ratio_by_hand() -> None:
    """1 + c / R^2 for great radii, from geometry alone.

    Both front wheels steer alike, so that their slips differ by 2 w b / R^2 and load transfer
    makes a force of it; that force needs less steer. The front force has cos(steer) as lever and
    (46) a tangent, together 1.5 (w/R)^2 of the front slip. The unlike front forces turn the car
    by b sin(steer), which shifts lateral force from front to rear by (b/R)^2.
    """
    w, b, load = P.wheelbase, P.b_1, car.static_loads(P)[0]
    transfer = P.mass_height * 60 / 125 / (2 * b)  # N on one front tyre for 1 m/s2
    parallel = (1 - P.front.alpha) * transfer / load * b * w / -K
    cosine = 1.5 * w**2 / FRONT
    shift = b**2 * (2 / REAR - 1 / FRONT) * (1 + P.a_2 / P.a_1 * FRONT / REAR)
    c = parallel + (cosine - shift) / (K * P.g)
    found = [radius**2 * (slope_ratio(SOLO, radius, 1e-4, 2e-4) - 1) for radius in (200.0, 400.0)]
    at_infinity = found[1] + (found[1] - found[0]) / 3  # the next term falls with 1 / R^2
    assert c == pytest.approx(266.41, abs=0.01)
    assert at_infinity == pytest.approx(c, rel=2e-3)


def test_trailer_oversteers_by_the_load_of_the_rear_axle() -> None:
    """With N_0 of the car alone the trailer doubles K; with N_0 of the hitched car it does not.

    The paper finds the difference dramatic, which speaks for the former.
    """
    front, _, rear, _ = HITCHED.loads(HITCHED.standing)[:4]
    softer = 1 / FRONT / (1 + 0.25 * (1 - front / NOMINAL.front))
    softer -= 1 / REAR / (1 + 0.25 * (1 - rear / NOMINAL.rear))
    expected = softer / (K * P.g)
    assert expected == pytest.approx(2.183, abs=1e-3)
    assert slope_ratio(HITCHED, 2000.0, 1e-3, 2e-3) == pytest.approx(expected, rel=2e-3)
    other = hitched(P, car_trailer.hitched_reference_loads(P))
    assert slope_ratio(other, 2000.0, 1e-3, 2e-3) == pytest.approx(1.0, rel=2e-3)


@pytest.mark.parametrize(
    ("vehicle", "known"), [(SOLO, 7.792701), (HITCHED, 7.464082)], ids=["car", "hitched"]
)
def test_limit_of_adhesion(vehicle: Vehicle, known: float) -> None:
    """A fold: a_y rises and falls along the branch, and B = 0 is singular where it turns."""
    limit = greatest_acceleration(vehicle, 100.0)
    assert limit.acceleration == pytest.approx(known, abs=1e-6)
    path = turns_by_slip(vehicle, 100.0, list(np.linspace(0.005, 0.15, 59)))
    accelerations = np.array([turn.acceleration for turn in path])
    top = int(np.argmax(accelerations))
    assert np.all(np.diff(accelerations[: top + 1]) > 0)
    assert np.all(np.diff(accelerations[top:]) < 0)
    assert np.all(accelerations <= limit.acceleration)
    before, after = (fold_function(vehicle, path[i]) for i in (top - 2, top + 2))
    assert before * after < 0
    assert abs(fold_function(vehicle, limit)) < 1e-3 * abs(before)


def fold_function(vehicle: Vehicle, turn: Turn) -> float:
    """Determinant of dB/d(variables and steer) at fixed speed and radius, up to a factor."""

    def balance(unknown: NDArray) -> NDArray:
        x = np.array(unknown)
        x[4] = turn.variables[4]
        return vehicle.right_side(x, unknown[4], turn.speed)

    unknown = np.array(turn.variables)
    unknown[4] = turn.steer
    sign, logarithm = np.linalg.slogdet(jacobian(balance, unknown))
    return float(sign * np.exp(logarithm - 4.0 * len(unknown)))


def test_two_ways_to_one_turn() -> None:
    """Given acceleration, slip found; given that slip, acceleration found."""
    by_acceleration = turns(HITCHED, 100.0, list(np.arange(0.5, 5.01, 0.5)))[-1]
    v, r = by_acceleration.variables[3:5]
    slip = float(np.arctan((P.a_2 * r - v) / by_acceleration.speed))
    by_slip = turns_by_slip(HITCHED, 100.0, list(np.linspace(0.005, slip, 9)))[-1]
    assert by_slip.acceleration == pytest.approx(5.0, rel=1e-10)
    assert by_slip.steer == pytest.approx(by_acceleration.steer, rel=1e-9)
