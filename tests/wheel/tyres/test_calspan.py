"""Calspan's law against the linear tyre of the Iltis benchmark and values by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees

from axletree.expr import evaluate, jacobian, symbol
from axletree.wheel.contract import Contact
from axletree.wheel.tyres.calspan import Calspan

# Laws are asked at all loads, also beyond their range, of which they warn.
pytestmark = pytest.mark.filterwarnings("ignore:Calspan. its load is above AOmega")

ILTIS = Calspan(**Calspan.example)


def published(Fz: float, alpha: float, gamma: float) -> tuple[float, float]:
    """Samin and Fisette 2003: the equivalent slip angle as they write it, up to A2."""
    A0, A1, A2, A3, A4 = 2625.0, 14.47, 12930.0, 2.29, 18175.0
    mu = (-0.464e-4 * Fz + 1.216 + 2.18e-11 * Fz**2) * 1.0274
    stiffness = A1 * Fz * (Fz - A2) - A0 * A2
    of_camber = -A2 * A3 * (A4 - Fz) * Fz / (A4 * stiffness) * gamma
    slip = stiffness / (A2 * mu * Fz) * (alpha + of_camber)
    if abs(slip) < 3.0:
        shape = slip - slip * abs(slip) / 3.0 + slip**3 / 27.0
    else:
        shape = math.copysign(1.0, slip)
    Fy = mu * Fz * shape
    return Fy, (-0.171e-4 * Fz + 0.171e-4 * abs(Fy)) * Fy


@pytest.mark.parametrize(
    ("Fz", "cornering", "camber", "trail"),
    [(3832.0, 41641.0, 6925.0, 0.06553), (3592.0, 40162.0, 6600.0, 0.06142)],
)
@pytest.mark.validation("tyres")
def test_is_the_benchmark_s_linear_tyre(
    Fz: float, cornering: float, camber: float, trail: float, agrees: Agrees
) -> None:
    """The benchmark also gives stiffnesses and trails at its front and rear static loads."""
    alpha, gamma = symbol("alpha"), symbol("gamma")
    forces = ILTIS(Contact(Fz, 0.0, alpha, gamma, forward_speed=10.0))
    slopes = jacobian([forces.Fy, forces.Mz], [alpha, gamma])
    at_rest = {alpha: 0.0, gamma: 0.0}
    values = evaluate([slopes[0, 0], slopes[0, 1], slopes[1, 0]], at_rest)
    agrees(
        "Calspan's law: cornering, camber and aligning stiffness", values,
        [-cornering, -camber, cornering * trail], rel=2e-4, unit="N/rad, N m/rad",
        case=f"{Fz:g} N",
        source="Samin and Fisette 2003, Iltis benchmark, linear tyre",
    )  # fmt: skip


@pytest.mark.validation("tyres")
def test_is_the_published_law(agrees: Agrees) -> None:
    random = np.random.default_rng(2)
    found, expected = [], []
    for _ in range(200):
        Fz, alpha, gamma = random.uniform(50.0, 12900.0), *random.normal(0.0, 0.1, 2)
        forces = ILTIS(Contact(Fz, 0.0, alpha, gamma, forward_speed=10.0))
        found.append((forces.Fy, forces.Mz))
        expected.append(published(Fz, alpha, gamma))
    agrees(
        "Calspan's law at 200 random states: Fy, Mz", found, expected, rel=1e-11, unit="N, N m",
        source="Samin and Fisette 2003, Iltis benchmark",
    )  # fmt: skip


def test_values_by_hand() -> None:
    # C_alpha = 1000 + 20 * 2000 * (1 - 0.2) = 33000, C_gamma = 2 * 2000 * 0.75 = 3000,
    # mu = 1 - 0.1 = 0.9. The angles ask for 2700 N = 3/2 mu Fz: Fy = -7/8 * 1800,
    # and Mz = (-2e-5 * 2000 + 1e-5 * 1575) * -1575 - 0.001 * 2000 * 0.02.
    numbers = {"A0": 1000.0, "A1": 20.0, "A2": 10e3, "A3": 2.0, "A4": 8e3, "AOmega": 1.0}
    numbers |= {"B1": -5e-5, "B2": 0.0, "B3": 1.0, "B4": 0.0, "SN": 1.0}
    law = Calspan(**numbers, AF1=-2e-5, AF2=1e-5, AF3=0.001)
    forces = law(Contact(2000.0, 0.0, 0.08, 0.02, forward_speed=10.0))
    assert forces.Fy == pytest.approx(-1575.0, rel=1e-12)
    assert forces.Mz == pytest.approx(0.02425 * 1575.0 - 0.04, rel=1e-12)
    assert (forces.Fx, forces.Mx, forces.My) == (0.0, 0.0, 0.0)


def test_stiffnesses_are_held_above_the_threshold() -> None:
    law = Calspan(**{**Calspan.example, "AOmega": 0.5, "B1": 0.0, "B4": 0.0})
    alpha = symbol("alpha")

    def slope(Fz: float) -> float:
        return float(
            evaluate([jacobian([law(Contact(Fz, 0.0, alpha)).Fy], [alpha])[0, 0]], {alpha: 0.0})[0]
        )

    at = slope(6465.0)
    assert at == pytest.approx(-(2625.0 + 14.47 * 6465.0 / 2.0))
    assert slope(9000.0) == pytest.approx(at)
    assert slope(5000.0) != pytest.approx(at, rel=1e-3)


def test_friction_falls_with_speed() -> None:
    law = Calspan(**{**Calspan.example, "B2": -0.01})
    still, forwards, backwards = (
        law(Contact(4000.0, 0.0, 1.0, forward_speed=v)).Fy for v in (0.0, 20.0, -20.0)
    )
    assert forwards == backwards
    assert forwards - still == pytest.approx(0.2 * 1.0274 * 4000.0)


def test_friction_does_not_become_negative() -> None:
    assert ILTIS(Contact(1e5, 0.0, 0.2)).Fy == 0.0
