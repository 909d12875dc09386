"""Tyres on roads that are tilted or move: what counts is the motion relative to the road."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.components.frames import Frame
from axletree.components.joints import Free
from axletree.model.model import Model
from axletree.simulation.trajectory import Trajectory
from axletree.wheel.tyre import Tyre

GRAVITY = 9.80665
TYRES = ("front_tyre", "left_tyre", "right_tyre")
TOLD = ("Fx", "Fy", "Fz", "Mx", "My", "Mz", "slip", "slip_angle", "inclination", "VPy", "turn_slip")
STEER = {"steer.angle": "0.02*sin(4*t)"}
Road = Callable[[Model], Frame]


def car_on(road: Road, *, gravity: np.ndarray, tail: Road) -> Model:
    """The shipped three-wheeler with its tyres on a frame and its coordinates in one."""
    described = at.read_model("three-wheeler")
    car = at.Model("car", tuple(gravity))
    under, origin = road(car), tail(car)
    for part in described:
        if isinstance(part, Tyre):
            car.add(replace(part, road=under))
        elif isinstance(part, Free):
            car.add(replace(part, tail=origin))
        else:
            car.add(part)
    car.start = dict(described.start)
    return car


def ground(model: Model) -> Frame:
    return model.ground.main_frame


def drive(model: Model, **speeds: float) -> Trajectory:
    outputs = [f"{tyre}.{name}" for tyre in TYRES for name in TOLD]
    return model.formulate().simulate(
        1.0, step=1e-3, record_interval=0.01, inputs=STEER, outputs=outputs, initial=speeds
    )


@pytest.mark.parametrize("turns", [[("x", -0.2)], [("z", 1.0), ("x", 0.1), ("y", -0.1)]])
def test_a_tilted_road_is_a_tilted_gravity(turns: list[tuple[str, float]]) -> None:
    down = np.array([0.0, 0.0, -GRAVITY])
    R = Rotation.from_euler("".join(a.upper() for a, _ in turns), [v for _, v in turns]).as_matrix()
    R = R.reshape(3, 3)  # older versions of SciPy have a list of one

    def slope(model: Model) -> Frame:
        return model.ground.frame("slope", (3.0, -2.0, 1.0), turns)

    tilted = drive(car_on(slope, gravity=down, tail=lambda model: slope_of(model)))
    level = drive(car_on(ground, gravity=R.T @ down, tail=ground))
    assert max(np.abs(level["chassis.y"])) + max(np.abs(level["chassis.vy"])) > 0.05
    for name in level.names:
        scale = max(1.0, np.abs(level[name]).max())
        assert tilted[name] == pytest.approx(level[name], abs=1e-8 * scale), name


def slope_of(model: Model) -> Frame:
    return next(frame for frame in model.ground.frames() if frame.label == "slope")


def test_car_and_road_may_move_together() -> None:
    """Nothing changes but the place, in every inertial frame."""
    along, across = -30.0, 4.0

    def belt(model: Model) -> Frame:
        sled = model.add(at.MasslessBody("sled"))
        plate = model.add(at.MasslessBody("plate"))
        first = model.add(at.Prismatic("along", model.ground, sled, axis="x"))
        second = model.add(at.Prismatic("across", sled, plate, axis="y"))
        model.add(at.TranslationDriver("pull", first, position=f"{along}*t"))
        model.add(at.TranslationDriver("push", second, position=f"{across}*t"))
        return plate.main_frame

    down = np.array([0.0, 0.0, -GRAVITY])
    still = drive(car_on(ground, gravity=down, tail=ground))
    model = car_on(belt, gravity=down, tail=ground)
    angles = [model.start.get(f"chassis.{name}", 0.0) for name in ("yaw", "pitch", "roll")]
    added = Rotation.from_euler("ZYX", angles).inv().apply([along, across, 0.0])  # to the body
    first = {f"chassis.v{axis}": value for axis, value in zip("xyz", added, strict=True)}
    moving = drive(model, **{n: v + model.start.get(n, 0.0) for n, v in first.items()})
    shift = {"chassis.x": along * still.time, "chassis.y": across * still.time}
    told = [name for name in still.names if not name.startswith("chassis.v")]
    for name in told:
        scale = max(1.0, np.abs(still[name]).max())
        found = moving[name] - shift.get(name, 0.0)
        assert found == pytest.approx(still[name], abs=1e-7 * scale), name


LAG = at.ConstantLag(longitudinal_length=0.3, lateral_length=0.6)


def wheel_on_arm(model: Model, cart: at.RigidBody, road: Frame, **parts: Any) -> None:
    """A braked, steered and leaning wheel on a cart, 15 mm pressed into the road."""
    wheel = model.add(at.BodyOfRevolution("wheel", 20.0, 1.2, 0.7, axis="y"))
    seat = cart.frame("hub", (0.0, 0.0, 0.0), [("z", 0.03), ("x", 0.05)])
    axle = model.add(at.Revolute("axle", seat, wheel, axis="y"))
    model.add(at.JointTorque("brake", axle))
    pushing = at.LinearNormalForce(stiffness=304e3)
    model.add(at.Tyre("tyre", axle, road, 0.355, normal_force=pushing, **parts))


def told(model: Model) -> Trajectory:
    outputs = [f"tyre.{name}" for name in TOLD]
    return model.formulate().simulate(
        0.5, step=1e-3, inputs={"brake.torque": -400.0}, outputs=outputs,
        initial={"axle.rate": 60.0},
    )  # fmt: skip


def sliding(speed_of_cart: str, speed_of_road: str) -> Trajectory:
    model = at.Model("dyno")
    cart, belt = (
        model.add(at.RigidBody("cart", 9.0, (1, 1, 1))),
        model.add(at.MasslessBody("conveyor")),
    )
    rail = model.add(at.Prismatic("rail", model.ground.point(0, 0, 0.34), cart, axis="x"))
    rollers = model.add(at.Prismatic("rollers", model.ground, belt, axis="x"))
    model.add(at.TranslationDriver("pull", rail, position=speed_of_cart))
    model.add(at.TranslationDriver("turn", rollers, position=speed_of_road))
    law = at.MagicFormula52(**at.MagicFormula52.example)
    wheel_on_arm(model, cart, belt.main_frame, law=law, slip=LAG)
    return told(model)


def test_on_a_rolling_road_a_wheel_does_what_it_does_on_the_road() -> None:
    on_road, on_rollers = sliding("20*t", "0"), sliding("0", "-20*t")
    assert on_road["tyre.slip"][-1] < -0.005
    assert on_road["axle.rate"][-1] < 59.0
    for name in (*(f"tyre.{name}" for name in TOLD), "axle.rate"):
        assert on_rollers[name] == pytest.approx(on_road[name], abs=1e-8), name


def turning(angle_of_arm: str, angle_of_table: str) -> Trajectory:
    model = at.Model("turntable")
    arm, table = model.add(at.RigidBody("arm", 9.0, (1, 1, 1))), model.add(at.MasslessBody("table"))
    centre = model.ground.point(0, 0, 0.34)
    post = model.add(at.Revolute("post", centre, arm.point(0.0, 5.0, 0.0), axis="z"))
    bearing = model.add(at.Revolute("bearing", model.ground, table, axis="z"))
    model.add(at.RotationDriver("swing", post, angle=angle_of_arm))
    model.add(at.RotationDriver("spin", bearing, angle=angle_of_table))
    law = at.MagicFormula62(**at.MagicFormula62.example, turn_slip=True)
    wheel_on_arm(
        model, arm, table.main_frame, law=law, slip="law-lag", contact=at.Toroid(crown_radius=0.1),
        inflation_pressure="2 bar",
    )  # fmt: skip
    return told(model)


def test_on_a_turntable_a_wheel_does_what_it_does_on_a_circle() -> None:
    on_circle, on_table = turning("4*t", "0"), turning("0", "-4*t")
    assert on_circle["tyre.turn_slip"][-1] == pytest.approx(1.0 / 5.0, rel=1e-2)
    for name in (f"tyre.{name}" for name in TOLD):
        scale = max(1.0, np.abs(on_circle[name]).max())
        assert on_table[name] == pytest.approx(on_circle[name], abs=1e-8 * scale), name


def test_a_wheel_rolls_down_a_slope_as_a_hoop_with_its_inertia() -> None:
    """Without rolling resistance: a = g sin(slope) / (1 + I / (m R^2)), with little slip."""
    model, slope = at.Model("slope"), 0.1
    plane = model.ground.frame("plane", (0.0, 0.0, 0.0), [("y", slope)])
    sled, yoke = model.add(at.MasslessBody("sled")), model.add(at.MasslessBody("yoke"))
    model.add(at.Prismatic("down", plane, sled, axis="x"))
    model.add(at.Prismatic("up", sled, yoke, axis="z"))
    wheel = model.add(at.BodyOfRevolution("wheel", 20.0, 1.2, 0.7, axis="y"))
    axle = model.add(at.Revolute("axle", yoke, wheel, axis="y"))
    model.add(
        at.Tyre(
            "tyre", axle, plane, unloaded_radius=0.3,
            normal_force=at.LinearNormalForce(stiffness=2e5, damping=500.0),
            law=at.LinearTyre(slip_stiffness=5e3, cornering_stiffness=5e3),
        )
    )  # fmt: skip
    weight = 20.0 * GRAVITY * math.cos(slope)
    height = 0.3 - weight / 2e5
    run = model.formulate().simulate(
        2.0, step=1e-3, outputs=["tyre.Fz"], initial={"up.position": height}
    )
    gained = GRAVITY * math.sin(slope) / (1.0 + 1.2 / (20.0 * height**2)) * 2.0
    assert run["tyre.Fz"][-1] == pytest.approx(weight, rel=1e-6)
    assert run["axle.rate"][-1] * height == pytest.approx(gained, rel=2e-3)
