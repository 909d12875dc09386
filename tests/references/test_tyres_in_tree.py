"""Tyre edges in the tree instead of the cotree (Morency 2007, sections 5.3.5 and 5.4.5).

The same vehicle in other variables: six coordinates of each wheel on the road, and
constraints for the joints that leave the tree. Both must move alike.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.expr import Expr, directional_derivative, evaluate
from axletree.expr.quantity import Role
from axletree.system.system import System

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
TYRES = [f"{corner}_tyre" for corner in CORNERS]
AXLES = [f"{corner}_axle" for corner in CORNERS]
STRUTS = [f"{corner}_strut" for corner in CORNERS]
KINGPINS = ["front_left_kingpin", "front_right_kingpin"]
TREES = {
    "car": {
        "translation": ["chassis", *TYRES, *AXLES, *KINGPINS],
        "rotation": ["chassis", "steer", "front_right_steer", *STRUTS, *TYRES],
    },
    "skidder": {
        "translation": ["chassis", "hinge", *TYRES],
        "rotation": ["chassis", "articulation", *TYRES],
    },
}


@pytest.fixture(scope="module", params=["car", "skidder"])
def pair(request: Any) -> tuple[str, System, System]:
    """A vehicle with its tyre edges in the cotree, and in the tree."""
    model = at.read_model(request.param)
    tree = model.formulate(tree=TREES[request.param])
    return request.param, shipped_system(request.param), tree


@pytest.mark.validation("graphs")
def test_state_counts(pair: tuple[str, System, System], agrees: Agrees) -> None:
    """36 and 20 states; 68 and 60 in the variables of the tyre edges (Morency 2007, 5.3.5)."""
    name, cotree, tree = pair
    slips = 8 if name == "car" else 0
    assert len(cotree.states) == {"car": 36, "skidder": 20}[name]
    assert len(cotree.constraints) == 0
    agrees(
        f"{name}, tyre edges in the tree: states", len(tree.states), 2 * 30 + slips, abs=0,
        source="Morency 2007, sections 5.3.5, 5.4.5",
    )  # fmt: skip
    assert len(tree.states) == {"car": 68, "skidder": 60}[name]
    assert len(tree.constraints) == 30 - cotree.degrees_of_freedom
    assert tree.degrees_of_freedom == cotree.degrees_of_freedom


def test_accelerations_are_equal(pair: tuple[str, System, System]) -> None:
    name, cotree, tree = pair
    random = Random(11)
    for _ in range(3):
        inputs = {q.name: random.uniform(-0.1, 0.1) for q in cotree.inputs}
        state = {q.name: q.default + random.uniform(-0.05, 0.05) for q in cotree.states}
        bodies = Moving(cotree, state, inputs)
        same = Moving(tree, in_the_tree(tree, state, bodies.values), inputs)
        assert largest_misfit(tree, same) < 1e-12
        quantities = [n for n in bodies.values if ".velocity." in n or ".angular_velocity." in n]
        assert len(quantities) > 30
        scale = max(abs(bodies.rates[n]) for n in quantities)
        for n in quantities:
            assert same.values[n] == pytest.approx(bodies.values[n], abs=1e-10), n
            assert same.rates[n] == pytest.approx(bodies.rates[n], rel=1e-9, abs=1e-9 * scale), n


@pytest.mark.slow
@pytest.mark.validation("graphs")
def test_a_run_is_the_same(pair: tuple[str, System, System], agrees: Agrees) -> None:
    """Through whole turns of the wheels, steered and braked."""
    name, cotree, tree = pair
    driven = {"car": "steer.angle", "skidder": "articulation.angle"}[name]
    torque = {"car": "-300*t", "skidder": "-5000*t"}[name]
    inputs: dict[str, Any] = {f"{corner}_brake.torque": torque for corner in CORNERS}
    inputs[driven] = at.read_model(name).run.inputs[driven]
    joints = cotree.simulate(1.0, step=1e-3, inputs=inputs, outputs=[])
    first = {q.name: q.default for q in cotree.states}
    zero = {q.name: 0.0 for q in cotree.inputs}
    rate = 2 * math.pi / 10 * math.radians({"car": 1.0, "skidder": 5.0}[name])
    body = Moving(cotree, first, zero | {f"{driven}_rate": rate}).values
    wheels = tree.simulate(
        1.0, step=1e-3, inputs=inputs, outputs=[], initial=in_the_tree(tree, first, body)
    )
    turned = wheels["front_left_tyre.pitch"]
    assert abs(turned[-1] - turned[0]) > 2 * math.pi
    moving = [f"chassis.{n}" for n in ("x", "y", "z", "yaw", "pitch", "roll", "vx", "vy", "wz")]
    agrees(
        f"{name}, steered and braked, tyre edges in the tree: motion over 1 s",
        [wheels[n] for n in moving], [joints[n] for n in moving], abs=1e-7,
        source="Another formulation, tyre edges in the cotree",
    )  # fmt: skip


class Moving:
    """Motion of all bodies in the world, and its rates, at one instant of a system."""

    def __init__(self, system: System, state: dict[str, float], inputs: dict[str, float]) -> None:
        found = [d for d in system.outputs if _of_a_body(d.quantity.name)]
        symbols = {q.name: q.symbol for q in system.inputs}
        along = dict(zip((q.symbol for q in system.states), system.derivatives, strict=True))
        along |= {symbols[q.derivative_of]: q.symbol for q in system.inputs if q.derivative_of}
        expressions = [d.expression for d in found]
        self.at: dict[Expr, float] = {q.symbol: q.default for q in system.parameters}
        self.at |= {q.symbol: state[q.name] for q in system.states}
        self.at |= {q.symbol: inputs[q.name] for q in system.inputs}
        names = [d.quantity.name for d in found]
        values = evaluate(expressions, self.at)
        rates = evaluate(directional_derivative(expressions, along), self.at)
        self.values = dict(zip(names, map(float, values), strict=True))
        self.rates = dict(zip(names, map(float, rates), strict=True))


def _of_a_body(name: str) -> bool:
    kinds = (".position.", ".velocity.", ".angular_velocity.", ".rotation.")
    return any(kind in name for kind in kinds)


def in_the_tree(tree: System, state: dict[str, float], body: dict[str, float]) -> dict[str, float]:
    """The states of the tree from those of the joints: wheels where the bodies have them."""
    found = {q.name: state.get(q.name, 0.0) for q in tree.states}
    for corner in CORNERS:
        wheel, tyre = f"{corner}_wheel", f"{corner}_tyre"
        rows = [[body[f"{wheel}.rotation.{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)]
        R = np.array(rows)  # Rz(yaw) Rx(roll) Ry(pitch)
        turning = R.T @ [body[f"{wheel}.angular_velocity.{k}"] for k in "xyz"]
        for k, letter in enumerate("xyz"):
            found[f"{tyre}.{letter}"] = body[f"{wheel}.position.{letter}"]
            found[f"{tyre}.v{letter}"] = body[f"{wheel}.velocity.{letter}"]
            found[f"{tyre}.w{letter}"] = float(turning[k])
        found[f"{tyre}.yaw"] = math.atan2(-R[0, 1], R[1, 1])
        found[f"{tyre}.roll"] = math.asin(R[2, 1])
        found[f"{tyre}.pitch"] = math.atan2(-R[2, 0], R[2, 2])
    assert {q.name for q in tree.states if q.role is Role.STATE} <= set(found)
    return found


def largest_misfit(tree: System, moving: Moving) -> float:
    positions = evaluate([c.position for c in tree.source.constraints], moving.at)
    return max(abs(float(value)) for value in positions)
