"""Degrees of freedom of mechanisms whose number is known, and the constraints that repeat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import FormulationError
from axletree.expr import evaluate, symbol
from axletree.system.consistent_states import consistent_states

INERTIA = (0.1, 0.12, 0.14)


def free_body() -> Any:
    model = at.Model("free_body")
    model.add(at.RigidBody("body", 1.0, INERTIA))
    return model


def four_bar() -> Any:
    model = at.Model("four_bar")
    a, b, c = (model.add(at.RigidBody(name, 1.0, INERTIA)) for name in "ABC")
    model.add(at.Revolute("a", model.ground, a.point(-0.5, 0, 0), axis="y"))
    model.add(at.Revolute("b", a.point(0.5, 0, 0), b.point(-1, 0, 0), axis="y"))
    model.add(at.Revolute("c", b.point(1, 0, 0), c.point(-0.75, 0, 0), axis="y"))
    model.add(at.Revolute("d", model.ground.point(2, 0, 0), c.point(0.75, 0, 0), axis="y"))
    model.start = {"a.angle": -1.0, "b.angle": 0.8}
    return model


def slider_crank() -> Any:
    model = at.Model("slider_crank")
    crank, rod, slider = (model.add(at.RigidBody(n, 1.0, INERTIA)) for n in ("C", "R", "S"))
    model.add(at.Revolute("a", model.ground, crank.point(-0.5, 0, 0), axis="y"))
    model.add(at.Revolute("b", crank.point(0.5, 0, 0), rod.point(-1, 0, 0), axis="y"))
    model.add(at.Revolute("c", rod.point(1, 0, 0), slider, axis="y"))
    model.add(at.Prismatic("g", model.ground, slider, axis="x"))
    model.start = {"a.angle": 0.4}
    return model


def bricard() -> Any:
    """Six bars along the edges of a cube, each hinge normal to its two bars."""
    model = at.Model("bricard")
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
    before, where = model.ground, corners[0]
    for k, axis in enumerate("yzxyz"):
        bar = model.add(at.RigidBody(f"bar{k}", 1.0, INERTIA))
        middle = (corners[k] + corners[k + 1]) / 2.0
        tail = before.point(*(corners[k] - where))
        model.add(at.Revolute(f"hinge{k}", tail, bar.point(*(corners[k] - middle)), axis=axis))
        before, where = bar, middle
    last = before.point(*(corners[5] - where))
    model.add(at.Revolute("closing", last, model.ground.point(0, 0, 1), axis="x"))
    return model


def spatial_slider_crank() -> Any:
    """A crank and a slider joined by a rod with a ball at one end and a cross at the other."""
    model = at.Model("spatial_slider_crank")
    crank, rod, slider = (model.add(at.RigidBody(n, 1.0, INERTIA)) for n in ("C", "R", "S"))
    model.add(at.Revolute("a", model.ground.point(0, 0.1, 0.12), crank, axis="x"))
    model.add(at.Spherical("ball", crank.point(0, 0, 0.08), rod.point(-0.15, 0, 0)))
    model.add(at.Universal("cross", slider, rod.point(0.15, 0, 0), "z", "y"))
    model.add(at.Prismatic("g", model.ground, slider, axis="x"))
    model.start = {"g.position": 0.2}
    return model


def stewart_platform() -> Any:
    """A platform on six rods: nothing moves but in ways the rods allow, which is none."""
    model = at.Model("platform")
    plate = model.add(at.RigidBody("plate", 1.0, INERTIA))
    for k in range(6):
        low, high = 2.0 * np.pi * (k // 2) / 3.0, 2.0 * np.pi * ((k + 1) // 2) / 3.0 - 0.9
        foot = model.ground.point(np.cos(low), np.sin(low), 0.1 * (k % 2))
        head = plate.point(0.6 * np.cos(high), 0.6 * np.sin(high), 0.0)
        length = np.linalg.norm(np.array(head.position) + [0, 0, 1.2] - np.array(foot.position))
        model.add(at.Rod(f"rod{k}", foot, head, float(length)))
    model.start = {"plate.z": 1.2}
    return model


@pytest.mark.parametrize(
    ("build", "freedoms"),
    [(free_body, 6), (four_bar, 1), (slider_crank, 1), (bricard, 1), (spatial_slider_crank, 1)],
)
def test_degrees_of_freedom(build: Any, freedoms: int) -> None:
    assert build().formulate().degrees_of_freedom == freedoms


def test_bodies_as_coordinates_leave_the_same_freedom() -> None:
    system = four_bar().formulate(tree=["A", "B", "C"])
    assert len(system.source.speeds) == 18
    assert system.degrees_of_freedom == 1


def test_six_rods_hold_a_plate() -> None:
    system = stewart_platform().formulate(tree=["plate"])
    assert system.degrees_of_freedom == 0
    assert system.redundant == ()


def test_the_repeated_constraints_of_a_planar_loop_in_space_are_named() -> None:
    """Four hinges hold 20, a planar loop with one freedom needs 17: three moments repeat."""
    system = four_bar().formulate(tree=["A", "B", "C"])
    assert len(system.redundant) == 3
    joints = {name.split(".")[0] for name in system.redundant}
    assert joints <= {"a", "b", "c", "d"}
    assert all(name.split(".")[1] in ("Mx", "Mz", "Fy") for name in system.redundant)


def test_bricard_repeats_one_constraint() -> None:
    system = bricard().formulate()
    assert [q.name for q in system.source.speeds] == [f"hinge{k}.rate" for k in range(5)]
    assert len(system.source.constraints) == 5
    assert len(system.redundant) == 1


def test_bricard_moves_on_its_one_freedom() -> None:
    system = bricard().formulate()
    run = system.simulate(0.4, step=1e-3, initial={"hinge0.rate": 1.0})
    swing = run["hinge0.angle"]
    assert abs(swing[-1] - swing[0]) > 0.1
    energy = run["energy.total"]
    assert np.ptp(energy) < 1e-6 * np.abs(run["energy.kinetic"]).max()


def test_what_cannot_be_assembled_names_what_is_missed_and_by_how_much() -> None:
    far = at.Model("too_short")
    a = far.add(at.RigidBody("A", 1.0, INERTIA))
    far.add(at.Revolute("a", far.ground, a.point(-0.5, 0, 0), axis="y"))
    far.add(at.Spherical("ball", far.ground.point(3, 0, 0), a.point(0.5, 0, 0)))
    tried = r"too_short cannot be assembled: no configuration that closes was found from 30 starts;"
    with pytest.raises(FormulationError, match=rf"{tried} check lengths .*ball.Fx by 2"):
        far.formulate()


@pytest.mark.parametrize("angle", [0.5, 1.5, 2.5, 3.1, np.pi])
@pytest.mark.parametrize("kind", ["Prismatic", "Revolute"])
def test_no_body_is_assembled_half_a_turn_away(kind: str, angle: float) -> None:
    """The closure of a hinge is met by its axis reversed, too; that is another mechanism."""
    model = at.Model("turned")
    body = model.add(at.RigidBody("body", 1.0, INERTIA))
    rail = model.ground.frame("rail", (0.1, 0.2, 0.3), [("y", angle)])
    model.add(getattr(at, kind)("joint", rail, body, "x"))
    system = model.formulate(tree=["body"])
    values = {symbol("time"): 0.0} | {q.symbol: q.default for q in system.parameters}
    start = consistent_states(system, {}, values)
    values |= zip((q.symbol for q in system.states), start.tolist(), strict=True)
    elements = [d.expression for d in system.outputs if ".rotation." in d.quantity.name]
    R = np.array(evaluate(elements, values)).reshape(3, 3)
    relative = np.array(rail.turn).T @ R
    np.testing.assert_allclose(relative[:, 0], [1.0, 0.0, 0.0], atol=1e-8)
    if kind == "Prismatic":
        np.testing.assert_allclose(relative, np.eye(3), atol=1e-8)


def test_speeds_that_move_nothing_are_named() -> None:
    model = at.Model("nothing")
    model.add(at.Revolute("pin", model.ground, model.add(at.MasslessBody("arm"))))
    with pytest.raises(FormulationError, match=r"singular: some of the speeds pin\.rate move"):
        model.formulate()
