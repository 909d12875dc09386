"""Vertical dynamics: hand-worked values, continuity, limits, and what they store and lose."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from scipy.integrate import quad, solve_ivp

import axletree as at
from axletree.expr import as_expr, evaluate, symbol
from axletree.wheel.normal_forces import NormalForce

DEFLECTION, RATE, CREEP = symbol("deflection"), symbol("rate"), symbol("creep")
PARTS: list[NormalForce] = [
    at.LinearNormalForce(stiffness=1e6, damping=1e4),
    at.KelvinForce(),
    at.ElastoForce(),
    at.GehmannForce(),
    at.TabulatedNormalForce(at.Curve([0.0, 0.01, 0.03], [0.0, 1e4, 5e4]), damping=1e4),
]


def support(part: NormalForce, deflection: Any, rate: Any, creep: Any = 0.0) -> list[Any]:
    """The force, and the rate of creep where there is one."""
    states = [CREEP][: len(part.states())]
    found = part.support(DEFLECTION, RATE, states, part.numbers)
    values = {DEFLECTION: deflection, RATE: rate, CREEP: creep}
    return list(evaluate([as_expr(found.force), *map(as_expr, found.rates)], values))


def force(part: NormalForce, deflection: Any, rate: Any = 0.0, creep: Any = 0.0) -> Any:
    return support(part, deflection, rate, creep)[0]


def ids(part: NormalForce) -> str:
    return type(part).__name__


@pytest.mark.parametrize("part", PARTS, ids=ids)
def test_it_only_pushes(part: NormalForce) -> None:
    deflection, rate = np.meshgrid(np.linspace(-0.02, 0.02, 41), np.linspace(-3.0, 3.0, 31))
    found = force(part, deflection, rate, 0.004)
    assert np.all(found >= 0.0)
    far = force(part, -0.05, np.linspace(-3.0, 3.0, 31), 0.004)
    assert np.all(far == 0.0)


def test_kelvin_by_hand() -> None:
    part = at.KelvinForce(stiffness=1e6, damping=1e4)
    assert force(part, 0.01, 0.5) == pytest.approx(15000.0)
    assert force(part, 0.01, -0.5) == pytest.approx(5000.0)
    assert force(part, 0.01, -2.0) == 0.0
    assert force(part, 1e-12, 0.5) == pytest.approx(5000.0)  # at once
    assert force(part, -1e-12, 0.5) == 0.0
    sticking = at.KelvinForce(stiffness=1e6, damping=1e4, pulls=True)
    assert force(sticking, 0.01, -2.0) == pytest.approx(-10000.0)
    assert force(sticking, -1e-12, -2.0) == 0.0


@pytest.mark.validation("tyres")
def test_elasto_by_hand(agrees: Agrees) -> None:
    """Andres 2009, eq. (3.90) with its sign turned: f = fc + min(fc, fd), not below 0."""
    part = at.ElastoForce(stiffness=1e6, damping=1e4)
    assert force(part, 0.01, 0.5) == pytest.approx(15000.0)
    agrees(
        "elasto gap element, pressed in at 5 m/s: force", force(part, 0.01, 5.0), 20000.0,
        rel=1e-6, unit="N", source="Andres 2009, eq. (3.90), corrected",
        note="twice the force of the spring; with the sign as printed the damper would pull.",
    )  # fmt: skip
    assert force(part, 0.01, -0.4) == pytest.approx(6000.0)
    assert force(part, 0.01, -1.0) == pytest.approx(0.0)
    assert force(part, 0.01, -3.0) == 0.0


@pytest.mark.parametrize("part", [at.ElastoForce(), at.GehmannForce()], ids=ids)
def test_the_force_grows_from_nothing_however_fast_it_lands(part: NormalForce) -> None:
    for rate in (0.5, 5.0, 50.0):
        assert force(part, 1e-9, rate) < 0.01
        assert force(part, -1e-9, rate) == 0.0


def test_gehmann_by_hand() -> None:
    part = at.GehmannForce(stiffness=2e5, series_stiffness=1e5, series_damping=1e3)
    found, creeping = support(part, 0.01, 0.0, 0.004)
    assert found == pytest.approx(2e5 * 0.01 + 1e5 * 0.006)
    assert creeping == pytest.approx(1e5 * 0.006 / 1e3)
    # In the air the free tread is at 0.004 / 3, wherever the road is, and creeps back.
    found, creeping = support(part, -0.5, 0.0, 0.004)
    assert found == 0.0
    assert creeping == pytest.approx(1e5 * (0.004 / 3.0 - 0.004) / 1e3)
    # It touches the road there, not where the undeformed tread would.
    assert force(part, 0.0013, 0.0, 0.004) == 0.0
    assert force(part, 0.0014, 0.0, 0.004) == pytest.approx(3e5 * 0.0014 - 400.0)


def test_gehmann_of_andres_sticks_and_follows_the_gap() -> None:
    part = at.GehmannForce(2e5, 1e5, 1e3, pulls=True)
    assert force(part, 0.001, 0.0, 0.004) == pytest.approx(300.0 - 400.0)
    found, creeping = support(part, -0.5, 0.0, 0.004)
    assert found == 0.0
    assert creeping == pytest.approx(1e5 * -0.504 / 1e3)


@pytest.mark.validation("tyres")
def test_gehmann_is_stiff_to_fast_and_soft_to_slow_deflections(agrees: Agrees) -> None:
    """Its complex stiffness is c + c1 i w d1 / (c1 + i w d1)."""
    part = at.GehmannForce(2e5, 1e5, 1e3)
    mean, amplitude = 0.02, 0.005

    for w in (1.0, 100.0, 5000.0):

        def rates(t: float, x: np.ndarray, w: float = w) -> list[float]:
            return [support(part, mean + amplitude * math.sin(w * t), 0.0, x[0])[1]]

        expected = 2e5 + 1e5 * 1j * w * 1e3 / (1e5 + 1j * w * 1e3)
        settle = 0.3 + 2.0 * math.pi * math.ceil(0.1 * w) / w
        run = solve_ivp(
            rates, (0.0, settle + 2.0 * math.pi / w), [mean], rtol=1e-8, atol=1e-12,
            method="LSODA", dense_output=True, max_step=0.5 / w,
        )  # fmt: skip

        def wave(t: float, w: float = w, run: Any = run) -> float:
            return float(force(part, mean + amplitude * math.sin(w * t), 0.0, run.sol(t)[0]))

        period = 2.0 * math.pi / w
        times = np.linspace(settle, settle + period, 401)[:-1]
        values = np.array([wave(t) for t in times])
        in_phase = 2.0 * np.mean(values * np.sin(w * times)) / amplitude
        ahead = 2.0 * np.mean(values * np.cos(w * times)) / amplitude
        agrees(
            "Gehmann element that is shaken: stiffness in phase", in_phase, expected.real, rel=1e-3,
            unit="N/m", case=f"{w:g} rad/s", source="Closed form, complex stiffness",
        )  # fmt: skip
        assert ahead == pytest.approx(expected.imag, rel=1e-2, abs=100.0)


@pytest.mark.parametrize("kind", [at.KelvinForce, at.GehmannForce, at.ElastoForce])
def test_half_the_penetration_sinks_twice_as_far(kind: Any) -> None:
    """At rest a wheel of weight W sinks to 2 W / c in place of W / c."""
    weight = 3000.0
    for halved, expected in ((False, weight / 1e6), (True, 2.0 * weight / 1e6)):
        part = kind(halved=halved)
        # At rest the damper's spring has no force: it has crept as far as counts.
        creep = expected / 2.0 if halved else expected
        assert force(part, expected, 0.0, creep) == pytest.approx(weight)


@pytest.mark.parametrize("part", PARTS, ids=ids)
def test_a_bounce_gives_back_no_more_than_it_got(part: NormalForce) -> None:
    """Work of the force on a road that presses in and goes back, at several speeds."""
    for rate in (0.1, 1.0, 10.0):
        time = 0.02 / rate

        def state(t: float, x: np.ndarray, rate: float = rate, time: float = time) -> list[float]:
            deflection = rate * t if t < time else 2.0 * 0.02 - rate * t
            found = support(part, deflection, rate if t < time else -rate, x[0])
            return [found[1] if len(found) > 1 else 0.0]

        run = solve_ivp(state, (0.0, 2.0 * time), [0.0], max_step=time / 50.0, dense_output=True)
        into, _ = quad(lambda t: rate * force(part, rate * t, rate, run.sol(t)[0]), 0.0, time)  # noqa: B023
        back, _ = quad(
            lambda t: rate * force(part, 0.04 - rate * t, -rate, run.sol(t)[0]), time, 2.0 * time,  # noqa: B023
            limit=200,
        )  # fmt: skip
        assert 0.0 <= back <= into * (1.0 + 1e-6)
