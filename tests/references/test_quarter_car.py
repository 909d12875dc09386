"""The quarter car against the textbook's two masses and two springs (Mitschke and Wallentowitz)."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system

from axletree.expr import evaluate, jacobian
from axletree.system.system import System

SPRUNG, UNSPRUNG = 300.0, 25.0 + 15.0
SPRING, DAMPER = 18e3, 1200.0
TYRE, TYRE_DAMPER = 180e3, 50.0
GRAVITY = 9.80665
AT_REST = {"road.position": 0.0}


@pytest.fixture(scope="module")
def quarter_car() -> System:
    return shipped_system("quarter-car")


def test_it_starts_where_springs_carry_the_weights(quarter_car: System) -> None:
    length = 0.5 - SPRUNG * GRAVITY / SPRING
    radius = 0.31 - (SPRUNG + UNSPRUNG) * GRAVITY / TYRE
    run = quarter_car.simulate(1.0, step=1e-3, inputs=AT_REST, outputs=["tyre.Fz"])
    assert run["strut.position"] == pytest.approx(length, abs=1e-7)
    assert run["guide.position"] == pytest.approx(length + radius, abs=1e-7)
    assert run["tyre.Fz"][-1] == pytest.approx((SPRUNG + UNSPRUNG) * GRAVITY, rel=1e-6)


@pytest.mark.validation("vehicles")
def test_eigenfrequencies_without_dampers(quarter_car: System, agrees: Agrees) -> None:
    """Roots of m_s m_u w^4 - (m_s k_t + (m_s + m_u) k_s) w^2 + k_s k_t = 0."""
    symbols = [q.symbol for q in quarter_car.states]
    values = {q.symbol: q.default for q in (*quarter_car.states, *quarter_car.parameters)}
    values |= {q.symbol: 0.0 for q in quarter_car.inputs}
    damped = ("spring.damping", "tyre.normal_force.damping")
    values |= {q.symbol: 0.0 for q in quarter_car.parameters if q.name in damped}
    A = np.zeros((len(symbols), len(symbols)))
    entries = jacobian(quarter_car.derivatives, symbols)
    for place, value in zip(entries, evaluate(list(entries.values()), values), strict=True):
        A[place] = value
    found = np.sort(np.linalg.eigvals(A).imag)[-2:]
    middle = SPRUNG * TYRE + (SPRUNG + UNSPRUNG) * SPRING
    squares = np.roots([SPRUNG * UNSPRUNG, -middle, SPRING * TYRE])
    agrees(
        "quarter car: eigenfrequencies without dampers", found, np.sort(np.sqrt(squares)),
        rel=1e-9, unit="rad/s", source="Closed form, two masses and two springs",
    )  # fmt: skip
    assert found / (2 * math.pi) == pytest.approx([1.175, 11.2], rel=0.01)


@pytest.mark.parametrize("frequency", [0.5, 1.2, 4.0, 11.0])
@pytest.mark.validation("vehicles")
def test_the_body_follows_the_shaker_as_the_transfer_function_says(
    quarter_car: System, frequency: float, agrees: Agrees
) -> None:
    amplitude, w = 1e-3, 2 * math.pi * frequency
    run = quarter_car.simulate(
        20.0, step=1e-3, outputs=[], inputs={"road.position": f"{amplitude}*sin({w!r}*t)"}
    )
    last = (run.time > 10.0 - 1e-9) & (run.time < 20.0 - 1e-9)  # whole periods
    turning = np.exp(-1j * w * run.time[last])
    height = run["guide.position"][last]
    found = 2j * np.mean((height - height.mean()) * turning) / amplitude
    s = 1j * w
    strut, tyre = SPRING + DAMPER * s, TYRE + TYRE_DAMPER * s
    below = (SPRUNG * s * s + strut) * (UNSPRUNG * s * s + strut + tyre) - strut * strut
    expected = strut * tyre / below
    agrees(
        "quarter car on a shaker: body over road", abs(found), abs(expected), rel=1e-4,
        case=f"{frequency:g} Hz", source="Closed form, transfer function",
    )  # fmt: skip
    assert cmath.phase(found / expected) == pytest.approx(0.0, abs=1e-3)


def test_the_wheel_leaves_a_road_that_falls_faster_than_it(quarter_car: System) -> None:
    run = quarter_car.simulate(
        1.0, step=1e-3, outputs=["tyre.Fz"],
        inputs={"road.position": "-0.05*(1+tanh(50*(t-0.5)))"},
    )  # fmt: skip
    assert min(run["tyre.Fz"]) == 0.0
    assert run["tyre.Fz"][-1] > 0.0
