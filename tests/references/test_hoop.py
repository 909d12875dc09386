"""A bead on a hoop that turns about its vertical diameter: Strogatz, Nonlinear Dynamics, 3.5.

With theta from the lowest point, theta'' = sin(theta) (W^2 cos(theta) - g/r). Below the
critical speed sqrt(g/r) the lowest point is stable; above it the bead rests at
cos(theta) = g / (r W^2) and swings about there at W sin(theta).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from agreement import Agrees

import axletree as at
from axletree.expr import evaluate, jacobian, symbol, to_sympy

RADIUS, G, MASS = 0.4, 9.81, 0.05
CRITICAL = np.sqrt(G / RADIUS)


def hoop() -> Any:
    model = at.Model("hoop", gravity=(0.0, 0.0, -G))
    ring = model.add(at.RigidBody("ring", 1.0, (0.1, 0.1, 0.1)))
    bead = model.add(at.RigidBody("bead", MASS))
    shaft = model.add(at.Revolute("shaft", model.ground, ring, axis="z"))
    model.add(at.Revolute("place", ring, bead.point(0, 0, RADIUS, "centre"), axis="y"))
    model.add(at.RotationDriver("motor", shaft))  # the angle is an input
    return model


@pytest.fixture(scope="module")
def system() -> Any:
    return hoop().formulate()


def turning(speed: float) -> dict[str, Any]:
    return {"motor.angle": speed * symbol("time")}


@pytest.mark.validation("mechanisms")
def test_equation_of_the_bead(system: Any, agrees: Agrees) -> None:
    theta, r, g, W = sympy.symbols("theta r g W", positive=True)
    values = {
        symbol("place.angle"): theta,
        symbol("bead.centre.z"): r,
        symbol("gravity.z"): -g,
        symbol("motor.angle_rate"): W,
        symbol("motor.angle_acceleration"): 0,
    }
    assert [q.name for q in system.states] == ["place.rate", "place.angle"]
    (found,) = to_sympy(system.derivatives[:1], values)
    expected = sympy.sin(theta) * (W**2 * sympy.cos(theta) - g / r)
    agrees.as_equations(
        "bead on a turning hoop: equation of motion", sympy.simplify(found - expected) == 0,
        source="Strogatz, Nonlinear Dynamics, section 3.5",
    )  # fmt: skip


@pytest.mark.parametrize("ratio", [0.5, 0.9, 1.1, 2.0])
@pytest.mark.validation("mechanisms")
def test_equilibria_and_their_frequencies(system: Any, ratio: float, agrees: Agrees) -> None:
    speed = ratio * CRITICAL
    values = {q.symbol: q.default for q in (*system.parameters, *system.inputs)}
    values |= {symbol("motor.angle_rate"): speed, symbol("place.rate"): 0.0}

    def slope_at(theta: float) -> tuple[float, float]:
        point = values | {symbol("place.angle"): theta}
        entries = jacobian(system.derivatives[:1], [symbol("place.angle")])
        value, slope = evaluate([system.derivatives[0], entries[0, 0]], point)
        return float(value), float(slope)

    value, slope = slope_at(0.0)
    assert value == pytest.approx(0.0, abs=1e-12)
    agrees(
        "bead on a turning hoop: stiffness at the lowest point", slope, speed**2 - G / RADIUS,
        rel=1e-6, unit="1/s²", case=f"{ratio:g} times the critical speed",
        source="Strogatz, Nonlinear Dynamics, section 3.5",
    )  # fmt: skip
    assert (slope < 0.0) == (ratio < 1.0)
    if ratio > 1.0:
        rest = np.arccos(1.0 / ratio**2)
        value, slope = slope_at(rest)
        assert value == pytest.approx(0.0, abs=1e-10)
        assert slope == pytest.approx(-((speed * np.sin(rest)) ** 2))


@pytest.mark.parametrize("ratio", [0.6, 1.5])
def test_small_oscillations(system: Any, ratio: float) -> None:
    speed, amplitude = ratio * CRITICAL, 1e-4
    rest = np.arccos(min(1.0, 1.0 / ratio**2))
    frequency = np.sqrt(G / RADIUS - speed**2) if ratio < 1.0 else speed * np.sin(rest)
    start = {"place.angle": rest + amplitude}
    run = system.simulate(5.0, step=1e-3, initial=start, inputs=turning(speed))
    expected = rest + amplitude * np.cos(frequency * run.time)
    # What is left is of second order in the amplitude.
    assert np.abs(run["place.angle"] - expected).max() < 20 * amplitude**2


def test_energy_in_the_turning_frame_is_kept(system: Any) -> None:
    speed = 1.4 * CRITICAL
    start = {"place.angle": 0.3, "place.rate": 1.0}
    run = system.simulate(5.0, step=1e-3, initial=start, inputs=turning(speed))
    theta, rate = run["place.angle"], run["place.rate"]
    kept = RADIUS**2 * (rate**2 - (speed * np.sin(theta)) ** 2) / 2 - G * RADIUS * np.cos(theta)
    assert np.abs(kept - kept[0]).max() < 1e-8


@pytest.mark.validation("mechanisms")
def test_torque_of_the_motor(system: Any, agrees: Agrees) -> None:
    """The rate of the bead's angular momentum about the shaft, m r^2 W sin(theta)^2."""
    speed = 1.4 * CRITICAL
    start = {"place.angle": 0.3, "place.rate": 1.0}
    run = system.simulate(2.0, step=1e-3, initial=start, inputs=turning(speed))
    theta, rate = run["place.angle"], run["place.rate"]
    expected = MASS * RADIUS**2 * speed * np.sin(2 * theta) * rate
    agrees(
        "bead on a turning hoop: torque of the motor over 2 s", run["motor.torque"], expected,
        abs=1e-12, unit="N m", source="Closed form, rate of the angular momentum",
    )  # fmt: skip
