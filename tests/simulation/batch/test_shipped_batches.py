"""Batches of shipped vehicles by every integrator that lanes take, against single runs: each method
with one of the vehicles in the plane, whose equations are formed in a second."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.code.backends.c import find_compiler
from axletree.model.model import Model
from axletree.simulation.simulate import form_for

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

METHODS = ("explicit-euler", "semi-implicit-euler", "rk4", "ros2", "row3", "row4")
IN_THE_PLANE = ("sedan", "compact-car", "van", "formula-student", "truck-4x2", "suv")
LESS_TRIED = ("ros2", "row3")  # the others step further models in test_batch.py
CLOSE = 1e-9  # of the largest value of a state, or of 1
MEMBERS, STEPS = 3, 20


def agree(model: Model, method: str, seed: int) -> None:
    """Members with random parameters end where single vehicles end."""
    system = model.formulate(form=form_for(method))
    rng = np.random.default_rng(seed)
    columns = {
        q.name: q.default * (1.0 + 0.02 * rng.uniform(-1.0, 1.0, MEMBERS))
        for q in system.parameters
        if q.default and "inertia" not in q.name and "product" not in q.name
        and q.name.rpartition(".")[2] in ("mass", "stiffness", "damping", "cornering_stiffness")
    }  # fmt: skip
    run: dict[str, Any] = {"duration": STEPS * 1e-3, "step": 1e-3, "method": method, "outputs": []}
    names = [q.name for q in system.states]
    found = system.batch(parameters=columns, **{**run, "outputs": names})
    assert not found.failures
    for k in (0, MEMBERS - 1):
        own = {name: float(column[k]) for name, column in columns.items()}
        exact = system.simulate(parameters=own, watch=False, **run)
        for name in names:
            scale = max(float(np.max(np.abs(exact[name]))), 1.0)
            end = found[f"{name}.final"][k]
            assert end == pytest.approx(exact[name][-1], abs=CLOSE * scale), name


@pytest.mark.parametrize(
    ("name", "method"),
    [
        pytest.param(*pair, marks=() if pair[1] in LESS_TRIED else pytest.mark.slow)
        for pair in zip(IN_THE_PLANE, METHODS, strict=True)
    ],
)
def test_each_method_with_a_vehicle_in_the_plane(name: str, method: str) -> None:
    fidelity = "single-track" if name != "van" else "linear"
    agree(at.read_model(name, {"vehicle": {"fidelity": fidelity}}), method, seed=1)
