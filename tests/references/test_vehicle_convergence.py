"""Orders of the integrators on the two vehicles, in the first second of the sine steer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.core.registry import load, section
from axletree.simulation.fixed_step import FixedStep

DURATION = 1.0
SUNDIALS = ("cvode", "ida")


class Vehicle:
    """A vehicle, its manoeuvre, and where it ends by a method of order 8."""

    def __init__(self, name: str) -> None:
        described = at.read_model(name)
        self.name = name
        self._system, self._inputs = shipped_system(name), described.run.inputs
        tight = {"relative_tolerance": 1e-12, "absolute_tolerance": 1e-13}
        self._exact = self.end(method="dop853", **tight)

    def end(self, **settings: Any) -> np.ndarray:
        run = self._system.simulate(
            DURATION, inputs=self._inputs, outputs=[], record_interval=DURATION, **settings
        )
        return np.array(list(run.final_state.values()))

    def error(self, **settings: Any) -> float:
        """Over all states, relative where they are greater than 1."""
        off = (self.end(**settings) - self._exact) / np.maximum(np.abs(self._exact), 1.0)
        return float(np.linalg.norm(off))


@pytest.fixture(scope="module", params=["car", "skidder"])
def vehicle(request: pytest.FixtureRequest) -> Vehicle:
    return Vehicle(request.param)


# RK4 is at rounding below 1 ms on the skidder.
FIXED = {
    "explicit-euler": (1, [4e-4, 2e-4, 1e-4], 0.02),
    "semi-implicit-euler": (1, [4e-4, 2e-4, 1e-4], 0.02),
    "rk4": (4, [8e-3, 4e-3, 2e-3], 0.7),
}


@pytest.mark.parametrize("method", FIXED)
@pytest.mark.validation("numerics")
def test_order_of_fixed_step_methods(vehicle: Vehicle, method: str, agrees: Agrees) -> None:
    order, steps, within = FIXED[method]
    errors = [vehicle.error(method=method, step=step) for step in steps]
    orders = [np.log2(a / b) for a, b in zip(errors, errors[1:], strict=False)]
    agrees(
        f"{vehicle.name}, sine steer: order of convergence of {method}", orders, [order, order],
        abs=within, source="Theory of the method, error against dop853 at 1e-12",
    )  # fmt: skip


def variable_step_methods() -> list[str]:
    methods = section("INTEGRATORS")
    return [name for name in methods if not isinstance(load("method", name, methods), FixedStep)]


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("method", variable_step_methods())
def test_error_of_variable_step_methods_falls_with_the_tolerance(
    vehicle: Vehicle, method: str
) -> None:
    if method in SUNDIALS:
        pytest.importorskip("sksundae")
    errors = [
        vehicle.error(
            method=method, step=DURATION, relative_tolerance=r, absolute_tolerance=1e-2 * r
        )
        for r in (1e-5, 1e-9)
    ]
    assert errors[0] > 100.0 * errors[1]
    assert errors[1] < 1e-6
