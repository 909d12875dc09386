"""A car on double wishbones in every form and tree, against Newton's and Euler's equations.

The independent model has six speeds for each body and a row for each direction that a joint holds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.described_car import described_car, motion_outputs
from mechanisms.description import Mechanism
from mechanisms.double_wishbone_car import double_wishbone_car
from mechanisms.solved import Solved, absolute_tree

import axletree as at

TWO = ("front_left", "rear_right")  # one with a rack, one without
RACK = (0.012, -0.05, 0.4)  # m, m/s, m/s^2


@cache
def moving(corners: tuple[str, ...], seed: int) -> Mechanism:
    """In a state that is drawn: pose, travel of the wheels and all speeds that are free."""
    model = double_wishbone_car(corners, tyres=False)
    system = model.formulate(form="embedded")
    random = np.random.default_rng(seed)
    first = {f"free.{name}": 0.1 * random.normal() for name in ("x", "y", "yaw", "pitch", "roll")}
    first |= {f"free.{name}": random.normal() for name in ("vx", "vy", "vz", "wx", "wy", "wz")}
    for corner in corners:
        first[f"{corner}_lower.angle"] = 0.08 * random.normal()
        first[f"{corner}_lower.rate"] = random.normal()
        first[f"{corner}_axle.rate"] = 58.0 + random.normal()  # rad/s
    names = "", "_rate", "_acceleration"
    rack = {f"steering.position{n}": x for n, x in zip(names, RACK, strict=True)}
    state = system.state(first, inputs=rack)
    moved = system.outputs_at(state, motion_outputs(model), inputs=rack)
    return described_car(model, moved, RACK)[0]


def joint_coordinates(m: Mechanism) -> Any:
    return None


def absolute_coordinates(m: Mechanism) -> Any:
    return absolute_tree(m)


CASES: list[tuple[str, Any, Callable[[Mechanism], Any], tuple[str, ...]]] = [
    ("embedded", at.Embedded(), joint_coordinates, TWO),
    ("projected", at.Projected(), joint_coordinates, TWO),
    ("partition", at.Partition(newton_steps=1), joint_coordinates, TWO),
    ("absolute coordinates", at.Projected(), absolute_coordinates, TWO[:1]),
]


@pytest.mark.validation("mechanisms")
@pytest.mark.slow
@pytest.mark.parametrize(("name", "form", "tree", "corners"), CASES)
@pytest.mark.parametrize("seed", [1, 2])
def test_accelerations_and_reactions_are_those_of_newton_and_euler(
    name: str, form: Any, tree: Any, corners: tuple[str, ...], seed: int, agrees: Agrees
) -> None:
    m = moving(corners, seed)
    found = Solved(m, tree(m), form=form)
    expected = m.accelerations()
    agrees(
        "car on double wishbones: accelerations of all bodies", found.accelerations(), expected,
        abs=1e-9 * np.abs(expected).max(), unit="m/s², rad/s²",
        source="Independent model, Newton and Euler in maximal coordinates",
        case=f"{name}, state {seed}",
    )  # fmt: skip
    wrenches, forces = m.reactions()
    largest = max(np.abs(x).max() for pair in wrenches for x in pair)
    for k, pair in enumerate(wrenches):
        for word, wanted in zip(("force", "moment"), pair, strict=True):
            names = [f"j{k}.reaction.{word}.{axis}" for axis in "xyz"]
            if m.joints[k].kind == "Free" or names[0] not in found.outputs:
                assert np.abs(wanted).max() < 1e-9 * largest
                continue
            given = found.value(found.outputs[n] for n in names)
            np.testing.assert_allclose(given, wanted, atol=1e-9 * largest, err_msg=f"{k} {word}")
    assert abs(forces[0]) > 1.0  # N: the rack is driven
