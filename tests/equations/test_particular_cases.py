"""Small models with answers by hand, for what random mechanisms meet too seldom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.components.signals import TIME
from axletree.core.errors import InitialValueError
from axletree.expr import evaluate, symbol

INERTIA = (0.1, 0.12, 0.14)


def rates(system: Any, **states: float) -> dict[str, float]:
    """Derivatives of all states, by name; double underscores stand for dots."""
    values = {q.symbol: q.default for q in (*system.states, *system.parameters, *system.inputs)}
    values |= {symbol("time"): 0.0}
    values |= {symbol(name.replace("__", ".")): value for name, value in states.items()}
    names = (q.name for q in system.states)
    return dict(zip(names, map(float, evaluate(list(system.derivatives), values)), strict=True))


def test_a_load_between_two_welded_bodies_moves_nothing() -> None:
    model = at.Model("pair", gravity=(0.0, 0.0, 0.0))
    a, b = (model.add(at.RigidBody(name, 1.0, INERTIA)) for name in "ab")
    model.add(at.Weld("weld", a.point(0, 0, 1), b.point(0, 0, -1)))
    model.add(at.LoadDriver("push", a, b, Fx=5.0, Fy=0.0, Fz=3.0, Mx=1.0, My=2.0, Mz=0.5))
    model.add(at.SpringDamper("spring", a, b, stiffness=100.0, free_length=0.5))
    found = rates(model.formulate(tree=["a"]))
    assert all(value == 0.0 for value in found.values())


def test_a_gear_on_a_driven_joint_takes_its_acceleration() -> None:
    model = at.Model("gears", gravity=(0.0, 0.0, 0.0))
    a, b = (model.add(at.RigidBody(name, 1.0, INERTIA)) for name in "ab")
    first = model.add(at.Revolute("first", model.ground, a))
    second = model.add(at.Revolute("second", model.ground.point(1, 0, 0), b))
    model.add(at.GearPair("gear", first, second, -2.0))
    model.add(at.RotationDriver("motor", first, 3.0 * TIME * TIME))
    system = model.formulate()
    assert rates(system)["second.rate"] == pytest.approx(-3.0)
    torque = next(d.expression for d in system.outputs if d.quantity.name == "motor.torque")
    values = {q.symbol: q.default for q in (*system.states, *system.parameters)}
    found = evaluate([torque], values | {symbol("time"): 0.0})[0]
    assert found == pytest.approx(0.14 * 6.0 + 0.14 * 3.0 / 2.0)


@pytest.mark.parametrize("axis", ["z", (1.0, 2.0, -0.5), (0.3, 0.3, 0.9)])
def test_a_prescribed_joint_leaves_no_freedom_whatever_its_axis(axis: Any) -> None:
    model = at.Model("driven")
    body = model.add(at.RigidBody("body", 1.0, INERTIA))
    other = model.add(at.RigidBody("other", 1.0, INERTIA))
    joint = model.add(at.Revolute("joint", model.ground, body, axis))
    model.add(at.RotationDriver("motor", joint, 0.2 * TIME))
    model.add(at.Revolute("hinge", body.point(1, 0, 0), other.point(0, 1, 0), "x"))
    system = model.formulate()
    assert [q.name for q in system.states] == ["hinge.rate", "hinge.angle"]
    assert system.degrees_of_freedom == 1
    assert np.isfinite(list(rates(system).values())).all()


def test_gears_between_joints_that_are_not_in_the_tree() -> None:
    """Their angles are states: they are found at the start and move with the bodies."""
    model = at.Model("gears", gravity=(0.0, 0.0, 0.0))
    a, b = (model.add(at.RigidBody(name, 1.0, INERTIA)) for name in "ab")
    first = model.add(at.Revolute("first", model.ground, a))
    second = model.add(at.Revolute("second", model.ground.point(1, 0, 0), b))
    model.add(at.GearPair("gear", first, second, -2.0))
    model.add(at.JointTorque("torque", first, 1.0))
    run = model.formulate(tree=["a", "b"]).simulate(
        1.0, step=1e-2, initial={"a.yaw_rate": 0.3, "a.yaw": 0.8}
    )
    # (J + J / 4) angle'' = 1
    time = run.time
    expected = 0.8 + 0.3 * time + 0.5 * time**2 / (0.14 * 1.25)
    np.testing.assert_allclose(run["a.yaw"], expected, atol=1e-9)
    np.testing.assert_allclose(run["first.angle"], expected, atol=1e-9)
    np.testing.assert_allclose(run["b.yaw"], -expected / 2.0, atol=1e-9)


def test_a_body_on_a_rod_swings_like_a_pendulum() -> None:
    """In the tree the rod's coordinates are those of a free edge, and its length is kept."""
    model = at.Model("rod", gravity=(0.0, 0.0, -9.81))
    bob = model.add(at.RigidBody("bob", 2.0, INERTIA))
    model.add(at.Rod("rod", model.ground, bob, 0.5))
    model.start = {"rod.z": -0.5}
    system = model.formulate()
    assert "rod.x" in [q.name for q in system.states]
    found = rates(system, rod__x=0.3, rod__z=-0.4, rod__vx=0.8, rod__vz=0.6)
    # Along the string v^2 / L, across it the part of gravity.
    radial, tangent = np.array([0.6, -0.8]), np.array([0.8, 0.6])
    expected = -radial / 0.5 + tangent * (tangent @ [0.0, -9.81])
    np.testing.assert_allclose([found["rod.vx"], found["rod.vz"]], expected, atol=1e-12)


@pytest.mark.parametrize("owner", ["rod", "bob"])
@pytest.mark.parametrize(
    ("place", "velocity", "tension"),
    [
        ((0.3, -0.4), (0.8, 0.6), 2.0 * (1.0 / 0.5 + 9.81 * 0.8)),  # m (v^2 / L + g cos)
        ((0.0, 0.5), (0.0, 0.0), -2.0 * 9.81),  # stands on the rod
    ],
)
def test_a_rod_tells_its_tension(
    owner: str, place: tuple[float, float], velocity: tuple[float, float], tension: float
) -> None:
    """The same in the tree and in the cotree: positive where it pulls."""
    model = at.Model("rod", gravity=(0.0, 0.0, -9.81))
    bob = model.add(at.RigidBody("bob", 2.0, INERTIA))
    model.add(at.Rod("rod", model.ground, bob, 0.5))
    model.start = {f"{owner}.z": place[1], f"{owner}.x": place[0]}
    names = (f"{owner}.{suffix}" for suffix in ("x", "z", "vx", "vz"))
    initial = dict(zip(names, (*place, *velocity), strict=True))
    run = model.formulate(tree=[owner]).simulate(1e-3, step=1e-3, initial=initial)
    assert run["rod.tension"][0] == pytest.approx(tension)
    assert run["rod.tension_per_length"][0] == pytest.approx(tension / 0.5)
    assert run.units["rod.tension"] == "N"


def test_two_joints_between_the_same_frames_with_opposite_axes() -> None:
    model = at.Model("opposite", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", 1.0, INERTIA))
    model.add(at.Revolute("forth", model.ground, body, "z"))
    back = model.add(at.Revolute("back", model.ground, body, "-z"))
    model.add(at.JointTorque("torque", back, 1.4))
    assert rates(model.formulate())["forth.rate"] == pytest.approx(-10.0)


def test_a_loop_on_a_moving_body_does_not_see_how_that_moves() -> None:
    model = at.Model("carried")
    base, a, b = (model.add(at.RigidBody(name, 1.0, INERTIA)) for name in ("base", "a", "b"))
    model.add(at.Free("float", model.ground, base))
    model.add(at.Revolute("one", base, a.point(-0.5, 0, 0), "y"))
    model.add(at.Revolute("two", a.point(0.5, 0, 0), b.point(-0.5, 0, 0), "y"))
    model.add(at.PointOnLine("guide", base, b.point(0.5, 0, 0), "x"))
    equations = model.formulate().source
    names = [q.name for q in equations.speeds]
    for constraint in equations.constraints:
        assert {names[j] for j in constraint.jacobian} <= {"one.rate", "two.rate"}


@pytest.mark.parametrize("second", ["2*t", "0.1*t*t + 0.5*t"])
def test_drives_that_contradict_one_another_are_refused(second: str) -> None:
    model = at.Model("contradiction")
    body = model.add(at.RigidBody("body", 1.0, INERTIA))
    joint = model.add(at.Revolute("joint", model.ground, body))
    model.add(at.RotationDriver("one", joint, "t"))
    model.add(at.RotationDriver("two", joint, second))
    with pytest.raises(InitialValueError, match=r"the drivers' motion given; .*two.torque by"):
        model.formulate().simulate(1.0, step=0.1)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("kind", ["Revolute", "Prismatic"])
def test_an_axis_the_other_way_and_an_effort_the_other_way_are_the_same(
    kind: str, axis: str
) -> None:
    found = []
    for sign, word in ((1.0, axis), (-1.0, f"-{axis}")):
        model = at.Model("chain")
        a, b = (model.add(at.RigidBody(name, 1.0, INERTIA, (0.1, 0.2, 0.3))) for name in "ab")
        model.add(at.Free("float", model.ground, a))
        joint = model.add(getattr(at, kind)("joint", a.point(0.3, 0.2, 0.1), b, word))
        effort = at.JointTorque if kind == "Revolute" else at.JointForce
        model.add(effort("effort", joint, 2.0 * sign))
        travels = {f"joint__{w}": 0.4 * sign for w in ("angle", "rate", "position", "speed")}
        result = rates(model.formulate(), float__wx=0.5, float__wz=1.0, **travels)
        found.append([result[f"float.{speed}"] for speed in ("vx", "vy", "vz", "wx", "wy", "wz")])
    np.testing.assert_allclose(found[1], found[0], atol=1e-12)


@pytest.mark.parametrize("axis", ["y", (1.0, 2.0, -0.5)])
def test_a_driven_point_on_a_line_of_a_moving_body_repeats_no_constraint(axis: Any) -> None:
    """What the driver holds already is found to be so, though rounding hides it."""
    model = at.Model("driven_point")
    body = model.add(at.RigidBody("body", 1.0, INERTIA))
    post = model.ground.point(0.05, -0.5, -0.3)
    guide = model.add(at.PointOnLine("guide", body, post, axis))
    model.add(at.TranslationDriver("motor", guide, "0.4 - 0.6*t"))
    system = model.formulate()
    assert system.degrees_of_freedom == 3
    assert system.constraints == ()
