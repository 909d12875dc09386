"""Car and trailer of the language against the model coded by hand, number by number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees
from language.reference import car, car_trailer, reduction
from language.reference.cornering import Turn, hitched, solo, steering_ratio, straight
from language.reference.cornering import turns as turns_by_hand
from language.reference.histories import Ramp, car_history, stabilised_history
from language.reference.parameters import TABLE_1
from language.reference.stability import car_eigenvalues, pencil, projected_eigenvalues, turn_at
from numpy.typing import NDArray

from axletree.examples.car_and_trailer import data, results, spaces
from axletree.expr import evaluate
from axletree.system.forms.projected import Projected
from axletree.system.system import ImplicitSystem

P = TABLE_1
NOMINAL = car_trailer.nominal_reference_loads(P)
BY_HAND = {False: solo(P, NOMINAL), True: hitched(P, NOMINAL)}
CALLED = {False: "car", True: "car with trailer"}
LETTERS = {
    "Om": "Omega_mu", "Op": "Omega_phi", "Vz": "V_z", "xt": "x_t", "yt": "y_t", "zt": "z_t",
    "al": "alpha", "be": "beta", "Vxt": "V_xt", "Vyt": "V_yt", "Vzt": "V_zt",
    "Oa": "Omega_alpha", "Ob": "Omega_beta", "Hx": "H_x", "Hy": "H_y", "Hz": "H_z",
}  # fmt: skip


def own_name(name: str) -> str:
    """Of a variable of the model by hand: "YR1" is Y_R1."""
    if name in LETTERS:
        return LETTERS[name]
    return f"{name[0]}_{name[1:]}" if name[0] in "YN" else name


NAMES = {False: list(map(own_name, car.STATES)), True: list(map(own_name, car_trailer.STATES))}

REACTIONS = {str(x.func) for x in spaces.REACTIONS}
DIFFERENTIAL = [name for name in NAMES[True] if name not in REACTIONS]


def some_variables(trailer: bool) -> NDArray:
    sizes = car_trailer.SIZES if trailer else car.SIZES
    return np.random.default_rng(4).normal(size=len(sizes)) * sizes * 0.2


def values_at(implicit: ImplicitSystem, x: dict[str, float], steer: float, speed: float) -> dict:
    known = {**{q.name: q.default for q in implicit.parameters}, **x, "delta": steer, "u": speed}
    quantities = (*implicit.variables, *implicit.inputs, *implicit.parameters)
    return {q.symbol: known[q.name] for q in quantities}


def test_the_parameters_are_those_of_the_table() -> None:
    for name, (value, _, _) in {**data.CAR_DATA, **data.TRAILER}.items():
        if name != "u":
            assert value == getattr(P, name)
    for axle, load in zip("123", (NOMINAL.front, NOMINAL.rear, NOMINAL.trailer), strict=True):
        assert data.CAR_PARAMETERS[f"N0_{axle}"][0] == pytest.approx(load, rel=1e-14)


@pytest.mark.parametrize("trailer", [False, True])
def test_the_matrix_and_the_right_hand_side(trailer: bool) -> None:
    """Each row is one of the model by hand, perhaps with its signs turned."""
    space = spaces.train_space() if trailer else spaces.car_space()
    implicit = space.implicit()
    x = some_variables(trailer)
    named = dict(zip(NAMES[trailer], x.tolist(), strict=True))
    values = values_at(implicit, named, 0.07, 17.0)
    order = [NAMES[trailer].index(q.name) for q in implicit.variables]
    entries = evaluate(list(implicit.matrix.values()), values)
    A = np.zeros((len(x), len(x)))
    for (i, j), entry in zip(implicit.matrix, entries, strict=True):
        A[i, order[j]] = entry
    B = np.array(evaluate(list(implicit.rates), values))
    other_A, other_B = BY_HAND[trailer].matrix(x), BY_HAND[trailer].right_side(x, 0.07, 17.0)
    mine, other = np.column_stack([A, B]), np.column_stack([other_A, other_B])
    for row in mine:
        size = np.abs(row).max()
        gap = min(np.abs(row - sign * their).max() for their in other for sign in (1.0, -1.0))
        assert gap <= 1e-12 * size
    assert np.linalg.matrix_rank(A) == (24 if trailer else 12)


@pytest.mark.validation("language")
def test_the_rates_of_the_car(agrees: Agrees) -> None:
    x = some_variables(False)
    state = dict(zip(NAMES[False], x.tolist(), strict=True))
    found = results.system(False).rhs(state, inputs={"delta": 0.07}, parameters={"u": 17.0})
    expected = car.rates(x, 0.07, 17.0, P, NOMINAL)
    agrees(
        "car: rates of all states in a turn", [found[n] for n in NAMES[False]], expected,
        rel=1e-11, source="Lot and Massaro 2017, by an independent model",
    )  # fmt: skip


@pytest.mark.validation("language")
def test_the_rates_with_the_trailer(agrees: Agrees) -> None:
    """In a state that satisfies the constraints nothing is stabilised."""
    s = np.random.default_rng(2).normal(size=16) * 0.02
    s[8:12] *= 1e5
    s[14:] *= 1e5
    x = reduction.closed(s, P)
    variables, rates = reduction.solved(x, 0.05, 20.0, P, NOMINAL, np.zeros(4))
    named = dict(zip(NAMES[True], variables.tolist(), strict=True))
    system = results.system(True)
    state = {q.name: named[q.name] for q in system.states}
    found = system.rhs(state, inputs={"delta": 0.05}, parameters={"u": 20.0})
    by_name = dict(zip(NAMES[True], rates.tolist(), strict=True))
    agrees(
        "car with trailer: rates of all states in a turn", list(found.values()),
        [by_name[name] for name in found], rel=1e-9, abs=1e-9,
        source="Lot and Massaro 2017, by an independent model",
    )  # fmt: skip


@pytest.mark.parametrize("speed", [10.0, 20.0])
@pytest.mark.validation("language")
def test_the_ramp_of_the_car(speed: float, agrees: Agrees) -> None:
    run = results.steering_ramp(speed)
    times = np.array([1.0, 3.5, 5.0, 8.0, 20.0])
    expected = car_history(times, speed, P, NOMINAL)
    rows = [int(round(t / 1e-3)) for t in times]
    for k, name in enumerate(NAMES[False]):
        size = np.abs(run[name]).max()
        np.testing.assert_allclose(run[name][rows], expected.x[k], atol=2e-7 * size)
    yaw = NAMES[False].index("r")
    agrees(
        f"car, ramp of the steering angle at {speed:g} m/s: yaw rate at five times",
        run["r"][rows], expected.x[yaw], rel=1e-7, abs=2e-7 * np.abs(run["r"]).max(), unit="rad/s",
        source="Lot and Massaro 2017, figures 3 and 4, by an independent model",
    )  # fmt: skip


def test_the_ramp_with_the_trailer_by_two_stabilisations() -> None:
    times = np.array([0.5, 1.0, 2.0])
    ramp = Ramp(1.0, 0.03)
    expected = stabilised_history(times, 20.0, P, NOMINAL, ramp)
    steer = "0.03*min(t, 1)"
    start = results.straight(True, 20.0).states
    for system in (results.system(True), spaces.train_space().system(Projected())):
        run = system.simulate(
            2.0, step=5e-4, initial=start, inputs={"delta": steer}, parameters={"u": 20.0}
        )
        for name in ("v", "r", "phi", "alpha", "beta", "Y_R3", "y_t"):
            row = DIFFERENTIAL.index(name)
            values = run[name][[1000, 2000, 4000]]
            np.testing.assert_allclose(values, expected.x[row], rtol=1e-6)


@pytest.mark.parametrize("trailer", [False, True])
@pytest.mark.validation("language")
def test_steady_turns(trailer: bool, agrees: Agrees) -> None:
    accelerations = (0.5, 2.0, 4.0, 6.0, 7.0)
    expected: list[Turn] = turns_by_hand(BY_HAND[trailer], 100.0, accelerations)
    for mine, other in zip(results.turns(100.0, accelerations, trailer), expected, strict=True):
        agrees(
            f"{CALLED[trailer]}, steady turns of 100 m: steering angle", mine["delta"], other.steer,
            rel=1e-9, unit="rad", case=f"{other.acceleration:.1f} m/s²",
            source="Lot and Massaro 2017, figures 5 and 6, by an independent model",
        )  # fmt: skip
        assert results.steering_ratio(mine) == pytest.approx(steering_ratio(other, P), rel=1e-9)
        named = dict(zip(NAMES[trailer], other.variables.tolist(), strict=True))
        for name, value in named.items():
            assert mine[name] == pytest.approx(value, rel=1e-8, abs=1e-7)


@pytest.mark.parametrize("trailer", [False, True])
@pytest.mark.parametrize("acceleration", [0.0, 3.0])
@pytest.mark.validation("language")
def test_eigenvalues_against_speed(trailer: bool, acceleration: float, agrees: Agrees) -> None:
    locus = results.eigenvalues_against_speed(trailer, acceleration, points=4)
    assert locus.is_stable.all()
    by_hand = projected_eigenvalues if trailer else car_eigenvalues
    for speed, mine, steady in zip(locus.values, locus.eigenvalues, locus.points, strict=True):
        vehicle = BY_HAND[trailer]
        turning = turn_at(vehicle, float(speed), acceleration) if acceleration else None
        turn = turning or straight(vehicle, float(speed))
        expected = by_hand(*pencil(vehicle, turn))
        size = np.abs(expected).max()
        nearest = [mine[np.abs(mine - value).argmin()] for value in expected]
        agrees(
            f"{CALLED[trailer]}, turning at {acceleration:g} m/s²: eigenvalues", nearest, expected,
            abs=1e-8 * size, unit="1/s", case=f"{speed:.0f} m/s",
            source="Lot and Massaro 2017, figure 7, by an independent model",
        )  # fmt: skip
        assert len(mine) == len(expected)
        if trailer:
            assert len(steady.pencil.eigenvalues) == 16
            assert steady.pencil.infinite == 13


@pytest.mark.validation("language")
def test_exact_checks_of_the_car(agrees: Agrees) -> None:
    """Load transfer 60 : 65, tyre poles -u/sigma twice, the roll pair, the critical speed."""
    turn = results.turns(100.0, [3.0], False)[0]
    front, rear = turn["N_L1"] - turn["N_R1"], turn["N_L2"] - turn["N_R2"]
    agrees(
        "car in a turn: load transfer in front over that at the rear", front / rear, 60.0 / 65.0,
        rel=1e-12, source="Closed form, stiffnesses of Lot and Massaro 2017, table 1",
    )  # fmt: skip
    roots = results.straight(False, 20.0).eigenvalues
    assert np.count_nonzero(np.abs(roots + 100.0) < 1e-7) == 2
    pair = np.roots([2000.0, 2 * 9e3 * 0.78**2, 2 * 125e3 * 0.78**2])
    agrees(
        "car running straight: eigenvalue of roll", roots[np.abs(roots - pair[0]).argmin()],
        pair[0], abs=1e-10, unit="1/s",
        source="Closed form, springs and dampers of Lot and Massaro 2017, table 1",
    )  # fmt: skip
    slopes = [12 * 1.6 * D for D in (0.95, 0.90)]
    gradient = (1 / slopes[0] - 1 / slopes[1]) / P.g
    critical = math.sqrt(2.90 / -gradient)
    locus = results.system(False).root_locus("u", [80.0, 110.0], {"delta": 0.0})
    agrees(
        "car: critical speed", [c.value for c in locus.critical], [critical], rel=1e-9, unit="m/s",
        source="Closed form, understeer gradient of Lot and Massaro 2017, table 1",
    )  # fmt: skip
    assert critical == pytest.approx(96.626, abs=5e-4)
