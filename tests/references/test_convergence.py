"""Orders of the integrators and the energy they lose, on the double pendulum through C."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from scipy.integrate import solve_ivp

import axletree as at
from axletree.core.registry import load, section
from axletree.simulation.fixed_step import FixedStep

START = {"first.angle": 1.2, "second.angle": 0.5}
DURATION = 1.0
SUNDIALS = ("cvode", "ida")


@pytest.fixture(scope="module")
def double() -> Any:
    """Two rods of unit mass and length."""
    model = at.Model("double", gravity=(9.81, 0.0, 0.0))
    tail: Any = model.ground
    for name in ("first", "second"):
        rod = model.add(at.RigidBody(f"{name}_rod", 1.0, (0.0, 1 / 12, 1 / 12)))
        model.add(at.Revolute(name, tail, rod.point(-0.5, 0, 0, "top"), axis="z"))
        tail = rod.point(0.5, 0, 0, "bottom")
    return model.formulate()


def rods(t: float, s: np.ndarray) -> list[float]:
    """Two uniform rods of unit length and mass in the angles with the vertical, by Lagrange."""
    phi1, phi2, w1, w2 = s
    c, d = np.cos(phi1 - phi2), np.sin(phi1 - phi2)
    M = [[4.0 / 3.0, 0.5 * c], [0.5 * c, 1.0 / 3.0]]
    b = [-0.5 * w2**2 * d - 1.5 * 9.81 * np.sin(phi1), 0.5 * w1**2 * d - 0.5 * 9.81 * np.sin(phi2)]
    return [w1, w2, *np.linalg.solve(M, b)]


@pytest.fixture(scope="module")
def exact() -> np.ndarray:
    start = [1.2, 1.7, 0.0, 0.0]
    end = solve_ivp(rods, (0.0, DURATION), start, "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    return np.array([end[0], end[1] - end[0]])


def final_error(system: Any, method: str, step: float, exact: np.ndarray) -> float:
    run = system.simulate(DURATION, step=step, method=method, initial=START, outputs=[])
    found = np.array([run["first.angle"][-1], run["second.angle"][-1]])
    return float(np.abs(found - exact).max())


@pytest.mark.parametrize(
    ("method", "order", "step"),
    [
        ("explicit-euler", 1, 2e-5),
        ("semi-implicit-euler", 1, 2e-5),
        ("complementarity", 1, 2e-5),
        ("rk4", 4, 2e-3),
    ],
)
@pytest.mark.validation("numerics")
def test_order_of_fixed_step_methods(
    double: Any, exact: np.ndarray, method: str, order: int, step: float, agrees: Agrees
) -> None:
    errors = [final_error(double, method, h, exact) for h in (step, step / 2, step / 4)]
    orders = [np.log2(a / b) for a, b in zip(errors, errors[1:], strict=False)]
    agrees(
        f"double pendulum: order of convergence of {method}", orders, [order, order], abs=0.15,
        source="Theory of the method, error against DOP853 of SciPy at 1e-13",
    )  # fmt: skip


def drift(run: Any) -> float:
    energy = run["energy.total"]
    return float(np.abs(energy - energy[0]).max())


@pytest.mark.validation("numerics")
def test_energy_of_fixed_step_methods(double: Any, agrees: Agrees) -> None:
    def lost(method: str, step: float) -> float:
        return drift(double.simulate(5.0, step=step, method=method, initial=START, watch=False))

    agrees(
        "double pendulum, 5 s of rk4 at 1 ms: change of energy", lost("rk4", 1e-3), 0.0,
        abs=1e-7, unit="J", source="Balance of energy, which is conserved",
    )  # fmt: skip
    # Explicit Euler feeds in energy in proportion to time; the semi-implicit one keeps it
    # within a band in proportion to the step.
    assert lost("explicit-euler", 1e-3) > 0.05
    assert lost("semi-implicit-euler", 1e-3) < 0.5 * lost("explicit-euler", 1e-3)
    assert lost("semi-implicit-euler", 5e-4) == pytest.approx(
        0.5 * lost("semi-implicit-euler", 1e-3), rel=0.1
    )


def variable_step_methods() -> list[str]:
    methods = section("INTEGRATORS")
    return [name for name in methods if not isinstance(load("method", name, methods), FixedStep)]


@pytest.mark.parametrize("method", variable_step_methods())
@pytest.mark.validation("numerics")
def test_energy_and_end_of_variable_step_methods(
    double: Any, exact: np.ndarray, method: str, agrees: Agrees
) -> None:
    if method in SUNDIALS:
        pytest.importorskip("sksundae")
    tolerances = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}
    # The longest step: some methods choose only the parts of it.
    run = double.simulate(DURATION, step=DURATION, method=method, initial=START, **tolerances)
    found = np.array([run["first.angle"][-1], run["second.angle"][-1]])
    agrees(
        "double pendulum after 1 s by variable steps: angles", found, exact, abs=1e-6, unit="rad",
        case=method,
        source="Equations by hand, after Lagrange, by DOP853 of SciPy",
    )  # fmt: skip
    assert drift(run) < 1e-5
