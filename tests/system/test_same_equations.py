"""The same model has the same equations, whatever ran before and on whichever processor.

OpenBLAS adds in another order on another processor, here on one that it is told to take it for.
Numbers that differ in the last bit are other constants in the equations.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.double_wishbone_car import double_wishbone_car

import axletree as at
from axletree.expr.factorisation import choose_pivots
from axletree.system.mechanism import independent_columns

VEHICLES = ("double-wishbone-sports-car", "five-link-sedan")
CORNER = ("front_left",)


def described() -> Any:
    """Axes of all frames of vehicles by hard points, and operation counts of a loop."""
    frames = {
        f"{name}: {frame.name}": frame.turn
        for name in VEHICLES
        for component in at.read_model(name)
        for frame in getattr(component, "_placed", ())
    }
    system = double_wishbone_car(CORNER, tyres=False).formulate(form="embedded")
    return json.loads(json.dumps({"frames": frames, "operations": str(system.operations)}))


@pytest.mark.slow
def test_another_processor_and_other_models_before() -> None:
    """One without fused multiplication and addition; other names are hashed otherwise, too."""
    code = (
        "import json, axletree as at\n"
        "for name in ('six-bar', 'bicycle-car'): at.read_model(name).formulate()\n"
        "from system.test_same_equations import described\n"
        "print(json.dumps(described()))"
    )
    environment = {**os.environ, "OPENBLAS_CORETYPE": "Prescott", "PYTHONHASHSEED": "7"}
    environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    made = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    found, own = json.loads(made.stdout), described()
    assert found["operations"] == own["operations"]
    assert found["frames"] == own["frames"]


@pytest.mark.parametrize("larger", [0, 1])
def test_pivots_that_are_equal_but_for_rounding(larger: int) -> None:
    """Of two entries that would serve alike the first is taken, whichever is larger by rounding."""
    matrix = np.array([[1.0, 1.0], [1.0, -1.0]])
    matrix[0, larger] += 1e-15
    places = [(i, j) for i in range(2) for j in range(2)]
    assert choose_pivots(places, matrix[None])[0] == (0, 0)


@pytest.mark.parametrize("larger", [0, 1])
def test_columns_that_are_independent_alike(larger: int) -> None:
    matrix = np.array([[1.0, -1.0], [1.0, -1.0]])
    matrix[:, larger] *= 1.0 + 1e-15
    assert independent_columns(matrix) == [0]
