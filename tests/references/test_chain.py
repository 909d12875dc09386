"""Many bodies: the size of the equations of a chain, and long chains and loops that run."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

import axletree as at

LENGTH = 0.2  # of a body [m]


def add_chain(model: Any, count: int, axes: str) -> Any:
    """Bodies in a row along x, the first on the ground; out comes the tip of the last."""
    tail = model.ground
    for k in range(count):
        body = model.add(at.RigidBody(f"body{k}", 0.5, (1e-4, 2e-3, 2e-3)))
        root = body.point(-LENGTH / 2, 0, 0, "root")
        model.add(at.Revolute(f"joint{k}", tail, root, axis=axes[k % len(axes)]))
        tail = body.point(LENGTH / 2, 0, 0, "tip")
    return tail


def chain(count: int) -> Any:
    model = at.Model("chain")
    add_chain(model, count, "yz")
    return model


def polygon(count: int) -> Any:
    """A regular polygon that hangs in the plane x, z; the ground is the last of its sides."""
    model = at.Model("loop")
    tip = add_chain(model, count, "y")
    turn, heading = 2.0 * math.pi / (count + 1), 0.3
    model.start = {f"joint{k}.angle": turn if k else heading for k in range(count)}
    last = heading + count * turn
    end = model.ground.point(-LENGTH * math.cos(last), 0.0, LENGTH * math.sin(last), "end")
    model.add(at.Revolute("last", tip, end, axis="y"))
    return model


def counts(system: Any) -> tuple[int, int, int, int]:
    found = system.program(outputs=[]).rhs.operations
    return found.additions, found.multiplications, found.divisions, found.functions


def measured(what: str, start: float) -> None:
    print(f"{what}: {time.perf_counter() - start:.2f} s")


def test_operations_of_a_chain_grow_linearly() -> None:
    few, more, most = (counts(chain(n).formulate()) for n in (6, 12, 24))
    growth = [b - a for a, b in zip(few, more, strict=True)]
    assert all(g > 0 for g in growth)
    assert [b - a for a, b in zip(more, most, strict=True)] == [2 * g for g in growth]


def test_operations_of_a_loop_grow_linearly() -> None:
    few, more, most = (counts(polygon(n).formulate()) for n in (6, 12, 24))
    growth = [b - a for a, b in zip(few, more, strict=True)]
    assert all(g > 0 for g in growth)
    assert [b - a for a, b in zip(more, most, strict=True)] == [2 * g for g in growth]


@pytest.mark.slow
def test_a_chain_of_100_bodies_formulates_and_runs() -> None:
    start = time.perf_counter()
    system = chain(100).formulate()
    measured("formulation of 100 bodies", start)
    assert system.degrees_of_freedom == 100
    print("operations:", counts(system))
    start = time.perf_counter()
    bent = {f"joint{k}.angle": 0.1 * math.sin(1.0 + k) for k in range(100)}
    run = system.simulate(0.2, step=2e-4, initial=bent, outputs=["energy.total", "energy.kinetic"])
    measured("code, compilation and 1000 steps", start)
    energy = run["energy.total"]
    assert run["energy.kinetic"][-1] > 10.0
    assert np.abs(energy - energy[0]).max() < 1e-6 * run["energy.kinetic"][-1]


@pytest.mark.slow
def test_a_loop_of_50_bodies_formulates_and_runs() -> None:
    start = time.perf_counter()
    system = polygon(50).formulate()
    measured("formulation of a loop of 50 bodies", start)
    # 50 hinges of the tree; of what the last one holds, two rows are not met by all motions.
    assert system.degrees_of_freedom == 48
    start = time.perf_counter()
    run = system.simulate(
        0.3, step=2e-4, outputs=["energy.total", "energy.kinetic", "body49.position.x"]
    )
    measured("code, compilation and 1500 steps", start)
    energy, kinetic = run["energy.total"], run["energy.kinetic"]
    assert kinetic[-1] > 1.0
    assert np.abs(energy - energy[0]).max() < 1e-6 * kinetic[-1]
    assert closed(run, 50)


@pytest.mark.long
def test_a_loop_of_50_bodies_in_space_formulates_initialises_and_runs() -> None:
    """Hinges along y and z by turns; the tip is brought to a place it does not start at."""
    model = at.Model("loop_in_space")
    tip = add_chain(model, 50, "yz")
    turn = 2.0 * math.pi / 25
    model.start = {
        f"joint{k}.angle": 0.05 * math.sin(k) if k % 2 else turn for k in range(50)
    }  # fmt: skip
    end = model.ground.point(0.1, 0.05, 0.02, "end")
    model.add(at.Revolute("last", tip, end, axis="z"))
    start = time.perf_counter()
    system = model.formulate()
    measured("formulation of a loop of 50 bodies in space", start)
    assert system.degrees_of_freedom == 50 - 5
    wanted = ["energy.total", "energy.kinetic"]
    tips = [f"body49.{word}" for word in ("position.x", "position.y", "position.z")]
    axes = [f"body49.rotation.{k}1" for k in (1, 2, 3)]
    run = system.simulate(0.1, step=2e-4, outputs=[*wanted, *tips, *axes])
    energy, kinetic = run["energy.total"], run["energy.kinetic"]
    assert kinetic[-1] > 1.0
    assert np.abs(energy - energy[0]).max() < 1e-8 * kinetic[-1]
    place = np.array([run[a] + LENGTH / 2 * run[b] for a, b in zip(tips, axes, strict=True)])
    assert np.abs(place - np.array([[0.1], [0.05], [0.02]])).max() < 1e-9


def closed(run: Any, count: int) -> bool:
    """Whether the sides and the ground still make a polygon, by adding them up."""
    heading = np.cumsum([run[f"joint{k}.angle"] for k in range(count)], axis=0)
    x = LENGTH * np.cos(heading).sum(axis=0)
    z = -LENGTH * np.sin(heading).sum(axis=0)
    gap = np.hypot(x - x[0], z - z[0])
    return bool(gap.max() < 1e-9)
