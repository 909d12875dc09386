"""Ground that is smoother than elsewhere is drawn where the tyres find it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.live_pages.scene_recipe import scene_recipe
from axletree.simulation.stepper.step_program import own_start

SPLIT = {"type": "split", "left": 1.0, "right": 0.2, "begin": "30 m"}
CELLS = {
    "type": "cells", "x": 20.0, "y": -8.0, "length_x": 30.0, "length_y": 16.0,
    "factors": [[0.3, 1.0], [1.0, 0.3]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("friction", "expected"),
    [
        (SPLIT, [((30.0, 150.0), (-150.0, 0.0))]),
        (CELLS, [((20.0, 35.0), (-8.0, 0.0)), ((35.0, 50.0), (0.0, 8.0))]),
    ],
)
def test_it_lies_where_the_friction_is_low(friction: dict[str, Any], expected: list[Any]) -> None:
    road = {"type": "flat", "friction_map": friction}
    model = at.read_model("sedan", {"vehicle": {"fidelity": "two-track", "road": road}})
    system = model.formulate()
    values = {quantity.name: quantity.default for quantity in system.parameters}
    scene = scene_recipe(model, system, own_start(system), values, "car").scene
    icy = [ground for ground in scene.grounds if ground.colour == "ice"]
    seen = sorted(
        ((float(g.x.min()), float(g.x.max())), (float(g.y.min()), float(g.y.max()))) for g in icy
    )
    gap = 2.0  # m, of the grid that it is drawn on
    assert np.shape(seen) == np.shape(expected)
    assert np.abs(np.array(seen) - np.array(expected)).max() < gap + 2.0  # m, and wheels' places
