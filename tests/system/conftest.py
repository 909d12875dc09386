"""Mechanisms with loops, and numbers for the symbols of their systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.expr import Expr, evaluate, symbol
from axletree.system.consistent_states import consistent_states

INERTIA = (0.1, 0.12, 0.14)


class Numbers:
    """A system at states that are given by name; the rest are consistent with them."""

    def __init__(self, system: Any, given: Mapping[str, float]) -> None:
        self.system = system
        self.values: dict[Expr, Any] = {symbol("time"): 0.0}
        self.values |= {q.symbol: q.default for q in (*system.parameters, *system.inputs)}
        start = consistent_states(system, given, self.values)
        self.names = [q.name for q in system.states]
        self.values |= zip(map(symbol, self.names), start.tolist(), strict=True)

    @property
    def states(self) -> np.ndarray:
        return np.array([self.values[symbol(name)] for name in self.names])

    def at(self, states: np.ndarray) -> dict[Expr, Any]:
        return self.values | dict(zip(map(symbol, self.names), states.tolist(), strict=True))

    def of(self, expressions: Any, states: np.ndarray | None = None) -> np.ndarray:
        values = self.values if states is None else self.at(states)
        return np.array(evaluate(list(expressions), values), dtype=float)

    def output(self, name: str) -> float:
        found = {d.quantity.name: d.expression for d in self.system.outputs}
        return float(self.of([found[name]])[0])

    def positions(self, states: np.ndarray) -> np.ndarray:
        return self.of((c.position for c in self.system.constraints), states)

    def velocities(self, states: np.ndarray) -> np.ndarray:
        return self.of((c.velocity for c in self.system.constraints), states)


def build_four_bar() -> Any:
    model = at.Model("four_bar")
    a, b, c = (model.add(at.RigidBody(name, 1.0, INERTIA)) for name in "ABC")
    model.add(at.Revolute("a", model.ground, a.point(-0.5, 0, 0), axis="y"))
    model.add(at.Revolute("b", a.point(0.5, 0, 0), b.point(-1, 0, 0), axis="y"))
    model.add(at.Revolute("c", b.point(1, 0, 0), c.point(-0.75, 0, 0), axis="y"))
    model.add(at.Revolute("d", model.ground.point(2, 0, 0), c.point(0.75, 0, 0), axis="y"))
    model.start = {"a.angle": -1.0, "b.angle": 0.8}
    return model


def build_pendulum(inertia: tuple[float, ...] = INERTIA) -> Any:
    model = at.Model("pendulum")
    rod = model.add(at.RigidBody("rod", 1.3, inertia))
    model.add(at.Revolute("pin", model.ground, rod.point(0, 0, 0.5), axis="y"))
    return model


@pytest.fixture
def four_bar() -> Any:
    return build_four_bar()


@pytest.fixture
def pendulum() -> Any:
    return build_pendulum()


@pytest.fixture
def slender_pendulum() -> Any:
    """A rod without inertia about its axis: in its own coordinates the mass is singular."""
    return build_pendulum((0.1, 0.1, 0.0))


@pytest.fixture
def numbers() -> type[Numbers]:
    return Numbers
