"""Batches of shipped vehicles by every integrator that lanes take, against single runs.

The product of vehicles and methods is of ``make test-long``; the quick stage has each method with
one of the vehicles in the plane, whose equations are formed in a second.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import LARGEST

import axletree as at
from axletree.analysis.studies.driven_batch import batch_method
from axletree.code.backends.c import find_compiler
from axletree.core.registry import section
from axletree.model.model import Model
from axletree.simulation.simulate import form_for
from axletree.vehicles.vehicle import Vehicle

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

METHODS = ("explicit-euler", "semi-implicit-euler", "rk4", "ros2", "row3", "row4")
IN_THE_PLANE = ("sedan", "compact-car", "van", "formula-student", "truck-4x2", "suv")
FURTHER = ("motorcycle", "skidder", "rover", "three-wheeler", "car", "quarter-vehicle-on-soil",
           "car-on-soil", "skidder-on-soil")  # fmt: skip
LESS_TRIED = ("ros2", "row3")  # the others step further models in test_batch.py
CLOSE = 1e-9  # of the largest value of a state, or of 1
MEMBERS, STEPS = 3, 20


def vehicles() -> list[str]:
    """All that are described by body and axles, and further ones that drive."""
    return [*(n for n in section("MODELS") if n not in FURTHER and _is_described(n)), *FURTHER]


def _is_described(name: str) -> bool:
    return name.endswith(("car", "sedan", "van", "suv", "truck-4x2", "student", "pickup", "truck",
                          "semitrailer", "caravan")) and name not in (
        "bicycle-car", "quarter-car", "drifting-car", "off-road-truck")  # fmt: skip


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


@pytest.mark.long
@pytest.mark.shipped_flags
@pytest.mark.parametrize(("name", "method"), list(product(vehicles(), METHODS)))
def test_all_methods_with_all_vehicles(name: str, method: str) -> None:
    model = at.read_model(name)
    if batch_method(model) == "complementarity-sweeps":
        if method != METHODS[0]:
            pytest.skip("its forces are solved for by sweeps alone")
        method = "complementarity-sweeps"
    stiff = name in LARGEST or "soil" in name
    if stiff and not method.startswith("row") and method != "complementarity-sweeps":
        pytest.skip("too stiff for explicit steps of 1 ms")
    agree(model, method, seed=2)


@pytest.mark.long
def test_all_vehicles_are_tried() -> None:
    """Those of the package that are described by body and axles."""
    described = {
        name for name in section("MODELS")
        if isinstance(at.read_model(name).described.get("vehicle"), Vehicle)
    }  # fmt: skip
    assert described <= {*vehicles()}
