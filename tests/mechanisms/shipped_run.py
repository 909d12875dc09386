"""Shipped models: their equations, and the runs that they propose."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.registry import section
from axletree.model.model import Model
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

# Vehicles by body and axles, of the same components as the compact car, which stands for them
# wherever equations are made; tests/vehicles/test_package_vehicles.py has what is their own.
LIKE_THE_COMPACT_CAR = (
    "sedan", "automatic-sedan", "sports-car", "suv", "van", "truck-4x2", "formula-student",
)  # fmt: skip
WITH_TRAILERS = ("car-with-caravan", "car-with-tail-heavy-caravan", "tractor-semitrailer")
# Vehicles by hard points, with all of their links; the compact car stands for them in quick tests.
LINKED = {
    "double-wishbone-sports-car", "macpherson-compact-car", "five-link-sedan",
    "pushrod-formula-student", "leaf-spring-pickup", "beam-axle-truck",
}  # fmt: skip
# What is tried of every model takes seconds of these, and longer of the largest.
LARGE = {"off-road-truck", "rover", "double-wishbone-sports-car"}
LARGEST = LINKED - LARGE - {"macpherson-compact-car"}


def models() -> list[str]:
    """The shipped models by name, and of vehicles by body and axles one."""
    alike = (*LIKE_THE_COMPACT_CAR, *WITH_TRAILERS)
    return [name for name in section("MODELS") if name not in alike]


def models_in_stages(names: Iterable[str]) -> list[Any]:
    """Models for the quick tests, those for the slow ones, and those of ``make test-long``."""
    stages = dict.fromkeys(LARGE, pytest.mark.slow) | dict.fromkeys(LARGEST, pytest.mark.long)
    return [pytest.param(n, marks=stages[n]) if n in stages else n for n in names]


def form_of(name: str) -> str:
    """Of a shipped model where a test asks for none: projected, but for vehicles on many loops."""
    return "automatic" if name in LINKED else "projected"


@cache
def shipped_system(name: str, form: str | None = None) -> System:
    """The equations of a shipped model, made once for all tests of a worker."""
    return at.read_model(name).formulate(form=form or form_of(name))


@cache
def shipped_run(name: str) -> tuple[Model, System, Trajectory]:
    """Everything recorded, and all of it finite."""
    model = at.read_model(name)
    run = model.run
    solves = (run.method or "").startswith("complementarity")
    system = shipped_system(name, "set-valued") if solves else shipped_system(name)
    assert run.duration is not None
    trajectory = system.simulate(
        run.duration, step=run.step, method=run.method or "rk4",
        record_interval=run.record_interval, inputs=run.inputs,
    )  # fmt: skip
    for column in trajectory.columns:
        assert np.isfinite(trajectory[column]).all(), column
    return model, system, trajectory


def spring_energy(run: Trajectory, tyre: str, radius: float, stiffness: float) -> np.ndarray:
    """In a tyre's spring [J]."""
    pressed = np.maximum(radius - run[f"{tyre}.loaded_radius"], 0.0)
    return np.asarray(0.5 * stiffness * pressed**2)
