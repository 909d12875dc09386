"""A rigid two-wheeler whose wheels do not steer, in space or in the plane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import axletree as at
from axletree.expr import Expr, evaluate
from axletree.system.system import System

MASS, INERTIA = 700.0, (60.0, 220.0, 230.0)
WHEEL, SPIN, TURN = 15.0, 0.8, 0.4  # kg, kg m^2 about the axle and across it
WHEELS = {"front": (1.1, -0.2), "rear": (-0.9, -0.2)}  # from the centre of mass, along and up
RADIUS, HEIGHT = 0.3, 0.5


def two_wheeler(
    law: Any,
    normal_force: Any = "none",
    *,
    plane: bool = False,
    radii: Mapping[str, float] | None = None,
    wheels: Mapping[str, tuple[float, float]] = WHEELS,
    **parts: Any,
) -> at.Model:
    """``plane`` keeps it upright and straight; ``parts`` are of both tyres."""
    model = at.Model("two_wheeler")
    body = model.add(at.RigidBody("body", MASS, INERTIA))
    if plane:
        model.add(at.Planar("plane", model.ground, body, normal="y"))
    for name, (along, up) in wheels.items():
        wheel = model.add(at.BodyOfRevolution(f"{name}_wheel", WHEEL, SPIN, TURN, axis="y"))
        axle = model.add(at.Revolute(f"{name}_axle", body.point(along, 0.0, up), wheel, axis="y"))
        radius = (radii or {}).get(name, RADIUS)
        model.add(at.Tyre(f"{name}_tyre", axle, model.ground, radius, normal_force, law, **parts))
    model.start = {"plane.second" if plane else "body.z": HEIGHT}
    return model


def told(
    system: System, states: Mapping[str, float], given: Mapping[str, float] | None = None
) -> dict[str, float]:
    """All outputs in a state, by name; ``given`` are values of inputs and parameters."""
    others = (*system.parameters, *system.inputs)
    values: dict[Expr, float] = {q.symbol: (given or {}).get(q.name, q.default) for q in others}
    values |= {q.symbol: states[q.name] for q in system.states} | {system.time.symbol: 0.0}
    found = evaluate([d.expression for d in system.outputs], values)
    return {d.quantity.name: float(v) for d, v in zip(system.outputs, found, strict=True)}
