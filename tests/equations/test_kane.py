"""Two mechanisms against SymPy's KanesMethod, which forms its equations independently."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

import axletree as at
from axletree.expr import evaluate, symbol

GRAVITY = 9.81


def rates(system: Any, states: dict[str, float]) -> dict[str, float]:
    values = {q.symbol: q.default for q in system.parameters} | {symbol("time"): 0.0}
    values |= {symbol(name): value for name, value in states.items()}
    found = evaluate(list(system.derivatives), values)
    return {q.name: float(v) for q, v in zip(system.states, found, strict=True)}


def solved(kane: me.KanesMethod, bodies: Any, loads: Any, values: dict[Any, float]) -> np.ndarray:
    kane.kanes_equations(bodies, loads)
    mass = np.array(kane.mass_matrix.subs(values), dtype=float)
    forcing = np.array(kane.forcing.subs(values), dtype=float).ravel()
    return np.linalg.solve(mass, forcing)


def central(frame: me.ReferenceFrame, inertia: tuple[float, ...], at_point: me.Point) -> Any:
    return me.inertia(frame, *inertia), at_point


def test_a_spatial_double_pendulum() -> None:
    """Hinges about z, then about an axis that is along none of the coordinate axes."""
    axis = np.array([2.0, 1.0, 2.0]) / 3.0
    model = at.Model("double", gravity=(0.0, -GRAVITY, 0.0))
    one = model.add(at.RigidBody("one", 1.5, (0.2, 0.3, 0.25, 0.02, -0.01, 0.03)))
    two = model.add(at.RigidBody("two", 0.8, (0.1, 0.15, 0.12)))
    model.add(at.Revolute("a", model.ground, one.point(0.4, 0.0, 0.1), axis="z"))
    model.add(at.Revolute("b", two.point(0.0, 0.3, 0.0), one.point(-0.5, 0.2, 0.0), tuple(axis)))
    random = Random(3)
    q1, q2, u1, u2 = (random.uniform(-1.5, 1.5) for _ in range(4))
    found = rates(model.formulate(), {"a.angle": q1, "b.angle": q2, "a.rate": u1, "b.rate": u2})

    a, b, da, db = me.dynamicsymbols("a b da db")
    ground, first, second = (me.ReferenceFrame(name) for name in ("N", "A", "B"))
    first.orient_axis(ground, a, ground.z)
    along = first.x * sm.Rational(2, 3) + first.y * sm.Rational(1, 3) + first.z * sm.Rational(2, 3)
    # The joint's tail is on the second body, so the angle turns it backwards.
    second.orient_axis(first, -b, along)
    first.set_ang_vel(ground, da * ground.z)
    second.set_ang_vel(first, -db * along)
    origin = me.Point("O")
    origin.set_vel(ground, 0)
    c1 = origin.locatenew("c1", -0.4 * first.x - 0.1 * first.z)
    pin = c1.locatenew("pin", -0.5 * first.x + 0.2 * first.y)
    c2 = pin.locatenew("c2", -0.3 * second.y)
    c1.v2pt_theory(origin, ground, first)
    pin.v2pt_theory(origin, ground, first)
    c2.v2pt_theory(pin, ground, second)
    bodies = [
        # SymPy takes xx, yy, zz, xy, yz, zx.
        me.RigidBody("A", c1, first, 1.5,
                     central(first, (0.2, 0.3, 0.25, 0.02, 0.03, -0.01), c1)),
        me.RigidBody("B", c2, second, 0.8, central(second, (0.1, 0.15, 0.12), c2)),
    ]  # fmt: skip
    loads = [(c1, -1.5 * GRAVITY * ground.y), (c2, -0.8 * GRAVITY * ground.y)]
    kane = me.KanesMethod(ground, [a, b], [da, db], [da - a.diff(), db - b.diff()])
    expected = solved(kane, bodies, loads, {a: q1, b: q2, da: u1, db: u2})
    np.testing.assert_allclose([found["a.rate"], found["b.rate"]], expected, rtol=1e-10)


@pytest.mark.parametrize("tree", [None, ["top"]])
def test_a_heavy_top_with_euler_angles(tree: Any) -> None:
    """Precession, nutation and spin of a symmetric top on a ball."""
    model = at.Model("top", gravity=(0.0, 0.0, -GRAVITY))
    options = {"orientation": "313", "speeds": "derivatives"}
    top = model.add(at.RigidBody("top", 0.7, (0.05, 0.05, 0.02), **options))
    model.add(at.Spherical("ball", model.ground, top.point(0, 0, -0.3), **options))
    angles, speeds = (0.4, 0.9, -0.3), (1.2, -0.5, 20.0)
    names = ("precession", "nutation", "spin")
    owner = "ball" if tree is None else "top"
    state = {f"{owner}.{name}": value for name, value in zip(names, angles, strict=True)}
    state |= {f"{owner}.{name}_rate": value for name, value in zip(names, speeds, strict=True)}
    q, u = me.dynamicsymbols("q1:4"), me.dynamicsymbols("u1:4")
    ground, body = me.ReferenceFrame("N"), me.ReferenceFrame("B")
    body.orient_body_fixed(ground, q, "313")
    turning = body.ang_vel_in(ground).subs({x.diff(): v for x, v in zip(q, u, strict=True)})
    body.set_ang_vel(ground, turning)
    origin = me.Point("O")
    origin.set_vel(ground, 0)
    centre = origin.locatenew("C", 0.3 * body.z)
    centre.v2pt_theory(origin, ground, body)
    rigid = me.RigidBody("top", centre, body, 0.7, central(body, (0.05, 0.05, 0.02), centre))
    kane = me.KanesMethod(ground, q, u, [v - x.diff() for x, v in zip(q, u, strict=True)])
    values = dict(zip((*q, *u), (*angles, *speeds), strict=True))
    expected = solved(kane, [rigid], [(centre, -0.7 * GRAVITY * ground.z)], values)
    if tree is not None:
        R = np.array(body.dcm(ground).T.subs(values), dtype=float)
        w = np.array(turning.to_matrix(ground).subs(values), dtype=float).ravel()
        arm = R @ [0.0, 0.0, 0.3]
        state |= zip(("top.x", "top.y", "top.z"), arm.tolist(), strict=True)
        state |= zip(("top.vx", "top.vy", "top.vz"), np.cross(w, arm).tolist(), strict=True)
    found = rates(model.formulate(tree=tree), state)
    got = [found[f"{owner}.{name}_rate"] for name in names]
    np.testing.assert_allclose(got, expected, rtol=1e-9)
