"""The manoeuvres that the vehicles come with, each from the steady motion that is solved.

Numbers of car and skidder are those of an independent model in maximal coordinates, which
starts from the first values of Morency 2007, tables A.8, A.14 and A.15.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree.analysis.drive import PROPOSED_METHOD
from axletree.model.model import Model
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")


@pytest.fixture(scope="module")
def car_model() -> Model:
    return at.read_model("car")


@pytest.fixture(scope="module")
def car(car_model: Model) -> System:
    return car_model.formulate()


def proposed(model: Model, system: System, name: str) -> Trajectory:
    """As the command drives it where nothing is asked for."""
    run = model.run
    assert run.step is not None
    return system.drive(model.manoeuvres[name], step=run.step, method=run.method or PROPOSED_METHOD)


@pytest.mark.validation("vehicles")
def test_the_car_changes_lanes(car_model: Model, car: System, agrees: Agrees) -> None:
    """Figure 5.7."""
    run = proposed(car_model, car, "sine-steer")
    agrees(
        "car in a lane change from its trim: way along and across",
        [run["chassis.x"][-1], run["chassis.y"][-1]], [190.0, 31.0], abs=0.5, unit="m",
        source="Morency 2007, figure 5.7, by an independent model",
    )  # fmt: skip
    agrees(
        "car in a lane change from its trim: greatest yaw rate", max(abs(run["chassis.wz"])), 0.10,
        abs=0.005, unit="rad/s", source="Morency 2007, figure 5.7, by an independent model",
    )  # fmt: skip
    agrees(
        "car in a lane change from its trim: greatest roll",
        math.degrees(max(abs(run["chassis.roll"]))), 3.4, abs=0.05, unit="deg",
        source="Morency 2007, figure 5.7, by an independent model",
    )  # fmt: skip
    assert max(abs(run["front_left_tyre.Fy"][5000:])) > max(abs(run["front_left_tyre.Fy"][:5000]))


@pytest.mark.validation("vehicles")
def test_the_car_brakes(car_model: Model, car: System, agrees: Agrees) -> None:
    """Figure 5.9; and by the impulse of the torques on car and wheels."""
    run = proposed(car_model, car, "braking")
    speed = run["chassis.vx"][run.time <= 5.0][-1]
    assert speed == pytest.approx(6.5, abs=0.05)
    assert math.degrees(max(run["chassis.pitch"])) == pytest.approx(2.5, abs=0.05)
    assert run["chassis.y"][-1] == pytest.approx(0.65, abs=0.02)
    assert math.degrees(max(abs(run["chassis.roll"]))) == pytest.approx(0.44, abs=0.005)
    weight = 9.80665 * 2229
    radius = 0.355 - weight / 4 / 304e3
    inertia = 2229 + 4 * 1.56 / radius**2
    resistance = 0.01 * 0.344 * weight / radius
    by_hand = 20.0 - (4 * 1000 * 2.5 / radius + 5.0 * resistance) / inertia
    agrees(
        "car braked from its trim: speed at 5 s", speed, by_hand, abs=0.03, unit="m/s",
        source="Closed form, impulse of brakes and rolling resistance",
    )  # fmt: skip


def test_the_method_proposed_for_the_car_is_stable_where_explicit_euler_is_not(
    car_model: Model, car: System
) -> None:
    """Below 10 m/s slip lag and wheel spin swing faster than explicit Euler's 1 ms bears."""
    braking, rate = car_model.manoeuvres["braking"], "front_left_axle.rate"
    true = car.drive(braking, step=2.5e-4, record_interval=1e-3)
    slow = true["chassis.vx"] < 10.0
    assert slow.sum() > 5000

    def error(run: Trajectory) -> float:
        return float(np.abs(run[rate] - true[rate])[slow].max())

    assert error(car.drive(braking, method="explicit-euler", watch=False)) > 5.0  # [rad/s]
    assert error(proposed(car_model, car, "braking")) < 0.1
    assert error(car.drive(braking)) < 1e-4


@pytest.mark.validation("vehicles")
def test_the_car_turns_in_after_a_step(car_model: Model, car: System, agrees: Agrees) -> None:
    """It ends in the steady turn of its speed."""
    run = proposed(car_model, car, "step-steer")
    assert run["steer.angle"][-1] == pytest.approx(math.radians(1.0))
    assert max(abs(run["chassis.wz"][run.time <= 1.0])) < 1e-3
    end = car.trim({"chassis.vx": run["chassis.vx"][-1]}, inputs={"steer.angle": "1 deg"})
    agrees(
        "car after a step of the steering: yaw rate", run["chassis.wz"][-1],
        end.states["chassis.wz"], rel=5e-3, unit="rad/s",
        source="Another formulation, steady turn by Newton's method",
    )  # fmt: skip


def test_the_car_coasts_and_cruises(car_model: Model, car: System) -> None:
    coasting = proposed(car_model, car, "coasting")
    assert coasting["chassis.vx"][-1] == pytest.approx(20.0 - 10.0 * 0.0977, abs=2e-3)
    cruising = proposed(car_model, car, "cruising")
    assert cruising["chassis.vx"] == pytest.approx(20.0, abs=1e-9)
    assert cruising["front_left_tyre.Fx"][-1] > coasting["front_left_tyre.Fx"][-1]


@pytest.mark.validation("vehicles")
def test_the_skidder_changes_lanes_and_brakes(agrees: Agrees) -> None:
    """Figures 5.19 and 5.21."""
    model = at.read_model("skidder")
    system = model.formulate()
    run = proposed(model, system, "sine-steer")
    agrees(
        "skidder in a lane change from its trim: way along and across",
        [run["chassis.x"][-1], run["chassis.y"][-1]], [93.0, 26.0], abs=0.5, unit="m",
        source="Morency 2007, figure 5.19, by an independent model",
    )  # fmt: skip
    agrees(
        "skidder in a lane change from its trim: greatest yaw rate",
        max(abs(run["chassis.wz"])), 0.17, abs=0.002, unit="rad/s",
        source="Morency 2007, figure 5.19, by an independent model",
    )  # fmt: skip
    run = proposed(model, system, "braking")
    agrees(
        "skidder braked from its trim: last speed", run["chassis.vx"][-1], 2.22, abs=0.005,
        unit="m/s", source="Morency 2007, figure 5.21, by an independent model",
    )  # fmt: skip
    agrees(
        "skidder braked from its trim: greatest pitch",
        math.degrees(max(run["chassis.pitch"])), 1.27, abs=0.005, unit="deg",
        source="Morency 2007, figure 5.21, by an independent model",
    )  # fmt: skip
    assert max(abs(run["chassis.y"])) < 1e-9


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["bicycle-car", "three-wheeler", "skidder"])
@pytest.mark.parametrize("manoeuvre", ["sine-steer", "step-steer", "braking", "coasting"])
def test_the_others_do_what_theirs_say(name: str, manoeuvre: str) -> None:
    """To the left and straight again, to the left, slower, on."""
    model = at.read_model(name)
    run = proposed(model, model.formulate(), manoeuvre)
    start, end = run["chassis.vx"][0], run["chassis.vx"][-1]
    heading = run["chassis.angle" if name == "bicycle-car" else "chassis.yaw"]
    assert start == model.manoeuvres[manoeuvre].speed
    match manoeuvre:
        case "sine-steer":
            assert max(heading) > 0.1
            assert abs(heading[-1]) < 0.2 * max(heading)
        case "step-steer":
            assert heading[-1] > 0.3
            assert np.diff(heading).min() > -1e-6
        case "braking":
            assert end < 0.8 * start
            assert abs(heading[-1]) < 0.03
        case "coasting":
            assert 0.85 * start < end < (1.0 + 1e-9) * start
            assert abs(heading[-1]) < 2e-3
