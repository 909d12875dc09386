"""Fiala's law against values by hand and the printed equations with their corrections."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees

from axletree.expr import evaluate, jacobian, symbol
from axletree.wheel.contract import Contact
from axletree.wheel.tyres.fiala import Fiala

TABLE_A7 = Fiala(**Fiala.example)
ROUND = Fiala(  # one friction coefficient, so that slip and slip angle do not meet
    width=0.2,
    slip_stiffness=60e3,
    cornering_stiffness=45e3,
    rolling_resistance=0.01,
    peak_friction=1.0,
    sliding_friction=1.0,
)


def printed(law: Fiala, Fz: float, S: float, alpha: float, spin: float) -> tuple[float, ...]:
    """(3.29) to (3.36) with their cases, the sign of (3.32) and the switches at H = 0."""
    t = math.tan(alpha)
    mu = law.peak_friction
    mu -= min(math.hypot(S, t), 1.0) * (law.peak_friction - law.sliding_friction)
    limit, C = mu * Fz, law.slip_stiffness
    if abs(S) < limit / (2.0 * C):
        Fx = C * S
    else:
        Fx = math.copysign(limit - limit**2 / (4.0 * abs(S) * C), S)
    if abs(alpha) < math.atan(3.0 * limit / law.cornering_stiffness):
        H = 1.0 - law.cornering_stiffness * abs(t) / (3.0 * limit)
        Fy = -limit * (1.0 - H**3) * math.copysign(1.0, alpha)
        Mz = limit * law.width * (1.0 - H) * H**3 * math.copysign(1.0, alpha)
    else:
        Fy, Mz = -limit * math.copysign(1.0, alpha), 0.0
    My = law.rolling_resistance * Fz * (1.0 if spin < 0.0 else -1.0)
    return Fx, Fy, My, Mz


@pytest.mark.validation("tyres")
def test_values_by_hand(agrees: Agrees) -> None:
    # Fz = 3000 N. C_alpha tan(alpha) = 4500 N, n = 3/2, H = 1/2: Fy = -3000 * 7/8,
    # Mz = 3000 * 0.2 / 2 / 8. C_S S = 750 N is below 1500 N; My = -0.01 * 3000.
    forces = ROUND(Contact(3000.0, 0.0125, math.atan(0.1), spin_rate=50.0, forward_speed=10.0))
    agrees(
        "Fiala's law, values by hand: Fx, Fy, Mz, My",
        [forces.Fx, forces.Fy, forces.Mz, forces.My], [750.0, -2625.0, 37.5, -30.0], rel=1e-6,
        unit="N, N m", source="Closed form, Morency 2007, eqs. (3.29) to (3.36)",
    )  # fmt: skip
    assert forces.Mx == 0.0
    # C_S S = 3000 N: 3000 - 3000^2 / (4 * 3000) = 2250 N.
    assert ROUND(Contact(3000.0, 0.05, 0.0)).Fx == pytest.approx(2250.0)
    assert ROUND(Contact(3000.0, -0.05, 0.0)).Fx == pytest.approx(-2250.0)


@pytest.mark.validation("tyres")
def test_is_the_printed_law(agrees: Agrees) -> None:
    random = np.random.default_rng(1)
    found, expected = [], []
    for _ in range(300):
        Fz, S = random.uniform(10.0, 9e3), random.normal(0.0, 0.2)
        alpha, spin = random.normal(0.0, 0.2), random.choice([-40.0, 40.0])
        forces = TABLE_A7(Contact(Fz, S, alpha, 0.1, 20.0, spin))
        found.append((forces.Fx, forces.Fy, forces.My, forces.Mz))
        expected.append(printed(TABLE_A7, Fz, S, alpha, spin))
    agrees(
        "Fiala's law at 300 random states: forces and moments", found, expected, rel=1e-11,
        abs=1e-9, unit="N, N m", source="Morency 2007, eqs. (3.29) to (3.36) and table A.7",
        note="the sign of eq. (3.32) and the switch at H = 0 are corrected.",
    )  # fmt: skip


def test_slopes_at_no_slip_are_the_stiffnesses() -> None:
    S, alpha = symbol("S"), symbol("alpha")
    forces = TABLE_A7(Contact(4000.0, S, alpha, forward_speed=10.0))
    slopes = jacobian([forces.Fx, forces.Fy, forces.Mz], [S, alpha])
    at_rest = {S: 0.0, alpha: 0.0}
    wanted = [slopes[0, 0], slopes[1, 1], slopes[2, 1]]
    assert evaluate(wanted, at_rest) == pytest.approx([115e3, -117e3, 117e3 * 0.16 / 3.0])


def test_is_continuous_where_its_branches_meet() -> None:
    S = 0.025  # mu Fz / (2 C_S)
    alpha = math.atan(0.2)  # 3 mu Fz / C_alpha
    for side in (-1e-9, 1e-9):
        assert ROUND(Contact(3000.0, S + side, 0.0)).Fx == pytest.approx(1500.0, abs=1e-3)
        forces = ROUND(Contact(3000.0, 0.0, alpha + side, forward_speed=10.0))
        assert forces.Fy == pytest.approx(-3000.0, abs=1e-3)
        assert forces.Mz == pytest.approx(0.0, abs=1e-3)


def test_friction_stays_between_its_two_values() -> None:
    for S in (1.0, 5.0, 1e6):
        forces = TABLE_A7(Contact(4000.0, 0.0, math.atan(S)))
        assert forces.Fy == pytest.approx(-0.2 * 4000.0)
    assert TABLE_A7(Contact(4000.0, 1e9, 0.0)).Fx == pytest.approx(0.2 * 4000.0)


def test_a_wheel_at_rest_has_no_rolling_resistance() -> None:
    assert TABLE_A7(Contact(4000.0, 0.0, 0.0, spin_rate=0.0)).My == 0.0
    assert TABLE_A7(Contact(4000.0, 0.0, 0.0, spin_rate=-1.0)).My == pytest.approx(40.0)


def test_lifts_off_without_a_jump() -> None:
    light = [TABLE_A7(Contact(Fz, 0.1, 0.1)) for Fz in (1e-3, 1e-6, 1e-9, 1e-12, 0.0)]
    assert all(
        abs(forces.Fy) <= 1.22 * Fz
        for forces, Fz in zip(light, (1e-3, 1e-6, 1e-9, 1e-12, 0), strict=True)
    )
