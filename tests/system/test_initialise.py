"""Consistent first values: what is given stays, the rest follows, contradictions are named."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.core.errors import FormulationError, InitialValueError, ModelError
from axletree.simulation.problem import SettingsError


def test_what_is_given_stays_and_the_rest_follows(four_bar: Any, numbers: Any) -> None:
    n = numbers(four_bar.formulate(), {"a.angle": -1.3, "b.rate": 0.7})
    named = dict(zip(n.names, n.states, strict=True))
    assert named["a.angle"] == -1.3
    assert named["b.rate"] == 0.7
    assert np.abs(n.positions(n.states)).max() < 1e-10
    assert np.abs(n.velocities(n.states)).max() < 1e-10
    assert abs(named["a.rate"]) > 0.01


@pytest.mark.parametrize("given", [{"b.angle": 1.0}, {"c.angle": 1.2, "c.rate": -1.0}, {}])
def test_any_subset_will_do(four_bar: Any, numbers: Any, given: dict[str, float]) -> None:
    n = numbers(four_bar.formulate(), given)
    for name, value in given.items():
        assert n.states[n.names.index(name)] == value
    assert np.abs(n.positions(n.states)).max() < 1e-10
    assert np.abs(n.velocities(n.states)).max() < 1e-10


def test_more_than_enough_is_fine_if_it_agrees(four_bar: Any, numbers: Any) -> None:
    first = numbers(four_bar.formulate(), {"a.angle": -1.3, "a.rate": 0.7})
    everything = dict(zip(first.names, first.states.tolist(), strict=True))
    again = numbers(four_bar.formulate(), everything)
    np.testing.assert_array_equal(again.states, first.states)


def test_positions_that_contradict_one_another_are_named(four_bar: Any, numbers: Any) -> None:
    """With two angles given, the coupler's end is where it is: miss by hand."""
    a, b = -1.3, 0.2
    with pytest.raises(InitialValueError) as caught:
        numbers(four_bar.formulate(), {"a.angle": a, "b.angle": b})
    text = str(caught.value)
    assert text.startswith("no configuration with a.angle = -1.3 rad, b.angle = 0.2 rad follows")
    assert "where the loop of a, b, c, d can go no further" in text
    # About y, x turns to (cos, -sin): the distance of c from d against the last bar's length.
    c = np.array([np.cos(a), -np.sin(a)]) + 2.0 * np.array([np.cos(a + b), -np.sin(a + b)])
    miss = c - [2.0, 0.0]
    lacking = abs(np.linalg.norm(miss) - 1.5)
    amounts = [float(amount) for amount in re.findall(r" by ([0-9.]+)", text)]
    assert all(name in text for name in ("d.Fx by", "d.Fz by"))
    assert np.hypot(*amounts) == pytest.approx(lacking, rel=2e-2)


def test_speeds_that_contradict_one_another_are_named(four_bar: Any, numbers: Any) -> None:
    with pytest.raises(InitialValueError, match=r"contradict the constraints with a.rate, b.rate"):
        numbers(four_bar.formulate(), {"a.angle": -1.3, "a.rate": 1.0, "b.rate": 1.0})


def test_a_turned_round_hinge_is_named(pendulum: Any, numbers: Any) -> None:
    with pytest.raises(InitialValueError, match="pin, turned round"):
        numbers(pendulum.formulate(tree=["rod"]), {"rod.roll": np.pi, "rod.yaw": 0.0})


def test_quaternions_are_made_unit_ones(numbers: Any) -> None:
    model = at.Model("ball")
    body = model.add(at.RigidBody("body", 1.0, (0.1, 0.1, 0.1)))
    model.add(at.Spherical("ball", model.ground, body, orientation="quaternion"))
    given = {"ball.e0": 2.0, "ball.e1": 0.0, "ball.e2": 2.0, "ball.e3": 0.0}
    n = numbers(model.formulate(), given)
    found = [n.states[n.names.index(f"ball.e{k}")] for k in range(4)]
    np.testing.assert_allclose(found, [np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0])


def test_a_prescribed_motion_decides_the_rest(numbers: Any) -> None:
    model = at.Model("driven")
    crank, rod = (model.add(at.RigidBody(n, 1.0, (0.1, 0.1, 0.1))) for n in ("crank", "rod"))
    a = model.add(at.Revolute("a", model.ground, crank.point(-0.5, 0, 0), axis="y"))
    model.add(at.Revolute("b", crank.point(0.5, 0, 0), rod.point(-1, 0, 0), axis="y"))
    model.add(at.PointOnLine("guide", model.ground, rod.point(1, 0, 0), axis="x"))
    model.add(at.RotationDriver("motor", a, "0.3 + 2*t"))
    n = numbers(model.formulate(), {})
    named = dict(zip(n.names, n.states, strict=True))
    # sin(a) + 2 sin(a + b) = 0 and its rate.
    angle = -0.3 - np.arcsin(np.sin(0.3) / 2.0)
    assert named["b.angle"] == pytest.approx(angle)
    rate = -2.0 - np.cos(0.3) * 2.0 / (2.0 * np.cos(0.3 + angle))
    assert named["b.rate"] == pytest.approx(rate)


def sprung_hinge() -> Any:
    model = at.Model("sprung")
    body = model.add(at.RigidBody("body", 1.0, (0.1, 0.1, 0.1)))
    hinge = model.add(at.Revolute("hinge", model.ground, body))
    model.add(at.RotationalSpringDamper("spring", hinge, stiffness=1.0))
    return model


@pytest.mark.parametrize("angle", [0.5, -2.8, 7.0])
def test_the_angle_of_a_joint_in_the_cotree_turns_the_body(numbers: Any, angle: float) -> None:
    """As a state it counts turns, the body's own angle need not."""
    n = numbers(sprung_hinge().formulate(tree=["body"]), {"hinge.angle": angle})
    named = dict(zip(n.names, n.states, strict=True))
    assert named["hinge.angle"] == angle
    assert np.exp(1j * named["body.yaw"]) == pytest.approx(np.exp(1j * angle), abs=1e-9)


def test_an_angle_that_contradicts_the_bodys_is_named(numbers: Any) -> None:
    with pytest.raises(
        InitialValueError, match="body.yaw = 0.1 rad.*violated beyond it: hinge.angle by 0.397;"
    ):
        numbers(sprung_hinge().formulate(tree=["body"]), {"hinge.angle": 0.5, "body.yaw": 0.1})


@pytest.mark.parametrize("speeds", ["derivatives", "body"])
@pytest.mark.parametrize(
    ("orientation", "middle", "angle", "in_line"),
    [
        ("313", "nutation", 0.0, "precession and spin"),
        ("313", "nutation", np.pi, "precession and spin"),
        ("321", "pitch", np.pi / 2, "yaw and roll"),
        ("312", "roll", -np.pi / 2, "yaw and pitch"),
    ],
)
def test_a_run_does_not_start_where_two_angles_are_one(
    speeds: str, orientation: str, middle: str, angle: float, in_line: str
) -> None:
    """There the first angle and the last undo one another, as SciPy has it, too."""
    order = "".join("XYZ"[int(digit) - 1] for digit in orientation)
    here = Rotation.from_euler(order, [0.3, angle, 0.2])
    turned = [Rotation.from_euler(order, [0.4, angle, 0.2 + x]) for x in (-0.1, 0.1)]
    assert min((here.inv() * other).magnitude() for other in turned) < 1e-12
    model = at.Model("locked")
    body = model.add(at.RigidBody("body", 1.0, (1.0, 1.1, 1.2)))
    model.add(at.Free("free", model.ground, body, orientation=orientation, speeds=speeds))
    system = model.formulate(tree=["free"])
    with pytest.raises(InitialValueError) as caught:
        system.simulate(0.1, step=0.01, initial={f"free.{middle}": angle})
    text = f"free: at {middle} = {angle:g} rad the angles {in_line} turn about the same line"
    assert str(caught.value).startswith(text)
    assert "'quaternion'" in str(caught.value)
    away = system.simulate(0.1, step=0.01, initial={f"free.{middle}": angle + 0.1})
    assert np.isfinite(away["body.position.z"]).all()


# -- first values in coordinates that the tree does not have ------------------------------


def bob_on_a_rod(**start: Any) -> Any:
    model = at.Model("bob_on_a_rod", gravity=(0, 0, -9.81))
    bob = model.add(at.RigidBody("bob", 1.0, (1, 1, 1)))
    bob.point(0.3, 0, 0, "eye")
    model.add(at.Rod("rod", model.ground, bob, length=1.0))
    model.start = {name.replace("__", "."): value for name, value in start.items()}
    return model


@pytest.mark.parametrize(
    ("start", "place"),
    [
        ({}, (1.0, 0.0, 0.0)),  # nothing says where: always the same
        ({"bob__z": -1.0}, (0.0, 0.0, -1.0)),
        ({"bob__z": -0.6}, (0.8, 0.0, -0.6)),
        ({"bob__x": 0.6, "bob__y": -0.8}, (0.6, -0.8, 0.0)),
        ({"rod__y": -1.0}, (0.0, -1.0, 0.0)),
        ({"rod__y": -3.0, "rod__z": 0.1}, None),
        ({"bob__eye__position__z": -0.9, "bob__pitch": np.pi / 2}, (0.8, 0.0, -0.6)),
    ],
)
def test_a_start_in_any_coordinates_is_solved_for(start: Any, place: Any) -> None:
    """The rod has coordinates in the tree, the bob's own place has not."""
    model = bob_on_a_rod(**start)
    if place is None:
        with pytest.raises(FormulationError, match="rod.y is given as -3 m, and the nearest that"):
            model.formulate()
        return
    state = model.formulate().state()
    found = [state[f"rod.{axis}"] for axis in "xyz"]
    np.testing.assert_allclose(found, place, atol=1e-12)
    assert model.formulate().state() == state


def test_first_values_of_a_run_are_taken_in_any_coordinates() -> None:
    """From the model's start (0.6, 0, -0.8), whose x is kept; a base that moves goes on with it."""
    system = bob_on_a_rod(bob__x=0.6, bob__z=-0.8).formulate()
    state = system.state({"bob.z": "50 cm"})
    assert [state["rod.x"], abs(state["rod.y"]), state["rod.z"]] == pytest.approx(
        [0.6, np.sqrt(1.0 - 0.36 - 0.25), 0.5], abs=1e-12
    )
    state = system.state({"bob.velocity.x": 0.8})
    assert [state[f"rod.v{axis}"] for axis in "xyz"] == pytest.approx([0.8, 0.0, 0.6], abs=1e-12)
    run = system.simulate(0.01, step=0.01, initial={"bob.position.x": 0.3}, watch=False)
    assert run["rod.x"][0] == pytest.approx(0.3, abs=1e-12)
    with pytest.raises(InitialValueError, match=r"no configuration with bob.z = 3 m follows"):
        system.state({"bob.z": 3.0})
    with pytest.raises(InitialValueError, match=r"speeds contradict .* bob.vx, bob.vz given"):
        system.state({"bob.vx": 0.8, "bob.vz": 9.0})
    with pytest.raises(SettingsError, match=r"unknown state 'bob.q'.* such as 'rod.end.position"):
        system.state({"bob.q": 1.0})


def test_a_target_at_its_greatest_is_left_by_a_short_way() -> None:
    """The crank of 0.5 m stands upright, where its slope of height is zero."""
    system = at.read_model("four-bar").formulate()
    state = system.state({"crank.position.z": 0.05})
    assert abs(np.sin(state["a.angle"])) == pytest.approx(0.05 / 0.25, abs=1e-12)
    assert max(abs(state[f"{hinge}.angle"]) for hinge in "abc") < 3.2


def test_speeds_that_nobody_gives_follow_and_do_not_hold_back() -> None:
    """The bob's own speeds are variables outside of the tree, of which one is given."""
    model = at.Model("sledge")
    sledge = model.add(at.RigidBody("sledge", 5.0, (1, 1, 1)))
    model.add(at.Prismatic("slide", model.ground, sledge, axis="x"))
    bob = model.add(at.RigidBody("bob", 1.0, (0.1, 0.1, 0.1)))
    model.add(at.Revolute("pin", sledge, bob.point(0, 0, 1.0, "eye"), axis="y"))
    model.start = {"slide.speed": 10.0}
    state = model.formulate().state({"bob.vz": 0.0, "pin.angle": 0.5})
    assert state["slide.speed"] == pytest.approx(10.0, abs=1e-12)
    assert state["pin.rate"] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (float("nan"), "start.bob.z: expected a finite number in m, or a text with a unit, got"),
        ("-1 kg", "start.bob.z: '-1 kg' is a mass"),
        (None, "got None"),
        ([1.0, 2.0], "expected a finite number"),
    ],
)
def test_first_values_that_are_no_numbers_are_named(value: Any, words: str) -> None:
    with pytest.raises(ModelError, match=re.escape(words)):
        bob_on_a_rod(bob__z=value).formulate()
    assert bob_on_a_rod(bob__z="-60 cm").formulate().state()["rod.z"] == pytest.approx(-0.6)


def test_speeds_outside_the_tree_are_solved_for() -> None:
    model = bob_on_a_rod(bob__z=-1.0, bob__vx=2.0, bob__eye__velocity__y=0.6)
    state = model.formulate().state()
    assert [state[f"rod.v{axis}"] for axis in "xz"] == pytest.approx([2.0, 0.0], abs=1e-12)
    # Of the eye's velocity, part is the bob's, part its turning: by the least change.
    assert state["rod.vy"] + 0.3 * state["bob.yaw_rate"] == pytest.approx(0.6)


def test_a_start_outside_the_tree_follows_the_parameters_of_a_run() -> None:
    model = at.Model("pendulum")
    rod = model.add(at.RigidBody("rod", 1.0, (0.1, 0.12, 0.14)))
    model.add(at.Revolute("pin", model.ground, rod.point(0, 0, 0.5, "top"), axis="y"))
    model.start = {"rod.x": -0.3}
    system = model.formulate()
    assert system.state()["pin.angle"] == pytest.approx(np.arcsin(0.6))
    longer = system.simulate(0.01, step=0.01, parameters={"rod.top.z": 1.0})
    assert longer["pin.angle"][0] == pytest.approx(np.arcsin(0.3))


@pytest.mark.parametrize("tree", [None, ["A", "B", "C"]])
def test_the_angle_of_the_joint_that_closes_a_loop_can_be_given(four_bar: Any, tree: Any) -> None:
    """Crank and coupler, 1 m and 2 m long, reach the end of the last bar: by the cosine law."""
    four_bar.start = {"d.angle": 1.9}
    run = four_bar.formulate(tree=tree).simulate(1e-3, step=1e-3)
    reach = np.hypot(2.0 - 1.5 * np.cos(1.9), 1.5 * np.sin(1.9))
    assert run["d.angle"][0] == pytest.approx(1.9, abs=1e-9)
    assert np.cos(run["b.angle"][0]) == pytest.approx((reach**2 - 1.0 - 4.0) / 4.0, abs=1e-9)


def test_turns_of_a_joint_outside_the_tree_are_kept(numbers: Any) -> None:
    model = sprung_hinge()
    model.start = {"hinge.angle": 7.0}
    n = numbers(model.formulate(tree=["body"]), {})
    named = dict(zip(n.names, n.states, strict=True))
    assert named["hinge.angle"] == pytest.approx(7.0, abs=1e-12)
    assert np.exp(1j * named["body.yaw"]) == pytest.approx(np.exp(7j), abs=1e-9)


def test_first_values_that_contradict_one_another_are_named(pendulum: Any) -> None:
    pendulum.start = {"rod.x": 0.3, "pin.angle": 0.2}
    with pytest.raises(FormulationError, match="rod.x is given as 0.3 m, and the nearest"):
        pendulum.formulate()
