"""The plane double pendulum: Landau and Lifshitz, Mechanics, section 5, problem 1.

Two point masses on massless rods; phi1 and phi2 are the angles of the rods with the
vertical. The joint coordinates of the model are a = phi1 and b = phi2 - phi1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from agreement import Agrees
from scipy.integrate import solve_ivp

import axletree as at
from axletree.expr import symbol, to_sympy
from axletree.expr.expression import ZERO

M1, M2, L1, L2, G = 1.3, 0.7, 0.9, 0.6, 9.81
START = {"first.angle": 1.9, "second.angle": -0.8, "first.rate": 0.4, "second.rate": -1.1}


def model() -> Any:
    """Gravity along x, so that the angles count from the vertical."""
    double = at.Model("double", gravity=(G, 0.0, 0.0))
    bob1 = double.add(at.RigidBody("bob1", M1))
    bob2 = double.add(at.RigidBody("bob2", M2))
    double.add(at.Revolute("first", double.ground, bob1.point(-L1, 0, 0, "top"), axis="z"))
    double.add(at.Revolute("second", bob1, bob2.point(-L2, 0, 0, "top"), axis="z"))
    return double


def lagrange_equations() -> tuple[sympy.Matrix, sympy.Matrix, dict[str, Any]]:
    """M and b of the Lagrangian in the joint coordinates, and the symbols by model name."""
    m1, m2, l1, l2, g = sympy.symbols("m1 m2 l1 l2 g")
    q = sympy.Matrix(sympy.symbols("a b"))
    p = sympy.Matrix(sympy.symbols("adot bdot"))
    phi1, phi2, w1, w2 = q[0], q[0] + q[1], p[0], p[0] + p[1]
    L = (
        (m1 + m2) * l1**2 * w1**2 / 2
        + m2 * l2**2 * w2**2 / 2
        + m2 * l1 * l2 * w1 * w2 * sympy.cos(phi1 - phi2)
        + (m1 + m2) * g * l1 * sympy.cos(phi1)
        + m2 * g * l2 * sympy.cos(phi2)
    )
    momentum = sympy.Matrix([L]).jacobian(p).T
    M = momentum.jacobian(p)
    b = sympy.Matrix([L]).jacobian(q).T - momentum.jacobian(q) * p
    names = {
        "bob1.mass": m1, "bob2.mass": m2, "bob1.top.x": -l1, "bob2.top.x": -l2, "gravity.x": g,
        "first.angle": q[0], "second.angle": q[1], "first.rate": p[0], "second.rate": p[1],
    }  # fmt: skip
    return M, b, names


def test_equations_are_those_of_the_lagrangian() -> None:
    M, b, names = lagrange_equations()
    dynamics = model().formulate().source.dynamics
    symbols = {symbol(name): value for name, value in names.items()}
    places = [(0, 0), (1, 0), (1, 0), (1, 1)]
    found = sympy.Matrix(to_sympy([dynamics.mass.get(p, ZERO) for p in places], symbols))
    difference = (found.reshape(2, 2) - M).expand(trig=True)
    assert difference.applyfunc(sympy.trigsimp) == sympy.zeros(2, 2)
    forcing = sympy.Matrix(to_sympy(dynamics.forcing, symbols))
    assert (forcing - b).expand(trig=True).applyfunc(sympy.trigsimp) == sympy.zeros(2, 1)


def textbook(t: float, state: np.ndarray) -> list[float]:
    """The two equations of the pendulum in phi1 and phi2, solved for the accelerations."""
    phi1, phi2, w1, w2 = state
    c, s = np.cos(phi1 - phi2), np.sin(phi1 - phi2)
    M = [[(M1 + M2) * L1, M2 * L2 * c], [L1 * c, L2]]
    b = [
        -M2 * L2 * w2**2 * s - (M1 + M2) * G * np.sin(phi1),
        L1 * w1**2 * s - G * np.sin(phi2),
    ]
    return [w1, w2, *np.linalg.solve(M, b)]


def textbook_run(times: np.ndarray) -> np.ndarray:
    first = [
        START["first.angle"],
        START["first.angle"] + START["second.angle"],
        START["first.rate"],
        START["first.rate"] + START["second.rate"],
    ]
    span = (0.0, float(times[-1]))
    solved = solve_ivp(textbook, span, first, "DOP853", t_eval=times, rtol=1e-12, atol=1e-13)
    return np.asarray(solved.y)


TREES: list[Any] = [None, ["bob1", "bob2"], {"translation": ["bob1", "bob2"]}]


@pytest.mark.parametrize("tree", TREES, ids=["joint", "absolute", "mixed"])
@pytest.mark.validation("mechanisms")
def test_runs_like_the_textbook_equations(tree: Any, agrees: Agrees) -> None:
    system = model().formulate(tree=tree)
    inner = system.source.coordinates[-1].name.endswith("angle")
    start = START if inner else _absolute(START)
    run = system.simulate(2.0, step=2.5e-4, initial=start, record_interval=0.01)
    phi1, phi2, _, _ = textbook_run(run.time)
    for name, x, y in (
        ("bob1", L1 * np.cos(phi1), L1 * np.sin(phi1)),
        ("bob2", L1 * np.cos(phi1) + L2 * np.cos(phi2), L1 * np.sin(phi1) + L2 * np.sin(phi2)),
    ):
        chosen = "joints" if tree is None else "bodies" if isinstance(tree, list) else "both"
        agrees(
            "double pendulum: places of the bobs over 2 s", run[f"{name}.position.x"], x,
            abs=1e-8, unit="m", case=f"{name}, {chosen} as tree",
            source="Equations by hand, after Lagrange, by DOP853 of SciPy",
        )  # fmt: skip
        assert np.abs(run[f"{name}.position.y"] - y).max() < 1e-8
    energy = run["energy.total"]
    assert np.abs(energy - energy[0]).max() < 1e-8


def _absolute(joints: dict[str, float]) -> dict[str, float]:
    phi2 = joints["first.angle"] + joints["second.angle"]
    rate2 = joints["first.rate"] + joints["second.rate"]
    return {
        "bob1.yaw": joints["first.angle"],
        "bob1.yaw_rate": joints["first.rate"],
        "bob2.yaw": phi2,
        "bob2.yaw_rate": rate2,
    }


def test_reaction_at_the_upper_pin_holds_what_the_bobs_need() -> None:
    """By the momentum of both bobs: the pin's force is their change of momentum less weight."""
    run = model().formulate().simulate(0.5, step=1e-4, initial=START, record_interval=1e-3)
    for axis, weight in (("x", (M1 + M2) * G), ("y", 0.0)):
        momentum = run[f"momentum.linear.{axis}"]
        needed = (momentum[2:] - momentum[:-2]) / 2e-3 - weight
        found = run[f"first.reaction.force.{axis}"][1:-1]
        assert np.abs(found - needed).max() < 2e-4 * np.abs(needed).max()
