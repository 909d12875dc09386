"""Turning the whole about the vertical: the generator by hand, and when it is no symmetry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.analysis.linear.jacobians import SymbolValues
from axletree.analysis.steady.yaw_symmetry import symmetry_of, yaw_symmetry
from axletree.expr import evaluate
from axletree.system.system import System


def body_in_space(orientation: str, *, spring: bool = False) -> System:
    """A rigid body, in gravity or on a spring to a post of the ground."""
    model = at.Model("body")
    body = model.add(at.RigidBody("body", 2.0, (0.1, 0.2, 0.3), orientation=orientation))
    if spring:
        post = model.ground.point(1.0, 0.0, 0.0)
        model.add(at.SpringDamper("spring", post, body, stiffness=10.0, free_length=0.5))
    return model.formulate()


def values_of(system: System, **states: float) -> dict:
    given = {f"body.{name}": value for name, value in states.items()}
    values = {system.time.symbol: 0.0}
    values |= {q.symbol: q.default for q in (*system.parameters, *system.inputs)}
    return values | {q.symbol: given.get(q.name, q.default) for q in system.states}


def field(system: System, values: SymbolValues) -> dict[str, float]:
    found = symmetry_of(system, values).generator(values).field
    return dict(zip((q.name for q in system.states), found.tolist(), strict=True))


def test_places_and_velocities_along_the_ground_turn() -> None:
    system = body_in_space("321")
    values = values_of(system, x=2.0, y=3.0, z=4.0, vx=5.0, vy=6.0, vz=7.0, yaw=0.3, roll=0.2)
    found = field(system, values)
    wanted = {"x": -3.0, "y": 2.0, "z": 0.0, "vx": -6.0, "vy": 5.0, "vz": 0.0, "yaw": 1.0}
    for name, value in wanted.items():
        assert found[f"body.{name}"] == pytest.approx(value, abs=1e-12)
    assert found["body.pitch"] == pytest.approx(0.0, abs=1e-12)


def test_a_quaternion_is_multiplied_from_the_left() -> None:
    """q' = (0, 0, 0, 1/2) q, and the angular velocity along the body's axes stays."""
    system = body_in_space("quaternion")
    q = np.array([0.8, 0.2, -0.4, 0.4])
    q /= np.linalg.norm(q)
    names = [f"e{k}" for k in range(4)]
    values = values_of(system, wx=1.0, wy=2.0, wz=3.0, **dict(zip(names, q.tolist(), strict=True)))
    found = field(system, values)
    by_hand = 0.5 * np.array([-q[3], -q[2], q[1], q[0]])
    assert [found[f"body.{name}"] for name in names] == pytest.approx(by_hand, abs=1e-12)
    assert [found[f"body.w{axis}"] for axis in "xyz"] == pytest.approx([0.0] * 3, abs=1e-12)


@pytest.mark.parametrize("orientation", ["321", "quaternion"])
def test_slopes_of_the_generator_agree_with_differences(orientation: str) -> None:
    system = body_in_space(orientation)
    values = values_of(system, x=2.0, y=3.0, vx=5.0, vy=6.0)
    symmetry, width = symmetry_of(system, values), 1e-6
    slopes = symmetry.generator(values).slopes
    rotating = {f"body.{name}" for name in ("x", "y", "vx", "vy", "wx", "wy", "wz")}
    for k, quantity in enumerate(system.states):
        if quantity.name in rotating:
            sides = [
                symmetry.generator(
                    {**values, quantity.symbol: values[quantity.symbol] + step}
                ).field
                for step in (width, -width)
            ]
            assert (sides[0] - sides[1]) / (2 * width) == pytest.approx(slopes[:, k], abs=1e-8)


def test_a_car_turned_as_a_whole_moves_alike() -> None:
    """Rates at a state and at the same one turned by 0.7 rad, which are turned likewise."""
    car = shipped_system("bicycle-car")
    state = car.state({"chassis.vx": 19.0, "chassis.vy": 2.0, "chassis.rate": 0.3})
    angle = 0.7
    turned = dict(state)
    cos, sin = math.cos(angle), math.sin(angle)
    for x, y in (("chassis.vx", "chassis.vy"), ("chassis.x", "chassis.y")):
        turned[x], turned[y] = cos * state[x] - sin * state[y], sin * state[x] + cos * state[y]
    turned["chassis.angle"] += angle
    values = [
        {car.time.symbol: 0.0}
        | {q.symbol: q.default for q in (*car.parameters, *car.inputs)}
        | {q.symbol: at_state[q.name] for q in car.states}
        for at_state in (state, turned)
    ]
    here, there = (
        dict(zip((q.name for q in car.states), evaluate(car.derivatives, v), strict=True))
        for v in values
    )
    ax, ay = here["chassis.vx"], here["chassis.vy"]
    assert there["chassis.vx"] == pytest.approx(cos * ax - sin * ay, rel=1e-9)
    assert there["chassis.vy"] == pytest.approx(sin * ax + cos * ay, rel=1e-9)
    assert there["front_tyre.q2"] == pytest.approx(here["front_tyre.q2"], rel=1e-9)
    assert yaw_symmetry(car, values[0], range(len(car.states))) is not None


def test_a_post_on_the_ground_breaks_the_symmetry() -> None:
    everything = range(12)
    free, held = body_in_space("321"), body_in_space("321", spring=True)
    assert yaw_symmetry(free, values_of(free, x=0.2), everything) is not None
    assert yaw_symmetry(held, values_of(held, x=0.2), everything) is None


def test_states_that_do_not_see_the_heading_need_nothing() -> None:
    car = shipped_system("three-wheeler")
    values = {car.time.symbol: 0.0}
    values |= {q.symbol: q.default for q in (*car.parameters, *car.inputs, *car.states)}
    places = ("chassis.x", "chassis.y", "chassis.yaw")
    others = [k for k, q in enumerate(car.states) if q.name not in places]
    assert yaw_symmetry(car, values, others) is None
    assert yaw_symmetry(car, values, range(len(car.states))) is not None
