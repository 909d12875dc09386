"""Ideal wheels: what is held, by which loads, and which parts do not go with it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mechanisms.tyre import RADIUS, Wheel, respond, tyre_with
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.components.contract import VelocityConstraint
from axletree.core.errors import ModelError
from axletree.expr import evaluate, symbol
from axletree.wheel.tyre import Tyre

CROWN = 0.11
SHAPES: list[Any] = ["disc", {"type": "toroid", "crown_radius": CROWN}]
NAMES = [f"{word}{axis}" for word in ("v", "w", "vh", "wh") for axis in "xyz"]
NAMES += [f"R{i}{j}" for i in "xyz" for j in "xyz"] + ["height", "rate"]


def random_wheel(random: np.random.Generator, height: float = 0.3) -> Wheel:
    angles = random.uniform(-1.0, 1.0, 3) * [3.0, 1.0, 3.0]  # yaw, lean, pitch
    return Wheel(
        velocity=random.normal(size=3),
        rate=float(random.normal()) * 10.0,
        height=height,
        turn=Rotation.from_euler("ZXY", angles).as_matrix(),
        angular_velocity=random.normal(size=3),
    )


def values_of(tyre: Tyre, wheel: Wheel) -> dict[Any, float]:
    R, v, w = wheel.turn, np.array(wheel.velocity), np.array(wheel.angular_velocity)
    numbers = [*v, *w, *(R.T @ v), *(R.T @ w), *R.ravel(), wheel.height, wheel.rate]
    values = {symbol(f"given.{n}"): x for n, x in zip(NAMES, numbers, strict=True)}
    return values | {q.symbol: q.default for q in tyre.parameters()}


def number(value: Any, values: dict[Any, float]) -> float:
    return float(evaluate([value], values)[0])


def lowest_point(wheel: Wheel, radius: float, crown: float) -> np.ndarray:
    """From the centre, road axes: by comparing all points of the ring."""
    turn = np.linspace(0.0, 2.0 * math.pi, 2_000_001)
    ring = (radius - crown) * np.stack([np.sin(turn), np.zeros_like(turn), np.cos(turn)])
    points = wheel.turn @ ring
    return points[:, points[2].argmin()] - [0.0, 0.0, crown]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_point_of_the_wheel_that_touches_is_held(shape: Any) -> None:
    """Along the road and across it, and its height, as a point of a rigid wheel."""
    tyre = tyre_with(contact=shape, law="no-slip", normal_force="none")
    held = {h.reaction.suffix: h for h in respond(tyre).constraints}
    crown = 0.0 if shape == "disc" else CROWN
    for seed in range(5):
        wheel = random_wheel(np.random.default_rng(seed))
        values = values_of(tyre, wheel)
        r = lowest_point(wheel, RADIUS, crown)
        axis = wheel.turn @ [0.0, 1.0, 0.0]
        w = np.array(wheel.angular_velocity) + wheel.rate * axis
        v = np.array(wheel.velocity) + np.cross(w, r)
        forward = np.cross(axis, [0.0, 0.0, 1.0])
        forward /= np.linalg.norm(forward)
        left = np.cross([0.0, 0.0, 1.0], forward)
        assert number(held["Fx"].velocity, values) == pytest.approx(v @ forward, abs=1e-4)
        assert number(held["Fy"].velocity, values) == pytest.approx(v @ left, abs=1e-4)
        assert number(held["Fz"].velocity, values) == pytest.approx(v[2], abs=1e-4)
        assert held["Fz"].position is not None
        gap = number(held["Fz"].position, values)
        assert gap == pytest.approx(wheel.height + r[2], abs=1e-9)
        assert held["Fx"].position is None
        assert held["Fy"].position is None


def power(held: VelocityConstraint, wheel: Wheel, values: dict[Any, float]) -> float:
    """Of a unit reaction, from its loads in carrier axes."""
    ((load,), (torque,)) = held.loads, held.joint_loads
    force = np.array([number(x, values) for x in load.force])
    moment = np.array([number(x, values) for x in load.moment])
    R = wheel.turn
    at_centre = force @ R.T @ wheel.velocity + moment @ R.T @ wheel.angular_velocity
    return float(at_centre + number(torque.effort, values) * wheel.rate)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("normal_force", ["none", {"type": "linear", "stiffness": 2e5}])
def test_reactions_do_work_on_what_is_held(shape: Any, normal_force: Any) -> None:
    tyre = tyre_with(contact=shape, law="no-slip", normal_force=normal_force)
    answer = respond(tyre)
    rigid = normal_force == "none"
    assert [h.reaction.suffix for h in answer.constraints] == [
        "Fx",
        "Fy",
        *(["Fz"] if rigid else []),
    ]
    for seed in range(5):
        wheel = random_wheel(np.random.default_rng(seed), height=0.25)
        values = values_of(tyre, wheel)
        for held in answer.constraints:
            speed = number(held.velocity, values)
            assert power(held, wheel, values) == pytest.approx(speed, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_velocity_of_the_gap_is_its_rate(shape: Any) -> None:
    tyre = tyre_with(contact=shape, law="no-slip", normal_force="none")
    gap = respond(tyre).constraints[2]
    wheel, step = random_wheel(np.random.default_rng(7)), 1e-6

    def after(time: float) -> float:
        turned = Rotation.from_rotvec(np.array(wheel.angular_velocity) * time).as_matrix()
        moved = Wheel(height=wheel.height + wheel.velocity[2] * time, turn=turned @ wheel.turn)
        return number(gap.position, values_of(tyre, moved))

    rate = (after(step) - after(-step)) / (2.0 * step)
    assert number(gap.velocity, values_of(tyre, wheel)) == pytest.approx(rate, rel=1e-8)


def test_a_spring_under_a_wheel_that_does_not_slip() -> None:
    """Normal force by deflection as of any tyre; along and across the point is held."""
    spring = {"type": "linear", "stiffness": 2e5}
    ideal = respond(tyre_with(law="no-slip", normal_force=spring))
    law = at.LinearTyre(slip_stiffness=0.0, cornering_stiffness=0.0)
    free_tyre = tyre_with(law=law, normal_force=spring)
    free = respond(free_tyre)
    wheel = random_wheel(np.random.default_rng(1), height=0.1)
    values = values_of(free_tyre, wheel)
    (given,), (expected,) = ideal.loads, free.loads
    for one, other in zip((*given.force, *given.moment), (*expected.force, *expected.moment),
                          strict=True):  # fmt: skip
        assert number(one, values) == pytest.approx(number(other, values), rel=1e-12, abs=1e-9)
    assert abs(number(given.force[2], values)) > 1000.0


def refusal(**parts: Any) -> str:
    with pytest.raises(ModelError) as caught:
        tyre_with(**parts)
    return str(caught.value)


def test_what_does_not_go_together() -> None:
    law = at.Fiala(**at.Fiala.example)
    assert "height would be held" in refusal(normal_force="none", law=law, belt="quad")
    lag = {"type": "constant-lag", "longitudinal_length": 0.1, "lateral_length": 0.1}
    assert "no slip that could lag" in refusal(normal_force="none", law="no-slip", slip=lag)
    text = refusal(normal_force="none", law="no-slip", rolling_radius="unloaded")
    assert "leave rolling_radius out" in text


def test_there_is_no_curve_of_a_law_that_holds() -> None:
    with pytest.raises(ModelError, match="no-slip has no forces over slip"):
        at.NoSlip()(at.Contact(1000.0, 0.0, 0.0))
    with pytest.raises(ModelError, match="the normal force is a reaction"):
        at.NoDeflection().support(symbol("d"), symbol("d_dot"), (), {})
