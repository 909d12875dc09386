"""Followers of a path: each against a closed form, and in vehicles that drive one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.analysis.procedures.contract import Evaluation, Procedure
from axletree.analysis.procedures.proving_ground import ProvingGround
from axletree.cli.app import app
from axletree.controllers.contract import ControlledVehicle
from axletree.controllers.discrete_system import RunningController
from axletree.controllers.predictive import PredictiveRun, error_model
from axletree.core.errors import AxletreeError, ModelError
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.vehicle import Vehicle

RADIUS = 60.0  # m
STRAIGHT = at.StraightPath(length=500.0)
FOLLOWERS = (at.PurePursuitController, at.StanleyController, at.PredictivePathController)


def sedan() -> Vehicle:
    found: Vehicle = at.read_model("sedan").described["vehicle"]
    return found


def on_circle(kind: Any, speed: float, **numbers: float) -> tuple[Trajectory, ControlledVehicle]:
    """A linear car on a circle."""
    model = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    path = at.CirclePath(radius=RADIUS, laps=1)
    lap = replace(
        model.manoeuvres["constant-radius"], path=path, speed=speed, duration=180.0 / speed
    )
    driven = model.with_changes(lap.changes)
    own = kind.of(driven.described["vehicle"], **numbers)
    return model.drive(lap, step=1e-2, controllers=[own], watch=False), own.vehicle


def radius_of(run: Trajectory, ahead: float) -> float:
    """On which a point of the body goes in the end [m], by three places of it."""
    heading = np.asarray(run["vehicle.heading"])
    x = np.asarray(run["vehicle.x"]) + ahead * np.cos(heading)
    y = np.asarray(run["vehicle.y"]) + ahead * np.sin(heading)
    rows = [-1, -1 - len(x) // 12, -1 - len(x) // 6]
    a = np.array([[2.0 * x[k], 2.0 * y[k], 1.0] for k in rows])
    cx, cy, c = np.linalg.solve(a, [x[k] ** 2 + y[k] ** 2 for k in rows])
    return math.sqrt(c + cx**2 + cy**2)


def carried(car: ControlledVehicle) -> tuple[float, float]:
    """Slip angles of both axles by lateral acceleration [rad/(m/s^2)]: forces act behind axles."""
    front, rear = car.axles
    a = front.position - front.trail - car.centre
    b = car.centre - rear.position + rear.trail
    return (
        car.mass * b / (a + b) / front.stiffness, car.mass * a / (a + b) / rear.stiffness
    )  # fmt: skip


@pytest.mark.slow
def test_pure_pursuit_is_off_a_circle_by_what_tyres_slip() -> None:
    """The rear axle on the radius q, its goal at the distance l on the circle: with the triangle of
    both and the centre, sin t = (q^2 + l^2 - R^2) / (2 q l) over the tangent. The nose is turned in
    by the rear slip angle, and the wheels by L / q + (K_f - K_r) v^2 / q."""
    speed, away = 15.0, 12.0
    run, car = on_circle(
        at.PurePursuitController, speed, nearest=away, farthest=away, look_ahead=0.5
    )
    front, rear = carried(car)

    def lacks(q: float) -> float:
        sine = (q * q + away * away - RADIUS * RADIUS) / (2.0 * q * away)
        goal = math.asin(sine) - rear * speed**2 / q
        steered = math.atan(2.0 * car.wheelbase * math.sin(goal) / away)
        return steered - (car.wheelbase + (front - rear) * speed**2) / q

    low, high = 0.9 * RADIUS, 1.2 * RADIUS
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if lacks(middle) < 0.0 else (low, middle)
    expected = low - RADIUS
    assert abs(expected) > 0.3
    assert radius_of(run, car.rear) - RADIUS == pytest.approx(expected, rel=0.01)


@pytest.mark.slow
def test_pure_pursuit_keeps_wheels_that_roll_on_the_circle() -> None:
    """Without slip an arc through the goal is the circle itself: slow turns have no offset."""
    run, car = on_circle(at.PurePursuitController, 2.0)
    assert radius_of(run, car.rear) == pytest.approx(RADIUS, abs=0.02)


@pytest.mark.slow
def test_stanley_is_off_a_circle_by_the_front_slip_it_does_not_know() -> None:
    """Then (soft + v) tan(slip) = gain e; and by less than 1 cm where it knows it."""
    speed = 15.0
    for share in (0.0, 1.0):
        run, car = on_circle(at.StanleyController, speed, slip_share=share, damping=0.0)
        front, _ = carried(car)
        slip = front * speed**2 / radius_of(run, car.front)
        expected = (1.0 - share) * (1.0 + speed) / 2.5 * math.tan(slip)
        found = radius_of(run, car.front) - RADIUS
        assert found == pytest.approx(expected, rel=0.02, abs=0.01)


@pytest.mark.parametrize("offset", [0.01, 4.0])
def test_stanley_comes_to_a_line_at_its_rate(offset: float) -> None:
    """Of wheels that roll: e' = -v sin(atan(gain e / (soft + v))), whose solution is
    w + log((w - 1) / z) with z = gain e / (soft + v), w = sqrt(1 + z^2), as it falls by gain v /
    (soft + v) t; small ones fall as exp(-gain v t / (soft + v))."""
    v, gain, h, count = 10.0, 2.0, 1e-3, 600
    own = at.StanleyController.of(sedan(), STRAIGHT, gain=gain, slip_share=0.0, damping=0.0)
    runs, car = RunningController(own), own.vehicle
    # The front axle goes at v along the wheels' direction.
    x, y, heading = car.front, offset, -math.atan(gain * offset / (1.0 + v))
    for k in range(count):
        seen = {
            "vehicle.x": x - car.front * math.cos(heading),
            "vehicle.y": y - car.front * math.sin(heading),
            "vehicle.heading": heading, "vehicle.forward_speed": v, "vehicle.yaw_rate": 0.0,
        }  # fmt: skip
        wheels = runs.update(k * h, seen)["steering_actuator.command"] / car.ratio
        x += h * v * math.cos(heading + wheels)
        y += h * v * math.sin(heading + wheels)
        heading += h * v * math.sin(wheels) / car.wheelbase

    def level(e: float) -> float:
        z = gain * e / (1.0 + v)
        w = math.sqrt(1.0 + z * z)
        return w + math.log(z / (1.0 + w))

    rate = gain * v / (1.0 + v)
    assert level(offset) - level(y) == pytest.approx(rate * count * h, rel=5e-3)
    if offset < 0.1:
        assert math.log(offset / y) == pytest.approx(rate * count * h, rel=5e-3)


def seen_at(x: float, y: float, heading: float, v: float) -> dict[str, float]:
    return {
        "vehicle.x": x, "vehicle.y": y, "vehicle.heading": heading, "vehicle.forward_speed": v,
        "vehicle.lateral_speed": 0.0, "vehicle.yaw_rate": 0.0,
    }  # fmt: skip


def test_the_model_of_the_predictive_controller_turns_as_in_books() -> None:
    """In a steady turn r = v d / (L + (K_f - K_r) v^2), and e' = 0 where p is its sideslip."""
    car, v, angle = ControlledVehicle.of(sedan()), 20.0, 0.02
    rates = error_model(car, v, 0.03)
    lateral, yaw = np.linalg.solve(rates[2:4, 2:4], -rates[2:4, 4] * angle)
    front, rear = carried(car)
    assert yaw == pytest.approx(v * angle / (car.wheelbase + (front - rear) * v * v), rel=1e-9)
    behind = car.centre - car.rear
    assert lateral / v == pytest.approx((behind / v - rear * v) * yaw, rel=1e-9)


def test_a_predictive_controller_far_from_bounds_is_a_linear_quadratic_one() -> None:
    """The first angle of a programme without active bounds is that of Riccati's recursion, written
    for the state with the angle before."""
    own = at.PredictivePathController.of(sedan(), STRAIGHT, steps=25)
    v, car = 18.0, own.vehicle
    square = np.zeros((7, 7))
    square[:5] = error_model(car, v, own.lag)
    over = np.eye(7)
    for k in range(24, 0, -1):  # Taylor's series of the exponential
        over = np.eye(7) + square * own.step @ over / k
    # The state is with the angle before, to which the control adds.
    a, b = np.zeros((6, 6)), np.zeros(6)
    a[:5, :5], a[:5, 5], b[:5] = over[:5, :5], over[:5, 5], over[:5, 5]
    a[5, 5] = b[5] = 1.0
    rate = np.array([0.0, v, 1.0, 0.0, 0.0, 0.0])
    q = own.rate_weight * np.outer(rate, rate)
    q[0, 0] += own.offset_weight
    r, p = own.effort_weight / own.step**2, np.zeros((6, 6))
    for _ in range(25):
        p = p + q if _ else q
        gain = (b @ p @ a) / (r + b @ p @ b)
        p = a.T @ p @ (a - np.outer(b, gain))
    y, heading = 0.05, -0.002
    asked = PredictiveRun(own).update(0.0, seen_at(30.0, y, heading, v))
    offset = y + car.centre * math.sin(heading)
    expected = -gain @ np.array([offset, heading, 0.0, 0.0, 0.0, 0.0])
    found = asked["steering_actuator.command"] / car.ratio
    assert abs(found) > 1e-3
    assert found == pytest.approx(expected, rel=1e-3)


def test_it_keeps_to_what_hands_and_steering_do() -> None:
    own = at.PredictivePathController.of(sedan(), STRAIGHT, lock=1.0, hand_rate=3.0)
    runs, angles = PredictiveRun(own), []
    for k in range(40):
        asked = runs.update(0.02 * k, seen_at(30.0, 5.0, 0.3, 10.0))
        angles.append(asked["steering_actuator.command"])
    assert angles[0] == pytest.approx(-3.0 * own.step, rel=1e-3)  # one step of the prediction
    assert min(angles) == pytest.approx(-1.0, rel=1e-3)
    runs.reset()
    again = runs.update(0.0, seen_at(30.0, 5.0, 0.3, 10.0))["steering_actuator.command"]
    assert again == pytest.approx(angles[0], abs=1e-9)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "most"),
    [(at.PurePursuitController, 0.55), (at.StanleyController, 0.08),
     (at.PredictivePathController, 0.05)],
)  # fmt: skip
def test_they_drive_a_lane_change_in_place_of_the_driver(kind: Any, most: float) -> None:
    """ISO 3888-1 at 80 km/h; the driver, who sees the path ahead, is off it by 2 cm."""
    model = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}})
    run = model.drive("iso-3888-1", controllers=[kind.word], watch=False)
    off = next(one.value for one in run.findings if one.name == "maximum_path_deviation")
    assert 0.005 < off < most
    assert np.max(np.abs(run["driver.steering"])) < 1e-9  # hands off
    assert np.max(np.abs(run["steering_actuator.angle"])) > 0.3


def test_what_has_no_path_is_told_where_to_get_one() -> None:
    with pytest.raises(ModelError, match="'stanley' follows a path, and has none; drive a man"):
        at.StanleyController.of(sedan())
    with pytest.raises(AxletreeError, match="follows a path"):
        at.read_model("sedan").drive("step-steer", controllers=["mpc"])
    with pytest.raises(ModelError, match="nearest is 50 m; expected no more than farthest, 40 m"):
        at.PurePursuitController.of(sedan(), STRAIGHT, nearest=50.0)
    runs = PredictiveRun(at.PredictivePathController.of(sedan(), STRAIGHT))
    with pytest.raises(ModelError, match=r"given nan for 'vehicle\.x'"):
        runs.update(0.0, seen_at(math.nan, 0.0, 0.0, 10.0))


def test_a_path_of_ones_own_is_followed_beside_an_open_steering_wheel() -> None:
    """In a manoeuvre without a driver the angle is added to a wheel that is held straight."""
    model = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    path = at.CirclePath(radius=100.0, entry=10.0)
    rolls = replace(
        model.manoeuvres["step-steer"], speed=15.0, angle=1e-9, level=None, duration=6.0, metrics=()
    )
    own = at.StanleyController.of(model.described["vehicle"], path=path)
    run = model.drive(rolls, step=1e-2, controllers=[own], watch=False)
    assert run["vehicle.yaw_rate"][-1] == pytest.approx(0.15, rel=0.02)


@dataclass(frozen=True)
class CircleAndStep(Procedure):
    """A run along a circle, and one whose steering wheel is turned."""

    path: ClassVar[str] = "a circle"
    runs: list[Trajectory] = field(default_factory=list, compare=False)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        circle = ground.known("constant-radius", at.FollowPath)
        path = at.CirclePath(radius=RADIUS, laps=1)
        turns = replace(circle, path=path, speed=10.0, duration=12.0)
        step = replace(ground.manoeuvre("step-steer"), speed=20.0, level=None, duration=2.0)  # type: ignore[call-arg]
        self.runs.extend(ground.drive(one, "a run") for one in (turns, step))
        return Evaluation(())


def test_in_a_procedure_they_steer_where_it_has_a_path() -> None:
    """The angle of a steady turn does not depend on who steers; the step is as without them."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    plain, led = CircleAndStep(), CircleAndStep()
    car.procedure(plain)
    found = car.procedure(led, controllers=["stanley"])
    (driven, step), (followed, again) = plain.runs, led.runs
    assert np.max(np.abs(followed["driver.steering"])) < 1e-9
    assert np.max(np.abs(driven["driver.steering"])) > 0.5  # rad
    angles = [
        next(one.value for one in run.findings if one.name == "steering_wheel_angle")
        for run in (driven, followed)
    ]
    assert angles[1] == pytest.approx(angles[0], rel=2e-3)  # of a path that is off by 2 cm
    assert np.allclose(step["vehicle.yaw_rate"], again["vehicle.yaw_rate"], atol=1e-9)
    assert found.notes == (
        "stanley steers where a path is followed; in other runs the steering wheel turns as the "
        "procedure says",
    )


def test_a_procedure_without_a_path_says_why_and_where_they_steer() -> None:
    words = (
        "'stanley' follows a path, and iso-21994 has none: the steering wheel is held straight. It "
        r"steers in iso-3888-1 \(the lanes\), .*, iso-8608 \(a straight line\); or give it a path"
    )
    with pytest.raises(ModelError, match=words):
        at.procedure("sedan", "iso-21994", controllers=["esc", "stanley"])


def test_a_path_of_ones_own_takes_the_hands_of_the_driver_off_too() -> None:
    """Both would steer, each by the whole angle."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    circle = at.CirclePath(radius=RADIUS, laps=1)
    lap = replace(car.manoeuvres["constant-radius"], path=circle, speed=10.0, duration=4.0)
    own = at.StanleyController.of(car.described["vehicle"], path=circle)
    run = car.drive(lap, step=1e-2, controllers=[own], watch=False)
    assert np.max(np.abs(run["driver.steering"])) < 1e-9
    assert np.max(np.abs(run["driver.offset"])) < 0.1  # m


@pytest.mark.slow
def test_they_look_for_the_highest_speed_through_the_lanes() -> None:
    """Without practice, and without the driver's hands, which are slower than an actuator."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    search = at.DoubleLaneChange(resolution="5 km/h")
    found = car.procedure(search, controllers=["stanley"])
    assert 70.0 <= found["highest_speed"] < 110.0  # km/h
    assert found["failing_speed"] > found["highest_speed"]
    assert found.stages[0].conditions.startswith("steered by stanley")


@pytest.mark.slow
def test_the_command_line_has_them(tmp_path: Any) -> None:
    arguments = ["run", "sedan", "iso-3888-1", "--model", "linear", "--controller", "stanley",
                 "--no-report", "--out", str(tmp_path)]  # fmt: skip
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert "maximum path deviation" in done.output.lower()
