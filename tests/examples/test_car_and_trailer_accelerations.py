"""Accelerations of the car with trailer from components are those of the one written by hand.

By hand all is of first order in what is small; components leave nothing out. Where displacements
z, phi, mu and beta are zero, products of small variables vanish, so both must say the same, for
any speed, yaw rate, side slip, steering angle, angle of the trailer and tyre forces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from examples.twins import CAR, TRAILER, P, by_hand, from_components

from axletree.examples.car_and_trailer import components

SEEDS = range(5)


def agree(trailer: bool, x: Mapping[str, float], u: float, delta: float) -> dict[str, float]:
    """Returns what is by hand."""
    expected = by_hand(trailer).rates(x, u, delta)
    found = from_components(trailer).rates(x, u, delta)
    if trailer:  # of components, the force on the trailer is told
        found |= {name: -found[name] for name in ("H_x", "H_y", "H_z")}
    compare(found, expected)
    return expected


def compare(found: Mapping[str, float], expected: Mapping[str, float]) -> None:
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-9, abs=1e-9), name


def some_turn(seed: int, trailer: bool) -> tuple[dict[str, float], float, float]:
    """State, speed [m/s] and steering angle [rad]; nothing that is small but v and alpha'."""
    rng = np.random.default_rng(seed)
    names = CAR | TRAILER if trailer else CAR
    x = {name: rng.normal() * 2e3 for name in names if name.startswith("Y_")}
    x |= {"v": rng.normal(), "r": rng.normal() * 0.5}
    if trailer:
        x |= hitched(alpha=rng.uniform(-0.6, 0.6), rate=rng.normal() * 0.3)
    return x, rng.uniform(5.0, 40.0), rng.normal() * 0.1


def hitched(alpha: float, rate: float) -> dict[str, float]:
    """The level trailer at an angle to the car; (17) and (18) hold, and their rates."""
    c, s, j_x = np.cos(alpha), np.sin(alpha), P["j_x"]
    return {
        "x_t": -P["f_x"] - j_x * c, "y_t": -j_x * s, "z_t": -P["h_t"], "alpha": alpha,
        "V_xt": j_x * s * rate, "V_yt": -j_x * c * rate, "Omega_alpha": rate,
    }  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_the_car_in_any_turn(seed: int) -> None:
    x, u, delta = some_turn(seed, trailer=False)
    found = agree(False, x, u, delta)
    assert min(abs(found[name]) for name in ("v", "r", "Omega_phi", "Omega_mu")) > 1e-3


@pytest.mark.parametrize("seed", SEEDS)
def test_the_car_with_trailer_in_any_turn(seed: int) -> None:
    x, u, delta = some_turn(seed, trailer=True)
    found = agree(True, x, u, delta)
    assert min(abs(found[f"H_{k}"]) for k in "xyz") > 1.0
    assert abs(found["N_R3"] - found["N_L3"]) > 1.0


@pytest.mark.parametrize("turning", ["Omega_mu", "Omega_phi"])
@pytest.mark.parametrize("seed", SEEDS)
def test_rates_of_bounce_and_of_pitch_or_roll(seed: int, turning: str) -> None:
    """They enter once: pitch and roll together would have a product that is left out by hand."""
    x, u, delta = some_turn(seed, trailer=False)
    agree(False, {**x, "V_z": 0.3, turning: 0.4}, u, delta)


def test_bounce_where_the_car_does_not_slide() -> None:
    """z u r is of first order and is kept; z v' and z v r are not, so v and v' are zero here."""
    r, u = 0.3, 15.0
    Y = (P["m_u"] + P["m_c"]) * u * r / 4
    x = {"z": 0.04, "r": r, "Y_R1": Y, "Y_L1": Y, "Y_R2": Y, "Y_L2": Y}
    found = agree(False, x, u, 0.0)
    assert found["v"] == pytest.approx(0.0, abs=1e-12)
    assert agree(False, {**x, "z": 0.0}, u, 0.0)["Omega_phi"] != pytest.approx(found["Omega_phi"])


def test_what_is_left_out_by_hand_is_a_product_of_small_variables() -> None:
    """Beside that, with v' not zero: m_c z v' in roll (22a), and m_c z v r in pitch (22b)."""
    x = {"z": 0.04, "v": 0.5, "r": 0.3, "Y_R1": 3e3, "Y_L1": 1e3, "Y_R2": 2e3, "Y_L2": 2e3}
    expected, found = (side.rates(x, 15.0) for side in (by_hand(False), from_components(False)))
    roll = P["m_c"] * x["z"] * expected["v"] / P["I_cxx"]
    pitch = P["m_c"] * x["z"] * x["v"] * x["r"] / P["I_cyy"]
    assert abs(roll) > 1e-3
    assert found["Omega_phi"] - expected["Omega_phi"] == pytest.approx(roll, rel=1e-9)
    assert found["Omega_mu"] - expected["Omega_mu"] == pytest.approx(pitch, rel=1e-9)


def test_a_chassis_with_a_product_of_inertia() -> None:
    """Its I_cxz is zero in table 1; in (22) it ties roll to yaw."""
    x, u, delta = some_turn(3, trailer=False)
    x |= {"V_z": 0.3, "Omega_mu": 0.4}
    other = {"I_cxz": 250.0}
    written = replace(by_hand(False), changed=other)
    composed = replace(from_components(False), system=components.car({**P, **other}).formulate())
    compare(composed.rates(x, u, delta), written.rates(x, u, delta))
    assert written.rates(x, u, delta)["r"] != pytest.approx(by_hand(False).rates(x, u, delta)["r"])


def steady_turn(u: float, r: float) -> dict[str, float]:
    """Of the car without side slip: v' and r' are zero."""
    Y = (P["m_u"] + P["m_c"]) * u * r / (2 * (P["a_1"] + P["a_2"]))
    front, rear = Y * P["a_2"], Y * P["a_1"]
    return {"r": r, "Y_R1": front, "Y_L1": front, "Y_R2": rear, "Y_L2": rear}


@pytest.mark.parametrize("small", ["z", "phi", "v", "V_z", "Omega_mu", "Omega_phi"])
def test_slopes_by_what_is_small_of_the_car(small: str) -> None:
    """In a turn, where terms such as phi r^2 and z u r count.

    mu is not among them: while the car rolls in, mu phi'' turns it, which is left out by hand.
    """
    x, u = steady_turn(15.0, 0.3), 15.0
    expected, found = (
        side.slopes(x, {small: 1.0}, u) for side in (by_hand(False), from_components(False))
    )
    assert any(abs(slope) > 1e-3 for slope in expected.values())
    compare(found, expected)


MOVES = {
    "bounce": {"V_z": 1.0, "Omega_mu": 0.0, "Omega_phi": 0.0},
    "pitch": {"V_z": 0.0, "Omega_mu": 1.0, "Omega_phi": 0.0},
    "roll": {"V_z": 0.0, "Omega_mu": 0.0, "Omega_phi": 1.0},
}


@pytest.mark.parametrize("move", MOVES)
def test_slopes_by_small_velocities_with_the_trailer(move: str) -> None:
    """In any turn in which the trailer does not swing: of alpha' beta' nothing is kept by hand."""
    x, u, delta = some_turn(1, trailer=True)
    x |= hitched(x["alpha"], 0.0)
    moved = with_trailer(MOVES[move], x["alpha"])
    expected, found = (
        side.slopes(x, moved, u, delta) for side in (by_hand(True), from_components(True))
    )
    compare(found, expected)


def with_trailer(move: Mapping[str, float], alpha: float) -> dict[str, float]:
    """Velocities of car and trailer that (17) and (18) allow in the level state."""
    down = move["V_z"] + P["f_x"] * move["Omega_mu"]  # of the hitch
    pitching = -down / (P["a_3"] + P["j_x"])
    along = P["j_z"] * pitching
    return {
        **move,
        "Omega_beta": pitching,
        "V_zt": -P["a_3"] * pitching,
        "V_xt": P["f_z"] * move["Omega_mu"] - along * np.cos(alpha),
        "V_yt": -P["f_z"] * move["Omega_phi"] - along * np.sin(alpha),
    }
